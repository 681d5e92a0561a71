// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/state.h"

#include <pthread.h>

#include <string_view>

#include "apps/agent/jvm.h"
#include "apps/agent/log.h"

namespace rejig::agent {
namespace {

// References that one look may follow, and all looks together.
constexpr std::uint32_t kMostAtOnce = 20'000;
constexpr std::uint64_t kMostInAll = 50'000'000;
constexpr std::uint32_t kMostBytes = 1 << 20;

// Tags of classes say how their instances are treated; those of objects only
// tell them apart. The low bits are the kind, the rest is a number.
enum Kind : jlong {
  kUnseen = 0,  // no tag
  kPlain = 1,
  kText = 2,
  kClassObject = 3,
  kOpaque = 4,       // its identity is all
  kThreadLocal = 5,  // its identity, and what the thread has for it
  kIgnored = 6,      // an object of a tool
  kObject = 7,
};
constexpr jlong kKindBits = 3;
constexpr jlong kind_of(jlong tag) { return tag & ((1 << kKindBits) - 1); }

jvmtiEnv* ti = nullptr;
bool ready = false;
bool probes = false;  // some class has fields of a tool
bool told = false;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
jlong next_tag = 1;
std::uint64_t followed = 0;
jclass thread_local_class = nullptr;
jclass loader_class = nullptr;
jclass thread_class = nullptr;
jfieldID thread_locals = nullptr;
jfieldID table = nullptr;
jfieldID value = nullptr;
jfieldID referent = nullptr;

jlong fresh_tag(Kind kind) { return next_tag++ << kKindBits | kind; }

struct Walk {
  std::uint64_t digest = 0x9e3779b97f4a7c15u;
  std::uint32_t visited = 0;
  std::uint32_t bytes = 0;
  bool over = false;
  // Classes met for the first time; how many ThreadLocals.
  bool new_classes = false;
  static constexpr unsigned kLocals = 32;
  jlong locals[kLocals] = {};
  unsigned local_count = 0;

  void mix(std::uint64_t word) {
    digest = (digest ^ word) * 0xff51afd7ed558ccdu;
    digest ^= digest >> 32;
  }
};

jint JNICALL on_reference(jvmtiHeapReferenceKind kind,
                          const jvmtiHeapReferenceInfo* info, jlong class_tag,
                          jlong, jlong, jlong* tag, jlong*, jint length,
                          void* of) {
  Walk& walk = *static_cast<Walk*>(of);
  if (kind == JVMTI_HEAP_REFERENCE_CLASS) {
    // Of an object that is visited: what it is an instance of.
    if (kind_of(*tag) == kUnseen) {
      *tag = fresh_tag(kPlain);
      walk.new_classes = true;
    }
    walk.mix(static_cast<std::uint64_t>(*tag));
    return 0;
  }
  jint index = 0;
  if (kind == JVMTI_HEAP_REFERENCE_FIELD ||
      kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD) {
    index = info->field.index;
  } else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT) {
    index = info->array.index;
  } else {
    return 0;
  }
  if (kind_of(*tag) == kIgnored) return 0;
  if (++walk.visited > kMostAtOnce) {
    walk.over = true;
    return JVMTI_VISIT_ABORT;
  }
  walk.mix(static_cast<std::uint64_t>(kind) << 32 |
           static_cast<std::uint32_t>(index));
  walk.mix(static_cast<std::uint32_t>(length));
  const jlong treated = kind_of(class_tag);
  if (treated != kOpaque && treated != kClassObject &&
      treated != kThreadLocal) {
    return JVMTI_VISIT_OBJECTS;
  }
  if (kind_of(*tag) == kUnseen) *tag = fresh_tag(kObject);
  walk.mix(static_cast<std::uint64_t>(*tag) >> kKindBits);
  if (treated == kThreadLocal) {
    if (walk.local_count == Walk::kLocals) {
      walk.over = true;
      return JVMTI_VISIT_ABORT;
    }
    walk.locals[walk.local_count++] = *tag;
  }
  return 0;
}

jint JNICALL on_field(jvmtiHeapReferenceKind, const jvmtiHeapReferenceInfo* info,
                      jlong class_tag, jlong*, jvalue v, jvmtiPrimitiveType type,
                      void* of) {
  // A string keeps its hash once it was asked for.
  if (kind_of(class_tag) == kText) return JVMTI_VISIT_OBJECTS;
  Walk& walk = *static_cast<Walk*>(of);
  std::uint64_t word = 0;
  switch (type) {
    case JVMTI_PRIMITIVE_TYPE_BOOLEAN:
      word = v.z;
      break;
    case JVMTI_PRIMITIVE_TYPE_BYTE:
      word = static_cast<std::uint64_t>(v.b);
      break;
    case JVMTI_PRIMITIVE_TYPE_CHAR:
      word = v.c;
      break;
    case JVMTI_PRIMITIVE_TYPE_SHORT:
      word = static_cast<std::uint64_t>(v.s);
      break;
    case JVMTI_PRIMITIVE_TYPE_INT:
    case JVMTI_PRIMITIVE_TYPE_FLOAT:
      word = static_cast<std::uint32_t>(v.i);
      break;
    default:
      word = static_cast<std::uint64_t>(v.j);
  }
  walk.mix(static_cast<std::uint64_t>(info->field.index) << 1 | 1);
  walk.mix(word);
  return JVMTI_VISIT_OBJECTS;
}

std::size_t size_of(jvmtiPrimitiveType type) {
  switch (type) {
    case JVMTI_PRIMITIVE_TYPE_BOOLEAN:
    case JVMTI_PRIMITIVE_TYPE_BYTE:
      return 1;
    case JVMTI_PRIMITIVE_TYPE_CHAR:
    case JVMTI_PRIMITIVE_TYPE_SHORT:
      return 2;
    case JVMTI_PRIMITIVE_TYPE_INT:
    case JVMTI_PRIMITIVE_TYPE_FLOAT:
      return 4;
    default:
      return 8;
  }
}

jint JNICALL on_array(jlong, jlong, jlong*, jint count, jvmtiPrimitiveType type,
                      const void* elements, void* of) {
  Walk& walk = *static_cast<Walk*>(of);
  const std::size_t bytes = static_cast<std::size_t>(count) * size_of(type);
  if (bytes > kMostBytes - walk.bytes) {
    walk.over = true;
    return JVMTI_VISIT_ABORT;
  }
  walk.bytes += static_cast<std::uint32_t>(bytes);
  walk.mix(bytes);
  const auto* at = static_cast<const unsigned char*>(elements);
  std::size_t left = bytes;
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    walk.mix(word);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, at, left);
  walk.mix(word);
  return JVMTI_VISIT_OBJECTS;
}

void follow(jobject from, Walk& walk) {
  jvmtiHeapCallbacks callbacks = {};
  callbacks.heap_reference_callback = on_reference;
  callbacks.primitive_field_callback = on_field;
  callbacks.array_primitive_value_callback = on_array;
  if (ti->FollowReferences(0, nullptr, from, &callbacks, &walk) !=
      JVMTI_ERROR_NONE) {
    walk.over = true;
  }
}

// What is not the program's, or changes by being used.
bool is_opaque(std::string_view signature) {
  for (const std::string_view head :
       {"Ljava/lang/invoke/", "Ljava/lang/reflect/", "Ljava/lang/Module",
        "Ljava/lang/ThreadGroup;", "Ljdk/internal/", "Lsun/",
        "Ljava/util/logging/", "Ljava/security/", "Lorg/slf4j/",
        "Lch/qos/logback/", "Lorg/apache/logging/", "Lorg/apache/log4j/",
        "Lorg/apache/commons/logging/", "Lorg/jboss/logging/"}) {
    if (starts_with(signature, head)) return true;
  }
  return false;
}

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

// True when one of the classes that were tagged from there on is special.
bool sort_classes(JNIEnv* jni, jlong from) {
  bool special = false;
  constexpr jint kTogether = 64;
  for (jlong at = from; at < next_tag;) {
    jlong tags[kTogether];
    jint n = 0;
    for (; at < next_tag && n < kTogether; ++at) {
      tags[n++] = at << kKindBits | kPlain;
    }
    jint count = 0;
    jobject* objects = nullptr;
    if (ti->GetObjectsWithTags(n, tags, &count, &objects, nullptr) !=
        JVMTI_ERROR_NONE) {
      continue;
    }
    for (jint i = 0; i < count; ++i) {
      auto* cls = static_cast<jclass>(objects[i]);
      if (const Kind kind = kind_for(jni, cls); kind != kPlain) {
        ti->SetTag(cls, fresh_tag(kind));
        special = true;
      }
      jni->DeleteLocalRef(cls);
    }
    ti->Deallocate(reinterpret_cast<unsigned char*>(objects));
  }
  return special;
}

// What the current thread has for the ThreadLocals that were met.
void follow_locals(JNIEnv* jni, Walk& walk) {
  if (walk.local_count == 0) return;
  jthread thread = nullptr;
  if (thread_locals == nullptr || table == nullptr || value == nullptr ||
      referent == nullptr || ti->GetCurrentThread(&thread) != JVMTI_ERROR_NONE) {
    walk.over = true;
    return;
  }
  jobject map = jni->GetObjectField(thread, thread_locals);
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
        jobject found = jni->GetObjectField(entry, value);
        if (found != nullptr) {
          // As an element of an array, so that its own class counts as well.
          jobjectArray one = jni->NewObjectArray(
              1, jni->FindClass("java/lang/Object"), found);
          if (one == nullptr) {
            walk.over = true;
          } else {
            follow(one, walk);
          }
          jni->DeleteLocalRef(one);
        }
        jni->DeleteLocalRef(found);
      }
      jni->DeleteLocalRef(key);
      jni->DeleteLocalRef(entry);
    }
  }
}

// Counters that a tool put into a class: static, synthetic, arrays of numbers.
template <class F>
void each_probe_field(jclass cls, F&& found) {
  constexpr jint kStaticBit = 0x0008;
  constexpr jint kSyntheticBit = 0x1000;
  jint count = 0;
  jfieldID* fields = nullptr;
  if (ti->GetClassFields(cls, &count, &fields) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    jint access = 0;
    char* signature = nullptr;
    if (ti->GetFieldModifiers(cls, fields[i], &access) != JVMTI_ERROR_NONE ||
        (access & kStaticBit) == 0 || (access & kSyntheticBit) == 0 ||
        ti->GetFieldName(cls, fields[i], nullptr, &signature, nullptr) !=
            JVMTI_ERROR_NONE) {
      continue;
    }
    const std::string_view type(signature);
    if (type.size() == 2 && type.front() == '[') found(fields[i]);
    ti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  }
  ti->Deallocate(reinterpret_cast<unsigned char*>(fields));
}

void ignore_probes(JNIEnv* jni, jclass cls) {
  each_probe_field(cls, [&](jfieldID field) {
    jobject held = jni->GetStaticObjectField(cls, field);
    if (held != nullptr) ti->SetTag(held, fresh_tag(kIgnored));
    jni->DeleteLocalRef(held);
  });
}

jclass find(JNIEnv* jni, const char* name, Kind kind) {
  jclass local = jni->FindClass(name);
  if (local == nullptr) return nullptr;
  if (kind != kUnseen) ti->SetTag(local, fresh_tag(kind));
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
  find(jni, "java/lang/String", kText);
  find(jni, "java/lang/Class", kClassObject);
  loader_class = find(jni, "java/lang/ClassLoader", kOpaque);
  thread_class = find(jni, "java/lang/Thread", kOpaque);
  thread_local_class = find(jni, "java/lang/ThreadLocal", kThreadLocal);
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
    table = jni->GetFieldID(map, "table",
                            "[Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;");
    value = jni->GetFieldID(entry, "value", "Ljava/lang/Object;");
    referent = jni->GetFieldID(reference, "referent", "Ljava/lang/Object;");
  }
  jni->ExceptionClear();
  ready = loader_class != nullptr && thread_class != nullptr &&
          thread_local_class != nullptr;
}

void look_for_probes(jclass cls) {
  if (ti == nullptr) return;
  each_probe_field(cls, [](jfieldID) {
    __atomic_store_n(&probes, true, __ATOMIC_RELEASE);
  });
}

StateOf state_of(void* mirror) {
  StateOf out;
  JNIEnv* jni = jvm().env();
  if (__atomic_load_n(&followed, __ATOMIC_RELAXED) > kMostInAll) {
    if (!__atomic_exchange_n(&told, true, __ATOMIC_SEQ_CST)) {
      say("static fields hold too much to be looked at any longer: from here on "
          "they count as changed");
    }
    return out;
  }
  if (!ready || jni == nullptr || jni->PushLocalFrame(64) != 0) return out;
  auto* cls =
      static_cast<jclass>(jni->NewLocalRef(static_cast<jobject>(mirror)));
  if (cls == nullptr) {
    // Its loader is gone, and nobody can reach it any more.
    out.known = true;
  } else {
    pthread_mutex_lock(&mutex);
    if (probes) ignore_probes(jni, cls);
    Walk walk;
    for (bool again = true; again;) {
      walk = Walk{};
      const jlong from = next_tag;
      follow(cls, walk);
      follow_locals(jni, walk);
      again = walk.new_classes && sort_classes(jni, from);
    }
    followed += walk.visited;
    out.known = !walk.over;
    out.digest = walk.digest;
    pthread_mutex_unlock(&mutex);
  }
  jni->PopLocalFrame(nullptr);
  return out;
}

bool same_class(void* mirror, void* cls) {
  return jvm().env()->IsSameObject(static_cast<jobject>(mirror),
                                   static_cast<jobject>(cls)) != JNI_FALSE;
}

}  // namespace rejig::agent
