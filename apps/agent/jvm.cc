// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/jvm.h"

#include "apps/agent/log.h"
#include "apps/agent/rewriter.h"

// The compiled marks class and its inner classes, as built from java/boot.
__asm__(
    ".pushsection .rodata\n"
    "rejig_fact_class:\n.incbin \"" REJIG_MARKS_DIR "/java/lang/$Rejig$Fact.class\"\n"
    "rejig_fact_class_end:\n"
    "rejig_name_class:\n.incbin \"" REJIG_MARKS_DIR "/java/lang/$Rejig$Name.class\"\n"
    "rejig_name_class_end:\n"
    "rejig_marks_class:\n.incbin \"" REJIG_MARKS_DIR "/java/lang/$Rejig.class\"\n"
    "rejig_marks_class_end:\n"
    ".popsection\n");
extern "C" {
__attribute__((visibility("hidden"))) extern const jbyte rejig_fact_class[];
__attribute__((visibility("hidden"))) extern const jbyte rejig_fact_class_end[];
__attribute__((visibility("hidden"))) extern const jbyte rejig_name_class[];
__attribute__((visibility("hidden"))) extern const jbyte rejig_name_class_end[];
__attribute__((visibility("hidden"))) extern const jbyte rejig_marks_class[];
__attribute__((visibility("hidden"))) extern const jbyte rejig_marks_class_end[];
}

namespace rejig::agent {
namespace {

// Frames between the native enter() and the method whose prefix called.
constexpr jint kPrefixDepth = 3;

constexpr const char* kProperties[] = {
    "java.version",   "java.vm.name",   "java.vm.version", "java.home",
    "os.name",        "os.arch",        "os.version",      "file.encoding",
    "user.language",  "user.country",   "user.timezone",   "user.dir",
    "java.class.path"};

std::string_view chars(JNIEnv* jni, jobject text, Arena& arena) {
  if (text == nullptr) return {};
  const auto s = static_cast<jstring>(text);
  const jsize bytes = jni->GetStringUTFLength(s);
  char* p = arena.array<char>(static_cast<std::size_t>(bytes) + 1);
  if (p == nullptr) return {};
  jni->GetStringUTFRegion(s, 0, jni->GetStringLength(s), p);
  return {p, static_cast<std::size_t>(bytes)};
}

jmethodID method(JNIEnv* jni, const char* cls, const char* name,
                 const char* descriptor) {
  jclass c = jni->FindClass(cls);
  if (c == nullptr) return nullptr;
  jmethodID id = jni->GetMethodID(c, name, descriptor);
  jni->DeleteLocalRef(c);
  return id;
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// %20 and the like, in place.
std::string_view decoded(char* text, std::size_t n) {
  std::size_t to = 0;
  for (std::size_t at = 0; at < n; ++at) {
    if (text[at] == '%' && at + 2 < n && hex(text[at + 1]) >= 0 &&
        hex(text[at + 2]) >= 0) {
      text[to++] =
          static_cast<char>(hex(text[at + 1]) * 16 + hex(text[at + 2]));
      at += 2;
    } else {
      text[to++] = text[at];
    }
  }
  return {text, to};
}

// "file:/x/a.jar" and "jar:file:/x/a.jar!/BOOT-INF/classes!/" are in /x/a.jar.
std::string_view file_of(std::string_view location, Arena& arena) {
  for (const std::string_view head : {std::string_view("jar:"),
                                      std::string_view("nested:"),
                                      std::string_view("file:")}) {
    if (starts_with(location, head)) location.remove_prefix(head.size());
  }
  if (location.empty() || location.front() != '/') return {};
  std::size_t n = 0;
  while (n < location.size() &&
         !(location[n] == '!' && n + 1 < location.size() &&
           location[n + 1] == '/')) {
    ++n;
  }
  char* text = arena.array<char>(n + 1);
  if (text == nullptr) return {};
  std::memcpy(text, location.data(), n);
  std::string_view path = decoded(text, n);
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path;
}

void tell_epoch(std::uint32_t epoch) { jvm().set_epoch(epoch); }

void* initializing_class() {
  jmethodID m = nullptr;
  jlocation at = 0;
  jclass cls = nullptr;
  if (jvm().jvmti()->GetFrameLocation(nullptr, kPrefixDepth, &m, &at) !=
          JVMTI_ERROR_NONE ||
      jvm().jvmti()->GetMethodDeclaringClass(m, &cls) != JVMTI_ERROR_NONE) {
    return nullptr;
  }
  JNIEnv* jni = jvm().env();
  jobject global = jni->NewGlobalRef(cls);
  jni->DeleteLocalRef(cls);
  return global;
}

bool is_initialized(void* cls) {
  jint status = 0;
  if (jvm().jvmti()->GetClassStatus(static_cast<jclass>(cls), &status) !=
      JVMTI_ERROR_NONE) {
    return true;
  }
  return (status & (JVMTI_CLASS_STATUS_INITIALIZED |
                    JVMTI_CLASS_STATUS_ERROR)) != 0;
}

void release_class(void* cls) {
  jvm().env()->DeleteGlobalRef(static_cast<jobject>(cls));
}

}  // namespace

Jvm& jvm() {
  alignas(Jvm) static unsigned char memory[sizeof(Jvm)];
  static Jvm* const one = ::new (memory) Jvm;
  return *one;
}

JNIEnv* Jvm::env() const {
  JNIEnv* jni = nullptr;
  vm_->GetEnv(reinterpret_cast<void**>(&jni), JNI_VERSION_1_6);
  return jni;
}

void Jvm::add_property(std::string_view key, std::string_view value) {
  const std::size_t at = properties_size_;
  if (at + key.size() + value.size() + 3 >= sizeof properties_) return;
  std::memcpy(properties_ + at, key.data(), key.size());
  if (!value.empty()) {
    std::memcpy(properties_ + at + key.size() + 1, value.data(), value.size());
  }
  properties_size_ += key.size() + value.size() + 2;
}

std::string_view Jvm::property(JNIEnv* jni, const char* key, Arena& arena) {
  if (jni->PushLocalFrame(8) != 0) return {};
  std::string_view value;
  jclass system = jni->FindClass("java/lang/System");
  jmethodID get = system == nullptr
                      ? nullptr
                      : jni->GetStaticMethodID(
                            system, "getProperty",
                            "(Ljava/lang/String;)Ljava/lang/String;");
  jstring name = get == nullptr ? nullptr : jni->NewStringUTF(key);
  if (name != nullptr) {
    jobject found = jni->CallStaticObjectMethod(system, get, name);
    if (!jni->ExceptionCheck()) value = chars(jni, found, arena);
  }
  jni->ExceptionClear();
  jni->PopLocalFrame(nullptr);
  return value;
}

void Jvm::collect_properties(JNIEnv* jni) {
  for (const char* key : kProperties) {
    const std::string_view value = property(jni, key, arena_);
    if (std::string_view(key) == "java.vm.name") {
      supported_ =
          starts_with(value, "OpenJDK ") || starts_with(value, "Java HotSpot");
    }
    add_property(key, value);
  }
}

bool Jvm::init(JavaVM* vm, jvmtiEnv* jvmti, JNIEnv* jni) {
  vm_ = vm;
  jvmti_ = jvmti;
  collect_properties(jni);
  get_code_source_ = method(jni, "java/security/ProtectionDomain",
                            "getCodeSource", "()Ljava/security/CodeSource;");
  get_location_ = method(jni, "java/security/CodeSource", "getLocation",
                         "()Ljava/net/URL;");
  get_protocol_ =
      method(jni, "java/net/URL", "getProtocol", "()Ljava/lang/String;");
  get_path_ = method(jni, "java/net/URL", "getPath", "()Ljava/lang/String;");
  get_domain_ = method(jni, "java/lang/Class", "getProtectionDomain",
                       "()Ljava/security/ProtectionDomain;");
  jni->ExceptionClear();
  return get_code_source_ != nullptr && get_location_ != nullptr &&
         get_protocol_ != nullptr && get_path_ != nullptr &&
         get_domain_ != nullptr;
}

bool Jvm::define_marks(JNIEnv* jni) {
  jclass fact = jni->DefineClass(
      "java/lang/$Rejig$Fact", nullptr, rejig_fact_class,
      static_cast<jsize>(rejig_fact_class_end - rejig_fact_class));
  jclass name = jni->DefineClass(
      "java/lang/$Rejig$Name", nullptr, rejig_name_class,
      static_cast<jsize>(rejig_name_class_end - rejig_name_class));
  jclass marks = fact == nullptr || name == nullptr
                     ? nullptr
                     : jni->DefineClass(
                           "java/lang/$Rejig", nullptr, rejig_marks_class,
                           static_cast<jsize>(rejig_marks_class_end -
                                              rejig_marks_class));
  if (marks == nullptr) {
    jni->ExceptionClear();
    return false;
  }
  marks_ = static_cast<jclass>(jni->NewGlobalRef(marks));
  return marks_ != nullptr;
}

void Jvm::find_epoch(JNIEnv* jni) {
  jfieldID field = jni->GetStaticFieldID(marks_, "epoch", "I");
  if (field == nullptr) jni->ExceptionClear();
  __atomic_store_n(&epoch_, field, __ATOMIC_RELEASE);
}

void Jvm::set_epoch(std::uint32_t epoch) {
  jfieldID field = __atomic_load_n(&epoch_, __ATOMIC_ACQUIRE);
  if (field != nullptr) {
    env()->SetStaticIntField(marks_, field, static_cast<jint>(epoch));
  }
}

std::string_view Jvm::location(JNIEnv* jni, jobject domain, Arena& arena) {
  jobject source = jni->CallObjectMethod(domain, get_code_source_);
  if (jni->ExceptionCheck() || source == nullptr) return {};
  jobject url = jni->CallObjectMethod(source, get_location_);
  if (jni->ExceptionCheck() || url == nullptr) return {};
  const std::string_view protocol =
      chars(jni, jni->CallObjectMethod(url, get_protocol_), arena);
  const std::string_view path =
      chars(jni, jni->CallObjectMethod(url, get_path_), arena);
  if (jni->ExceptionCheck()) return {};
  char* out = arena.array<char>(protocol.size() + path.size() + 2);
  if (out == nullptr) return {};
  if (!protocol.empty()) std::memcpy(out, protocol.data(), protocol.size());
  out[protocol.size()] = ':';
  if (!path.empty()) {
    std::memcpy(out + protocol.size() + 1, path.data(), path.size());
  }
  return {out, protocol.size() + path.size() + 1};
}

CodeSource Jvm::code_source(JNIEnv* jni, jobject domain,
                            const Options& options, Recorder& recorder) {
  CodeSource none;
  if (domain == nullptr) return none;
  jint hash = 0;
  jvmti_->GetObjectHashCode(domain, &hash);
  Domain*& bucket = domains_[static_cast<unsigned>(hash) % kBuckets];
  pthread_mutex_lock(&mutex_);
  for (const Domain* d = bucket; d != nullptr; d = d->next) {
    if (d->hash == hash && jni->IsSameObject(d->domain, domain)) {
      const CodeSource found = d->source;
      pthread_mutex_unlock(&mutex_);
      return found;
    }
  }
  pthread_mutex_unlock(&mutex_);

  Arena arena;
  if (jni->PushLocalFrame(16) != 0) return none;
  const std::string_view where = location(jni, domain, arena);
  jni->ExceptionClear();
  jni->PopLocalFrame(nullptr);
  CodeSource found;
  found.known = !where.empty();
  if (found.known) {
    const std::string_view path = file_of(where, arena);
    found.internal = !path.empty() && below_a_root(options, path);
    found.source = recorder.source(where);
  }
  jweak weak = jni->NewWeakGlobalRef(domain);
  pthread_mutex_lock(&mutex_);
  auto* d = arena_.array<Domain>(1);
  if (d != nullptr && weak != nullptr) {
    *d = {bucket, weak, hash, found};
    bucket = d;
  }
  pthread_mutex_unlock(&mutex_);
  return found;
}

jobject Jvm::protection_domain(JNIEnv* jni, jclass cls) {
  jobject domain = jni->CallObjectMethod(cls, get_domain_);
  jni->ExceptionClear();
  return domain;
}

Host Jvm::host() {
  return {tell_epoch, initializing_class, is_initialized, release_class};
}

}  // namespace rejig::agent
