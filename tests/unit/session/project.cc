// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/session/project.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <span>

#include "classfile/base/file.h"
#include "classfile/base/hash.h"
#include "classfile/words/entity.h"
#include "coverage/store/matrix_builder.h"
#include "coverage/store/store.h"
#include "tests/support/class_builder.h"

extern char** environ;

namespace rejig::app {

namespace fs = std::filesystem;

namespace {

void forget_variables() {
  std::vector<std::string> names = {"JAVA_HOME", "XDG_CONFIG_HOME"};
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string entry = *at;
    if (entry.starts_with("REJIG_"))
      names.push_back(entry.substr(0, entry.find('=')));
  }
  for (const auto& name : names) ::unsetenv(name.c_str());
}

std::string class_bytes(const std::string& name, const Methods& methods) {
  test::ClassBuilder out(classfile::slashed(name));
  for (const auto& [method, value] : methods) {
    out.add_code(test::Out{0x10, value, 0xAC}, 1, 0, {}, {}, method, "()I");
  }
  return out.build();
}

std::string file_of(const std::string& folder, const std::string& name) {
  return folder + "/" + std::string(classfile::slashed(name)) + ".class";
}

}  // namespace

Project::Project() : before_(fs::current_path().string()) {
  forget_variables();
  ::setenv("HOME", path("home").c_str(), 1);
  fs::current_path(folder_.path());
  write(".git/HEAD", "");  // settings are not looked for above
}

Project::~Project() { fs::current_path(before_); }

void Project::write_class(const std::string& folder, const std::string& name,
                          const Methods& methods) const {
  write(file_of(folder, name), class_bytes(name, methods));
}

void Project::write_test(const std::string& folder, const std::string& name,
                         const std::vector<std::string>& tests) const {
  test::ClassBuilder out(classfile::slashed(name));
  const test::Out maker{0x2A, 0xB7};
  test::Out code;
  code.raw(maker).u2(out.method("java/lang/Object", "<init>", "()V")).u1(0xB1);
  out.add_method(0x0001, "<init>", "()V", {out.code(1, 1, code)});
  for (const auto& test : tests) {
    const auto mark =
        out.attribute("RuntimeVisibleAnnotations",
                      test::Out().u2(1).u2(out.utf8("Lorg/junit/Test;")).u2(0));
    out.add_method(0x0001, test, "()V",
                   {out.code(0, 1, test::Out{0xB1}), mark});
  }
  write(file_of(folder, name), out.build());
}

void Project::write_jar(const std::string& file, const std::string& name,
                        const Methods& methods) const {
  write(file, test::make_zip({test::zip_item(
                  std::string(classfile::slashed(name)) + ".class",
                  class_bytes(name, methods))}));
}

std::string Project::digest_of(const std::string& file) const {
  const auto text = base::read_file(path(file)).value();
  return base::to_hex(base::sha256(std::as_bytes(std::span(text))));
}

void Project::write_store(
    const std::string& file, const std::vector<StoredRow>& rows,
    const std::map<std::string, std::string>& classes,
    const std::map<std::string, std::string>& environment) const {
  coverage::MatrixBuilder builder;
  for (const auto& one : rows) {
    coverage::Row row;
    row.suite = one.suite;
    row.test = one.test;
    row.grade = one.grade;
    row.result = one.result;
    row.facts = coverage::Facts::all();
    std::vector<coverage::MatrixBuilder::LocalAtom> atoms;
    for (const auto& text : one.atoms) {
      atoms.push_back(builder.intern(classfile::parse_atom(text).value()));
    }
    builder.add_row(row, std::move(atoms));
  }
  for (const auto& [name, digest] : classes) builder.add_class(name, digest);
  for (const auto& [key, value] : environment)
    builder.add_environment(key, value);
  const auto matrix = builder.finish();
  const auto written = coverage::write_store(path(file), *matrix);
  if (!written.ok()) throw std::runtime_error(written.error().message());
}

}  // namespace rejig::app
