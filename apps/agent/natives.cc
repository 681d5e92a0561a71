// SPDX-License-Identifier: Apache-2.0
// The natives of the marks class: what prefixes, hooks and listeners tell.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <span>

#include "apps/agent/agent.h"
#include "apps/agent/callers.h"
#include "apps/agent/class_names.h"
#include "apps/agent/hooks.h"
#include "apps/agent/java_text.h"
#include "apps/agent/jdk_globals.h"
#include "apps/agent/log.h"
#include "apps/agent/redefined.h"
#include "apps/agent/variables.h"

using namespace rejig::agent;

// Found by name: the JVM looks for the boot loader's natives in agents too.
#define REJIG_NATIVE(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_java_lang__00024Rejig_##name


REJIG_NATIVE(void, wake)(JNIEnv* jni, jclass) { wake(jni); }

REJIG_NATIVE(void, initializing)(JNIEnv* jni, jclass, jint method) {
  agent->recorder.initializes(static_cast<std::uint32_t>(method), jni);
}

REJIG_NATIVE(void, initialized)(JNIEnv* jni, jclass, jint method) {
  agent->recorder.initialized(static_cast<std::uint32_t>(method), jni);
}

// The name of a hidden class, which has a dot in its signature, is nobody's.
REJIG_NATIVE(jint, received)(JNIEnv* jni, jclass, jint method, jclass cls) {
  wake(jni);
  char* signature = nullptr;
  std::string_view name;
  if (agent->watcher->GetClassSignature(cls, &signature, nullptr) ==
      JVMTI_ERROR_NONE) {
    name = signature;
    if (name.size() > 2 && name.front() == 'L' &&
        std::strchr(signature, '.') == nullptr) {
      name.remove_prefix(1);
      name.remove_suffix(1);
    } else {
      name = {};
    }
  }
  const auto seen = agent->recorder.received(
      static_cast<std::uint32_t>(method), name, cls, jni);
  agent->watcher->Deallocate(reinterpret_cast<unsigned char*>(signature));
  return static_cast<jint>(seen);
}

namespace {

// An answer that holds in every epoch.
constexpr jint kForEver = -1;

bool is_about_file(jint kind) {
  return kind == kFile || kind == kAttributes || kind == kExists ||
         kind == kRealPath || kind == kWalked || kind == kRemoved;
}

// What the file system says of a name that both spell alike.
enum class There : unsigned char { kUnknown, kAbsent, kFolder, kOther };
There what_is_at(std::string_view path) {
  char name[4096];
  if (path.empty() || path.size() >= sizeof name) return There::kUnknown;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (static_cast<signed char>(path[i]) <= 0) return There::kUnknown;
    name[i] = path[i];
  }
  name[path.size()] = 0;
  struct stat found {};
  // Not lstat(), which is no symbol of an old C library.
  if (::syscall(SYS_newfstatat, AT_FDCWD, name, &found, AT_SYMLINK_NOFOLLOW) !=
      0) {
    return errno == ENOENT ? There::kAbsent : There::kUnknown;
  }
  return S_ISDIR(found.st_mode) ? There::kFolder : There::kOther;
}

// A link may be gone when the rows are read; what it led to is told as well.
void found_behind_links(JNIEnv* jni, unsigned as, std::string_view path) {
  char name[PATH_MAX];
  char real[PATH_MAX];
  if (path.size() >= sizeof name) return;
  std::memcpy(name, path.data(), path.size());
  name[path.size()] = 0;
  if (::realpath(name, real) == nullptr) return;
  const std::string_view found(real);
  if (path.front() == '/' ? found == path : ends_with(found, path)) return;
  static_cast<void>(agent->recorder.found(as, found, jni));
}

bool is_environment(std::string_view path) {
  return starts_with(path, "/proc/") && ends_with(path, "/environ");
}

// Only what holds whoever looks next in this epoch is worth keeping.
jint found_file(JNIEnv* jni, jint kind, std::string_view path) {
  const Reader reader = who_reads(agent->watcher, jni);
  const bool is_class = ends_with(path, ".class");
  auto as = static_cast<unsigned>(kind == kWalked ? kAttributes : kind);
  bool keep = true;
  switch (reader) {
    case Reader::kClassLoading:
    case Reader::kRunner:
      return 0;
    case Reader::kModules:
      if (ends_with(path, "module-info.class")) return 0;
      keep = false;
      break;
    // The class path is compared as such; where a resource was looked for is
    // not.
    case Reader::kClassPath:
      if (kind != kExists) return 0;
      break;
    case Reader::kLoaderPath:
      keep = kind == kExists;
      if (kind != kExists) as += kByLoader;
      break;
    case Reader::kLoader:
      keep = false;
      if (is_class) as += kByLoader;
      break;
    case Reader::kDeclarations:
      keep = false;
      if (is_class && kind == kFile) as = kDeclared;
      break;
    case Reader::kToMake:
      keep = false;
      as = unsigned{kExists} + kToMake;
      break;
    case Reader::kWalk:
      keep = false;
      if (kind == kWalked) as = kExists;
      break;
    case Reader::kProgram:
      break;
  }
  const There there = what_is_at(path);
  if (kind == kRemoved) {
    as = there == There::kFolder ? kFile : kExists;
  }
  if (there == There::kAbsent) {
    as += kAbsent;
  } else if (kind == kFile && there != There::kUnknown) {
    found_behind_links(jni, as, path);
  }
  if (kind == kFile && is_environment(path)) {
    Arena arena;
    static_cast<void>(agent->recorder.found(
        kVariable, variable_state("", arena), jni));
  }
  const auto seen = static_cast<jint>(agent->recorder.found(as, path, jni));
  return keep ? seen : 0;
}

}  // namespace

namespace {

// What a library asks once and keeps: of a class, or a resource.
bool may_be_kept(jint kind) {
  return kind == kResource || kind == kReflected || kind == kCreated ||
         kind == kInitialized || kind == kListed;
}

void tell_library(JNIEnv* jni, std::string_view what, Arena& arena) {
  char asker[512];
  const std::string_view by =
      asking_class(agent->watcher, jni, asker, sizeof asker);
  if (!agent->recorder.is_of_library(by)) return;
  char* both = arena.array<char>(by.size() + 1 + what.size());
  if (both == nullptr) return agent->recorder.lost("no memory");
  std::memcpy(both, by.data(), by.size());
  both[by.size()] = ' ';
  if (!what.empty()) std::memcpy(both + by.size() + 1, what.data(), what.size());
  static_cast<void>(agent->recorder.found(
      kAskedBy, {both, by.size() + 1 + what.size()}, jni));
}

}  // namespace

namespace {

// Whether a test runner did; `*surefire`: the one of Maven.
bool runner_asks(JNIEnv* jni, bool* surefire) {
  char asker[512];
  bool runner = false;
  *surefire = starts_with(
      asking_class(agent->watcher, jni, asker, sizeof asker, &runner),
      "org.apache.maven.surefire.");
  return runner || *surefire;
}

}  // namespace

REJIG_NATIVE(jint, found)(JNIEnv* jni, jclass, jint kind, jstring text) {
  const Text t(jni, text);
  std::string_view what = t.view();
  if (is_about_file(kind) &&
      (what == agent->skip_file || what == agent->options.jar)) {
    return 0;
  }
  if (kind == kEntry && starts_with(what, agent->options.jar)) return 0;
  if (__atomic_load_n(&agent->quiet, __ATOMIC_ACQUIRE) == jni) return 0;
  if (!agent->recorder.started() &&
      !is_kept_early(static_cast<unsigned>(kind))) {
    return 0;
  }
  if (is_about_file(kind)) return found_file(jni, kind, what);
  bool runner = false;
  if (kind == kMet && what == "kept properties") {
    // Surefire writes them into the report of each test class.
    bool surefire = false;
    runner = runner_asks(jni, &surefire);
    if (surefire) return 0;
  }
  Arena arena;
  if (kind == kVariable) what = variable_state(what, arena);
  if (kind == kKept && starts_with(what, "junit store ") &&
      junit_keeps(agent->watcher, jni)) {
    return 0;
  }
  if (kind == kMet && starts_with(what, "junit store ") &&
      junit_keeps(agent->watcher, jni)) {
    return 0;
  }
  auto as = static_cast<unsigned>(kind);
  if (runner) as += kByRunner;
  if (kind == kProperty) {
    // It looks for tests there.
    bool surefire = false;
    runner = what == "java.class.path" && runner_asks(jni, &surefire);
    constexpr std::string_view kHead = "property ";
    char* name = arena.array<char>(kHead.size() + what.size());
    if (name == nullptr) return 0;
    std::memcpy(name, kHead.data(), kHead.size());
    if (!what.empty()) std::memcpy(name + kHead.size(), what.data(), what.size());
    const unsigned met = runner ? kMet + kByRunner : kMet;
    const auto seen = static_cast<jint>(
        agent->recorder.found(met, {name, kHead.size() + what.size()}, jni));
    return runner ? 0 : seen;
  }
  if (kind == kReflected || kind == kCreated || kind == kInitialized ||
      kind == kListed || kind == kListed + kByRunner) {
    // Nobody asks about classes that are not the program's.
    if (agent->recorder.is_of_library(what)) return kForEver;
  }
  if (kind == kInitialized || kind == kListed) {
    const Asker asker = who_asked(agent->watcher, jni);
    if (asker == Asker::kConstants) return 0;
    if (asker == Asker::kRunner) as += kByRunner;
  }
  if (may_be_kept(kind) && as == static_cast<unsigned>(kind)) {
    tell_library(jni, what, arena);
  }
  const auto seen = static_cast<jint>(agent->recorder.found(as, what, jni));
  return as == static_cast<unsigned>(kind) ? seen : 0;
}

// In JDKs where nobody took the names over.
REJIG_NATIVE(jint, named)(JNIEnv* jni, jclass, jclass type, jint kind) {
  // Behind named(), name() and getName().
  constexpr jint kCallerDepth = 3;
  if (__atomic_load_n(&agent->quiet, __ATOMIC_ACQUIRE) == jni) return 0;
  char* signature = nullptr;
  if (agent->watcher->GetClassSignature(type, &signature, nullptr) !=
      JVMTI_ERROR_NONE) {
    return 0;
  }
  std::string_view name(signature);
  while (!name.empty() && name.front() == '[') name.remove_prefix(1);
  jint seen = kForEver;
  if (is_numbered(name) && name.back() == ';' &&
      std::strchr(signature, '.') == nullptr) {
    name.remove_prefix(1);
    name.remove_suffix(1);
    for (char& c : std::span<char>(signature, std::strlen(signature))) {
      if (c == '/') c = '.';
    }
    seen = asked_by_linkage(agent->watcher, jni, kCallerDepth)
               ? 0
               : static_cast<jint>(agent->recorder.found(
                     static_cast<unsigned>(kind), name, jni));
  }
  agent->watcher->Deallocate(reinterpret_cast<unsigned char*>(signature));
  return seen;
}

REJIG_NATIVE(void, runner)(JNIEnv* jni, jclass, jint event, jstring text) {
  wake(jni);
  look_at_redefined(agent->watcher, jni);
  look_at_globals(agent->watcher, jni);
  const Text t(jni, text);
  agent->events.event(static_cast<unsigned>(event), t.view(), jni);
}

REJIG_NATIVE(jint, beginning)
(JNIEnv* jni, jclass, jint kind, jint parent, jstring id) {
  look_at_redefined(agent->watcher, jni);
  look_at_globals(agent->watcher, jni);
  const Text t(jni, id);
  return static_cast<jint>(agent->recorder.begin(
      kind == 2 ? ScopeKind::kTest : ScopeKind::kContainer, parent, t.view(),
      jni));
}

REJIG_NATIVE(void, end)(JNIEnv* jni, jclass, jint scope, jint result) {
  look_at_redefined(agent->watcher, jni);
  look_at_globals(agent->watcher, jni);
  const Result r = result == 0   ? Result::kPass
                   : result == 2 ? Result::kSkip
                                 : Result::kFail;
  agent->recorder.end(static_cast<std::uint32_t>(scope), r, jni);
}

REJIG_NATIVE(void, worsen)(JNIEnv*, jclass, jint scope, jint result) {
  agent->recorder.worsen(static_cast<std::uint32_t>(scope),
                         result == 2 ? Result::kSkip : Result::kFail);
}

REJIG_NATIVE(jboolean, insideTest)(JNIEnv* jni, jclass) {
  return agent->recorder.open_test(jni) != 0 ? JNI_TRUE : JNI_FALSE;
}

REJIG_NATIVE(jboolean, skipping)(JNIEnv* jni, jclass) {
  return !agent->skip_file.empty() && agent->recorder.open_test(jni) == 0
             ? JNI_TRUE
             : JNI_FALSE;
}

REJIG_NATIVE(void, quiet)(JNIEnv* jni, jclass, jboolean on) {
  __atomic_store_n(&agent->quiet, on != JNI_FALSE ? jni : nullptr,
                   __ATOMIC_RELEASE);
}

REJIG_NATIVE(jstring, suite)(JNIEnv* jni, jclass) {
  return jni->NewStringUTF(agent->options.suite.data());
}

REJIG_NATIVE(void, lost)(JNIEnv* jni, jclass, jstring why) {
  const Text t(jni, why);
  agent->recorder.lost(t.view());
}

REJIG_NATIVE(void, warn)(JNIEnv* jni, jclass, jstring what) {
  const Text t(jni, what);
  if (!__atomic_exchange_n(&agent->warned, true, __ATOMIC_SEQ_CST)) {
    say(t.view());
  }
}
