// SPDX-License-Identifier: Apache-2.0
// What does the recorder say to a JVM that it does not support? No such JVM is
// at hand: this one is made of the few functions that the library calls before
// it gives up, and fails the test when it is asked for more than that.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <jvmti.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <string>

namespace {

std::map<std::string, std::string> properties;
jint environment = JNI_OK;           // what GetEnv answers
jvmtiError capabilities = JVMTI_ERROR_NONE;
jvmtiEventCallbacks callbacks;
std::deque<std::string> strings;     // what jstrings are

int thing;  // classes and methods
template <class T>
T some() {
  return reinterpret_cast<T>(&thing);
}
jstring text(const std::string& s) {
  return reinterpret_cast<jstring>(&strings.emplace_back(s));
}
const std::string& text(jstring s) { return *reinterpret_cast<std::string*>(s); }

jvmtiError enabled(jvmtiEnv*, jvmtiEventMode, jvmtiEvent, jthread, ...) {
  return JVMTI_ERROR_NONE;
}

jvmtiInterface_1_ tools() {
  jvmtiInterface_1_ f;
  std::memset(&f, 0, sizeof f);
  f.AddCapabilities = [](jvmtiEnv*, const jvmtiCapabilities*) {
    return capabilities;
  };
  f.SetEventCallbacks = [](jvmtiEnv*, const jvmtiEventCallbacks* c, jint size) {
    if (c->VMInit != nullptr) {
      std::memcpy(&callbacks, c, static_cast<std::size_t>(size));
    }
    return JVMTI_ERROR_NONE;
  };
  f.SetEventNotificationMode = enabled;
  return f;
}
JNINativeInterface_ functions() {
  JNINativeInterface_ f;
  std::memset(&f, 0, sizeof f);
  f.FindClass = [](JNIEnv*, const char*) { return some<jclass>(); };
  f.GetMethodID = [](JNIEnv*, jclass, const char*, const char*) {
    return some<jmethodID>();
  };
  f.GetStaticMethodID = f.GetMethodID;
  f.DeleteLocalRef = [](JNIEnv*, jobject) {};
  f.PushLocalFrame = [](JNIEnv*, jint) -> jint { return 0; };
  f.PopLocalFrame = [](JNIEnv*, jobject o) { return o; };
  f.ExceptionCheck = [](JNIEnv*) -> jboolean { return JNI_FALSE; };
  f.ExceptionClear = [](JNIEnv*) {};
  f.NewStringUTF = [](JNIEnv*, const char* s) { return text(s); };
  // System.getProperty
  f.CallStaticObjectMethodV = [](JNIEnv*, jclass, jmethodID,
                                 va_list words) -> jobject {
    return text(properties[text(va_arg(words, jstring))]);
  };
  f.GetStringLength = [](JNIEnv*, jstring s) {
    return static_cast<jsize>(text(s).size());
  };
  f.GetStringUTFLength = f.GetStringLength;
  f.GetStringUTFRegion = [](JNIEnv*, jstring s, jsize, jsize n, char* to) {
    std::memcpy(to, text(s).data(), static_cast<std::size_t>(n));
  };
  return f;
}

jvmtiInterface_1_ tool_table = tools();
JNINativeInterface_ jni_table = functions();
jvmtiEnv tool_env{&tool_table};
JNIEnv jni_env{&jni_table};

JNIInvokeInterface_ invocation() {
  JNIInvokeInterface_ f;
  std::memset(&f, 0, sizeof f);
  f.GetEnv = [](JavaVM*, void** to, jint version) {
    *to = (version & 0x30000000) != 0 ? static_cast<void*>(&tool_env)
                                      : static_cast<void*>(&jni_env);
    return environment;
  };
  return f;
}
JNIInvokeInterface_ vm_table = invocation();
JavaVM vm{&vm_table};

class RefusalTest : public testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("REJIG_OFF");
    environment = JNI_OK;
    capabilities = JVMTI_ERROR_NONE;
    callbacks = {};
    properties = {{"java.vm.name", "OpenJDK 64-Bit Server VM"},
                  {"java.vm.version", "17.0.15+6-Debian-1deb12u1"}};
  }
  // What is said from the start of the JVM to the end of its initialization.
  std::string said() {
    void* library = ::dlopen(REJIG_AGENT_LIBRARY, RTLD_NOW);
    if (library == nullptr) return ::dlerror();
    auto* on_load = reinterpret_cast<jint (*)(JavaVM*, char*, void*)>(
        ::dlsym(library, "Agent_OnLoad"));
    testing::internal::CaptureStderr();
    std::string options = "out=" + testing::TempDir();
    EXPECT_EQ(on_load(&vm, options.data(), nullptr), JNI_OK);
    if (callbacks.VMInit != nullptr) {
      callbacks.VMInit(&tool_env, &jni_env, nullptr);
    }
    return testing::internal::GetCapturedStderr();
  }
};

constexpr char kUnsupported[] =
    "rejig-agent: only HotSpot JVMs with their own compilers are supported; nothing is "
    "recorded\n";
constexpr char kLacks[] =
    "rejig-agent: this JVM lacks what the recorder needs; nothing is recorded\n";

TEST_F(RefusalTest, OpenJ9) {
  properties["java.vm.name"] = "Eclipse OpenJ9 VM";
  properties["java.vm.version"] = "openj9-0.41.0";
  EXPECT_EQ(said(), kUnsupported);
}

TEST_F(RefusalTest, GraalVM) {
  properties["java.vm.version"] = "17.0.9+9-jvmci-23.0-b22";
  EXPECT_EQ(said(), kUnsupported);
}

TEST_F(RefusalTest, NoToolInterface) {
  environment = JNI_EVERSION;
  EXPECT_EQ(said(), kLacks);
}

TEST_F(RefusalTest, NoCapability) {
  capabilities = JVMTI_ERROR_NOT_AVAILABLE;
  EXPECT_EQ(said(), kLacks);
}

}  // namespace
