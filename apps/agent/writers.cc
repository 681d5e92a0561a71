// SPDX-License-Identifier: Apache-2.0
// Who writes what the JVM keeps, or a file? Looks at the stack from a hook
// downwards.
#include <cstring>

#include "apps/agent/callers.h"

namespace rejig::agent {
namespace {

constexpr jint kFrom = 2;  // behind the native method and its caller
constexpr jint kAtOnce = 12;
constexpr jint kMost = 192;

enum class Whose : unsigned char { kJdk, kLibrary, kProgram };

// The name of the class, with dots, is put into `room`.
Whose whose(jvmtiEnv* ti, JNIEnv* jni, Recorder& recorder, jmethodID method,
            char* room, std::size_t size, std::size_t& length) {
  jclass owner = nullptr;
  if (ti->GetMethodDeclaringClass(method, &owner) != JVMTI_ERROR_NONE) {
    return Whose::kJdk;
  }
  jobject loader = nullptr;
  ti->GetClassLoader(owner, &loader);
  char* signature = nullptr;
  Whose out = Whose::kJdk;
  if (loader != nullptr && ti->GetClassSignature(owner, &signature, nullptr) ==
                               JVMTI_ERROR_NONE) {
    length = std::strlen(signature);
    out = Whose::kLibrary;
    if (length > 2 && length - 2 < size) {
      length -= 2;
      for (std::size_t i = 0; i < length; ++i) {
        room[i] = signature[i + 1] == '/' ? '.' : signature[i + 1];
      }
      const std::string_view name(room, length);
      // What reflection makes has a loader of its own.
      const bool made = starts_with(name, "jdk.internal.") ||
                        starts_with(name, "sun.reflect.");
      if (made) {
        out = Whose::kJdk;
      } else if (recorder.is_of_program(name)) {
        out = Whose::kProgram;
      }
    }
    ti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  }
  jni->DeleteLocalRef(loader);
  jni->DeleteLocalRef(owner);
  return out;
}

std::string_view entity(jvmtiEnv* ti, jmethodID method, char* room,
                        std::size_t size, std::size_t length) {
  char* name = nullptr;
  char* descriptor = nullptr;
  if (ti->GetMethodName(method, &name, &descriptor, nullptr) !=
      JVMTI_ERROR_NONE) {
    return {};
  }
  const std::size_t n = std::strlen(name);
  const std::size_t d = std::strlen(descriptor);
  std::string_view out;
  if (length + 1 + n + d <= size) {
    room[length] = '.';
    std::memcpy(room + length + 1, name, n);
    std::memcpy(room + length + 1 + n, descriptor, d);
    out = {room, length + 1 + n + d};
  }
  ti->Deallocate(reinterpret_cast<unsigned char*>(name));
  ti->Deallocate(reinterpret_cast<unsigned char*>(descriptor));
  return out;
}

// What it gives for the first frame for which it gives something.
template <class Each>
void each_frame(jvmtiEnv* ti, Each&& each) {
  jvmtiFrameInfo frames[kAtOnce];
  for (jint from = kFrom; from < kMost; from += kAtOnce) {
    jint count = 0;
    if (ti->GetStackTrace(nullptr, from, kAtOnce, frames, &count) !=
        JVMTI_ERROR_NONE) {
      return;
    }
    for (jint i = 0; i < count; ++i) {
      if (!each(frames[i].method)) return;
    }
    if (count < kAtOnce) return;
  }
}

}  // namespace

std::string_view writing_method(jvmtiEnv* ti, JNIEnv* jni, Recorder& recorder,
                                char* room, std::size_t size) {
  std::string_view out;
  each_frame(ti, [&](jmethodID method) {
    std::size_t length = 0;
    if (whose(ti, jni, recorder, method, room, size, length) !=
        Whose::kProgram) {
      return true;
    }
    out = entity(ti, method, room, size, length);
    return false;
  });
  return out;
}

bool jdk_calls(jvmtiEnv* ti, JNIEnv* jni, Recorder& recorder) {
  char room[1024];
  bool out = false;
  char* setter = nullptr;
  each_frame(ti, [&](jmethodID method) {
    char* name = nullptr;
    if (ti->GetMethodName(method, &name, nullptr, nullptr) !=
        JVMTI_ERROR_NONE) {
      return false;
    }
    // It, and what overrides it and calls it.
    const bool itself = setter == nullptr || std::strcmp(name, setter) == 0;
    if (setter == nullptr) {
      setter = name;
    } else {
      ti->Deallocate(reinterpret_cast<unsigned char*>(name));
    }
    if (itself) return true;
    std::size_t length = 0;
    out = whose(ti, jni, recorder, method, room, sizeof room, length) ==
          Whose::kJdk;
    return false;
  });
  ti->Deallocate(reinterpret_cast<unsigned char*>(setter));
  return out;
}

bool library_calls(jvmtiEnv* ti, JNIEnv* jni, Recorder& recorder) {
  char room[1024];
  bool out = true;
  each_frame(ti, [&](jmethodID method) {
    std::size_t length = 0;
    const Whose one =
        whose(ti, jni, recorder, method, room, sizeof room, length);
    out = one != Whose::kProgram;
    return one == Whose::kJdk;
  });
  return out;
}

}  // namespace rejig::agent
