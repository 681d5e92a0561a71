// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/callers.h"

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "apps/agent/memory.h"

namespace rejig::agent {
namespace {

enum class Who : unsigned char {
  kUnknown,
  kPlatform,
  kConstants,
  kModules,
  kTool,
  kEngine,
  kOther
};

constexpr std::string_view kPlatforms[] = {
    "Ljava/", "Ljavax/", "Ljdk/", "Lsun/", "Lcom/sun/", "Lrejig/junit/"};
constexpr std::string_view kTools[] = {
    "Lorg/junit/platform/commons/", "Lorg/junit/runners/model/",
    "Lorg/junit/runner/Description", "Lorg/junit/internal/MethodSorter",
    "Lorg/junit/validator/"};
constexpr std::string_view kEngines[] = {
    "Lorg/junit/platform/engine/support/", "Lorg/junit/platform/launcher/",
    "Lorg/junit/jupiter/engine/",          "Lorg/junit/vintage/engine/",
    "Lorg/junit/internal/builders/",       "Lorg/junit/internal/requests/",
    "Lorg/junit/internal/runners/",        "Lorg/junit/runner/JUnitCore",
    "Lorg/junit/runner/Request;",          "Lorg/junit/runner/Computer",
    "Lorg/junit/runners/ParentRunner",     "Lorg/junit/runners/BlockJUnit4",
    "Lorg/junit/runners/JUnit4",           "Lorg/junit/runners/Suite",
    "Lorg/junit/runners/Parameterized",    "Lorg/junit/runners/parameterized/",
    "Ljunit/framework/TestSuite;",         "Ljunit/framework/TestCase;",
    "Ljunit/runner/",                      "Ljunit/textui/"};

template <std::size_t N>
bool begins(std::string_view name, const std::string_view (&heads)[N]) {
  for (const std::string_view head : heads) {
    if (starts_with(name, head)) return true;
  }
  return false;
}

Who who_is(std::string_view signature) {
  if (starts_with(signature, "Ljdk/internal/module/")) return Who::kModules;
  if (begins(signature, kPlatforms)) return Who::kPlatform;
  if (begins(signature, kTools)) return Who::kTool;
  return begins(signature, kEngines) ? Who::kEngine : Who::kOther;
}

class Signature {
 public:
  Signature(jvmtiEnv* ti, jclass cls) : ti_(ti) {
    if (ti->GetClassSignature(cls, &text_, nullptr) != JVMTI_ERROR_NONE) {
      text_ = nullptr;
    }
  }
  Signature(const Signature&) = delete;
  Signature& operator=(const Signature&) = delete;
  ~Signature() { ti_->Deallocate(reinterpret_cast<unsigned char*>(text_)); }
  std::string_view view() const {
    return text_ == nullptr ? std::string_view{} : std::string_view(text_);
  }

 private:
  jvmtiEnv* ti_;
  char* text_ = nullptr;
};

// The answer for a method of a loader that never goes away is kept.
class Known {
 public:
  Who find(jmethodID method) const {
    const Slot& s = slots_[slot_of(method)];
    return load(s.method) == method ? static_cast<Who>(load(s.who))
                                    : Who::kUnknown;
  }
  void keep(jmethodID method, Who who) {
    Slot& s = slots_[slot_of(method)];
    if (load(s.method) != nullptr) return;
    __atomic_store_n(&s.who, static_cast<unsigned char>(who),
                     __ATOMIC_RELAXED);
    __atomic_store_n(&s.method, method, __ATOMIC_RELEASE);
  }

 private:
  struct Slot {
    jmethodID method;
    unsigned char who;  // a Who
  };
  template <class T>
  static T load(const T& from) {
    return __atomic_load_n(&from, __ATOMIC_ACQUIRE);
  }
  static constexpr unsigned kSlots = 4096;
  static unsigned slot_of(jmethodID method) {
    const auto bits = reinterpret_cast<std::uintptr_t>(method);
    return static_cast<unsigned>(bits >> 3 ^ bits >> 15) % kSlots;
  }
  Slot slots_[kSlots];
};

Known known;  // zeros

bool has_name(jvmtiEnv* ti, jmethodID method,
              std::initializer_list<std::string_view> names) {
  char* name = nullptr;
  if (ti->GetMethodName(method, &name, nullptr, nullptr) != JVMTI_ERROR_NONE) {
    return false;
  }
  bool out = false;
  for (const std::string_view one : names) out |= one == name;
  ti->Deallocate(reinterpret_cast<unsigned char*>(name));
  return out;
}

bool stays(jvmtiEnv* ti, JNIEnv* jni, jclass cls) {
  static jobject system = nullptr;
  if (__atomic_load_n(&system, __ATOMIC_ACQUIRE) == nullptr) {
    jclass loaders = jni->FindClass("java/lang/ClassLoader");
    jmethodID get =
        loaders == nullptr
            ? nullptr
            : jni->GetStaticMethodID(loaders, "getSystemClassLoader",
                                     "()Ljava/lang/ClassLoader;");
    jobject found =
        get == nullptr ? nullptr : jni->CallStaticObjectMethod(loaders, get);
    jni->ExceptionClear();
    if (found == nullptr) return false;
    __atomic_store_n(&system, jni->NewGlobalRef(found), __ATOMIC_RELEASE);
  }
  jobject loader = nullptr;
  if (ti->GetClassLoader(cls, &loader) != JVMTI_ERROR_NONE) return false;
  const bool out =
      loader == nullptr || jni->IsSameObject(loader, system) != JNI_FALSE;
  jni->DeleteLocalRef(loader);
  return out;
}

Who who_has(jvmtiEnv* ti, JNIEnv* jni, jmethodID method) {
  Who who = known.find(method);
  if (who != Who::kUnknown) return who;
  jclass owner = nullptr;
  if (ti->GetMethodDeclaringClass(method, &owner) != JVMTI_ERROR_NONE) {
    return Who::kOther;
  }
  const Signature signature(ti, owner);
  who = who_is(signature.view());
  if (signature.view() == "Ljava/lang/Class;" &&
      has_name(ti, method, {"getEnumConstantsShared"})) {
    who = Who::kConstants;
  }
  if (stays(ti, jni, owner)) known.keep(method, who);
  jni->DeleteLocalRef(owner);
  return who;
}

}  // namespace

bool asked_by_linkage(jvmtiEnv* ti, JNIEnv* jni, jint depth) {
  jvmtiFrameInfo frame;
  jint count = 0;
  jclass owner = nullptr;
  if (ti->GetStackTrace(nullptr, depth, 1, &frame, &count) !=
          JVMTI_ERROR_NONE ||
      count != 1 ||
      ti->GetMethodDeclaringClass(frame.method, &owner) != JVMTI_ERROR_NONE) {
    return false;
  }
  const Signature signature(ti, owner);
  jni->DeleteLocalRef(owner);
  if (signature.view() == "Ljava/lang/Class;") {
    return has_name(ti, frame.method,
                    {"desiredAssertionStatus", "getPackageName"});
  }
  return starts_with(signature.view(), "Ljava/lang/invoke/") ||
         signature.view() == "Ljava/lang/$Rejig;";
}

Asker who_asked(jvmtiEnv* ti, JNIEnv* jni) {
  constexpr jint kFrom = 2;
  // Mostly it is the one behind Class itself, and frames are dear.
  constexpr jint kAtFirst = 4;
  constexpr jint kAtOnce = 12;
  constexpr jint kMost = 96;
  jvmtiFrameInfo frames[kAtOnce];
  jint wanted = kAtFirst;
  for (jint from = kFrom; from < kMost;) {
    jint count = 0;
    if (ti->GetStackTrace(nullptr, from, wanted, frames, &count) !=
        JVMTI_ERROR_NONE) {
      return Asker::kProgram;
    }
    for (jint i = 0; i < count; ++i) {
      switch (who_has(ti, jni, frames[i].method)) {
        case Who::kConstants:
          return Asker::kConstants;
        case Who::kModules:
          return Asker::kModules;
        case Who::kEngine:
          return Asker::kRunner;
        case Who::kUnknown:
        case Who::kOther:
          return Asker::kProgram;
        case Who::kPlatform:
        case Who::kTool:
          break;
      }
    }
    if (count < wanted) break;
    from += wanted;
    wanted = kAtOnce;
  }
  return Asker::kProgram;
}

std::string_view asking_class(jvmtiEnv* ti, JNIEnv* jni, char* room,
                              std::size_t size) {
  constexpr jint kFrom = 2;
  constexpr jint kMost = 64;
  jvmtiFrameInfo frames[kMost];
  jint count = 0;
  if (ti->GetStackTrace(nullptr, kFrom, kMost, frames, &count) !=
      JVMTI_ERROR_NONE) {
    return {};
  }
  for (jint i = 0; i < count; ++i) {
    const Who who = who_has(ti, jni, frames[i].method);
    if (who == Who::kPlatform || who == Who::kModules ||
        who == Who::kConstants) {
      continue;
    }
    jclass owner = nullptr;
    if (who != Who::kOther || ti->GetMethodDeclaringClass(
                                  frames[i].method, &owner) !=
                                  JVMTI_ERROR_NONE) {
      return {};
    }
    const Signature signature(ti, owner);
    jni->DeleteLocalRef(owner);
    const std::string_view name = signature.view();
    if (name.size() < 3 || name.size() - 2 > size) return {};
    for (std::size_t c = 0; c < name.size() - 2; ++c) {
      room[c] = name[c + 1] == '/' ? '.' : name[c + 1];
    }
    return {room, name.size() - 2};
  }
  return {};
}

bool junit_keeps(jvmtiEnv* ti, JNIEnv* jni) {
  constexpr jint kFrom = 2;
  constexpr jint kMost = 12;
  jvmtiFrameInfo frames[kMost];
  jint count = 0;
  if (ti->GetStackTrace(nullptr, kFrom, kMost, frames, &count) !=
      JVMTI_ERROR_NONE) {
    return false;
  }
  for (jint i = 0; i < count; ++i) {
    jclass owner = nullptr;
    if (ti->GetMethodDeclaringClass(frames[i].method, &owner) !=
        JVMTI_ERROR_NONE) {
      return false;
    }
    const Signature signature(ti, owner);
    jni->DeleteLocalRef(owner);
    const std::string_view name = signature.view();
    if (starts_with(name, "Ljava/lang/$Rejig") ||
        name == "Lorg/junit/jupiter/engine/execution/NamespaceAwareStore;" ||
        starts_with(name,
                    "Lorg/junit/jupiter/api/extension/ExtensionContext$Store")) {
      continue;
    }
    return starts_with(name, "Lorg/junit/");
  }
  return false;
}

}  // namespace rejig::agent
