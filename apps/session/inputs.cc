// SPDX-License-Identifier: Apache-2.0
// What is opened, and in which order? Flags, settings and $JAVA_HOME make two
// sides; OLD, NEW and both platforms are opened at the same time, but what there
// is to say is said in the order of one after another. OLD that the matrix keeps
// stands beside NEW with NEW's libraries and platform. At the end every file is
// asked whether it changed meanwhile: then there is no answer.
#include "apps/session/inputs.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>

#include "apps/session/own_names.h"
#include "apps/session/renames.h"
#include "classfile/base/file.h"
#include "classfile/base/hash.h"
#include "classfile/base/parallel.h"
#include "classfile/program/stat_cache.h"
#include "classfile/words/entity.h"
#include "coverage/select/policy.h"
#include "traversal/walk/walk.h"

namespace rejig::app {

namespace fs = std::filesystem;
using classfile::Program;

namespace {

void take(std::string& flag, const std::optional<std::string>& setting) {
  if (flag.empty() && setting) flag = *setting;
}

base::Error unusable(std::string what, std::string where) {
  return {base::Errc::kNotFound, std::move(what), std::move(where)};
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// The platform's classes of a JDK or JRE home.
base::Result<std::vector<std::string>> platform_roots(const std::string& home) {
  const fs::path base(home);
  for (const char* one : {"lib/modules", "jre/lib/rt.jar", "lib/rt.jar"}) {
    if (is_there(base / one))
      return std::vector<std::string>{(base / one).string()};
  }
  std::vector<std::string> mods;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(base / "jmods", error)) {
    if (file.path().extension() == ".jmod")
      mods.push_back(file.path().string());
  }
  std::sort(mods.begin(), mods.end());
  if (mods.empty()) {
    return unusable("no lib/modules, jmods or jre/lib/rt.jar: not a JDK home",
                    home);
  }
  return mods;
}

bool below(const fs::path& path, const fs::path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

std::string joined(const std::vector<std::string>& roots) {
  std::string out;
  for (const auto& root : roots) {
    if (!out.empty()) out += ':';
    out += root;
  }
  return out;
}

// What was read, and what is to be said about it.
template <class T>
struct Read {
  std::optional<base::Result<T>> value;
  base::Diagnostics diagnostics;
};

base::Result<void> all_there(const std::vector<std::string>& roots) {
  for (const auto& root : roots) {
    if (!is_there(root)) return unusable("there is no such file", root);
  }
  return {};
}

classfile::ProgramOptions options_of(const InputOptions& o, unsigned release) {
  classfile::ProgramOptions options;
  if (release != 0) options.release = release;
  options.follow_class_path = !o.as_listed;
  return options;
}

Read<Sides> read_sides(const InputOptions& o, const std::string& path,
                       const std::string& libraries, unsigned release) {
  Read<Sides> out;
  out.value = [&]() -> base::Result<Sides> {
    const auto roots = Program::split_path_list(path);
    const auto others = Program::split_path_list(libraries);
    REJIG_TRY_VOID(all_there(roots));
    REJIG_TRY_VOID(all_there(others));
    return load_sides(roots, others, o.internal, o.external,
                      options_of(o, release), out.diagnostics);
  }();
  return out;
}

// Would it be another one for another release?
bool has_versions(const Program& program) {
  return std::ranges::any_of(program.roots(), [](const auto& root) {
    return std::ranges::any_of(root->containers(), [](const auto& container) {
      return container.multi_release;
    });
  });
}

bool has_versions(const Sides& sides) {
  return has_versions(sides.internal) ||
         (sides.libraries && has_versions(*sides.libraries));
}

unsigned release_of(const std::string& home) {
  return home.empty() ? 0 : feature_release(home);
}

}  // namespace

class NewAhead {
 public:
  explicit NewAhead(const InputOptions& o)
      : release_(release_of(o.new_jdk)),
        sides_(read_sides(o, o.new_path, o.new_lib, release_)) {}

  // nullopt: it was read for another release, which makes a difference.
  std::optional<Read<Sides>> take(unsigned release) {
    const bool same = release == release_ ||
                      (sides_.value->ok() && !has_versions(**sides_.value));
    if (!same) return std::nullopt;
    return std::move(sides_);
  }

 private:
  unsigned release_;
  Read<Sides> sides_;
};

std::shared_ptr<NewAhead> read_new(const InputOptions& options) {
  return std::make_shared<NewAhead>(options);
}

namespace {

class Loader {
 public:
  Loader(Compared& out, Work& work, const InputOptions& options)
      : out_(out), work_(work), o_(options) {}

  bool splits_by_name() const {
    return !o_.internal.empty() || !o_.external.empty();
  }

  // Internal classes and libraries; nullptr: there are none of these.
  using Both = std::pair<const Program*, const Program*>;
  base::Result<Both> both(const std::string& path, const std::string& libraries,
                          unsigned release) {
    return keep(path, read_sides(o_, path, libraries, release));
  }

  base::Result<Both> both(const std::string& path, const std::string& libraries,
                          unsigned release,
                          const std::shared_ptr<NewAhead>& ahead) {
    auto read = ahead ? ahead->take(release) : std::nullopt;
    if (!read) return both(path, libraries, release);
    return keep(path, std::move(*read));
  }

  base::Result<const Program*> platform(const std::string& home) {
    if (home.empty()) return nullptr;
    return keep(read_platform(home));
  }

  struct Old {
    std::string jdk, path, libraries;
    unsigned release = 0;
  };
  using New = Old;
  struct Opened {
    const Program* old_jdk = nullptr;
    const Program* new_jdk = nullptr;  // the same for the same home
    Both olds, news;
  };
  const Program* by_own_names(const Program* program) {
    auto named = named_as_they_say(*program, out_.own_names);
    return named ? keep(std::move(*named)) : program;
  }

  // All of it at the same time; messages in the order of one after another.
  base::Result<Opened> all(const Old& a, const New& b) {
    Read<Program> jdks[2];
    Read<Sides> sides[2];
    const bool two_jdks = b.jdk != a.jdk;
    const std::function<void()> jobs[] = {
        [&] { sides[0] = read_sides(o_, a.path, a.libraries, a.release); },
        [&] { sides[1] = read_sides(o_, b.path, b.libraries, b.release); },
        [&] {
          if (!a.jdk.empty()) jdks[0] = read_platform(a.jdk);
        },
        [&] {
          if (two_jdks && !b.jdk.empty()) jdks[1] = read_platform(b.jdk);
        }};
    work_.pool().for_each(std::size(jobs),
                          [&](unsigned, std::size_t i) { jobs[i](); });
    Opened out;
    if (!a.jdk.empty()) {
      REJIG_TRY(out.old_jdk, keep(std::move(jdks[0])));
    }
    out.new_jdk = out.old_jdk;
    if (two_jdks) {
      out.new_jdk = nullptr;
      if (!b.jdk.empty()) {
        REJIG_TRY(out.new_jdk, keep(std::move(jdks[1])));
      }
    }
    REJIG_TRY(out.olds, keep(a.path, std::move(sides[0])));
    REJIG_TRY(out.news, keep(b.path, std::move(sides[1])));
    return out;
  }

 private:
  base::Result<std::pair<const Program*, const Program*>> keep(
      const std::string& path, Read<Sides> read) {
    REJIG_TRY(Sides sides, std::move(*read.value));
    work_.report(read.diagnostics);
    const Program* internal = keep(std::move(sides.internal));
    // A mistyped or unbuilt path is no program without classes.
    if (internal->classes().empty()) {
      work_.listener.warning(path + ": holds no class");
    }
    const Program* external =
        sides.libraries ? keep(std::move(*sides.libraries)) : nullptr;
    return std::pair(internal, external);
  }

  Read<Program> read_platform(const std::string& home) const {
    Read<Program> out;
    out.value = [&]() -> base::Result<Program> {
      REJIG_TRY(const auto roots, platform_roots(home));
      REJIG_TRY_VOID(all_there(roots));
      return Program::load(roots, options_of(o_, feature_release(home)),
                           out.diagnostics);
    }();
    return out;
  }
  base::Result<const Program*> keep(Read<Program> read) {
    REJIG_TRY(Program program, std::move(*read.value));
    work_.report(read.diagnostics);
    return keep(std::move(program));
  }

  const Program* keep(Program program) {
    out_.programs.push_back(std::make_unique<Program>(std::move(program)));
    return out_.programs.back().get();
  }

  Compared& out_;
  Work& work_;
  const InputOptions& o_;
};

}  // namespace

// 8 of JAVA_VERSION="1.8.0_392", 17 of JAVA_VERSION="17.0.15"; 0: not known.
unsigned feature_release(const std::string& home) {
  const auto text = base::read_file((fs::path(home) / "release").string());
  if (!text.ok()) return 0;
  constexpr std::string_view kKey = "JAVA_VERSION=\"";
  auto at = text->find(kKey);
  if (at == std::string::npos) return 0;
  at += kKey.size();
  if (text->compare(at, 2, "1.") == 0) at += 2;
  unsigned release = 0;
  std::from_chars(text->data() + at, text->data() + text->size(), release);
  return release;
}

void complete_inputs(InputOptions& o, const Config& config) {
  take(o.old_path, config.old_path);
  take(o.new_path, config.new_path);
  take(o.lib, config.lib);
  take(o.old_lib, config.old_lib);
  take(o.new_lib, config.new_lib);
  take(o.jdk, config.jdk);
  take(o.old_jdk, config.old_jdk);
  take(o.new_jdk, config.new_jdk);
  take(o.rename, config.rename);
  if (o.internal.empty() && config.internal) o.internal = *config.internal;
  if (o.external.empty() && config.external) o.external = *config.external;
  if (o.jdk.empty()) {
    if (const char* home = std::getenv("JAVA_HOME")) {
      o.jdk = home;
      o.jdk_by_default = true;
    }
  }
  if (o.old_jdk.empty()) o.old_jdk = o.jdk;
  if (o.new_jdk.empty()) o.new_jdk = o.jdk;
  if (o.old_lib.empty()) o.old_lib = o.lib;
  if (o.new_lib.empty()) o.new_lib = o.lib;
  if (o.class_path.empty() || !o.new_path.empty()) return;

  std::error_code error;
  const fs::path project = fs::current_path(error);
  std::vector<std::string> internal;
  std::vector<std::string> external;
  const auto named = Program::split_path_list(o.internal_root);
  for (const auto& root : Program::split_path_list(o.class_path)) {
    const fs::path full = fs::weakly_canonical(root, error);
    const bool mine =
        named.empty()
            ? below(full, project)
            : std::any_of(named.begin(), named.end(), [&](const auto& n) {
                return fs::weakly_canonical(n, error) == full;
              });
    (mine ? internal : external).push_back(root);
  }
  o.new_path = joined(internal);
  if (!external.empty()) o.new_lib = joined(external);
}

namespace {

base::Result<void> open_both(const InputOptions& o, Loader& loader,
                             traversal::CompareInputs& inputs) {
  const unsigned old_release =
      o.old_jdk.empty() ? o.old_release : feature_release(o.old_jdk);
  const unsigned new_release =
      o.new_jdk.empty() ? o.new_release : feature_release(o.new_jdk);
  const bool same_lib = o.old_lib == o.new_lib && old_release == new_release &&
                        !loader.splits_by_name();
  REJIG_TRY(const auto opened,
            loader.all({o.old_jdk, o.old_path, o.old_lib, old_release},
                       {o.new_jdk, o.new_path, same_lib ? "" : o.new_lib,
                        new_release}));
  const auto& [old_jdk, new_jdk, olds, news] = opened;
  inputs.old_internal = olds.first;
  inputs.new_internal = news.first;
  if (o.own_names) {
    inputs.old_internal = loader.by_own_names(olds.first);
    inputs.new_internal = loader.by_own_names(news.first);
  }
  if (olds.second != nullptr) {
    inputs.old_external.push_back(olds.second);
    if (same_lib) inputs.new_external.push_back(olds.second);
  }
  if (news.second != nullptr) inputs.new_external.push_back(news.second);
  inputs.old_platform = old_jdk;
  inputs.new_platform = new_jdk;
  inputs.old_release = old_release;
  inputs.new_release = new_release;
  if (old_jdk != nullptr) inputs.old_external.push_back(old_jdk);
  if (new_jdk != nullptr) inputs.new_external.push_back(new_jdk);
  return {};
}

// What NEW runs with is what the stored program ran with, as far as it is not
// given.
base::Result<void> open_beside(const InputOptions& o,
                               const coverage::StoredRecord& record,
                               std::optional<classfile::StatCache>& cache,
                               const std::shared_ptr<NewAhead>& ahead,
                               Loader& loader,
                               Work& work, Compared& out,
                               traversal::CompareInputs& inputs) {
  REJIG_TRY(const Program* jdk, loader.platform(o.new_jdk));
  const unsigned release =
      o.new_jdk.empty() ? record.origin.release : feature_release(o.new_jdk);
  REJIG_TRY(const auto news, loader.both(o.new_path, o.new_lib, release, ahead));
  inputs.new_internal = inputs.old_internal = news.first;
  if (news.second != nullptr) inputs.new_external.push_back(news.second);
  if (cache) {
    const auto phase = work.phases.scope("stat cache");
    cache->tell(*news.first);
  }
  if (jdk != nullptr) inputs.new_external.push_back(jdk);
  {
    const auto phase = work.phases.scope("stored program");
    auto stored = record.program(news.first, &work.pool());
    if (stored.ok()) {
      out.stored = std::move(stored).value();
      inputs.old_internal = &out.stored->internal;
      inputs.new_external.push_back(&out.stored->shells);
    } else {
      out.stored_problem = stored.error().message();
    }
  }
  inputs.old_external = inputs.new_external;
  inputs.old_platform = inputs.new_platform = jdk;
  inputs.old_release = record.origin.release;
  inputs.new_release = release;
  return {};
}

}  // namespace

base::Result<Sides> load_sides(const std::vector<std::string>& internal,
                               const std::vector<std::string>& libraries,
                               const std::vector<std::string>& internal_globs,
                               const std::vector<std::string>& external_globs,
                               const classfile::ProgramOptions& options,
                               base::Diagnostics& diagnostics) {
  Sides out;
  REJIG_TRY(out.internal, Program::load(internal, options, diagnostics));
  if (internal_globs.empty() && external_globs.empty()) {
    if (!libraries.empty()) {
      REJIG_TRY(out.libraries, Program::load(libraries, options, diagnostics));
    }
    return out;
  }
  std::set<std::string> mine;
  for (const auto& root : out.internal.roots()) mine.insert(root->path());
  std::vector<std::string> flat = internal;
  flat.insert(flat.end(), libraries.begin(), libraries.end());
  REJIG_TRY(out.internal, Program::load(flat, options, diagnostics));
  base::Diagnostics said;
  REJIG_TRY(out.libraries, Program::load(flat, options, said));
  std::vector<char> is_mine;
  for (const auto& root : out.internal.roots()) {
    is_mine.push_back(mine.contains(root->path()) ? 1 : 0);
  }
  const auto matches = [](const std::vector<std::string>& globs,
                          std::string_view name) {
    const std::string dotted = classfile::dotted(name);
    return std::any_of(globs.begin(), globs.end(), [&](const auto& glob) {
      return coverage::glob_match(glob, dotted, '\0');
    });
  };
  const auto inside = [&](const classfile::ProgramFile& file) {
    if (matches(external_globs, file.name)) return false;
    return is_mine[file.root] != 0 || matches(internal_globs, file.name);
  };
  const auto below = [&](const classfile::ProgramFile& file) {
    return is_mine[file.root] != 0;
  };
  out.internal.keep_classes(inside);
  out.internal.keep_resources(below);
  out.libraries->keep_classes([&](const auto& file) { return !inside(file); });
  out.libraries->keep_resources([&](const auto& file) { return !below(file); });
  return out;
}

base::Result<std::unique_ptr<Compared>> compare_inputs(
    const InputOptions& o, Work& work,
    const coverage::StoredRecord* stored,
    const std::shared_ptr<NewAhead>& ahead) {
  auto out = std::make_unique<Compared>();
  Loader loader(*out, work, o);
  traversal::CompareInputs inputs;
  std::optional<classfile::StatCache> cache;
  if (!o.stat_cache.empty()) cache.emplace(o.stat_cache);
  {
    const auto phase = work.phases.scope("open");
    REJIG_TRY_VOID(stored != nullptr ? open_beside(o, *stored, cache,
                                                   ahead, loader,
                                                   work, *out, inputs)
                                     : open_both(o, loader, inputs));
  }
  if (!o.rename.empty()) {
    REJIG_TRY(auto renames, read_renames(o.rename, *inputs.old_internal,
                                         *inputs.new_internal));
    for (const auto& why : renames.left_out) work.listener.warning(why);
    inputs.renames = std::move(renames.pairs);
  }
  inputs.discover_tests = o.discover_tests;
  inputs.facets_for_rows = o.facets_for_rows;
  inputs.exhaustive = o.exhaustive;
  std::vector<traversal::TestMethod> old_tests;
  if (out->stored) {
    for (const auto& test : out->stored->tests) {
      old_tests.push_back(
          {test.id, test.class_name, test.declared_in, test.framework});
    }
    inputs.old_tests = &old_tests;
  }
  inputs.jobs = work.jobs;
  inputs.timer = &work.phases;
  out->old_program = inputs.old_internal;
  out->new_program = inputs.new_internal;
  out->old_external = inputs.old_external;
  out->new_external = inputs.new_external;
  const auto phase = work.phases.scope("compare");
  REJIG_TRY(out->comparison, o.walk ? traversal::compare_by_walk(inputs)
                                    : traversal::compare(inputs));
  if (cache && stored != nullptr) {
    const auto keeping = work.phases.scope("stat cache");
    // Where it cannot be written, everything is read the next time.
    static_cast<void>(cache->keep({{out->new_program}}));
  }
  // A file that changed while it was read may have been read half and half.
  for (const auto& program : out->programs) {
    REJIG_TRY_VOID(program->check_unchanged());
  }
  return out;
}

bool has_digest(const Program& program, std::string_view name,
                std::string_view digest) {
  const auto* file = program.find_class(classfile::slashed(name));
  if (file == nullptr) return false;
  if (const auto known = coverage::stored_digest_is(program, *file, digest)) {
    return *known;
  }
  base::Buffer buffer;
  const auto bytes = program.read(*file, buffer);
  if (!bytes.ok()) return false;
  return base::to_hex(base::sha256(*bytes)) == digest;
}

}  // namespace rejig::app
