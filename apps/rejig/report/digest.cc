// SPDX-License-Identifier: Apache-2.0
// How edges become items. First what stands for much else is found: deleted
// classes (each method of them has an edge), API changes (a removed method is a
// shell edge, a deleted body and a dispatch). Then each edge goes to the item of
// its cause: a changed body to its method, a lambda's to the method that makes
// it, a dispatch to the method that runs now, a subtype to what was gained and
// lost. An edge whose reason is a class that nobody gave is counted as that.
#include "apps/rejig/report/digest.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "classfile/reader/code.h"
#include "classfile/words/entity.h"
#include "traversal/code/synthetic.h"
#include "traversal/describe/java_names.h"

namespace rejig::app {

using classfile::Delta;
using classfile::MemberView;
using classfile::Rule;
using coverage::Edge;
using traversal::ApiChange;
using traversal::class_part;
using traversal::java_class;
using traversal::java_member;
using traversal::java_method;
using traversal::java_text;
using traversal::Side;
using traversal::Versions;

namespace {

constexpr std::string_view kMissing = "a class that is not there: ";
constexpr std::string_view kNobodyKnows = ", which nobody knows";

bool is_body(const Delta& d) {
  return (d.rule == Rule::kD1 || d.rule == Rule::kD2) &&
         d.entity.find('(') != std::string::npos;
}

bool is_deletion(const Delta& d) { return d.new_fact.starts_with("deleted"); }

const MemberView* method_of(const classfile::ClassView& cls,
                            std::string_view entity) {
  const auto member = traversal::member_part(entity);
  const auto open = member.find('(');
  return traversal::find_method(cls, member.substr(0, open),
                                member.substr(open));
}

// "lambda$render$3" -> "render"; empty: no lambda's body.
std::string_view maker_in_name(std::string_view entity) {
  auto name = traversal::member_part(entity);
  name = name.substr(0, name.find('('));
  constexpr std::string_view kLambda = "lambda$";
  if (!name.starts_with(kLambda)) return {};
  name.remove_prefix(kLambda.size());
  const auto end = name.rfind('$');
  return end == std::string_view::npos ? std::string_view()
                                       : name.substr(0, end);
}

class Digester {
 public:
  Digester(std::span<const Edge> edges, std::span<const std::uint32_t> shown,
           const Versions* versions)
      : edges_(edges), shown_(shown), versions_(versions), judge_(versions) {}

  Digest run(std::span<const Delta> facets) {
    find_api();
    for (const auto e : shown_) take(e);
    for (const Delta& facet : facets) take_facet(facet);
    for (DigestItem& item : out_.items) weigh(item);
    std::ranges::stable_sort(out_.items, [](const auto& a, const auto& b) {
      return std::tie(a.part, b.weight) < std::tie(b.part, a.weight);
    });
    return std::move(out_);
  }

 private:
  DigestItem& item(Part part, const std::string& key, const Delta& d,
                   std::string title) {
    const auto [at, fresh] =
        index_.try_emplace({part, key}, out_.items.size());
    if (fresh) {
      DigestItem one;
      one.part = part;
      one.title = std::move(title);
      one.entity = d.entity;
      if (d.file != d.entity) one.file = d.file;
      one.line = d.line;
      out_.items.push_back(std::move(one));
    }
    return out_.items[at->second];
  }

  void find_api() {
    for (const auto e : shown_) {
      const Delta& d = edges_[e].delta;
      if (d.rule == Rule::kD14 && d.new_fact == "deleted") {
        gone_.insert(d.entity);
      }
      for (const ApiChange& change : judge_.changes(d)) {
        out_.api.count(change);
        const bool broken = change.binary || change.source;
        const Part part = broken ? Part::kApiBroken : Part::kApiAdded;
        DigestItem& its = item(part, change.class_name, d,
                               java_class(change.class_name));
        if (its.edges.empty() || its.edges.back() != e) its.edges.push_back(e);
        its.notes.push_back(note_of(change));
        if (change.what == ApiChange::What::kAdded &&
            change.member.find(" enum ") != std::string::npos) {
          constants_[change.class_name].push_back(
              java_member(change.member, change.class_name));
        }
        if (change.what == ApiChange::What::kRemoved) {
          removed_.insert(change.class_name);
        }
      }
    }
  }

  static std::string note_of(const ApiChange& change) {
    std::string text = change.member.empty()
                           ? std::string()
                           : java_member(change.member, change.class_name);
    const bool constant =
        change.member.find(" enum ") != std::string::npos;
    switch (change.what) {
      case ApiChange::What::kAdded:
        if (change.member.empty()) return "new class";
        return "+ " + std::string(constant ? "constant " : "") + text +
               (change.how.empty() ? "" : " (" + change.how + ")");
      case ApiChange::What::kRemoved:
        if (change.member.empty()) return "− the class";
        return "− " + std::string(constant ? "constant " : "") + text;
      case ApiChange::What::kChanged:
        return (text.empty() ? "" : text + ": ") + change.how;
    }
    return text;
  }

  void take(std::uint32_t e) {
    const Delta& d = edges_[e].delta;
    if (d.channel == classfile::Channel::kArtefact && d.rule == Rule::kD20) {
      file(e, d);
      return;
    }
    switch (d.rule) {
      case Rule::kD1:
      case Rule::kD2:
        body(e, d);
        break;
      case Rule::kD3:
      case Rule::kD4:
      case Rule::kD5:
      case Rule::kD6:
        resolution(e, d);
        break;
      case Rule::kD7:
      case Rule::kD8:
      case Rule::kD9:
        dispatch(e, d);
        break;
      case Rule::kD10:
      case Rule::kD11:
      case Rule::kD12:
        subtype(e, d);
        break;
      case Rule::kD13:
        initialization(e, d);
        break;
      case Rule::kD14:
        linking(e, d);
        break;
      case Rule::kD15:
        constant(e, d);
        break;
      case Rule::kD16:
        shell(e, d);
        break;
      case Rule::kD17:
        serialization(e, d);
        break;
      case Rule::kD21:
        ++out_.library_classes;
        break;
      case Rule::kD22:
        look_up(e, d);
        break;
      default:
        ++out_.reflection[std::string(classfile::row_of(d.rule).name)];
    }
  }

  // The method that makes the lambda whose body this is.
  std::string acting(const std::string& entity) {
    const auto name = maker_in_name(entity);
    if (name.empty() || versions_ == nullptr) return entity;
    const auto cls = class_part(entity);
    const auto* view = versions_->view(Side::kOld, cls);
    if (view == nullptr) return entity;
    const std::string wanted =
        name == "new" ? "<init>" : name == "static" ? "<clinit>"
                                                    : std::string(name);
    const MemberView* found = nullptr;
    for (const MemberView& method : view->methods()) {
      if (method.name != wanted) continue;
      if (found != nullptr) return maker_among(*view, wanted, entity);
      found = &method;
    }
    if (found == nullptr) return entity;
    return classfile::method_entity(view->name(), found->name,
                                    found->descriptor);
  }

  // Of several overloads the one that names the body.
  static std::string maker_among(const classfile::ClassView& cls,
                                 const std::string& name,
                                 const std::string& entity) {
    const auto member = traversal::member_part(entity);
    const auto wanted = member.substr(0, member.find('('));
    for (const MemberView& method : cls.methods()) {
      const auto code = classfile::CodeView::of(cls, method);
      if (method.name != name || !code) continue;
      classfile::InstructionReader reader(code->code);
      classfile::Instruction at;
      while (reader.next(at)) {
        if (at.op != classfile::Opcode::k_invokedynamic) continue;
        const auto site = cls.pool().dynamic(at.index);
        if (site.bootstrap >= cls.bootstrap_methods().size()) continue;
        for (const auto argument :
             cls.bootstrap_methods()[site.bootstrap].arguments) {
          if (cls.pool().handle(argument).ref.name == wanted) {
            return classfile::method_entity(cls.name(), method.name,
                                            method.descriptor);
          }
        }
      }
    }
    return entity;
  }

  bool can_be_named(const std::string& entity) const {
    const auto cls = class_part(entity);
    if (versions_ == nullptr || !is_api(*versions_, Side::kOld, cls)) {
      return false;
    }
    const auto member = traversal::member_part(entity);
    const auto open = member.find('(');
    const auto* shell = versions_->shell(Side::kOld, cls);
    const auto* method =
        shell->method(member.substr(0, open), member.substr(open));
    return method != nullptr && traversal::is_api_access(method->access);
  }

  void body(std::uint32_t e, const Delta& d) {
    // Edges of one body are neighbours.
    if (last_body_ != nullptr && *last_body_ == d.entity && !is_deletion(d)) {
      out_.items[last_item_].edges.push_back(e);
      return;
    }
    if (!is_body(d)) {  // a class that nobody could read
      DigestItem& its = item(Part::kOtherCode, d.entity, d, java_class(d.entity));
      if (its.notes.empty()) its.notes.push_back(java_text(d.why));
      its.edges.push_back(e);
      return;
    }
    const std::string cls(class_part(d.entity));
    if (is_deletion(d)) {
      if (gone_.contains(cls)) return;
      if (maker_in_name(d.entity).empty()) ++out_.gone_methods;
      return;
    }
    const std::string entity = acting(d.entity);
    const bool initializer = entity.ends_with(".<clinit>()V");
    const Part part = initializer ? Part::kInitialization
                      : can_be_named(entity) ? Part::kApiBehaviour
                                             : Part::kOtherCode;
    DigestItem& its = item(part, entity, d, java_method(entity));
    if (its.edges.empty()) {
      its.entity = entity;
      its.has_body = true;
      ++out_.methods;
      // The cause of its other initializer.
      if (const auto found = constants_.find(cls);
          initializer && found != constants_.end()) {
        its.notes.push_back((found->second.size() == 1 ? "+ constant "
                                                       : "+ constants ") +
                            some_of(found->second, 6));
      }
    }
    its.edges.push_back(e);
    last_body_ = &d.entity;
    last_item_ = static_cast<std::size_t>(&its - out_.items.data());
  }

  // Whose reason is a class that is not there.
  bool missing(const Delta& d) {
    for (const std::string* fact : {&d.old_fact, &d.new_fact}) {
      std::string name;
      if (fact->starts_with(kMissing)) {
        name = classfile::dotted(fact->substr(kMissing.size()));
      } else if (const auto end = fact->find(kNobodyKnows);
                 end != std::string::npos) {
        const auto space = fact->rfind(' ', end - 1);
        name = fact->substr(space + 1, end - space - 1);
      } else {
        continue;
      }
      out_.missing.insert(std::move(name));
      ++out_.edges_of_missing;
      return true;
    }
    return false;
  }

  void resolution(std::uint32_t e, const Delta& d) {
    if (missing(d)) return;
    DigestItem& its =
        item(Part::kUnchangedCode, d.old_fact + " " + d.new_fact, d,
             java_text(d.old_fact.find('(') == std::string::npos &&
                               d.old_fact.find(':') == std::string::npos
                           ? d.entity
                           : d.old_fact));
    if (its.edges.empty()) {
      its.notes.push_back("uses of it now come to " + java_text(d.new_fact));
    }
    its.edges.push_back(e);
    fan_out_[&its - out_.items.data()].insert(java_method(d.entity));
  }

  void dispatch(std::uint32_t e, const Delta& d) {
    if (missing(d)) return;
    const bool method = d.new_fact.find('(') != std::string::npos;
    DigestItem& its = item(Part::kUnchangedCode,
                           method ? d.new_fact : d.entity + " " + d.new_fact, d,
                           java_text(method ? d.new_fact : d.entity));
    if (its.edges.empty()) {
      its.entity = method ? d.new_fact : d.entity;
      its.notes.push_back(
          method ? "runs now instead of " + java_text(d.old_fact)
                 : java_text(d.old_fact) + " → " + java_text(d.new_fact));
    }
    its.edges.push_back(e);
    for (const auto& receiver : d.receivers) {
      fan_out_[&its - out_.items.data()].insert(java_class(receiver));
    }
  }

  void subtype(std::uint32_t e, const Delta& d) {
    DigestItem& its = item(Part::kUnchangedCode,
                           "types " + d.old_fact + " " + d.new_fact, d,
                           java_class(d.entity));
    if (its.edges.empty()) {
      if (d.new_fact.starts_with("gained ") && d.new_fact != "gained nothing") {
        its.notes.push_back("now a " + java_text(d.new_fact.substr(7)));
      }
      if (d.old_fact.starts_with("lost ") && d.old_fact != "lost nothing") {
        its.notes.push_back("no longer a " + java_text(d.old_fact.substr(5)));
      }
    } else if (d.entity != its.entity) {
      fan_out_[&its - out_.items.data()].insert(java_class(d.entity));
    }
    typed_.insert(d.entity);
    its.edges.push_back(e);
  }

  void initialization(std::uint32_t e, const Delta& d) {
    if (typed_.contains(d.entity)) return;
    const std::string cause = other_class(d.old_fact, d.new_fact);
    DigestItem& its =
        item(Part::kInitialization, "order " + cause, d,
             cause.empty() ? java_class(d.entity)
                           : "initializer of " + java_class(cause));
    if (its.edges.empty()) {
      const bool gained = d.new_fact.find(cause) != std::string::npos;
      its.notes.push_back(cause.empty() ? "other initializers run"
                          : gained      ? "runs now"
                                        : "no longer runs");
      if (!cause.empty()) its.entity = cause;
    }
    its.edges.push_back(e);
    if (d.entity != its.entity) {
      fan_out_[&its - out_.items.data()].insert(java_class(d.entity));
    }
  }

  // "[a, b]", "[a, b, c]" -> "c"
  static std::string other_class(std::string_view before,
                                 std::string_view after) {
    const auto parts = [](std::string_view text) {
      std::set<std::string> out;
      if (text.size() < 2) return out;
      text = text.substr(1, text.size() - 2);
      while (!text.empty()) {
        const auto end = std::min(text.find(", "), text.size());
        auto one = text.substr(0, end);
        if (one.starts_with('?')) one.remove_prefix(1);
        out.emplace(one);
        text.remove_prefix(std::min(end + 2, text.size()));
      }
      return out;
    };
    const auto olds = parts(before);
    const auto news = parts(after);
    for (const auto& name : news) {
      if (!olds.contains(name)) return name;
    }
    for (const auto& name : olds) {
      if (!news.contains(name)) return name;
    }
    return {};
  }

  void linking(std::uint32_t e, const Delta& d) {
    if (d.new_fact == "deleted") {
      ++out_.gone_classes;
      return;
    }
    if (missing(d)) return;
    DigestItem& its = item(Part::kUnchangedCode, "links " + d.new_fact, d,
                           java_class(d.entity));
    if (its.edges.empty()) its.notes.push_back(java_text(d.new_fact));
    if (d.entity != its.entity) {
      fan_out_[&its - out_.items.data()].insert(java_class(d.entity));
    }
    its.edges.push_back(e);
  }

  void constant(std::uint32_t e, const Delta& d) {
    DigestItem& its = item(Part::kInitialization, "constants " + d.entity, d,
                           java_class(d.entity));
    const auto bare = [](std::string_view fact) {
      constexpr std::string_view kWord = "constant ";
      return fact.starts_with(kWord) ? fact.substr(kWord.size()) : fact;
    };
    its.notes.push_back(d.label + " was " + std::string(bare(d.old_fact)) +
                        ", is " + std::string(bare(d.new_fact)));
    its.edges.push_back(e);
  }

  void shell(std::uint32_t e, const Delta& d) {
    if (d.label == "hierarchy" && typed_.contains(d.entity)) return;
    if (d.entity == "module-info" || d.label.starts_with("module")) {
      DigestItem& its =
          item(Part::kUnchangedCode, "module " + d.label, d, d.entity);
      its.notes.push_back(java_text(d.why));
      its.edges.push_back(e);
      return;
    }
    ++out_.reflection[d.label];
  }

  void serialization(std::uint32_t e, const Delta& d) {
    DigestItem& its = item(Part::kUnchangedCode, "serialization " + d.entity, d,
                           java_class(d.entity));
    its.notes.push_back("serialization: " + java_text(d.old_fact) + " → " +
                        java_text(d.new_fact));
    its.edges.push_back(e);
  }

  void look_up(std::uint32_t e, const Delta& d) {
    if (d.label == "class") {
      ++out_.new_classes;
      return;
    }
    DigestItem& its = item(Part::kFiles, d.entity, d, d.entity);
    its.notes.push_back(d.old_fact + " → " + d.new_fact);
    its.edges.push_back(e);
  }

  void file(std::uint32_t e, const Delta& d) {
    if (traversal::is_metadata(d.entity)) {
      out_.metadata.push_back(d.entity);
      return;
    }
    DigestItem& its = item(Part::kFiles, d.entity, d, d.entity);
    its.notes.push_back(d.label == "content" && d.old_fact == "there"
                            ? d.new_fact
                            : java_text(d.why));
    its.edges.push_back(e);
  }

  void take_facet(const Delta& d) {
    ++out_.facets[d.label];
    if (d.label != "class file version") return;
    const auto java = [](std::string_view text) {
      constexpr std::string_view kWord = "(Java ";
      const auto at = text.find(kWord);
      unsigned out = 0;
      if (at != std::string_view::npos) {
        text.remove_prefix(at + kWord.size());
        std::from_chars(text.data(), text.data() + text.size(), out);
      }
      return out;
    };
    out_.old_java = std::max(out_.old_java, java(d.old_fact));
    out_.new_java = std::max(out_.new_java, java(d.new_fact));
  }

  void weigh(DigestItem& its) {
    weigh_by_size(its);
    constexpr std::uint64_t kInside = 4;
    if (is_inside(its.entity)) its.weight /= kInside;
  }

  // By name nobody's business: shaded copies, internals.
  static bool is_inside(std::string_view entity) {
    return entity.find(".shaded.") != std::string_view::npos ||
           entity.find(".internal.") != std::string_view::npos ||
           entity.find(".impl.") != std::string_view::npos;
  }

  // How much is other: for a body by its length, else by what depends on it.
  void weigh_by_size(DigestItem& its) {
    constexpr std::uint64_t kBreak = 50;
    const auto place = &its - out_.items.data();
    if (const auto found = fan_out_.find(place);
        found != fan_out_.end() &&
        (found->second.size() > 1 || !found->second.contains(its.title))) {
      its.notes.push_back(fan_out_text(its, found->second));
      its.weight += found->second.size();
    }
    its.weight += its.edges.size();
    if (its.part == Part::kApiBroken) {
      its.weight += kBreak * its.notes.size();
      if (removed_.contains(its.entity)) its.weight += kBreak;
    }
    for (const auto e : its.edges) {
      if (edges_[e].delta.new_fact.ends_with("Error")) its.weight += kBreak;
    }
    if (!its.has_body || versions_ == nullptr) return;
    const auto cls = class_part(its.entity);
    const auto length = [&](Side side, std::string_view name) -> std::int64_t {
      const auto* view = versions_->view(side, name);
      if (view == nullptr) return 0;
      const auto* method = method_of(*view, its.entity);
      if (method == nullptr) return 0;
      const auto code = classfile::CodeView::of(*view, *method);
      return code ? static_cast<std::int64_t>(code->code.size()) : 0;
    };
    const auto before = length(Side::kOld, cls);
    const auto after = length(Side::kNew, versions_->name_in_new(cls));
    constexpr std::uint64_t kEdge = 4;
    its.weight = its.edges.size() * kEdge +
                 static_cast<std::uint64_t>(std::abs(after - before));
  }

  static std::string fan_out_text(const DigestItem& its,
                                  const std::set<std::string>& names) {
    const bool users =
        !its.notes.empty() && its.notes.front().starts_with("uses of it");
    return (users ? "in " : "for ") +
           some_of(std::vector<std::string>(names.begin(), names.end()), 3);
  }

  std::span<const Edge> edges_;
  std::span<const std::uint32_t> shown_;
  const Versions* versions_;
  traversal::CompatibilityJudge judge_;
  Digest out_;
  std::map<std::pair<Part, std::string>, std::size_t> index_;
  std::map<std::ptrdiff_t, std::set<std::string>> fan_out_;  // by item
  const std::string* last_body_ = nullptr;
  std::size_t last_item_ = 0;
  std::set<std::string> gone_;     // classes
  std::set<std::string> removed_;  // classes with API that is gone
  std::set<std::string> typed_;    // classes whose supertypes are an item
  std::map<std::string, std::vector<std::string>> constants_;  // new, of enums
};

}  // namespace

std::span<const DigestItem> Digest::of(Part part) const {
  const auto begin =
      std::ranges::lower_bound(items, part, {}, &DigestItem::part);
  const auto end =
      std::ranges::upper_bound(items, part, {}, &DigestItem::part);
  return {begin, end};
}

Digest digest_of(std::span<const Edge> edges,
                 std::span<const std::uint32_t> shown,
                 std::span<const Delta> facets, const Versions* versions) {
  return Digester(edges, shown, versions).run(facets);
}

}  // namespace rejig::app
