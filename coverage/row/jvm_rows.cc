// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/jvm_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "classfile/words/entity.h"

namespace rejig::coverage {

using classfile::AtomKind;
using classfile::dotted;

namespace {

constexpr auto kNone = RecordedClasses::kNone;
// A step of what lasts has that many facts; a test finds those since the last
// step for itself.
constexpr std::size_t kFactsInStep = 32;
constexpr std::size_t kScopesOfGroup = 64;

// The JDK keeps what it found for the next who asks.
bool is_service_of_jdk(const std::string& resource) {
  constexpr std::string_view kServices = "META-INF/services/";
  if (!resource.starts_with(kServices)) return false;
  const auto name = std::string_view(resource).substr(kServices.size());
  for (const std::string_view head :
       {"java.", "javax.", "jdk.", "sun.", "com.sun."}) {
    if (name.starts_with(head)) return true;
  }
  return false;
}

bool is_lasting(const RecordedFact& fact) {
  return fact.kind == FactKind::kCreatable ||
         (fact.kind == FactKind::kResource && is_service_of_jdk(fact.text));
}

std::uint64_t seen_by(const Scope& test) {
  return test.has_end ? test.ended : 0;
}

}  // namespace

// Of the tests of one group.
struct JvmRows::Common {
  std::vector<SetId> sets;
  std::vector<std::uint32_t> files;
  std::vector<Id> loaded;
  std::vector<Id> changed;
  std::unordered_map<Id, std::vector<std::uint32_t>> met;
  bool asks = false;
  bool native = false;
  std::string outermost;
  std::vector<RowGraph::Need> needs;
  SetId borrowed = MatrixBuilder::kNoSet;  // when a test gives none of them
  SetId kinds = MatrixBuilder::kNoSet;  // made when somebody asks
  // Of files, when all of them ended in time.
  bool has_files = false;
  SetId base_files = MatrixBuilder::kNoSet;
  SetId own_files = MatrixBuilder::kNoSet;
  std::vector<std::uint32_t> open;
};

JvmRows::JvmRows(const RowFile& file, SharedBuilder& builder,
                 const JoinOptions& options, CodeSources& sources)
    : file_(file),
      builder_(builder),
      classes_(file, sources),
      scopes_(file, classes_,
              options.skipped_in ? options.skipped_in(file) : nullptr),
      codes_(file, classes_, builder),
      files_(file, options, codes_) {}

JvmRows::~JvmRows() = default;

std::size_t JvmRows::request(const Scope& test, Number number) {
  requests_.push_back({&test, number, &scopes_.family_of(test, number)});
  return requests_.size() - 1;
}

void JvmRows::prepare() {
  if (requests_.empty()) return;
  graph_.emplace(file_, classes_, codes_, scopes_.compared(),
                 [this](const std::string& path) {
                   return files_.name_of_written(path);
                 });
  also_met_ = follow_changes(file_, classes_, *graph_);
  first_end_ = std::numeric_limits<std::uint64_t>::max();
  for (const auto& request : requests_) {
    if (const auto end = seen_by(*request.test); end != 0) {
      first_end_ = std::min(first_end_, end);
    }
  }
  scopes_.look_through(*graph_);
  find_lasting();
  group_requests();
}

void JvmRows::find_lasting() {
  std::unordered_map<std::uint32_t, Number> first;
  const auto note = [&](const Work& work, Number scope, bool loads) {
    for (const auto f : work.facts) {
      const auto& fact = file_.facts[f];
      // What an initializer loads stands in the row of the test as well.
      if (!is_lasting(fact) &&
          !(loads && (fact.kind == FactKind::kNative ||
                      fact.kind == FactKind::kRedefined))) {
        continue;
      }
      const auto [at, fresh] = first.emplace(f, scope);
      if (!fresh) at->second = std::min(at->second, scope);
    }
  };
  for (const auto& [number, work] : file_.inits) note(work, 0, false);
  for (const auto& [number, scope] : file_.scopes) {
    note(scope.work, number, true);
  }
  for (const auto& [fact, from] : first) lasting_.push_back({from, fact});
  std::ranges::sort(lasting_);
  // Of the session, then whole scopes together.
  std::size_t at = 0;
  while (at < lasting_.size() && lasting_[at].from == 0) ++at;
  steps_.push_back(at);
  for (; at < lasting_.size(); ++at) {
    const bool whole =
        at + 1 == lasting_.size() || lasting_[at + 1].from != lasting_[at].from;
    if (whole && at + 1 - steps_.back() >= kFactsInStep &&
        steps_.size() + 1 < BaseRow::kNever) {
      steps_.push_back(at + 1);
    }
  }
}

void JvmRows::append_lasting(const Lasting& one, std::vector<Node>& out) const {
  if (file_.facts[one.fact].kind != FactKind::kCreatable) {
    out.push_back(graph_->fact(one.fact));
  } else if (const Id id = graph_->class_of_fact(one.fact); id != kNone) {
    out.push_back(graph_->of(RowGraph::kCreated, id));
    out.push_back(graph_->of(RowGraph::kConstructed, id));
  }
}

// The last one that has only what came up to that scope.
BaseRow::Step JvmRows::step_of(Number number) const {
  const auto after = std::partition_point(
      steps_.begin() + 1, steps_.end(), [&](std::size_t end) {
        return lasting_[end - 1].from <= number;
      });
  return static_cast<BaseRow::Step>(after - steps_.begin() - 1);
}

std::size_t JvmRows::base_for(const RowScopes::Reach& reach) {
  const auto [known, fresh] =
      base_of_.try_emplace({reach.common, reach.shares}, bases_.size());
  if (!fresh) return known->second;
  std::vector<std::vector<Node>> seeds(steps_.size());
  for (const Number n : reach.common) {
    scopes_.append_common(*graph_, n, seeds[0]);
  }
  std::vector<AtomCodes::Code> may_write;
  for (const Number n : scopes_.sharing()) {
    if (!reach.shares || scopes_.is_common(n)) continue;
    graph_->append(scopes_.scope(n).work, seeds[0]);
    for (const auto m : scopes_.scope(n).work.methods) {
      const auto may = graph_->may_write(m);
      may_write.insert(may_write.end(), may.begin(), may.end());
    }
  }
  for (std::size_t step = 0, at = 0; step < steps_.size(); ++step) {
    for (; at < steps_[step]; ++at) append_lasting(lasting_[at], seeds[step]);
  }
  bases_.push_back(std::make_unique<BaseRow>(
      BaseRow::Parts{*graph_, codes_, files_, builder_, first_end_}, seeds,
      may_write));
  return known->second;
}

void JvmRows::group_requests() {
  using Key = std::tuple<std::size_t, std::uint32_t, BaseRow::Step,
                         std::vector<Number>>;
  std::map<Key, std::size_t> known;
  for (std::uint32_t i = 0; i < requests_.size(); ++i) {
    const Request& request = requests_[i];
    auto reach = scopes_.reach(*request.family, *request.test, request.number);
    const std::size_t base = base_for(reach);
    const auto step = step_of(request.number);
    std::size_t group = groups_.size();
    // Each test that ran beside others has other ones.
    reach.own.insert(reach.own.end(), reach.few.begin(), reach.few.end());
    if (reach.own.size() <= kScopesOfGroup) {
      group = known.try_emplace(Key(base, request.family->number, step,
                                    std::move(reach.own)),
                                group)
                  .first->second;
    }
    if (group == groups_.size()) {
      groups_.push_back({bases_[base].get(), request.family, step, {}});
    }
    groups_[group].requests.push_back(i);
  }
}

void JvmRows::Scratch::use(const JvmRows& rows) {
  if (rows_ == &rows) return;
  rows_ = &rows;
  marks_.rounds.assign(rows.graph_->size(), 0);
  own_.assign(rows.classes_.size(), 0);
  needs_.assign(rows.graph_->needs(), {});
  marks_.round = 0;
}

void JvmRows::share(const std::string& what, std::vector<LocalAtom>& out) {
  out.push_back(codes_.intern(AtomKind::kState, what));
  out.push_back(codes_.intern(AtomKind::kLeft, what));
}

JvmRows::Common JvmRows::derive_common(const Group& group, Scratch& scratch) {
  Common out;
  auto& marks = scratch.marks_;
  marks.base = group.base->reached();
  marks.step = group.step;
  marks.common = ++marks.round;
  for (const Id id : group.family->compared) scratch.own_[id] = marks.common;
  const auto guard = [&](std::uint32_t fact) {
    if (scratch.own_[graph_->class_of_fact(fact)] == marks.common) return;
    const Node node = graph_->behind_guard(fact);
    if (marks.add(node)) scratch.todo_.push_back(node);
  };
  Found& found = scratch.found_;
  found.clear();
  scratch.todo_.clear();
  const Request& any = requests_[group.requests[0]];
  const auto reach = scopes_.reach(*any.family, *any.test, any.number);
  for (const Number n : reach.own) {
    graph_->append(scopes_.scope(n).work, scratch.todo_);
    may_write(scopes_.scope(n).work, found.atoms);
  }
  for (const Number n : reach.few) {
    scopes_.append_common(*graph_, n, scratch.todo_);
    scopes_.append_discovered(n, group.family->own, scratch.todo_);
  }
  for (const Number n : reach.common) {
    scopes_.append_discovered(n, group.family->own, scratch.todo_);
  }
  for (const auto fact : group.base->guarded(group.step)) {
    if (scratch.own_[graph_->class_of_fact(fact)] != marks.common) {
      scratch.todo_.push_back(graph_->behind_guard(fact));
    }
  }
  walk(*graph_, codes_, marks, scratch.todo_, found, guard);
  for (const auto method : found.met) {
    for (const auto& one : graph_->met(method)) {
      out.met[one.id].push_back(method);
    }
  }
  const auto left = [&](Id id, std::uint32_t method) {
    found.atoms.push_back(codes_.left(id, method));
  };
  for (const Id id : found.changed) {
    group.base->each_met(id, group.step, [&](auto method) { left(id, method); });
  }
  const auto met_here = [&](Id id) {
    const auto at = out.met.find(id);
    if (at == out.met.end()) return;
    for (const auto method : at->second) left(id, method);
  };
  for (const Id id : found.changed) met_here(id);
  for (const Id id : group.base->changed(group.step)) met_here(id);

  // Instances that tests of one class have together: its own, and those of the
  // extensions that it is registered with.
  const std::string name = dotted(group.family->name);
  out.outermost = name.substr(0, name.find('$'));
  // Tests of a nested class see the instances around theirs.
  for (auto end = name.find('$'); group.family->shares_instance;
       end = name.find('$', end + 1)) {
    share("instance of " + name.substr(0, end), found.atoms);
    if (end == std::string::npos) break;
  }
  const auto extension = [&](Id id) {
    share("instance of " + dotted(classes_.name(id)) + " for " + out.outermost,
          found.atoms);
  };
  for (const Id id : group.base->extensions(group.step)) extension(id);
  for (const Id id : found.extensions) extension(id);

  out.asks = marks.has(graph_->asks());
  out.native = marks.has(graph_->native());
  if (out.asks) {
    for (const Id id : found.loaded) {
      found.atoms.push_back(codes_[codes_.of_asked_kind(id)]);
    }
  }
  out.files = found.files;
  out.loaded = found.loaded;
  out.changed.assign(group.base->changed(group.step).begin(),
                     group.base->changed(group.step).end());
  out.changed.insert(out.changed.end(), found.changed.begin(),
                     found.changed.end());
  needs_of(group, scratch, out);
  const SetId base = group.base->atoms(group.step);
  out.sets.push_back(found.atoms.empty()
                         ? base
                         : builder_.add_set(found.atoms, base));
  return out;
}

void JvmRows::may_write(const Work& work, std::vector<LocalAtom>& out) {
  for (const auto m : work.methods) {
    for (const auto code : graph_->may_write(m)) out.push_back(codes_[code]);
  }
}

// What these tests need and nobody gave them yet.
void JvmRows::needs_of(const Group& group, Scratch& scratch, Common& out) {
  auto& marks = scratch.needs_;
  const std::uint32_t round = scratch.marks_.common;
  for (const auto given : scratch.found_.gives) marks[given].given = round;
  const auto add = [&](RowGraph::Need need) {
    if (marks[need].given == round || marks[need].needed == round ||
        group.base->gives(need, group.step)) {
      return;
    }
    marks[need].needed = round;
    out.needs.push_back(need);
  };
  for (const auto need : group.base->needs(group.step)) add(need);
  for (const auto need : scratch.found_.needs) add(need);
}

// Whoever calls a method of an object that it did not make got it from somebody.
void JvmRows::borrowed(const Group& group, Common& common, Scratch& scratch,
                       std::vector<SetId>& sets) {
  auto& marks = scratch.needs_;
  const std::uint32_t all = scratch.marks_.common;
  const std::uint32_t round = scratch.marks_.round;
  Found& found = scratch.found_;
  for (const auto given : found.gives) {
    if (marks[given].given != all) marks[given].given = round;
  }
  const auto is_given = [&](RowGraph::Need need) {
    return marks[need].given == round;
  };
  const auto put = [&](RowGraph::Need need) {
    found.atoms.push_back(codes_[graph_->need_code(need)]);
  };
  if (std::ranges::any_of(common.needs, is_given)) {
    for (const auto need : common.needs) {
      if (!is_given(need)) put(need);
    }
  } else if (!common.needs.empty()) {
    if (common.borrowed == MatrixBuilder::kNoSet) {
      std::vector<LocalAtom> atoms;
      for (const auto need : common.needs) {
        atoms.push_back(codes_[graph_->need_code(need)]);
      }
      common.borrowed = builder_.add_set(std::move(atoms));
    }
    sets.push_back(common.borrowed);
  }
  for (const auto need : found.needs) {
    auto& mark = marks[need];
    if (mark.needed == all || mark.needed == round || mark.given == all ||
        mark.given == round || group.base->gives(need, group.step)) {
      continue;
    }
    mark.needed = round;
    put(need);
  }
}

// A class was found changed, and no method of the row leads to it.
void JvmRows::left_unseen(const Group& group, const Common& common,
                          Found& found) {
  const auto one = [&](Id id) {
    if ((!classes_.is_external(id) && !classes_.is_internal(id)) ||
        common.met.contains(id)) {
      return;
    }
    bool met = false;
    group.base->each_met(id, group.step, [&](auto) { met = true; });
    for (const auto method : found.met) {
      met = met || std::ranges::any_of(
                       graph_->met(method),
                       [&](const auto& place) { return place.id == id; });
    }
    if (met) return;
    found.atoms.push_back(
        codes_.intern(AtomKind::kLeft, dotted(classes_.name(id)) + "|?"));
  };
  for (const Id id : common.changed) one(id);
  for (const Id id : found.changed) one(id);
}

// What lasts and files that change while tests run make rows differ.
void JvmRows::files_of(const Group& group, Common& common,
                       std::uint64_t seen_by, bool native,
                       std::vector<SetId>& sets, std::vector<LocalAtom>& out) {
  const auto all = [&](std::span<const std::uint32_t> facts) {
    for (const auto fact : facts) files_.append(fact, native, seen_by, out);
  };
  if (seen_by < first_end_ || native != common.native) {
    all(group.base->all_files(group.step));
    return all(common.files);
  }
  if (!common.has_files) {
    common.has_files = true;
    common.base_files = group.base->files(group.step, native, common.open);
    std::vector<LocalAtom> settled;
    for (const auto fact : common.files) {
      if (files_.is_settled(fact, native, first_end_)) {
        files_.append(fact, native, first_end_, settled);
      } else {
        common.open.push_back(fact);
      }
    }
    if (!settled.empty()) common.own_files = builder_.add_set(settled);
  }
  sets.push_back(common.base_files);
  if (common.own_files != MatrixBuilder::kNoSet) {
    sets.push_back(common.own_files);
  }
  all(common.open);
}

void JvmRows::kinds_of(const Group& group, Common& common,
                       std::vector<SetId>& sets) {
  if (common.kinds == MatrixBuilder::kNoSet) {
    common.kinds = group.base->asked_kinds(group.step);
    if (!common.asks) {
      std::vector<LocalAtom> atoms;
      for (const Id id : common.loaded) {
        atoms.push_back(codes_[codes_.of_asked_kind(id)]);
      }
      if (!atoms.empty()) {
        common.kinds = builder_.add_set(std::move(atoms), common.kinds);
      }
    }
  }
  sets.push_back(common.kinds);
}

void JvmRows::derive_test(const Group& group, const Request& request,
                          Common& common, Scratch& scratch, Derived& out) {
  auto& marks = scratch.marks_;
  ++marks.round;
  const auto guard = [&](std::uint32_t fact) {
    if (scratch.own_[graph_->class_of_fact(fact)] == marks.common) return;
    const Node node = graph_->behind_guard(fact);
    if (marks.add(node)) scratch.todo_.push_back(node);
  };
  Found& found = scratch.found_;
  found.clear();
  scratch.todo_.clear();
  graph_->append(request.test->work, scratch.todo_);
  may_write(request.test->work, found.atoms);
  for (std::size_t at = steps_[group.step];
       at < lasting_.size() && lasting_[at].from <= request.number; ++at) {
    append_lasting(lasting_[at], scratch.todo_);
  }
  walk(*graph_, codes_, marks, scratch.todo_, found, guard);

  auto& sets = scratch.sets_;
  sets = common.sets;
  const bool native = marks.has(graph_->native());
  const std::uint64_t seen = seen_by(*request.test);
  files_of(group, common, seen, native, sets, found.atoms);
  for (const auto fact : found.files) {
    files_.append(fact, native, seen, found.atoms);
  }
  if (marks.has(graph_->asks())) {
    kinds_of(group, common, sets);
    for (const Id id : found.loaded) {
      found.atoms.push_back(codes_[codes_.of_asked_kind(id)]);
    }
  }
  for (const Id id : found.extensions) {
    share("instance of " + dotted(classes_.name(id)) + " for " +
              common.outermost,
          found.atoms);
  }
  const auto left = [&](Id id, std::uint32_t method) {
    found.atoms.push_back(codes_.left(id, method));
  };
  for (const Id id : found.changed) {
    group.base->each_met(id, group.step, [&](auto method) { left(id, method); });
    if (const auto at = common.met.find(id); at != common.met.end()) {
      for (const auto method : at->second) left(id, method);
    }
  }
  const auto has = [](const std::vector<Id>& list, Id id) {
    return std::ranges::find(list, id) != list.end();
  };
  if (!found.changed.empty() || !common.changed.empty()) {
    for (const auto method : found.met) {
      for (const auto& one : graph_->met(method)) {
        if (has(found.changed, one.id) || has(common.changed, one.id)) {
          left(one.id, method);
        }
      }
    }
  }
  left_unseen(group, common, found);
  borrowed(group, common, scratch, sets);
  if (const auto at = also_met_.find(request.number); at != also_met_.end()) {
    for (const Id id : at->second) {
      found.atoms.push_back(codes_[codes_.of_class(AtomKind::kState, id)]);
    }
  }
  std::ranges::sort(sets);
  out.sets = sets;
  out.atoms.assign(found.atoms.begin(), found.atoms.end());
  out.started_child = marks.has(graph_->child());
}

void JvmRows::derive(std::size_t group, Scratch& scratch, const Sink& sink) {
  scratch.use(*this);
  const Group& all = groups_[group];
  Common common = derive_common(all, scratch);
  for (const auto request : all.requests) {
    Derived out;
    out.request = request;
    derive_test(all, requests_[request], common, scratch, out);
    sink(std::move(out));
  }
}

}  // namespace rejig::coverage
