// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/class_names.h"

#include <pthread.h>

#include <cstring>
#include <span>

#include "apps/agent/agent.h"
#include "apps/agent/callers.h"
#include "apps/agent/hooks.h"

// The JVM's own; there from JDK 13 on.
extern "C" __attribute__((weak)) jstring JVM_InitClassName(JNIEnv*, jclass);

namespace rejig::agent {
namespace {

jfieldID name_field = nullptr;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
constexpr unsigned kMost = 4096;
jweak asked[kMost];
unsigned asked_count = 0;

// Frames between the native method and who called getName().
constexpr jint kCallerDepth = 2;

// What is not kept is asked for again: slower, and seen all the same.
bool keep_for_this_epoch(JNIEnv* jni, jclass cls) {
  pthread_mutex_lock(&mutex);
  const bool room = asked_count < kMost;
  if (room) asked[asked_count++] = jni->NewWeakGlobalRef(cls);
  pthread_mutex_unlock(&mutex);
  return room;
}

bool tell(JNIEnv* jni, std::span<char> signature) {
  for (char& c : signature) {
    if (c == '.') return true;  // hidden: nobody's
    if (c == '/') c = '.';
  }
  if (__atomic_load_n(&agent->quiet, __ATOMIC_ACQUIRE) == jni ||
      asked_by_linkage(agent->watcher, jni, kCallerDepth)) {
    return false;
  }
  std::string_view name(signature.data(), signature.size());
  while (!name.empty() && name.front() == '[') name.remove_prefix(1);
  name.remove_prefix(1);
  name.remove_suffix(1);
  return agent->recorder.found(kReflected, name, jni) != 0;
}

jstring JNICALL class_name(JNIEnv* jni, jclass cls) {
  jstring name = JVM_InitClassName(jni, cls);
  if (jni->ExceptionCheck()) return name;
  char* signature = nullptr;
  if (agent->watcher->GetClassSignature(cls, &signature, nullptr) !=
      JVMTI_ERROR_NONE) {
    return name;
  }
  const std::size_t size = std::strlen(signature);
  if (is_numbered(signature) && signature[size - 1] == ';') {
    jobject loader = nullptr;
    agent->watcher->GetClassLoader(cls, &loader);
    if (loader != nullptr &&
        !(tell(jni, {signature, size}) && keep_for_this_epoch(jni, cls))) {
      drop_class_name(jni, cls);
    }
    jni->DeleteLocalRef(loader);
  }
  agent->watcher->Deallocate(reinterpret_cast<unsigned char*>(signature));
  return name;
}

}  // namespace

bool is_numbered(std::string_view name) {
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    if (name[i] == '$' && name[i + 1] >= '0' && name[i + 1] <= '9') return true;
  }
  return false;
}

bool take_class_names(JNIEnv* jni) {
  if (JVM_InitClassName == nullptr) return false;
  jclass cls = jni->FindClass("java/lang/Class");
  jfieldID field = cls == nullptr
                       ? nullptr
                       : jni->GetFieldID(cls, "name", "Ljava/lang/String;");
  const JNINativeMethod method = {const_cast<char*>("initClassName"),
                                  const_cast<char*>("()Ljava/lang/String;"),
                                  reinterpret_cast<void*>(class_name)};
  __atomic_store_n(&name_field, field, __ATOMIC_RELEASE);
  const bool taken =
      field != nullptr && jni->RegisterNatives(cls, &method, 1) == JNI_OK;
  jni->ExceptionClear();
  jni->DeleteLocalRef(cls);
  return taken;
}

void drop_class_name(JNIEnv* jni, jclass cls) {
  jfieldID field = __atomic_load_n(&name_field, __ATOMIC_ACQUIRE);
  if (field != nullptr) jni->SetObjectField(cls, field, nullptr);
}

void drop_class_names(JNIEnv* jni) {
  pthread_mutex_lock(&mutex);
  for (unsigned i = 0; i < asked_count; ++i) {
    jobject cls = jni->NewLocalRef(asked[i]);
    if (cls != nullptr) {
      drop_class_name(jni, static_cast<jclass>(cls));
      jni->DeleteLocalRef(cls);
    }
    jni->DeleteWeakGlobalRef(asked[i]);
  }
  asked_count = 0;
  pthread_mutex_unlock(&mutex);
}

}  // namespace rejig::agent
