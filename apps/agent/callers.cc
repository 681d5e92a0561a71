// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/callers.h"

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "apps/agent/memory.h"

namespace rejig::agent {
namespace {

bool contains(std::string_view text, std::string_view part) {
  for (; text.size() >= part.size(); text.remove_prefix(1)) {
    if (starts_with(text, part)) return true;
  }
  return false;
}

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

constexpr std::string_view kOtherRunners[] = {
    "Lorg/testng/", "Lorg/spockframework/", "Lio/cucumber/", "Lio/kotest/",
    "Lorg/scalatest/", "Lmunit/", "Lorg/junit/"};

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
                              std::size_t size, bool* runner) {
  constexpr jint kFrom = 2;
  constexpr jint kAtOnce = 8;
  constexpr jint kMost = 64;
  jvmtiFrameInfo frames[kAtOnce];
  for (jint from = kFrom; from < kMost; from += kAtOnce) {
    jint count = 0;
    if (ti->GetStackTrace(nullptr, from, kAtOnce, frames, &count) !=
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
      if (who == Who::kEngine) {
        if (runner != nullptr) *runner = true;
        return {};
      }
      if (ti->GetMethodDeclaringClass(frames[i].method, &owner) !=
          JVMTI_ERROR_NONE) {
        return {};
      }
      const Signature signature(ti, owner);
      jni->DeleteLocalRef(owner);
      const std::string_view name = signature.view();
      // What other runners look up of test classes is theirs.
      const bool converts = contains(name, "/conversion/");
      if (begins(name, kOtherRunners) && who != Who::kTool && !converts) {
        if (runner != nullptr) *runner = true;
        return {};
      }
      // Converters of arguments keep what they found.
      if (who == Who::kTool && !converts) continue;
      if (name.size() < 3 || name.size() - 2 > size) return {};
      for (std::size_t c = 0; c < name.size() - 2; ++c) {
        room[c] = name[c + 1] == '/' ? '.' : name[c + 1];
      }
      return {room, name.size() - 2};
    }
    if (count < kAtOnce) break;
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
        starts_with(name, "Lorg/junit/platform/engine/support/store/") ||
        starts_with(name,
                    "Lorg/junit/jupiter/engine/execution/ExtensionValuesStore") ||
        starts_with(name,
                    "Lorg/junit/jupiter/engine/execution/NamespaceAwareStore") ||
        starts_with(name,
                    "Lorg/junit/jupiter/api/extension/ExtensionContext$Store")) {
      continue;
    }
    return starts_with(name, "Lorg/junit/");
  }
  return false;
}

namespace {

// What a frame says about a look at a file.
enum class Part : unsigned char {
  kUnknown,
  kThrough,     // the JDK's way to the file
  kSearched,    // the JDK's class path opens a root
  kLoads,       // the JDK loads a class
  kLoadsMore,   // so does a loader that somebody made
  kWalks,       // the kinds of files below a folder
  kTransforms,  // an agent changes a class
  kLooks,       // a class loader of the JVM, for something else
  kLooksMore,   // so does a loader that somebody made
  kMakes,       // Files.createDirectories
  kModules,     // the module system reads a declaration
  kScans,       // the JUnit Platform looks for classes
  kHelps,       // its helpers, and Spring's
  kEngine,      // a test engine
  kReports,     // a reporter, a build tool, or TestNG looks for classes
  kDeclares,    // Spring reads declarations
  kAsksClass,   // perhaps a class loader of the program
  kOther,
};

constexpr std::string_view kWays[] = {
    "Ljava/lang/$Rejig", "Ljava/io/", "Ljava/nio/", "Lsun/nio/",
    "Ljava/util/zip/", "Ljava/util/jar/", "Ljava/security/",
    "Ljdk/internal/loader/Resource", "Lsun/misc/Resource", "Ljava/lang/module/",
    "Ljava/util/stream/", "Ljava/util/Iterator", "Ljava/util/Spliterator",
    "Ljava/util/Optional;"};
constexpr std::string_view kSearches[] = {
    "Ljdk/internal/loader/URLClassPath", "Lsun/misc/URLClassPath"};
constexpr std::string_view kLoaders[] = {
    "Ljdk/internal/loader/BuiltinClassLoader", "Ljdk/internal/loader/Loader;",
    "Ljdk/internal/loader/Loader$", "Ljava/net/URLClassLoader"};
// Build tools in the test's JVM: their reports, and what they are told.
// A jar: connection says itself which entry it is.
constexpr std::string_view kReporters[] = {
    "Lsun/net/www/protocol/jar/",
    "Lorg/testng/internal/PackageUtils",
    "Lorg/junit/platform/reporting/",
    "Lorg/apache/maven/surefire/",
    "Lorg/apache/maven/plugin/surefire/",
    "Lorg/gradle/process/internal/worker/",
    "Lorg/gradle/api/internal/tasks/testing/",
    "Lworker/org/gradle/",
    "Lorg/apache/tools/ant/taskdefs/optional/junit/",
    "Lsbt/ForkMain"};

Part part_of(jvmtiEnv* ti, std::string_view signature, jmethodID method) {
  if (starts_with(signature, "Ljava/nio/file/Files;") &&
      has_name(ti, method, {"createDirectories", "createAndCheckIsDirectory"})) {
    return Part::kMakes;
  }
  if (starts_with(signature, "Ljdk/internal/module/")) {
    return contains(signature, "Reader") || contains(signature, "Resources;") ||
                   contains(signature, "ModuleReferences")
               ? Part::kThrough
               : Part::kModules;
  }
  if (begins(signature, kSearches)) return Part::kSearched;
  if (begins(signature, kLoaders)) {
    // URLClassLoader$1 is findClass in JDKs that know privileged actions.
    const bool loads =
        signature == "Ljava/net/URLClassLoader$1;" ||
        has_name(ti, method,
                 {"findClass", "defineClass", "findClassOnClassPathOrNull",
                  "findClassInModuleOrNull", "findClassInModule",
                  "lambda$findClassInModuleOrNull$2"});
    const bool made = starts_with(signature, "Ljava/");
    if (!loads) return made ? Part::kLooksMore : Part::kLooks;
    return made ? Part::kLoadsMore : Part::kLoads;
  }
  // Cucumber's visitor of files looks at their names only.
  if (signature == "Ljava/nio/file/FileTreeIterator;" ||
      starts_with(signature, "Lio/cucumber/core/resource/")) {
    return Part::kWalks;
  }
  if (starts_with(signature, "Lsun/instrument/")) return Part::kTransforms;
  if (begins(signature, kWays)) return Part::kThrough;
  if (starts_with(signature, "Lorg/junit/platform/commons/")) {
    return contains(signature, "ClasspathScanner") ? Part::kScans
                                                   : Part::kHelps;
  }
  if (begins(signature, kReporters)) return Part::kReports;
  if (begins(signature, kEngines)) return Part::kEngine;
  if (starts_with(signature,
                  "Lorg/springframework/core/type/classreading/")) {
    return Part::kDeclares;
  }
  if (starts_with(signature, "Lorg/springframework/core/io/") ||
      starts_with(signature, "Lorg/springframework/asm/")) {
    return Part::kHelps;
  }
  return has_name(ti, method, {"findClass", "loadClass"}) ? Part::kAsksClass
                                                         : Part::kOther;
}

// As Known, of parts; who comes second has the next free slot.
class KnownParts {
 public:
  Part find(jmethodID method) const {
    unsigned at = slot_of(method);
    for (unsigned i = 0; i < kTries; ++i, at = (at + 1) % kSlots) {
      const jmethodID one =
          __atomic_load_n(&slots_[at].method, __ATOMIC_ACQUIRE);
      if (one == method) {
        return static_cast<Part>(
            __atomic_load_n(&slots_[at].part, __ATOMIC_ACQUIRE));
      }
      if (one == nullptr) break;
    }
    return Part::kUnknown;
  }
  void keep(jmethodID method, Part part) {
    unsigned at = slot_of(method);
    for (unsigned i = 0; i < kTries; ++i, at = (at + 1) % kSlots) {
      Slot& s = slots_[at];
      unsigned char free = 0;
      if (!__atomic_compare_exchange_n(&s.part, &free,
                                       static_cast<unsigned char>(part), false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        continue;
      }
      __atomic_store_n(&s.method, method, __ATOMIC_RELEASE);
      return;
    }
  }

 private:
  struct Slot {
    jmethodID method;
    unsigned char part;  // 0: free
  };
  static constexpr unsigned kSlots = 1024;
  static constexpr unsigned kTries = 8;
  static unsigned slot_of(jmethodID method) {
    const auto bits = reinterpret_cast<std::uintptr_t>(method);
    return static_cast<unsigned>(bits >> 3 ^ bits >> 13) % kSlots;
  }
  Slot slots_[kSlots];
};

KnownParts known_parts;  // zeros

bool is_class_loader(jvmtiEnv* ti, JNIEnv* jni, jmethodID method) {
  jclass owner = nullptr;
  if (ti->GetMethodDeclaringClass(method, &owner) != JVMTI_ERROR_NONE) {
    return false;
  }
  jclass loaders = jni->FindClass("java/lang/ClassLoader");
  jni->ExceptionClear();
  const bool out = loaders != nullptr &&
                   jni->IsAssignableFrom(owner, loaders) != JNI_FALSE;
  jni->DeleteLocalRef(loaders);
  jni->DeleteLocalRef(owner);
  return out;
}

Part part_at(jvmtiEnv* ti, JNIEnv* jni, jmethodID method) {
  Part part = known_parts.find(method);
  if (part != Part::kUnknown) return part;
  jclass owner = nullptr;
  if (ti->GetMethodDeclaringClass(method, &owner) != JVMTI_ERROR_NONE) {
    return Part::kOther;
  }
  {
    const Signature signature(ti, owner);
    part = part_of(ti, signature.view(), method);
  }
  if (part == Part::kAsksClass && !is_class_loader(ti, jni, method)) {
    part = Part::kOther;
  }
  if (stays(ti, jni, owner)) known_parts.keep(method, part);
  jni->DeleteLocalRef(owner);
  return part;
}

}  // namespace

Reader who_reads(jvmtiEnv* ti, JNIEnv* jni) {
  constexpr jint kFrom = 2;
  constexpr jint kAtOnce = 8;
  constexpr jint kMost = 96;
  // Of a loader of the program: the way from findClass() to the file.
  constexpr jint kNear = 24;
  jvmtiFrameInfo frames[kAtOnce];
  bool searched = false;
  bool scans = false;
  bool other = false;
  for (jint from = kFrom; from < kMost; from += kAtOnce) {
    jint count = 0;
    if (ti->GetStackTrace(nullptr, from, kAtOnce, frames, &count) !=
        JVMTI_ERROR_NONE) {
      return Reader::kProgram;
    }
    for (jint i = 0; i < count; ++i) {
      const Part part = part_at(ti, jni, frames[i].method);
      if (other) {
        if (part == Part::kTransforms) return Reader::kProgram;
        if (part == Part::kAsksClass || part == Part::kLoadsMore) {
          return Reader::kLoader;
        }
        continue;
      }
      switch (part) {
        case Part::kThrough:
        case Part::kHelps:
          break;
        case Part::kSearched:
          searched = true;
          break;
        case Part::kScans:
          scans = true;
          break;
        case Part::kLoads:
          return Reader::kClassLoading;
        case Part::kLooks:
          return searched ? Reader::kClassPath : Reader::kProgram;
        case Part::kLooksMore:
          return searched ? Reader::kLoaderPath : Reader::kProgram;
        case Part::kMakes:
          return Reader::kToMake;
        case Part::kModules:
          return Reader::kModules;
        case Part::kDeclares:
          return Reader::kDeclarations;
        case Part::kAsksClass:
        case Part::kLoadsMore:
          return Reader::kLoader;
        case Part::kWalks:
          return Reader::kWalk;
        case Part::kReports:
          return Reader::kRunner;
        case Part::kEngine:
          return scans ? Reader::kRunner : Reader::kProgram;
        case Part::kTransforms:
          return Reader::kProgram;
        case Part::kUnknown:
        case Part::kOther:
          if (searched) return Reader::kLoaderPath;
          other = true;
          break;
      }
    }
    if (count < kAtOnce || (other && from >= kNear)) break;
  }
  return Reader::kProgram;
}

}  // namespace rejig::agent
