// SPDX-License-Identifier: Apache-2.0
#include "apps/rejig/inputs.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"
#include "classfile/entity.h"

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

std::vector<std::pair<std::string, std::string>> parse_renames(
    const std::string& text) {
  std::vector<std::pair<std::string, std::string>> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string from;
    std::string to;
    if (words >> from >> to) {
      out.emplace_back(classfile::slashed(from), classfile::slashed(to));
    }
  }
  return out;
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

class Loader {
 public:
  Loader(Compared& out, Context& context, bool follow_class_path)
      : out_(out), context_(context), follow_class_path_(follow_class_path) {}

  base::Result<const Program*> load(const std::vector<std::string>& roots,
                                    unsigned release) {
    for (const auto& root : roots) {
      if (!is_there(root)) return unusable("there is no such file", root);
    }
    classfile::ProgramOptions options;
    if (release != 0) options.release = release;
    options.follow_class_path = follow_class_path_;
    base::Diagnostics diagnostics;
    REJIG_TRY(Program program, Program::load(roots, options, diagnostics));
    context_.report(diagnostics);
    out_.programs.push_back(std::make_unique<Program>(std::move(program)));
    return out_.programs.back().get();
  }

  // OLD or NEW: a mistyped or unbuilt path is no program without classes.
  base::Result<const Program*> load_internal(const std::string& list,
                                             unsigned release) {
    REJIG_TRY(const Program* program,
              load(Program::split_path_list(list), release));
    if (program->classes().empty()) {
      context_.messages->warning(list + ": holds no class");
    }
    return program;
  }

  base::Result<const Program*> platform(const std::string& home) {
    if (home.empty()) return nullptr;
    REJIG_TRY(const auto roots, platform_roots(home));
    return load(roots, feature_release(home));
  }

 private:
  Compared& out_;
  Context& context_;
  bool follow_class_path_;
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

void declare_inputs(CommandLine& line, InputOptions& o) {
  line.option("--class-path", o.class_path,
              "NEW as one flat class path: roots below the project are "
              "internal, the others libraries",
              "LIST");
  line.option("--internal-root", o.internal_root,
              "with --class-path: these roots are internal", "LIST");
  line.option("--lib", o.lib, "external classes, the same in both", "LIST");
  line.option("--old-lib", o.old_lib, "external classes of OLD", "LIST");
  line.option("--new-lib", o.new_lib, "external classes of NEW", "LIST");
  line.option("--jdk", o.jdk, "the platform (default $JAVA_HOME)", "HOME");
  line.option("--old-jdk", o.old_jdk, "the platform of OLD", "HOME");
  line.option("--new-jdk", o.new_jdk, "the platform of NEW", "HOME");
  line.option("--rename", o.rename,
              "renamed classes: old name, blank, new name, a line each",
              "FILE");
  line.flag("--as-listed", o.as_listed,
            "these lists are complete: no manifest adds to them");
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
  REJIG_TRY(const Program* old_jdk, loader.platform(o.old_jdk));
  const Program* new_jdk = old_jdk;
  if (o.new_jdk != o.old_jdk) {
    REJIG_TRY(new_jdk, loader.platform(o.new_jdk));
  }
  const unsigned old_release =
      o.old_jdk.empty() ? 0 : feature_release(o.old_jdk);
  const unsigned new_release =
      o.new_jdk.empty() ? 0 : feature_release(o.new_jdk);
  REJIG_TRY(inputs.old_internal,
            loader.load_internal(o.old_path, old_release));
  REJIG_TRY(inputs.new_internal,
            loader.load_internal(o.new_path, new_release));
  const bool same_lib = o.old_lib == o.new_lib && old_release == new_release;
  if (!o.old_lib.empty()) {
    REJIG_TRY(const Program* lib,
              loader.load(Program::split_path_list(o.old_lib), old_release));
    inputs.old_external.push_back(lib);
    if (same_lib) inputs.new_external.push_back(lib);
  }
  if (!same_lib && !o.new_lib.empty()) {
    REJIG_TRY(const Program* lib,
              loader.load(Program::split_path_list(o.new_lib), new_release));
    inputs.new_external.push_back(lib);
  }
  inputs.old_platform = old_jdk;
  inputs.new_platform = new_jdk;
  if (old_jdk != nullptr) inputs.old_external.push_back(old_jdk);
  if (new_jdk != nullptr) inputs.new_external.push_back(new_jdk);
  return {};
}

// What NEW runs with is what the stored program ran with, as far as it is not
// given.
base::Result<void> open_beside(const InputOptions& o,
                               const coverage::StoredProgram& stored,
                               Loader& loader,
                               traversal::CompareInputs& inputs) {
  REJIG_TRY(const Program* jdk, loader.platform(o.new_jdk));
  const unsigned release =
      o.new_jdk.empty() ? stored.origin.release : feature_release(o.new_jdk);
  inputs.old_internal = &stored.internal;
  REJIG_TRY(inputs.new_internal,
            loader.load_internal(o.new_path, release));
  if (!o.new_lib.empty()) {
    REJIG_TRY(const Program* lib,
              loader.load(Program::split_path_list(o.new_lib), release));
    inputs.new_external.push_back(lib);
  }
  if (jdk != nullptr) inputs.new_external.push_back(jdk);
  inputs.new_external.push_back(&stored.shells);
  inputs.old_external = inputs.new_external;
  inputs.old_platform = inputs.new_platform = jdk;
  return {};
}

}  // namespace

base::Result<Side> load_side(Compared& keep, const std::string& path,
                             const std::string& libraries,
                             const std::string& jdk, bool follow_class_path,
                             Context& context) {
  Loader loader(keep, context, follow_class_path);
  Side out;
  out.release = jdk.empty() ? 0 : feature_release(jdk);
  REJIG_TRY(out.platform, loader.platform(jdk));
  REJIG_TRY(out.internal, loader.load_internal(path, out.release));
  if (!libraries.empty()) {
    REJIG_TRY(out.libraries,
              loader.load(Program::split_path_list(libraries), out.release));
  }
  return out;
}

base::Result<std::unique_ptr<Compared>> compare_inputs(
    const InputOptions& o, Context& context,
    std::optional<coverage::StoredProgram> stored) {
  auto out = std::make_unique<Compared>();
  out->stored = std::move(stored);
  Loader loader(*out, context, !o.as_listed);
  traversal::CompareInputs inputs;
  {
    const auto phase = context.phases.scope("open");
    REJIG_TRY_VOID(out->stored
                       ? open_beside(o, *out->stored, loader, inputs)
                       : open_both(o, loader, inputs));
  }
  if (!o.rename.empty()) {
    REJIG_TRY(const std::string text, base::read_file(o.rename));
    inputs.renames = parse_renames(text);
  }
  inputs.discover_tests = o.discover_tests;
  inputs.jobs = context.jobs;
  inputs.timer = &context.phases;
  out->old_program = inputs.old_internal;
  out->new_program = inputs.new_internal;
  const auto phase = context.phases.scope("compare");
  REJIG_TRY(out->comparison, traversal::compare(inputs));
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
  std::vector<std::byte> buffer;
  const auto bytes = program.read(*file, buffer);
  if (!bytes.ok()) return false;
  if (digest.size() == 64) {
    return base::to_hex(base::sha256(*bytes)) == digest;
  }
  return digest.size() == 32 && base::to_hex(base::hash128(*bytes)) == digest;
}

}  // namespace rejig::app
