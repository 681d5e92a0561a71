// SPDX-License-Identifier: Apache-2.0
// Do the five functions of jig/ say what a real JVM did? Reads the answers that
// LinkOracle recorded (LINK-ORACLE.md) and asks the same questions of a World
// built from the class files alone: link_check DIR JDK_HOME. Prints what was
// compared; every disagreement that LINK-ORACLE.md does not name is a failure.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/program/program.h"
#include "jig/lookup/resolve.h"

namespace {

using rejig::classfile::kAccAbstract;
using rejig::classfile::kAccFinal;
using rejig::classfile::kAccInterface;
using rejig::classfile::kAccPrivate;
using rejig::classfile::kAccPublic;
using rejig::classfile::kAccStatic;
using rejig::classfile::Program;
namespace jig = rejig::jig;

struct Line {
  std::string dir, op, from, owner, name, desc, receiver, answer;
  std::vector<std::string> init;
  bool itf = false;
  bool crash = false;
};

// The value behind a key; the lines are machine-made, keys in a fixed order.
std::string field(std::string_view line, std::string_view key) {
  const std::string mark = "\"" + std::string(key) + "\":";
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + mark.size());
  if (line.starts_with('[')) return std::string(line.substr(1, line.find(']') - 1));
  if (!line.starts_with('"')) return {};
  line.remove_prefix(1);
  return std::string(line.substr(0, line.find('"')));
}

Line parse(const std::string& text) {
  Line line;
  line.crash = text.find("\"crash\":true") != std::string::npos;
  line.dir = field(text, "dir");
  line.op = field(text, "op");
  line.from = field(text, "from");
  line.owner = field(text, "owner");
  line.name = field(text, "name");
  line.desc = field(text, "desc");
  line.receiver = field(text, "receiver");
  line.answer = field(text, "answer");
  line.itf = text.find("\"itf\":true") != std::string::npos;
  const std::string init = field(text, "init");
  for (std::size_t at = 0; at < init.size();) {
    const auto end = init.find('"', at + 1);
    line.init.push_back(init.substr(at + 1, end - at - 1));
    at = end + 2;
  }
  return line;
}

std::string text_of(jig::LinkError error) {
  return "!" + std::string(jig::name_of(error));
}

std::string text_of(const jig::MethodAnswer& answer) {
  if (!answer.unknown.empty()) return "?" + std::string(answer.unknown);
  if (!answer.found()) return text_of(answer.error);
  return std::string(answer.holder->name) + "." +
         std::string(answer.method->name) +
         std::string(answer.method->descriptor);
}

constexpr const char* kNoAccess = "!IllegalAccessError";
constexpr const char* kWrongKind = "!IncompatibleClassChangeError";

class Case {
 public:
  Case(const std::string& path, const Program& platform)
      : program_(load(path)), world_(names_, program_, {&platform}) {}

  static Program load(const std::string& path) {
    rejig::base::Diagnostics diagnostics;
    auto program = Program::load({path}, {}, diagnostics);
    if (!program.ok()) {
      std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
      std::exit(2);
    }
    return std::move(program.value());
  }

  // What the JVM should have answered; `alternative` where two are right.
  std::string expect(const Line& q, std::string* alternative) {
    initialized_.clear();
    if (q.op == "link" || q.op == "verify") {
      const auto problem = jig::link_problem(world_, q.owner);
      if (problem.empty()) return "ok";
      if (problem.starts_with("unknown")) return "!NoClassDefFoundError";
      return "!" + problem.substr(0, problem.find(':'));
    }
    if (q.op == "init") {
      trigger(q.owner, "");
      return "ok";
    }
    const auto* owner = world_.find(q.owner);
    if (owner == nullptr) return "!NoClassDefFoundError";
    if (!jig::class_accessible(world_, q.from, *owner)) return kNoAccess;
    if (q.op == "instanceof" || q.op == "checkcast") {
      const bool is = world_.is_subtype(q.receiver, q.owner);
      if (q.op == "instanceof") return is ? "true" : "false";
      return is ? "ok" : "!ClassCastException";
    }
    if (q.op == "new" || q.op == "construct") return construct(q, *owner);
    if (q.op.starts_with("invoke")) return invoke(q, alternative);
    return access(q);
  }

  const std::vector<std::string>& initialized() const { return initialized_; }
  unsigned major_of(jig::Name name) const {
    const auto* node = world_.find(name);
    return node != nullptr && node->readable() ? node->shell->major : 0;
  }

 private:
  // The sequence of `name` without what the caller has initialized already.
  void trigger(jig::Name name, jig::Name from) {
    std::set<std::string> done;
    if (!from.empty()) {
      for (auto& each : jig::init_sequence(world_, from)) done.insert(each);
    }
    for (auto& each : jig::init_sequence(world_, name)) {
      const bool platform = each.starts_with("java/");  // they log nothing
      if (!platform && !done.contains(each)) initialized_.push_back(each);
    }
  }

  std::string construct(const Line& q, const jig::ClassNode& owner) {
    if (owner.shell->is(kAccAbstract) || owner.shell->is(kAccInterface)) {
      return "!InstantiationError";
    }
    trigger(q.owner, q.from);
    if (q.op == "new") return "ok";
    const auto resolved =
        jig::resolve_special(world_, q.from, {q.owner, q.name, q.desc});
    if (!resolved.found() && inherits_closed_constructor(q, owner)) {
      return kNoAccess;
    }
    return method(q, resolved);
  }

  // HotSpot finds the constructor of a superclass and asks whether it may be
  // called before it says that there is none.
  bool inherits_closed_constructor(const Line& q,
                                   const jig::ClassNode& owner) const {
    for (auto* at = world_.find(owner.shell->super); at != nullptr;
         at = world_.find(at->shell->super)) {
      const auto* found = at->shell->method(q.name, q.desc);
      if (found == nullptr) continue;
      return !jig::member_accessible(world_, q.from, q.owner, *at,
                                     found->access);
    }
    return false;
  }

  // Access and static/instance of a resolved method.
  std::string method(const Line& q, const jig::MethodAnswer& resolved) {
    if (!resolved.found()) return text_of(resolved);
    if (!jig::member_accessible(world_, q.from, q.owner, *resolved.holder,
                                resolved.method->access)) {
      return kNoAccess;
    }
    if (resolved.method->is(kAccStatic) != (q.op == "invokestatic")) {
      return kWrongKind;
    }
    return text_of(resolved);
  }

  std::string invoke(const Line& q, std::string* alternative) {
    const jig::MethodReference ref{q.owner, q.name, q.desc, q.itf};
    const auto resolved = jig::resolve_method(world_, ref);
    const auto linked = method(q, resolved);
    if (linked.starts_with('!') || linked.starts_with('?')) return linked;
    if (q.op == "invokestatic") {
      trigger(resolved.holder->name, q.from);
      return linked;
    }
    if (q.op == "invokespecial") {
      return text_of(jig::resolve_special(world_, q.from, ref));
    }
    const auto chosen = jig::select_method(
        world_, *world_.find(q.receiver), resolved,
        q.op == "invokevirtual" ? jig::Name(q.owner) : jig::Name());
    *alternative = run(q, chosen.specified);
    return run(q, chosen.hotspot);
  }

  static std::string run(const Line& q, const jig::MethodAnswer& chosen) {
    if (q.op == "invokeinterface" && chosen.found() &&
        !chosen.method->is(kAccPublic) && !chosen.method->is(kAccPrivate)) {
      return kNoAccess;
    }
    return text_of(chosen);
  }

  std::string access(const Line& q) {
    const auto found = jig::resolve_field(world_, q.owner, q.name, q.desc);
    if (!found.unknown.empty()) return "?" + std::string(found.unknown);
    if (!found.found()) return text_of(found.error);
    const bool is_static = q.op.ends_with("static");
    if (!jig::member_accessible(world_, q.from, q.owner, *found.holder,
                                found.field->access)) {
      return kNoAccess;
    }
    if (found.field->is(kAccStatic) != is_static) return kWrongKind;
    if (q.op.starts_with("put") && found.field->is(kAccFinal) &&
        (found.holder->name != q.from || major_of(q.from) >= 53)) {
      return kNoAccess;
    }
    if (is_static) trigger(found.holder->name, q.from);
    return std::string(found.holder->name) + "." + q.name + ":" + q.desc;
  }

  jig::Names names_;
  Program program_;
  jig::World world_;
  std::vector<std::string> initialized_;
};

bool selection_error(const std::string& answer) {
  return answer == "!AbstractMethodError" || answer == kWrongKind;
}

class Check {
 public:
  explicit Check(std::string dir, const std::string& jdk)
      : dir_(std::move(dir)), platform_(Case::load(jdk)) {}

  void line(const std::string& text) {
    Line parsed = parse(text);
    if (parsed.crash) {
      ++counts_["crash of the JVM"];
      return;
    }
    if (parsed.dir != current_dir_) {
      current_.reset();
      lines_.clear();
      current_ = std::make_unique<Case>(dir_ + "/" + parsed.dir, platform_);
      current_dir_ = parsed.dir;
      unlinkable_.clear();
    }
    const Line& q = lines_.emplace_back(std::move(parsed));
    const bool loading = q.op == "link" || q.op == "verify";
    if (loading && q.answer != "ok") unlinkable_.insert(q.owner);
    if (!loading && unlinkable_.contains(q.owner)) {
      ++counts_["not compared: the owner does not link"];
      return;
    }
    if (q.answer == "!VerifyError") {
      ++counts_["not compared: verifier"];
      return;
    }
    std::string alternative;
    const auto expected = current_->expect(q, &alternative);
    if (q.op == "verify" && expected == "ok" && q.answer != "ok") {
      ++counts_["not compared: verifier"];
      return;
    }
    // HotSpot looks at the access of an abstract method first.
    const bool abstract_and_closed = q.op == "invokeinterface" &&
                                     expected == "!AbstractMethodError" &&
                                     q.answer == kNoAccess;
    const bool equal =
        expected == q.answer || abstract_and_closed ||
        (q.op.starts_with("invoke") && selection_error(expected) &&
         selection_error(q.answer));
    if (!equal && alternative == q.answer) {
      ++counts_[q.op + ": HotSpot does what is specified"];
    } else if (!equal && loading && expected != "ok" && q.answer != "ok") {
      // Of several problems in one hierarchy another one is met first.
      ++counts_[q.op + ": both fail, with different kinds"];
    } else if (!equal && shares_its_constant(q)) {
      ++counts_["invokevirtual: HotSpot remembers another instruction"];
    } else if (!equal) {
      differ(q, text, expected);
    } else if (!q.init.empty() || !current_->initialized().empty()) {
      const bool same = q.init == current_->initialized();
      if (same) ++counts_[q.op + ": agree, with initialization"];
      if (!same) differ(q, text, "other initialization order");
    } else {
      ++counts_[q.op + ": agree"];
    }
  }

  // A class asks invokevirtual and invokespecial of one constant: JDK 25 lets
  // the first of a private method run what the second ran before.
  bool shares_its_constant(const Line& q) const {
    return q.op == "invokevirtual" &&
           std::any_of(lines_.begin(), lines_.end(), [&](const Line& other) {
             return other.op == "invokespecial" && other.from == q.from &&
                    other.owner == q.owner && other.name == q.name &&
                    other.desc == q.desc && other.itf == q.itf &&
                    other.answer == q.answer;
           });
  }

  int finish() const {
    std::size_t compared = 0;
    for (const auto& [what, count] : counts_) {
      std::printf("%8zu %s\n", count, what.c_str());
      if (what.find("agree") != std::string::npos) compared += count;
    }
    std::printf("%zu answers agree, %zu differ\n", compared, wrong_);
    return wrong_ == 0 && compared != 0 ? 0 : 1;
  }

 private:
  void differ(const Line& q, const std::string& text,
              const std::string& expected) {
    ++wrong_;
    if (++counts_[q.op + ": DIFFERENT"] > 5) return;
    std::string initialized;
    for (const auto& each : current_->initialized()) initialized += " " + each;
    std::printf("%s [%s]: rejig says %s, the JVM: %s\n", q.op.c_str(),
                initialized.c_str(), expected.c_str(), text.c_str());
  }

  std::string dir_;
  Program platform_;
  std::string current_dir_;
  std::deque<Line> lines_;  // the World may keep views of their names
  std::unique_ptr<Case> current_;
  std::set<std::string> unlinkable_;
  std::map<std::string, std::size_t> counts_;
  std::size_t wrong_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: link_check DIR JDK_HOME\n", stderr);
    return 2;
  }
  std::ifstream answers(std::string(argv[1]) + "/answers.ndjson");
  Check check(argv[1], argv[2]);
  for (std::string line; std::getline(answers, line);) check.line(line);
  return check.finish();
}
