// SPDX-License-Identifier: Apache-2.0
// Is what traversal/ says the verifier asks what it really asks? A program that
// a JVM runs verifies, so every check must hold: verify_check JDK_HOME
// [ARTIFACT...]. Each artefact, and the platform itself, is read; prints how
// many methods were followed and how many checks hold. A check that does not
// hold, or a method with frames that could not be followed, is a failure.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "classfile/program/program.h"
#include "classfile/reader/code.h"
#include "traversal/verify/verifier_checks.h"

namespace {

using rejig::classfile::ClassView;
using rejig::classfile::Program;
namespace jig = rejig::jig;
namespace traversal = rejig::traversal;
using traversal::Verdict;

constexpr std::uint16_t kFirstWithFrames = 51;  // 50 may do without
constexpr int kShown = 20;

Program load(const std::string& path) {
  rejig::base::Diagnostics diagnostics;
  auto program = Program::load({path}, {}, diagnostics);
  if (!program.ok()) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    std::exit(2);
  }
  return std::move(program.value());
}

class Check {
 public:
  Check(const Program& program, const Program& platform)
      : program_(program), world_(names_, program, {&platform}) {}

  bool run(const std::string& title) {
    for (const auto& file : program_.classes()) {
      rejig::base::Buffer buffer;
      const auto bytes = program_.read(file, buffer);
      if (!bytes.ok()) continue;
      const auto cls = ClassView::parse(*bytes, std::string(file.name));
      if (!cls.ok() || cls->name() != file.name) continue;
      one(*cls);
    }
    std::printf(
        "%s: %zu methods followed, %zu of old class files not; %zu checks "
        "hold, "
        "%zu unknown classes; %zu do not hold, %zu methods not followed\n",
        title.c_str(), followed_, old_, hold_, unknown_, wrong_, lost_);
    return wrong_ == 0 && lost_ == 0 && hold_ + old_ > 0;
  }

 private:
  void show(const char* what, const ClassView& cls, std::string_view more) {
    if (++shown_ > kShown) return;
    std::printf("%s: %.*s %.*s\n", what, static_cast<int>(cls.name().size()),
                cls.name().data(), static_cast<int>(more.size()), more.data());
  }

  void one(const ClassView& cls) {
    for (const auto& method : cls.methods()) {
      if (!rejig::classfile::CodeView::of(cls, method)) continue;
      traversal::VerifierChecks checks;
      if (!traversal::add_verifier_checks(cls, method, checks)) {
        if (cls.major() < kFirstWithFrames) {
          ++old_;
        } else {
          ++lost_;
          show("not followed", cls, method.name);
        }
        continue;
      }
      ++followed_;
      for (const auto& [from, to] : checks.assignments) {
        count(traversal::is_assignable(world_, from, to), cls,
              from + " as " + to);
      }
      for (const auto& use : checks.uses) {
        count(traversal::may_use(world_, cls.name(), use), cls,
              use.owner + "." + use.name + " on " + use.on);
      }
    }
  }

  void count(Verdict verdict, const ClassView& cls, const std::string& what) {
    switch (verdict) {
      case Verdict::kYes:
        ++hold_;
        break;
      case Verdict::kNobodyKnows:
        ++unknown_;
        break;
      case Verdict::kNo:
        ++wrong_;
        show("does not hold", cls, what);
        break;
    }
  }

  const Program& program_;
  jig::Names names_;
  jig::World world_;
  std::size_t followed_ = 0;
  std::size_t old_ = 0;
  std::size_t hold_ = 0;
  std::size_t unknown_ = 0;
  std::size_t wrong_ = 0;
  std::size_t lost_ = 0;
  int shown_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: verify_check JDK_HOME [ARTIFACT...]\n");
    return 2;
  }
  const Program platform = load(argv[1]);
  bool good = Check(platform, platform).run(argv[1]);
  for (int i = 2; i < argc; ++i) {
    const Program program = load(argv[i]);
    good = Check(program, platform).run(argv[i]) && good;
  }
  return good ? 0 : 1;
}
