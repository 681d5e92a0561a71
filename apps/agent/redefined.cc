// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/redefined.h"

#include <pthread.h>

#include <new>
#include <span>

#include "apps/agent/agent.h"
#include "apps/agent/hooks.h"

namespace rejig::agent {
namespace {

struct Noted {
  Noted* next;
  jweak cls;
  std::string_view name;  // with dots
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Noted* noted = nullptr;

// Never taken down, since a JVM that ends may still ask. Under `mutex`.
Arena& names() {
  alignas(Arena) static unsigned char memory[sizeof(Arena)];
  static Arena* const one = ::new (memory) Arena;
  return *one;
}

enum Opcode : unsigned char {
  kIconst1 = 0x04,
  kSipush = 0x11,
  kLdcW = 0x13,
  kSastore = 0x56,
  kGetstatic = 0xb2,
  kInvokestatic = 0xb8,
};

// A mark that is set, or a call with a number: somewhere, since others may have
// put their code in front of it.
bool has_prefix(std::span<const unsigned char> code) {
  for (std::size_t i = 0; i + 4 <= code.size(); ++i) {
    const auto* c = &code[i];
    if ((c[0] == kSipush || c[0] == kLdcW) && c[3] == kInvokestatic) {
      return true;
    }
    if (i + 8 <= code.size() && c[0] == kGetstatic &&
        (c[3] == kSipush || c[3] == kLdcW) && c[6] == kIconst1 &&
        c[7] == kSastore) {
      return true;
    }
  }
  return false;
}

// Has every method with code its prefix? What cannot be looked at has none.
bool is_recorded(jvmtiEnv* ti, jclass cls) {
  jint count = 0;
  jmethodID* methods = nullptr;
  if (ti->GetClassMethods(cls, &count, &methods) != JVMTI_ERROR_NONE) {
    return false;
  }
  constexpr jint kWithoutCode = 0x0100 | 0x0400;  // native, abstract
  bool all = true;
  for (jint i = 0; i < count && all; ++i) {
    jint modifiers = 0;
    jint size = 0;
    unsigned char* code = nullptr;
    if (ti->GetMethodModifiers(methods[i], &modifiers) == JVMTI_ERROR_NONE &&
        (modifiers & kWithoutCode) != 0) {
      continue;
    }
    all = ti->GetBytecodes(methods[i], &size, &code) == JVMTI_ERROR_NONE &&
          has_prefix({code, static_cast<std::size_t>(size)});
    ti->Deallocate(code);
  }
  ti->Deallocate(reinterpret_cast<unsigned char*>(methods));
  return all;
}

}  // namespace

void note_redefined(JNIEnv* jni, jclass cls, std::string_view name) {
  pthread_mutex_lock(&mutex);
  auto* one = names().array<Noted>(1);
  char* text = names().array<char>(name.size() + 1);
  if (one != nullptr && text != nullptr) {
    for (std::size_t i = 0; i < name.size(); ++i) {
      text[i] = name[i] == '/' ? '.' : name[i];
    }
    *one = {noted, jni->NewWeakGlobalRef(cls), {text, name.size()}};
    __atomic_store_n(&noted, one, __ATOMIC_RELEASE);
  } else {
    agent->recorder.lost("no memory");
  }
  pthread_mutex_unlock(&mutex);
}

void look_at_redefined(jvmtiEnv* ti, JNIEnv* jni) {
  if (__atomic_load_n(&noted, __ATOMIC_ACQUIRE) == nullptr) return;
  pthread_mutex_lock(&mutex);
  Noted* all = noted;
  __atomic_store_n(&noted, nullptr, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&mutex);
  for (; all != nullptr; all = all->next) {
    jobject cls = all->cls == nullptr ? nullptr : jni->NewLocalRef(all->cls);
    if (cls != nullptr && !is_recorded(ti, static_cast<jclass>(cls))) {
      static_cast<void>(agent->recorder.found(kRedefined, all->name, jni));
    }
    jni->DeleteLocalRef(cls);
    if (all->cls != nullptr) jni->DeleteWeakGlobalRef(all->cls);
  }
}

}  // namespace rejig::agent
