// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/state.h"

#include <pthread.h>

#include <cstring>
#include <initializer_list>
#include <new>
#include <string_view>

#include "apps/agent/jvm.h"
#include "apps/agent/log.h"
#include "apps/agent/opaque.h"

namespace rejig::agent {
namespace {

// Objects that one look may meet, and all looks together.
constexpr std::uint32_t kMostAtOnce = 4'000;
constexpr std::uint64_t kMostInAll = 50'000'000;
constexpr std::uint32_t kMostBytes = 1 << 18;

// Tags of classes say how their instances are treated, and which layout they
// have; those of objects tell them apart. The low bits are the kind, the rest is
// a number.
enum Kind : jlong {
  kUnseen = 0,  // no tag
  kPlain = 1,
  kText = 2,
  kClassObject = 3,
  kOpaque = 4,       // its identity is all
  kThreadLocal = 5,  // its identity, and what the thread has for it
  kNumbers = 6,      // an array of numbers
  kElements = 7,     // an array of objects
  kObject = 8,       // told apart for ever
  kMet = 9,          // in the walk with that number
};
constexpr jlong kKindBits = 4;
constexpr jlong kind_of(jlong tag) { return tag & ((1 << kKindBits) - 1); }
// Of kMet, below the number of the walk.
constexpr jlong kOrderBits = 20;

jvmtiEnv* ti = nullptr;
bool ready = false;
bool told = false;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
jlong next_tag = 1;
jlong walks = 0;
std::uint64_t followed = 0;
jclass thread_local_class = nullptr;
jclass loader_class = nullptr;
jclass thread_class = nullptr;
jfieldID thread_locals = nullptr;
jfieldID inherited_locals = nullptr;
jfieldID table = nullptr;
jfieldID value = nullptr;
jfieldID referent = nullptr;

jlong fresh_tag(Kind kind) { return next_tag++ << kKindBits | kind; }

// Fields of the instances of a class, or the static ones of the class itself.
struct Fields {
  jfieldID* ids = nullptr;
  char* types = nullptr;
  unsigned count = 0;
  unsigned room = 0;

  bool add(jfieldID id, char type) {
    if (count == room) {
      const unsigned wanted = room == 0 ? 8 : room * 2;
      void* more_ids = std::realloc(ids, wanted * sizeof *ids);
      if (more_ids == nullptr) return false;
      ids = static_cast<jfieldID*>(more_ids);
      void* more_types = std::realloc(types, wanted);
      if (more_types == nullptr) return false;
      types = static_cast<char*>(more_types);
      room = wanted;
    }
    ids[count] = id;
    types[count++] = type;
    return true;
  }
};
struct Layout {
  Kind kind = kPlain;
  char element = 0;  // of an array of numbers
  bool known_statics = false;
  bool failed = false;
  Fields own;
  Fields statics;
};
Layout* layouts = nullptr;  // by number
std::size_t layout_room = 0;

constexpr std::uint64_t kBegin = 0x9e3779b97f4a7c15u;

struct Walk {
  std::uint64_t digest = 0;  // all zeros: no room in the library's file
  std::uint32_t bytes = 0;
  jlong number = 0;
  bool over = false;
  static constexpr unsigned kLocals = 32;
  jlong locals[kLocals] = {};
  unsigned local_count = 0;
  // Objects that were met, and how many of them were looked into.
  jobject met[kMostAtOnce] = {};
  std::uint32_t count = 0;

  void mix(std::uint64_t word) {
    digest = (digest ^ word) * 0xff51afd7ed558ccdu;
    digest ^= digest >> 32;
  }
};

Kind kind_for(JNIEnv* jni, jclass cls) {
  char* signature = nullptr;
  Kind out = kPlain;
  if (ti->GetClassSignature(cls, &signature, nullptr) == JVMTI_ERROR_NONE) {
    if (is_opaque(signature)) out = kOpaque;
    ti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  }
  if (jni->IsAssignableFrom(cls, loader_class) ||
      jni->IsAssignableFrom(cls, thread_class)) {
    out = kOpaque;
  }
  if (jni->IsAssignableFrom(cls, thread_local_class)) out = kThreadLocal;
  return out;
}

// Static, or of instances, without those of classes above. Synthetic static
// fields are a tool's.
bool read_fields(jclass cls, bool statics, Fields& out) {
  constexpr jint kStaticBit = 0x0008;
  constexpr jint kSyntheticBit = 0x1000;
  jint count = 0;
  jfieldID* fields = nullptr;
  if (ti->GetClassFields(cls, &count, &fields) != JVMTI_ERROR_NONE) {
    return false;
  }
  bool fine = true;
  for (jint i = 0; i < count && fine; ++i) {
    jint access = 0;
    char* signature = nullptr;
    fine = ti->GetFieldModifiers(cls, fields[i], &access) == JVMTI_ERROR_NONE &&
           ti->GetFieldName(cls, fields[i], nullptr, &signature, nullptr) ==
               JVMTI_ERROR_NONE;
    if (!fine) break;
    const bool is_static = (access & kStaticBit) != 0;
    if (is_static == statics && !(statics && (access & kSyntheticBit) != 0)) {
      fine = out.add(fields[i], signature[0]);
    }
    ti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  }
  ti->Deallocate(reinterpret_cast<unsigned char*>(fields));
  return fine;
}

void read_layout(JNIEnv* jni, jclass cls, Layout& out) {
  char* signature = nullptr;
  if (ti->GetClassSignature(cls, &signature, nullptr) != JVMTI_ERROR_NONE) {
    out.failed = true;
    return;
  }
  const std::string_view name(signature);
  if (name == "Ljava/lang/String;") {
    out.kind = kText;
  } else if (name == "Ljava/lang/Class;") {
    out.kind = kClassObject;
  } else if (name.front() == '[') {
    out.kind = name[1] == 'L' || name[1] == '[' ? kElements : kNumbers;
    out.element = name[1];
  } else {
    out.kind = kind_for(jni, cls);
  }
  ti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  if (out.kind != kPlain) return;
  auto* at = static_cast<jclass>(jni->NewLocalRef(cls));
  while (at != nullptr) {
    if (!read_fields(at, false, out.own)) out.failed = true;
    jclass up = jni->GetSuperclass(at);
    jni->DeleteLocalRef(at);
    at = up;
  }
}

// The number of the layout of a class; 0: none.
std::size_t layout_of(JNIEnv* jni, jclass cls) {
  jlong tag = 0;
  if (ti->GetTag(cls, &tag) != JVMTI_ERROR_NONE) return 0;
  if (tag != 0) return static_cast<std::size_t>(tag >> kKindBits);
  const auto number = static_cast<std::size_t>(next_tag++);
  if (number >= layout_room) {
    const std::size_t wanted = layout_room == 0 ? 1024 : number * 2;
    void* p = std::realloc(static_cast<void*>(layouts), wanted * sizeof *layouts);
    if (p == nullptr) return 0;
    layouts = static_cast<Layout*>(p);
    for (std::size_t i = layout_room; i < wanted; ++i) ::new (layouts + i) Layout;
    layout_room = wanted;
  }
  Layout layout;
  read_layout(jni, cls, layout);
  layouts[number] = layout;
  return ti->SetTag(cls, static_cast<jlong>(number) << kKindBits | kPlain) ==
                 JVMTI_ERROR_NONE
             ? number
             : 0;
}

// Takes the reference over.
void meet(JNIEnv* jni, jobject o, Walk& walk) {
  if (o == nullptr) {
    walk.mix(1);
    return;
  }
  jclass cls = jni->GetObjectClass(o);
  const std::size_t number = layout_of(jni, cls);
  jni->DeleteLocalRef(cls);
  if (number == 0 || layouts[number].failed) {
    walk.over = true;
    return jni->DeleteLocalRef(o);
  }
  walk.mix(number);
  const Kind kind = layouts[number].kind;
  if (kind == kClassObject) {
    walk.mix(layout_of(jni, static_cast<jclass>(o)));
    return jni->DeleteLocalRef(o);
  }
  jlong tag = 0;
  ti->GetTag(o, &tag);
  if (kind == kOpaque || kind == kThreadLocal) {
    if (tag == 0) ti->SetTag(o, tag = fresh_tag(kObject));
    walk.mix(static_cast<std::uint64_t>(tag));
    if (kind == kThreadLocal) {
      if (walk.local_count == Walk::kLocals) walk.over = true;
      if (!walk.over) walk.locals[walk.local_count++] = tag;
    }
    return jni->DeleteLocalRef(o);
  }
  const jlong this_walk = walk.number << kOrderBits;
  if (kind_of(tag) == kMet &&
      (tag >> kKindBits & ~((jlong{1} << kOrderBits) - 1)) == this_walk) {
    // The number of the walk is not part of it: the same graph says the same.
    walk.mix(static_cast<std::uint64_t>(tag >> kKindBits) &
             ((std::uint64_t{1} << kOrderBits) - 1));
    return jni->DeleteLocalRef(o);
  }
  if (walk.count == kMostAtOnce) {
    walk.over = true;
    return jni->DeleteLocalRef(o);
  }
  ti->SetTag(o, (this_walk | walk.count) << kKindBits | kMet);
  walk.met[walk.count++] = o;
}

std::size_t size_of(char type) {
  switch (type) {
    case 'Z':
    case 'B':
      return 1;
    case 'C':
    case 'S':
      return 2;
    case 'I':
    case 'F':
      return 4;
    default:
      return 8;
  }
}

void mix_bytes(const void* from, std::size_t bytes, Walk& walk) {
  const auto* at = static_cast<const unsigned char*>(from);
  for (; bytes >= 8; bytes -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    walk.mix(word);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, at, bytes);
  walk.mix(word);
}

bool has_room(std::size_t bytes, Walk& walk) {
  if (bytes > kMostBytes - walk.bytes) walk.over = true;
  if (!walk.over) walk.bytes += static_cast<std::uint32_t>(bytes);
  return !walk.over;
}

void look_into(JNIEnv* jni, jobject o, Walk& walk) {
  jclass cls = jni->GetObjectClass(o);
  const std::size_t number = layout_of(jni, cls);
  jni->DeleteLocalRef(cls);
  const Layout layout = layouts[number];
  if (layout.kind == kText) {
    const auto s = static_cast<jstring>(o);
    const jsize n = jni->GetStringLength(s);
    walk.mix(static_cast<std::uint64_t>(n));
    if (!has_room(std::size_t{2} * static_cast<std::size_t>(n), walk)) return;
    const jchar* text = jni->GetStringCritical(s, nullptr);
    if (text == nullptr) {
      walk.over = true;
      return;
    }
    mix_bytes(text, std::size_t{2} * static_cast<std::size_t>(n), walk);
    return jni->ReleaseStringCritical(s, text);
  }
  if (layout.kind == kNumbers || layout.kind == kElements) {
    const jsize n = jni->GetArrayLength(static_cast<jarray>(o));
    walk.mix(static_cast<std::uint64_t>(n));
    if (layout.kind == kElements) {
      for (jsize i = 0; i < n && !walk.over; ++i) {
        meet(jni, jni->GetObjectArrayElement(static_cast<jobjectArray>(o), i),
             walk);
      }
      return;
    }
    const std::size_t bytes =
        static_cast<std::size_t>(n) * size_of(layout.element);
    if (!has_room(bytes, walk)) return;
    void* elements =
        jni->GetPrimitiveArrayCritical(static_cast<jarray>(o), nullptr);
    if (elements == nullptr) {
      walk.over = true;
      return;
    }
    mix_bytes(elements, bytes, walk);
    return jni->ReleasePrimitiveArrayCritical(static_cast<jarray>(o), elements,
                                              JNI_ABORT);
  }
  for (unsigned i = 0; i < layout.own.count && !walk.over; ++i) {
    const jfieldID id = layout.own.ids[i];
    switch (layout.own.types[i]) {
      case 'Z':
        walk.mix(jni->GetBooleanField(o, id));
        break;
      case 'B':
        walk.mix(static_cast<std::uint64_t>(jni->GetByteField(o, id)));
        break;
      case 'C':
        walk.mix(jni->GetCharField(o, id));
        break;
      case 'S':
        walk.mix(static_cast<std::uint64_t>(jni->GetShortField(o, id)));
        break;
      case 'I':
        walk.mix(static_cast<std::uint32_t>(jni->GetIntField(o, id)));
        break;
      case 'J':
        walk.mix(static_cast<std::uint64_t>(jni->GetLongField(o, id)));
        break;
      case 'F': {
        const jfloat v = jni->GetFloatField(o, id);
        mix_bytes(&v, sizeof v, walk);
        break;
      }
      case 'D': {
        const jdouble v = jni->GetDoubleField(o, id);
        mix_bytes(&v, sizeof v, walk);
        break;
      }
      default:
        meet(jni, jni->GetObjectField(o, id), walk);
    }
  }
}

void meet_statics(JNIEnv* jni, jclass cls, Walk& walk) {
  const std::size_t number = layout_of(jni, cls);
  if (number == 0) {
    walk.over = true;
    return;
  }
  if (!layouts[number].known_statics) {
    layouts[number].known_statics = true;
    if (!read_fields(cls, true, layouts[number].statics)) {
      layouts[number].failed = true;
    }
  }
  if (layouts[number].failed) {
    walk.over = true;
    return;
  }
  const Fields statics = layouts[number].statics;
  for (unsigned i = 0; i < statics.count && !walk.over; ++i) {
    const jfieldID id = statics.ids[i];
    switch (statics.types[i]) {
      case 'Z':
        walk.mix(jni->GetStaticBooleanField(cls, id));
        break;
      case 'B':
        walk.mix(static_cast<std::uint64_t>(jni->GetStaticByteField(cls, id)));
        break;
      case 'C':
        walk.mix(jni->GetStaticCharField(cls, id));
        break;
      case 'S':
        walk.mix(static_cast<std::uint64_t>(jni->GetStaticShortField(cls, id)));
        break;
      case 'I':
        walk.mix(static_cast<std::uint32_t>(jni->GetStaticIntField(cls, id)));
        break;
      case 'J':
        walk.mix(static_cast<std::uint64_t>(jni->GetStaticLongField(cls, id)));
        break;
      case 'F': {
        const jfloat v = jni->GetStaticFloatField(cls, id);
        mix_bytes(&v, sizeof v, walk);
        break;
      }
      case 'D': {
        const jdouble v = jni->GetStaticDoubleField(cls, id);
        mix_bytes(&v, sizeof v, walk);
        break;
      }
      default:
        meet(jni, jni->GetStaticObjectField(cls, id), walk);
    }
  }
}

// What a thread has for the ThreadLocals that were met.
void follow_locals(JNIEnv* jni, jobject map, Walk& walk) {
  auto* entries =
      map == nullptr
          ? nullptr
          : static_cast<jobjectArray>(jni->GetObjectField(map, table));
  const jsize n = entries == nullptr ? 0 : jni->GetArrayLength(entries);
  for (unsigned l = 0; l < walk.local_count && !walk.over; ++l) {
    for (jsize i = 0; i < n && !walk.over; ++i) {
      jobject entry = jni->GetObjectArrayElement(entries, i);
      if (entry == nullptr) continue;
      jobject key = jni->GetObjectField(entry, referent);
      jlong tag = 0;
      if (key != nullptr && ti->GetTag(key, &tag) == JVMTI_ERROR_NONE &&
          tag == walk.locals[l]) {
        walk.mix(static_cast<std::uint64_t>(tag));
        meet(jni, jni->GetObjectField(entry, value), walk);
      }
      jni->DeleteLocalRef(key);
      jni->DeleteLocalRef(entry);
    }
  }
  jni->DeleteLocalRef(entries);
}

// Threads of a pool keep theirs from task to task.
void follow_locals(JNIEnv* jni, Walk& walk) {
  if (walk.local_count == 0) return;
  jint count = 0;
  jthread* threads = nullptr;
  if (thread_locals == nullptr || inherited_locals == nullptr ||
      table == nullptr || value == nullptr || referent == nullptr ||
      ti->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) {
    walk.over = true;
    return;
  }
  jthread self = nullptr;  // a virtual one is not among them
  if (ti->GetCurrentThread(&self) != JVMTI_ERROR_NONE) self = nullptr;
  for (jint i = -1; i < count; ++i) {
    jthread thread = i < 0 ? self : threads[i];
    if (thread == nullptr || (i >= 0 && jni->IsSameObject(thread, self))) continue;
    for (const jfieldID field : {thread_locals, inherited_locals}) {
      jobject map = jni->GetObjectField(thread, field);
      follow_locals(jni, map, walk);
      jni->DeleteLocalRef(map);
    }
  }
  for (jint i = 0; i < count; ++i) jni->DeleteLocalRef(threads[i]);
  ti->Deallocate(reinterpret_cast<unsigned char*>(threads));
}

jclass find(JNIEnv* jni, const char* name) {
  jclass local = jni->FindClass(name);
  if (local == nullptr) return nullptr;
  auto* out = static_cast<jclass>(jni->NewGlobalRef(local));
  jni->DeleteLocalRef(local);
  return out;
}

}  // namespace

bool attach_state(JavaVM* vm) {
  jvmtiCapabilities tags = {};
  tags.can_tag_objects = 1;
  if (vm->GetEnv(reinterpret_cast<void**>(&ti), JVMTI_VERSION_1_1) != JNI_OK ||
      ti->AddCapabilities(&tags) != JVMTI_ERROR_NONE) {
    ti = nullptr;
  }
  return ti != nullptr;
}

void init_state(JNIEnv* jni) {
  if (ti == nullptr) return;
  loader_class = find(jni, "java/lang/ClassLoader");
  thread_class = find(jni, "java/lang/Thread");
  thread_local_class = find(jni, "java/lang/ThreadLocal");
  jclass map = jni->FindClass("java/lang/ThreadLocal$ThreadLocalMap");
  jclass entry =
      map == nullptr
          ? nullptr
          : jni->FindClass("java/lang/ThreadLocal$ThreadLocalMap$Entry");
  jclass reference =
      entry == nullptr ? nullptr : jni->FindClass("java/lang/ref/Reference");
  if (reference != nullptr && thread_class != nullptr) {
    thread_locals = jni->GetFieldID(thread_class, "threadLocals",
                                    "Ljava/lang/ThreadLocal$ThreadLocalMap;");
    inherited_locals =
        jni->GetFieldID(thread_class, "inheritableThreadLocals",
                        "Ljava/lang/ThreadLocal$ThreadLocalMap;");
    table = jni->GetFieldID(map, "table",
                            "[Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;");
    value = jni->GetFieldID(entry, "value", "Ljava/lang/Object;");
    referent = jni->GetFieldID(reference, "referent", "Ljava/lang/Object;");
  }
  jni->ExceptionClear();
  ready = loader_class != nullptr && thread_class != nullptr &&
          thread_local_class != nullptr;
}

namespace {

using Start = void (*)(JNIEnv* jni, jobject of, Walk& walk);

// `start` meets what the walk begins with.
StateOf walk_from(JNIEnv* jni, jobject of, Start start) {
  StateOf out;
  pthread_mutex_lock(&mutex);
  static Walk walk;  // large, and one at a time
  walk.digest = kBegin;
  walk.bytes = walk.count = walk.local_count = 0;
  walk.over = false;
  walk.number = ++walks;
  start(jni, of, walk);
  std::uint32_t at = 0;
  const auto look_further = [&] {
    while (at < walk.count && !walk.over) look_into(jni, walk.met[at++], walk);
  };
  look_further();
  follow_locals(jni, walk);
  look_further();
  followed += walk.count + 1;
  out.known = !walk.over && !jni->ExceptionCheck();
  out.digest = walk.digest;
  jni->ExceptionClear();
  pthread_mutex_unlock(&mutex);
  return out;
}

bool may_look(JNIEnv* jni) {
  if (__atomic_load_n(&followed, __ATOMIC_RELAXED) > kMostInAll) {
    if (!__atomic_exchange_n(&told, true, __ATOMIC_SEQ_CST)) {
      say("static fields hold too much to be looked at any longer: from here on "
          "they count as changed");
    }
    return false;
  }
  return ready && jni != nullptr && jni->PushLocalFrame(kMostAtOnce + 64) == 0;
}

}  // namespace

StateOf state_of(void* mirror) {
  StateOf out;
  JNIEnv* jni = jvm().env();
  if (!may_look(jni)) return out;
  auto* cls =
      static_cast<jclass>(jni->NewLocalRef(static_cast<jobject>(mirror)));
  if (cls == nullptr) {
    // Its loader is gone, and nobody can reach it any more.
    out.known = true;
  } else {
    out = walk_from(jni, cls, [](JNIEnv* env, jobject of, Walk& walk) {
      meet_statics(env, static_cast<jclass>(of), walk);
    });
  }
  jni->PopLocalFrame(nullptr);
  return out;
}

StateOf state_of_object(jobject o) {
  JNIEnv* jni = jvm().env();
  if (!may_look(jni)) return {};
  const StateOf out =
      walk_from(jni, o, [](JNIEnv* env, jobject of, Walk& walk) {
        meet(env, env->NewLocalRef(of), walk);
      });
  jni->PopLocalFrame(nullptr);
  return out;
}

bool same_class(void* mirror, void* cls) {
  return jvm().env()->IsSameObject(static_cast<jobject>(mirror),
                                   static_cast<jobject>(cls)) != JNI_FALSE;
}

}  // namespace rejig::agent
