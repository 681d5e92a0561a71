// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/jdk_globals.h"

#include <pthread.h>

#include <initializer_list>

#include "apps/agent/agent.h"
#include "apps/agent/callers.h"
#include "apps/agent/state.h"

namespace rejig::agent {
namespace {

enum class How : unsigned char {
  kDeep,      // the object and all below
  kAsFirst,   // the same; null until somebody asks: as the first part
  kIdentity,  // which object it is
  kBit,
  kNumber,
  kZone,  // the name of a time zone, which is copied when it is set
};

struct Part {
  const char* cls;  // nullptr: the thread that runs tests
  const char* field;
  const char* type;
  How how;
};

constexpr unsigned kMostParts = 3;
struct Global {
  const char* name;
  Part parts[kMostParts];
};

// In the order of JdkGlobal. Without parts nobody can tell whether it was set
// back.
constexpr Global kGlobals[kJdkGlobals] = {
    {"kept locale",
     {{"java/util/Locale", "defaultLocale", "Ljava/util/Locale;", How::kDeep},
      {"java/util/Locale", "defaultDisplayLocale", "Ljava/util/Locale;",
       How::kAsFirst},
      {"java/util/Locale", "defaultFormatLocale", "Ljava/util/Locale;",
       How::kAsFirst}}},
    {"kept time zone",
     {{"java/util/TimeZone", "defaultTimeZone", "Ljava/util/TimeZone;",
       How::kZone}}},
    {"jvm standard streams",
     {{"java/lang/System", "out", "Ljava/io/PrintStream;", How::kIdentity},
      {"java/lang/System", "err", "Ljava/io/PrintStream;", How::kIdentity},
      {"java/lang/System", "in", "Ljava/io/InputStream;", How::kIdentity}}},
    {"jvm uncaught exceptions",
     {{"java/lang/Thread", "defaultUncaughtExceptionHandler",
       "Ljava/lang/Thread$UncaughtExceptionHandler;", How::kDeep}}},
    {"jvm test thread",
     {{nullptr, "contextClassLoader", "Ljava/lang/ClassLoader;",
       How::kIdentity},
      {nullptr, "name", "Ljava/lang/String;", How::kDeep},
      {nullptr, "uncaughtExceptionHandler",
       "Ljava/lang/Thread$UncaughtExceptionHandler;", How::kIdentity}}},
    {"jvm assertions", {}},
    {"jvm url handlers",
     {{"java/net/URL", "factory", "Ljava/net/URLStreamHandlerFactory;",
       How::kDeep}}},
    {"jvm content handlers",
     {{"java/net/URLConnection", "factory", "Ljava/net/ContentHandlerFactory;",
       How::kDeep},
      {"java/net/URLConnection", "fileNameMap", "Ljava/net/FileNameMap;",
       How::kDeep}}},
    {"jvm url caches", {}},
    {"jvm redirects",
     {{"java/net/HttpURLConnection", "followRedirects", "Z", How::kBit}}},
    {"jvm tls defaults",
     {{"javax/net/ssl/HttpsURLConnection", "defaultSSLSocketFactory",
       "Ljavax/net/ssl/SSLSocketFactory;", How::kIdentity},
      {"javax/net/ssl/HttpsURLConnection", "defaultHostnameVerifier",
       "Ljavax/net/ssl/HostnameVerifier;", How::kIdentity}}},
    {"jvm ssl context",
     {{"javax/net/ssl/SSLContext", "defaultContext",
       "Ljavax/net/ssl/SSLContext;", How::kIdentity}}},
    {"jvm cookies",
     {{"java/net/CookieHandler", "cookieHandler", "Ljava/net/CookieHandler;",
       How::kDeep}}},
    {"jvm proxies",
     {{"java/net/ProxySelector", "theProxySelector", "Ljava/net/ProxySelector;",
       How::kDeep}}},
    {"jvm authenticator",
     {{"java/net/Authenticator", "theAuthenticator", "Ljava/net/Authenticator;",
       How::kDeep}}},
    {"jvm response cache",
     {{"java/net/ResponseCache", "theResponseCache", "Ljava/net/ResponseCache;",
       How::kDeep}}},
    {"jvm security providers",
     {{"sun/security/jca/Providers", "providerList",
       "Lsun/security/jca/ProviderList;", How::kIdentity}}},
    {"jvm security properties",
     {{"java/security/Security", "props", "Ljava/util/Properties;",
       How::kDeep}}},
    {"jvm property editors", {}},
    {"kept drivers",
     {{"java/sql/DriverManager", "registeredDrivers",
       "Ljava/util/concurrent/CopyOnWriteArrayList;", How::kDeep},
      {"java/sql/DriverManager", "loginTimeout", "I", How::kNumber},
      {"java/sql/DriverManager", "logWriter", "Ljava/io/PrintWriter;",
       How::kIdentity}}},
    {"kept logging", {}},
    {"kept preferences", {}},
    {"kept beans", {}},
    {"kept logback", {}},
};

struct Known {
  bool active = false;
  jclass cls[kMostParts] = {};
  jfieldID field[kMostParts] = {};
  std::uint64_t now = 0;
};
Known known[kJdkGlobals];

// A logger that was configured.
struct Logger {
  jweak logger;
  std::uint64_t now;
};
constexpr unsigned kMostLoggers = 64;
Logger loggers[kMostLoggers];
unsigned logger_count = 0;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
jweak test_thread = nullptr;
bool active = false;  // any of them, or a logger
std::uint64_t unknown = 0;  // never the same

class Locked {
 public:
  Locked() { pthread_mutex_lock(&mutex); }
  ~Locked() { pthread_mutex_unlock(&mutex); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
};

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t out = (a ^ b) * 0xff51afd7ed558ccdu;
  return out ^ out >> 32;
}

std::uint64_t identity_of(jvmtiEnv* ti, JNIEnv* jni, jobject o) {
  if (o == nullptr) return 0;
  jint own = 0;
  jint of_class = 0;
  jclass cls = jni->GetObjectClass(o);
  ti->GetObjectHashCode(o, &own);
  ti->GetObjectHashCode(cls, &of_class);
  jni->DeleteLocalRef(cls);
  return static_cast<std::uint64_t>(own) << 32 |
         static_cast<std::uint32_t>(of_class) | 1;
}

std::uint64_t deep(jobject o) {
  const StateOf state = state_of_object(o);
  return state.known ? state.digest : ++unknown;
}

std::uint64_t field_of(JNIEnv* jni, jobject o, const char* name,
                       const char* type, jobject& out) {
  jclass cls = jni->GetObjectClass(o);
  const jfieldID field = jni->GetFieldID(cls, name, type);
  jni->DeleteLocalRef(cls);
  jni->ExceptionClear();
  out = field == nullptr ? nullptr : jni->GetObjectField(o, field);
  return field == nullptr ? ++unknown : 0;
}

std::uint64_t zone_of(jvmtiEnv* ti, JNIEnv* jni, jobject zone) {
  if (zone == nullptr) return 0;
  jclass cls = jni->GetObjectClass(zone);
  jint of_class = 0;
  ti->GetObjectHashCode(cls, &of_class);
  jni->DeleteLocalRef(cls);
  jobject name = nullptr;
  const std::uint64_t miss =
      field_of(jni, zone, "ID", "Ljava/lang/String;", name);
  return mixed(mixed(static_cast<std::uint64_t>(of_class), miss), deep(name));
}

// The thread that was first seen to begin a test is the one that runs them.
bool is_test_thread(jvmtiEnv* ti, JNIEnv* jni, jthread& out) {
  out = nullptr;
  if (ti->GetCurrentThread(&out) != JVMTI_ERROR_NONE) return false;
  if (test_thread == nullptr) test_thread = jni->NewWeakGlobalRef(out);
  return jni->IsSameObject(test_thread, out) != JNI_FALSE;
}

std::uint64_t part_now(jvmtiEnv* ti, JNIEnv* jni, const Part& part, jclass cls,
                       jfieldID field, jthread thread) {
  if (field == nullptr) return ++unknown;
  if (part.how == How::kBit) {
    return jni->GetStaticBooleanField(cls, field) != JNI_FALSE ? 1 : 0;
  }
  if (part.how == How::kNumber) {
    return static_cast<std::uint32_t>(jni->GetStaticIntField(cls, field));
  }
  jobject o = part.cls == nullptr ? jni->GetObjectField(thread, field)
                                  : jni->GetStaticObjectField(cls, field);
  const std::uint64_t out = part.how == How::kDeep || part.how == How::kAsFirst
                                ? deep(o)
                            : part.how == How::kZone ? zone_of(ti, jni, o)
                                                     : identity_of(ti, jni, o);
  jni->DeleteLocalRef(o);
  return out;
}

// Counters that nobody else reads: without parts each setting is another one.
std::uint64_t state_now(jvmtiEnv* ti, JNIEnv* jni, JdkGlobal what,
                        jthread thread) {
  const Known& k = known[what];
  std::uint64_t out = 0;
  for (unsigned i = 0; i < kMostParts && kGlobals[what].parts[i].field != nullptr;
       ++i) {
    unsigned at = i;
    if (kGlobals[what].parts[i].how == How::kAsFirst && k.field[i] != nullptr) {
      jobject o = jni->GetStaticObjectField(k.cls[i], k.field[i]);
      if (o == nullptr) at = 0;
      jni->DeleteLocalRef(o);
    }
    out = mixed(out, part_now(ti, jni, kGlobals[what].parts[at], k.cls[at],
                              k.field[at], thread));
  }
  return out;
}

// The setter's own class is there; the others are where the JDK has them.
jclass find_class(JNIEnv* jni, const char* name, jclass setter) {
  jclass cls = jni->FindClass(name);
  jni->ExceptionClear();
  return cls != nullptr ? cls : static_cast<jclass>(jni->NewLocalRef(setter));
}

void find_parts(JNIEnv* jni, JdkGlobal what, jclass setter) {
  Known& k = known[what];
  for (unsigned i = 0; i < kMostParts; ++i) {
    const Part& part = kGlobals[what].parts[i];
    if (part.field == nullptr) break;
    jclass cls = find_class(
        jni, part.cls == nullptr ? "java/lang/Thread" : part.cls, setter);
    if (cls == nullptr) continue;
    k.field[i] = part.cls == nullptr
                     ? jni->GetFieldID(cls, part.field, part.type)
                     : jni->GetStaticFieldID(cls, part.field, part.type);
    jni->ExceptionClear();
    k.cls[i] = static_cast<jclass>(jni->NewGlobalRef(cls));
    jni->DeleteLocalRef(cls);
  }
}

bool has_parts(JdkGlobal what) {
  return kGlobals[what].parts[0].field != nullptr;
}

// Level, handlers and theirs. Older JDKs have no such object: always another
// one.
std::uint64_t logger_state(jvmtiEnv* ti, JNIEnv* jni, jobject logger) {
  jobject config = nullptr;
  field_of(jni, logger, "config",
           "Ljava/util/logging/Logger$ConfigurationData;", config);
  if (config == nullptr) return ++unknown;
  jobject level = nullptr;
  jobject filter = nullptr;
  jobject list = nullptr;
  jobject handlers = nullptr;
  std::uint64_t out =
      field_of(jni, config, "levelObject", "Ljava/util/logging/Level;", level);
  out = mixed(out, field_of(jni, config, "filter",
                            "Ljava/util/logging/Filter;", filter));
  out = mixed(out, field_of(jni, config, "handlers",
                            "Ljava/util/concurrent/CopyOnWriteArrayList;",
                            list));
  out = mixed(mixed(out, identity_of(ti, jni, level)),
              identity_of(ti, jni, filter));
  jclass cls = jni->GetObjectClass(config);
  const jfieldID parents =
      jni->GetFieldID(cls, "useParentHandlers", "Z");
  jni->ExceptionClear();
  out = mixed(out, parents == nullptr ? ++unknown
                                      : jni->GetBooleanField(config, parents));
  if (list != nullptr) {
    out = mixed(out, field_of(jni, list, "array", "[Ljava/lang/Object;",
                              handlers));
  }
  const auto array = static_cast<jobjectArray>(handlers);
  const jsize n = array == nullptr ? 0 : jni->GetArrayLength(array);
  for (jsize i = 0; i < n; ++i) {
    jobject handler = jni->GetObjectArrayElement(array, i);
    if (handler == nullptr) continue;
    out = mixed(out, identity_of(ti, jni, handler));
    for (const auto& [name, type] :
         {std::pair<const char*, const char*>{"logLevel",
                                              "Ljava/util/logging/Level;"},
          {"filter", "Ljava/util/logging/Filter;"},
          {"formatter", "Ljava/util/logging/Formatter;"}}) {
      jobject one = nullptr;
      out = mixed(out, field_of(jni, handler, name, type, one));
      out = mixed(out, identity_of(ti, jni, one));
      jni->DeleteLocalRef(one);
    }
    jni->DeleteLocalRef(handler);
  }
  for (jobject o : {config, level, filter, list, handlers,
                    static_cast<jobject>(cls)}) {
    jni->DeleteLocalRef(o);
  }
  return out;
}

void tell(const char* name, std::uint64_t& now, std::uint64_t next) {
  if (next == now) return;
  agent->recorder.changed(name, now, next);
  now = next;
}

void look_at_loggers(jvmtiEnv* ti, JNIEnv* jni) {
  if (logger_count == 0) return;
  std::uint64_t& now = known[kLogging].now;
  for (unsigned i = 0; i < logger_count; ++i) {
    jobject logger = jni->NewLocalRef(loggers[i].logger);
    if (logger == nullptr) continue;  // nobody has it any more
    const std::uint64_t next = logger_state(ti, jni, logger);
    jni->DeleteLocalRef(logger);
    if (next == loggers[i].now) continue;
    // Each has its share, so that what is set back is what it was.
    tell(kGlobals[kLogging].name, now, now ^ loggers[i].now ^ next);
    loggers[i].now = next;
  }
}

void say_writer(jvmtiEnv* ti, JNIEnv* jni, const char* name) {
  char room[2048];
  agent->recorder.writes(name, writing_method(ti, jni, agent->recorder, room,
                                              sizeof room));
}

}  // namespace

std::uint64_t level_item(jvmtiEnv* ti, JNIEnv* jni, jobject logger,
                         jobject level) {
  jobject old = nullptr;
  const std::uint64_t miss =
      field_of(jni, logger, "level", "Lch/qos/logback/classic/Level;", old);
  const std::uint64_t self = identity_of(ti, jni, logger);
  const std::uint64_t out = mixed(self, identity_of(ti, jni, old)) ^
                            mixed(self, identity_of(ti, jni, level)) ^ miss;
  jni->DeleteLocalRef(old);
  return out;
}

const char* name_of(JdkGlobal what) { return kGlobals[what].name; }

void sets_global(jvmtiEnv* ti, JNIEnv* jni, JdkGlobal what, jint depth) {
  if (what >= kJdkGlobals) return;
  if (what == kDrivers && library_calls(ti, jni, agent->recorder)) return;
  if (what == kLogging) return sets_logger(ti, jni, nullptr);
  if (jni->PushLocalFrame(32) != 0) return;
  jthread thread = nullptr;
  if (what != kThread || is_test_thread(ti, jni, thread)) {
    const Locked locked;
    Known& k = known[what];
    if (!k.active) {
      jmethodID method = nullptr;
      jlocation at = 0;
      jclass setter = nullptr;
      if (ti->GetFrameLocation(nullptr, depth, &method, &at) ==
          JVMTI_ERROR_NONE) {
        ti->GetMethodDeclaringClass(method, &setter);
      }
      find_parts(jni, what, setter);
      k.active = active = true;
      k.now = state_now(ti, jni, what, thread);
    }
    say_writer(ti, jni, kGlobals[what].name);
    if (!has_parts(what)) tell(kGlobals[what].name, k.now, k.now + 1);
  }
  jni->PopLocalFrame(nullptr);
}

void sets_logger(jvmtiEnv* ti, JNIEnv* jni, jobject logger) {
  // As it does when it is first used.
  if (jdk_calls(ti, jni, agent->recorder)) return;
  if (jni->PushLocalFrame(32) != 0) return;
  {
    const Locked locked;
    say_writer(ti, jni, kGlobals[kLogging].name);
    bool there = false;
    for (unsigned i = 0; i < logger_count && logger != nullptr; ++i) {
      there |= jni->IsSameObject(loggers[i].logger, logger) != JNI_FALSE;
    }
    if (logger == nullptr || (!there && logger_count == kMostLoggers)) {
      std::uint64_t& now = known[kLogging].now;
      tell(kGlobals[kLogging].name, now, mixed(now, ++unknown));
    } else if (!there) {
      active = true;
      loggers[logger_count++] = {jni->NewWeakGlobalRef(logger),
                                 logger_state(ti, jni, logger)};
    }
  }
  jni->PopLocalFrame(nullptr);
}

void look_at_globals(jvmtiEnv* ti, JNIEnv* jni) {
  jvm().look_at_properties();
  if (test_thread != nullptr && !active) return;
  if (jni->PushLocalFrame(64) != 0) return;
  {
    jthread thread = nullptr;
    const bool runs_tests = is_test_thread(ti, jni, thread);
    const Locked locked;
    for (unsigned i = 0; i < kJdkGlobals; ++i) {
      const auto what = static_cast<JdkGlobal>(i);
      if (!known[i].active || !has_parts(what) ||
          (what == kThread && !runs_tests)) {
        continue;
      }
      tell(kGlobals[i].name, known[i].now, state_now(ti, jni, what, thread));
    }
    look_at_loggers(ti, jni);
  }
  jni->PopLocalFrame(nullptr);
}

}  // namespace rejig::agent
