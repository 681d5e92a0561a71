// SPDX-License-Identifier: Apache-2.0
#include "apps/session/old_program.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "apps/session/library_digest.h"
#include "classfile/base/file.h"
#include "classfile/base/hash.h"

namespace rejig::app {

namespace fs = std::filesystem;
using base::Errc;
using base::Error;
using classfile::Program;
using coverage::NamedDigest;
using coverage::ProgramOrigin;

namespace {

// What tells one JDK from another: its release file, and how large its classes
// are.
std::string platform_identity(const std::string& home) {
  if (home.empty()) return {};
  std::string text;
  const auto release = base::read_file((fs::path(home) / "release").string());
  if (release.ok()) text = *release;
  for (const char* one : {"lib/modules", "jre/lib/rt.jar", "lib/rt.jar"}) {
    std::error_code error;
    const auto size = fs::file_size(fs::path(home) / one, error);
    if (!error) text += '\n' + std::to_string(size);
  }
  return base::to_hex(base::digest256(text));
}

base::Result<std::vector<NamedDigest>> digests_of(const Program* libraries) {
  std::vector<NamedDigest> out;
  if (libraries == nullptr) return out;
  for (const auto& root : libraries->roots()) {
    REJIG_TRY(std::string digest, library_digest(*root));
    out.push_back(
        {fs::path(root->path()).filename().string(), std::move(digest)});
  }
  return out;
}

bool same_bytes(const std::vector<NamedDigest>& a,
                const std::vector<NamedDigest>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const NamedDigest& x, const NamedDigest& y) {
                      return x.digest == y.digest;
                    });
}

// The first library that is not what it was.
std::string first_difference(const std::vector<NamedDigest>& was,
                             const std::vector<NamedDigest>& is) {
  for (std::size_t i = 0; i < was.size() || i < is.size(); ++i) {
    if (i >= was.size()) return is[i].name + " was not there";
    if (i >= is.size()) return was[i].name + " is not there";
    if (was[i].digest != is[i].digest) return is[i].name + " is another one";
  }
  return {};
}

std::string patterns_of(const std::vector<std::string>& internal,
                        const std::vector<std::string>& external) {
  std::string out;
  for (const auto& glob : internal) out += "+" + glob + "\n";
  for (const auto& glob : external) out += "-" + glob + "\n";
  return out;
}

base::Result<void> check_libraries(const ProgramOrigin& origin,
                                   const InputOptions& inputs, StoredOld& out) {
  if (inputs.new_lib.empty()) {
    if (!origin.libraries.empty()) {
      out.assumptions.push_back(
          "the libraries are those of the stored program");
    }
    return {};
  }
  base::Diagnostics unused;
  REJIG_TRY(
      const Program now,
      Program::load(Program::split_path_list(inputs.new_lib), {}, unused));
  REJIG_TRY(const auto digests, digests_of(&now));
  if (!same_bytes(origin.libraries, digests)) {
    out.all_because.push_back(
        "the libraries are not those of the stored program: " +
        first_difference(origin.libraries, digests));
  }
  return {};
}

void check_platform(const ProgramOrigin& origin, InputOptions& inputs,
                    StoredOld& out) {
  if (origin.platform.empty()) return;
  if (inputs.jdk_by_default && inputs.new_jdk == inputs.jdk) {
    inputs.jdk.clear();
    inputs.old_jdk.clear();
    inputs.new_jdk.clear();
  }
  if (inputs.new_jdk.empty()) {
    out.assumptions.push_back("the platform is that of the stored program");
  } else if (platform_identity(inputs.new_jdk) != origin.platform) {
    out.all_because.push_back("the platform is not that of the stored program");
  }
}

// Rows speak of the libraries that their tests ran with.
base::Result<void> check_libraries_stayed(
    const std::vector<NamedDigest>& now, const ProgramPaths& paths) {
  if (!paths.ran_with) return {};
  for (const auto& library : now) {
    if (!paths.ran_with->contains(library.digest)) {
      return Error{Errc::kIo, "the library changed while the tests ran",
                   library.name};
    }
  }
  return {};
}

Error no_program(std::string what) {
  return {Errc::kUsage, std::move(what), ""};
}

}  // namespace

base::Result<void> store_program(const ProgramPaths& paths,
                                 const std::string& suite,
                                 coverage::MatrixBuilder& builder,
                                 base::Diagnostics& diagnostics) {
  ProgramOrigin origin;
  origin.release = paths.jdk.empty() ? 0 : feature_release(paths.jdk);
  origin.platform = platform_identity(paths.jdk);
  classfile::ProgramOptions options;
  if (origin.release != 0) options.release = origin.release;
  options.follow_class_path = !paths.as_listed;
  origin.patterns = patterns_of(paths.internal_globs, paths.external_globs);
  const auto roots = Program::split_path_list(paths.internal);
  const auto others = Program::split_path_list(paths.libraries);
  for (const auto* list : {&roots, &others}) {
    for (const auto& root : *list) {
      std::error_code error;
      if (fs::exists(root, error)) continue;
      return Error{Errc::kNotFound, "there is no such file", root};
    }
  }
  REJIG_TRY(const Sides sides,
            load_sides(roots, others, paths.internal_globs,
                       paths.external_globs, options, diagnostics));
  if (!others.empty()) {
    REJIG_TRY(const Program whole, Program::load(others, options, diagnostics));
    REJIG_TRY(origin.libraries, digests_of(&whole));
    REJIG_TRY_VOID(check_libraries_stayed(origin.libraries, paths));
  }
  std::optional<Program> platform;
  if (!paths.jdk.empty()) {
    REJIG_TRY(platform, Program::load({paths.jdk}, options, diagnostics));
  }
  std::vector<const Program*> libraries;
  if (sides.libraries) libraries.push_back(&*sides.libraries);
  std::vector<const Program*> external = libraries;
  if (platform) external.push_back(&*platform);
  std::vector<coverage::StoredTest> tests;
  for (auto& test : traversal::tests_of(sides.internal, external, 0)) {
    tests.push_back({std::move(test.id), std::move(test.class_name),
                     std::move(test.declared_in), std::move(test.framework)});
  }
  coverage::add_program(builder, suite, sides.internal, libraries,
                        platform ? &*platform : nullptr, origin, tests);
  REJIG_TRY_VOID(sides.internal.check_unchanged());
  if (sides.libraries) REJIG_TRY_VOID(sides.libraries->check_unchanged());
  return {};
}

base::Result<StoredOld> find_old(coverage::Matrix& matrix,
                                 const std::string& suite,
                                 InputOptions& inputs) {
  StoredOld out;
  const auto suites = coverage::suites_with_program(matrix);
  if (!suites.ok()) {
    out.all_because.push_back("the matrix cannot be read: " +
                              suites.error().message());
    return out;
  }
  if (suites->empty()) {
    return no_program("OLD is needed: the matrix holds no old program");
  }
  std::string chosen = suite;
  if (chosen.empty()) {
    if (suites->size() > 1) {
      std::string names;
      for (const auto& name : *suites) names += " " + name;
      return no_program("the matrix holds " + std::to_string(suites->size()) +
                        " old programs, name one with --suite:" + names);
    }
    chosen = suites->front();
  } else if (std::find(suites->begin(), suites->end(), chosen) ==
             suites->end()) {
    return no_program("OLD is needed: the matrix holds no old program of " +
                      chosen);
  }
  auto record = coverage::read_record(matrix, chosen);
  if (!record.ok()) {
    out.all_because.push_back("the stored program cannot be used: " +
                              record.error().message());
    return out;
  }
  if (record->origin.patterns !=
      patterns_of(inputs.internal, inputs.external)) {
    out.all_because.push_back(
        "the internal and external patterns are not those of the stored "
        "program");
  }
  REJIG_TRY_VOID(check_libraries(record->origin, inputs, out));
  check_platform(record->origin, inputs, out);
  out.record = std::move(*record);
  out.suite = chosen;
  return out;
}

}  // namespace rejig::app
