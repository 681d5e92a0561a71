// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/coverage_rows/random_file.h"

#include <algorithm>
#include <vector>

namespace rejig::coverage {

namespace {

class Maker {
 public:
  Maker(const RandomShape& shape, std::mt19937_64& random)
      : shape_(shape), random_(random) {}

  RowFile make() {
    file_.started = 1'000'000;
    file_.pid = 10;
    file_.parent_pid = 1;
    file_.suite = "s";
    file_.atom_kinds = {"m", "inst", "init", "load", "ext", "refl", "state"};
    if (chance(2)) file_.atom_kinds.push_back("recv");
    file_.environment["user.dir"] = shape_.folder;
    file_.internal_roots = {shape_.folder};
    file_.sources[1] = "file:" + shape_.folder + "/";
    file_.has_exit = true;
    for (std::uint32_t c = 0; c < shape_.classes; ++c) class_names_.push_back(a_name(c));
    file_.names = class_names_;
    for (const char* name : {"p/Unknown", "junit/framework/TestCase",
                             "org/junit/jupiter/api/TestInstance",
                             "org/junit/jupiter/api/extension/Extension"}) {
      file_.names.push_back(name);
    }
    for (std::uint32_t c = 0; c < shape_.classes; ++c) a_class(c);
    for (std::uint32_t f = 0; f < shape_.facts; ++f) a_fact();
    for (std::uint32_t m = 0; m < file_.methods.size(); ++m) {
      if (chance(3)) file_.receivers.push_back({m, below(file_.names)});
    }
    scopes();
    for (std::uint32_t c = 0; c < file_.classes.size(); ++c) {
      if (chance(3)) file_.inits[c] = some_work(3);
    }
    return std::move(file_);
  }

 private:
  std::uint32_t below(std::size_t n) {
    return static_cast<std::uint32_t>(random_() % n);
  }
  template <class T>
  std::uint32_t below(const std::vector<T>& list) {
    return below(list.size());
  }
  bool chance(std::uint32_t one_of) { return below(one_of) == 0; }
  template <class T>
  const T& one(const std::vector<T>& list) {
    return list[below(list)];
  }

  // Some are nested in others, and some are test classes.
  std::string a_name(std::uint32_t c) {
    const std::string plain = "p/C" + std::to_string(c);
    return c != 0 && chance(4) ? one(class_names_) + "$" + std::to_string(c)
                               : plain;
  }

  void a_class(std::uint32_t c) {
    RecordedClass out;
    out.name = class_names_[c];
    // A name may have two records.
    if (c != 0 && chance(10)) out.name = class_names_[below(c)];
    const auto kind = below(10);
    out.origin = kind < 6   ? Origin::kInternal
                 : kind < 7 ? Origin::kUntouched
                 : kind < 9 ? Origin::kExternal
                            : Origin::kGenerated;
    out.digest = "d" + std::to_string(c);
    out.source = chance(8) ? 1 : 0;
    out.is_interface = chance(4);
    out.is_final = chance(4);
    out.keeps_state = chance(2);
    out.has_parts = chance(3);
    for (std::uint32_t n = below(3); n > 0; --n) {
      out.supertypes.push_back(chance(6) ? one(file_.names)
                                         : class_names_[below(c + 1)]);
    }
    std::vector<std::uint32_t> names;
    for (std::uint32_t n = below(6); n > 0; --n) {
      names.push_back(below(file_.names));
    }
    out.names = names;
    out.constants = static_cast<std::uint32_t>(names.size());
    const auto index = static_cast<std::uint32_t>(file_.classes.size());
    const bool has_methods = out.origin != Origin::kExternal;
    const bool recorded =
        out.origin == Origin::kInternal || out.origin == Origin::kGenerated;
    const std::uint32_t most = 2 * shape_.methods / shape_.classes + 1;
    for (std::uint32_t n = has_methods ? below(most) : 0; n > 0; --n) {
      RecordedMethod m = a_method(names.size());
      m.owner = index;
      if (m.has_code && recorded) {
        file_.methods.emplace_back(
            index, static_cast<std::uint32_t>(out.methods.size()));
      }
      out.methods.push_back(std::move(m));
    }
    file_.classes.push_back(std::move(out));
  }

  RecordedMethod a_method(std::size_t names) {
    static const std::vector<std::string> kNames = {
        "<init>", "<clinit>", "a", "b", "values", "testC", "lambda$a$0",
        "lambda$new$1", "lambda$null$2", "b$lambda$1", "computeValue"};
    RecordedMethod m;
    m.name = one(kNames);
    m.descriptor = chance(10) ? "(Ljava/lang/invoke/MethodHandles$Lookup;"
                                "Ljava/lang/String;)V"
                              : "(" + std::string(below(4), 'I') + ")V";
    if (m.name == "computeValue") {
      m.descriptor = "(Ljava/lang/Class;)Ljava/lang/Object;";
    }
    m.has_code = !chance(8);
    m.clones = chance(12);
    m.asks = chance(12);
    m.provides = chance(6);
    m.is_test = chance(8);
    m.is_static = m.name != "<init>" && (m.name == "values" || chance(3));
    m.is_abstract = !m.has_code;
    for (std::uint32_t n = names == 0 ? 0 : below(4); n > 0; --n) {
      m.uses.push_back(below(names) << 5 | below(32));
    }
    return m;
  }

  std::string dotted(std::string name) {
    std::replace(name.begin(), name.end(), '/', '.');
    return name;
  }
  void a_fact() {
    RecordedFact fact;
    constexpr auto kLast = static_cast<std::uint32_t>(FactKind::kMet);
    fact.kind = static_cast<FactKind>(1 + below(kLast));
    static const std::vector<FactKind> kLasting = {
        FactKind::kCreatable, FactKind::kCreatable, FactKind::kRedefined,
        FactKind::kNative, FactKind::kResource};
    if (shape_.lasting && !chance(3)) fact.kind = one(kLasting);
    // Rare, or everything would be native or shared.
    if (!shape_.lasting && !chance(3) &&
        (fact.kind == FactKind::kNative || fact.kind == FactKind::kRedefined ||
         fact.kind == FactKind::kMakesShared)) {
      fact.kind = FactKind::kReflected;
    }
    fact.by_runner = chance(3);
    fact.absent = chance(6);
    fact.by_loader = chance(6);
    fact.text = text_of(fact.kind);
    file_.facts.push_back(std::move(fact));
  }
  std::string text_of(FactKind kind) {
    static const std::vector<std::string> kFiles = {"a",       "b", "d", "none",
                                                    "c.class", "d/x"};
    static const std::vector<std::string> kResources = {
        "META-INF/services/java.x.Y", "META-INF/services/p.Z", "r/x.txt"};
    const std::string name = dotted(one(file_.names));
    const std::string path = chance(2) ? shape_.folder + "/" + one(kFiles)
                                       : "/nowhere/" + one(kFiles);
    switch (kind) {
      case FactKind::kResource:
        return one(kResources);
      case FactKind::kFile:
      case FactKind::kAttributes:
      case FactKind::kExists:
      case FactKind::kRealPath:
        return path;
      case FactKind::kDeclared:
        return shape_.folder + "/c.class";
      case FactKind::kEntry:
        return path + "!/" + one(kFiles);
      case FactKind::kNative:
        return chance(2) ? path : "native" + std::to_string(below(3));
      case FactKind::kVariable:
        return chance(2) ? "HOME=abc" : "NONE";
      case FactKind::kKept:
        return "bundle " + name;
      case FactKind::kLeftThere:
        return chance(2) ? "file " + path + "|" + name + ".a()V"
                         : "system properties|" + name + ".b()V";
      case FactKind::kMet:
        return chance(2) ? "system properties" : "file " + path;
      case FactKind::kAskedBy:
        return name + " " + (chance(2) ? one(kResources) : name);
      default:
        break;
    }
    const auto form = below(12);
    return form == 0   ? "[L" + name + ";"
           : form == 1 ? name + " was not found"
           : form == 2 ? "q.Missing" + std::to_string(below(3))
                       : name;
  }

  Work some_work(std::uint32_t most) {
    Work out;
    const auto some = [&](std::size_t all, std::vector<std::uint32_t>& list) {
      for (std::uint32_t n = all == 0 ? 0 : below(most + 1); n > 0; --n) {
        list.push_back(below(all));
      }
    };
    some(file_.methods.size(), out.methods);
    some(file_.classes.size(), out.classes);
    some(file_.facts.size(), out.facts);
    some(file_.receivers.size(), out.receivers);
    return out;
  }

  void scopes() {
    Scope& session = file_.scopes[0];
    session.has_end = true;
    session.result = ScopeResult::kPassed;
    session.work = some_work(8);
    std::vector<std::uint32_t> containers{0};
    const std::uint32_t all = shape_.containers + shape_.tests;
    const bool all_late = chance(2);
    for (std::uint32_t n = 1; n <= all; ++n) {
      Scope scope;
      const bool container =
          n == 1 || below(all) < shape_.containers;
      scope.parent = one(containers);
      scope.begun = n * 1000;
      scope.ended = n * 1000 + 500;
      // Before and after the files were written, or all of them after.
      if (all_late || chance(3)) scope.ended += std::uint64_t{1} << 60;
      scope.has_end = !chance(8);
      scope.result = chance(8)   ? ScopeResult::kAborted
                     : chance(8) ? ScopeResult::kFailed
                                 : ScopeResult::kPassed;
      const std::string name = dotted(one(class_names_));
      if (container) {
        scope.id = chance(2) ? name : "suite" + std::to_string(below(3));
        containers.push_back(n);
      } else {
        scope.is_test = true;
        scope.id = (chance(10) ? "q.Other" : name) + "#m" +
                   std::to_string(below(3)) + "()";
      }
      for (std::uint32_t j = shape_.joins && chance(3) ? 1 + below(2) : 0; j > 0;
           --j) {
        scope.joined.push_back(below(n));
      }
      scope.work = some_work(6);
      file_.scopes[n] = std::move(scope);
    }
  }

  const RandomShape& shape_;
  std::mt19937_64& random_;
  RowFile file_;
  std::vector<std::string> class_names_;
};

}  // namespace

RowFile random_file(const RandomShape& shape, std::mt19937_64& random) {
  return Maker(shape, random).make();
}

}  // namespace rejig::coverage
