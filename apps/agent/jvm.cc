// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/jvm.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "apps/agent/beside.h"
#include "apps/agent/class_names.h"
#include "apps/agent/log.h"
#include "apps/agent/rewriter.h"
#include "apps/agent/state.h"

// The compiled marks class and its inner classes, as built from java/boot.
#define REJIG_CLASS(label, name)                                  \
  "rejig_" label "_class:\n.incbin \"" REJIG_MARKS_DIR           \
  "/java/lang/" name ".class\"\nrejig_" label "_class_end:\n"
__asm__(".pushsection .rodata\n"
        REJIG_CLASS("fact", "$Rejig$Fact")
        REJIG_CLASS("name", "$Rejig$Name")
        REJIG_CLASS("receiver", "$Rejig$Receiver")
        REJIG_CLASS("receivers", "$Rejig$Receivers")
        REJIG_CLASS("more", "$Rejig$More")
        REJIG_CLASS("marks", "$Rejig")
        REJIG_CLASS("files", "$RejigFiles")
        REJIG_CLASS("state", "$RejigState")
        ".popsection\n");
#undef REJIG_CLASS
#define REJIG_CLASS(label)                                                    \
  __attribute__((visibility("hidden"))) extern const jbyte label##_class[];   \
  __attribute__((visibility("hidden"))) extern const jbyte label##_class_end[];
extern "C" {
REJIG_CLASS(rejig_fact)
REJIG_CLASS(rejig_name)
REJIG_CLASS(rejig_receiver)
REJIG_CLASS(rejig_receivers)
REJIG_CLASS(rejig_more)
REJIG_CLASS(rejig_marks)
REJIG_CLASS(rejig_files)
REJIG_CLASS(rejig_state)
}
#undef REJIG_CLASS

namespace rejig::agent {
namespace {

// Frames between the native initializing() and the prefix that called
// initializes().
constexpr jint kPrefixDepth = 2;

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

// "17.0.9+9-jvmci-23.0-b22"
bool is_of_graal(std::string_view vm_version) {
  constexpr std::string_view kCompiler = "-jvmci-";
  for (; vm_version.size() >= kCompiler.size(); vm_version.remove_prefix(1)) {
    if (starts_with(vm_version, kCompiler)) return true;
  }
  return false;
}

void collect_marks(std::uint32_t epoch, std::uint32_t methods, Ids& marked) {
  jvm().collect(epoch, methods, marked);
}
void tell_receiver(std::uint32_t method, void* cls) {
  jvm().mark_receiver(method, static_cast<jclass>(cls));
}

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

std::uint64_t state_of_file(std::string_view path) {
  char name[4096];
  if (path.empty() || path.size() >= sizeof name) return 1;
  std::memcpy(name, path.data(), path.size());
  name[path.size()] = 0;
  struct stat found {};
  if (::syscall(SYS_newfstatat, AT_FDCWD, name, &found, AT_SYMLINK_NOFOLLOW) !=
      0) {
    return errno == ENOENT || errno == ENOTDIR ? 0 : 1;
  }
  std::uint64_t out = 1469598103934665603u;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(found.st_mode),
        static_cast<std::uint64_t>(found.st_ino),
        static_cast<std::uint64_t>(found.st_size),
        static_cast<std::uint64_t>(found.st_mtim.tv_sec),
        static_cast<std::uint64_t>(found.st_mtim.tv_nsec)}) {
    out = (out ^ part) * 0xff51afd7ed558ccdu;
    out ^= out >> 32;
  }
  return out | 1;
}

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
    // GraalVM, whose compiler is not one that the marks were tried with.
    if (std::string_view(key) == "java.vm.version" && is_of_graal(value)) {
      supported_ = false;
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
  struct Embedded {
    const char* name;
    const jbyte* begin;
    const jbyte* end;
  };
  const Embedded classes[] = {
      {"java/lang/$Rejig$Fact", rejig_fact_class, rejig_fact_class_end},
      {"java/lang/$Rejig$Name", rejig_name_class, rejig_name_class_end},
      {"java/lang/$Rejig$Receiver", rejig_receiver_class,
       rejig_receiver_class_end},
      {"java/lang/$Rejig$Receivers", rejig_receivers_class,
       rejig_receivers_class_end},
      {"java/lang/$Rejig$More", rejig_more_class, rejig_more_class_end},
      {"java/lang/$Rejig", rejig_marks_class, rejig_marks_class_end},
      {"java/lang/$RejigFiles", rejig_files_class, rejig_files_class_end},
      {"java/lang/$RejigState", rejig_state_class, rejig_state_class_end}};
  constexpr unsigned kClasses = sizeof classes / sizeof classes[0];
  jclass made[kClasses] = {};
  for (unsigned i = 0; i < kClasses; ++i) {
    const Embedded& c = classes[i];
    made[i] = jni->DefineClass(c.name, nullptr, c.begin,
                               static_cast<jsize>(c.end - c.begin));
    if (made[i] == nullptr) {
      jni->ExceptionClear();
      return false;
    }
  }
  receivers_ = static_cast<jclass>(jni->NewGlobalRef(made[3]));
  more_marks_ = static_cast<jclass>(jni->NewGlobalRef(made[4]));
  marks_ = static_cast<jclass>(jni->NewGlobalRef(made[5]));
  state_ = static_cast<jclass>(jni->NewGlobalRef(made[7]));
  return marks_ != nullptr && receivers_ != nullptr && more_marks_ != nullptr;
}

jshortArray Jvm::marks_of(JNIEnv* jni, jclass cls) {
  jfieldID marks = jni->GetStaticFieldID(cls, "MARKS", "[S");
  jobject array =
      marks == nullptr ? nullptr : jni->GetStaticObjectField(cls, marks);
  return array == nullptr ? nullptr
                          : static_cast<jshortArray>(jni->NewGlobalRef(array));
}

void Jvm::find_marks(JNIEnv* jni, bool receivers) {
  if (receivers) {
    jfieldID last =
        jni->GetStaticFieldID(receivers_, "LAST", "[Ljava/lang/Class;");
    clear_ = jni->GetStaticMethodID(receivers_, "clear", "(I)V");
    if (last != nullptr && clear_ != nullptr) {
      last_ = static_cast<jobjectArray>(
          jni->NewGlobalRef(jni->GetStaticObjectField(receivers_, last)));
    }
  }
  look_ = jni->GetStaticMethodID(state_, "look", "()V");
  epoch_ = jni->GetStaticFieldID(marks_, "epoch", "I");
  asleep_ = jni->GetStaticFieldID(marks_, "asleep", "Z");
  if (epoch_ != nullptr && asleep_ != nullptr) seen_ = marks_of(jni, marks_);
  jni->ExceptionClear();
}

void Jvm::look_at_properties() {
  if (look_ == nullptr) return;
  JNIEnv* jni = env();
  jni->CallStaticVoidMethod(state_, look_);
  jni->ExceptionClear();
}

void Jvm::woke() {
  if (seen_ != nullptr) {
    env()->SetStaticBooleanField(marks_, asleep_, JNI_FALSE);
  }
}

namespace {

// Marks that are set while this looks stay for the next time.
void take(JNIEnv* jni, jshortArray array, std::uint32_t from, std::uint32_t n,
          Ids& marked) {
  auto* marks =
      static_cast<jshort*>(jni->GetPrimitiveArrayCritical(array, nullptr));
  if (marks == nullptr) return;
  constexpr std::uint32_t kTogether = 16;  // divides the arrays' lengths
  for (std::uint32_t i = 0; i < n; i += kTogether) {
    std::uint64_t some[4];
    std::memcpy(some, marks + i, sizeof some);
    if ((some[0] | some[1] | some[2] | some[3]) == 0) continue;
    for (std::uint32_t k = i; k < i + kTogether; ++k) {
      if (marks[k] == 0) continue;
      marks[k] = 0;
      static_cast<void>(marked.add(from + k));
    }
  }
  jni->ReleasePrimitiveArrayCritical(array, marks, 0);
}

}  // namespace

void Jvm::collect(std::uint32_t epoch, std::uint32_t methods, Ids& marked) {
  if (seen_ == nullptr) return;
  JNIEnv* jni = env();
  jni->SetStaticIntField(marks_, epoch_, static_cast<jint>(epoch));
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  take(jni, seen_, 0, methods < kFirstMarks ? methods : kFirstMarks, marked);
  if (methods > kFirstMarks) {
    if (seen_too_ == nullptr) seen_too_ = marks_of(jni, more_marks_);
    if (seen_too_ != nullptr) {
      take(jni, seen_too_, kFirstMarks, methods - kFirstMarks, marked);
    }
  }
  if (last_ != nullptr) {
    jni->CallStaticVoidMethod(receivers_, clear_, static_cast<jint>(methods));
  }
  drop_class_names(jni);
}

void Jvm::mark_receiver(std::uint32_t method, jclass cls) {
  if (last_ == nullptr) return;
  env()->SetObjectArrayElement(last_, static_cast<jsize>(method), cls);
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
  return {collect_marks, tell_receiver, initializing_class, is_initialized,
          release_class, run_beside, state_of, same_class, state_of_file};
}

}  // namespace rejig::agent
