// SPDX-License-Identifier: Apache-2.0
// One JVM's scopes become rows. What holds for many tests (what came before, what
// a container did, what lasts in the JDK) is a set that they share, in steps, so
// that a test finds only the facts since the last step by itself: linear in the
// file, whatever the number of tests.
#include "coverage/row/jvm_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "classfile/words/entity.h"
#include "coverage/row/beside.h"
#include "coverage/row/build_choice.h"

namespace rejig::coverage {

using classfile::AtomKind;
using classfile::dotted;

namespace {

constexpr auto kNone = RecordedClasses::kNone;
// A step of what lasts has that many facts; a test finds those since the last
// step for itself.
constexpr std::size_t kFactsInStep = 32;
// A group of tests that ran beside others begins with all that came before.
constexpr std::size_t kTestsBeside = 4096;

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

JvmRows::JvmRows(const RowFile& file, SharedBuilder& builder,
                 const JoinOptions& options, CodeSources& sources)
    : file_(file),
      builder_(builder),
      classes_(file, sources),
      scopes_(file, classes_,
              options.skipped_in ? options.skipped_in(file) : nullptr),
      codes_(file, classes_, builder),
      files_(file, options, codes_),
      choices_(options.choices_of ? options.choices_of(file) : nullptr) {}

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
                 },
                 choices_);
  also_met_ = follow_changes(file_, classes_, *graph_);
  first_end_ = std::numeric_limits<std::uint64_t>::max();
  for (const auto& request : requests_) {
    if (const auto end = seen_by(*request.test); end != 0) {
      first_end_ = std::min(first_end_, end);
    }
  }
  for (const auto& seen : choices_of_everybody(file_, classes_, choices_)) {
    everybodys_.push_back(codes_.of_text(AtomKind::kRes, variable_atom(seen)));
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
  std::vector<AtomCodes::Code> besides = everybodys_;
  for (const Number n : scopes_.sharing()) {
    if (!reach.shares || scopes_.is_common(n)) continue;
    graph_->append(scopes_.scope(n).work, seeds[0]);
    for (const auto m : scopes_.scope(n).work.methods) {
      const auto may = graph_->may_write(m);
      besides.insert(besides.end(), may.begin(), may.end());
    }
  }
  for (std::size_t step = 0, at = 0; step < steps_.size(); ++step) {
    for (; at < steps_[step]; ++at) append_lasting(lasting_[at], seeds[step]);
  }
  bases_.push_back(std::make_unique<BaseRow>(
      BaseRow::Parts{*graph_, codes_, files_, builder_, first_end_}, seeds,
      besides));
  return known->second;
}

void JvmRows::group_requests() {
  using Key = std::tuple<std::size_t, std::uint32_t, BaseRow::Step,
                         std::vector<Number>>;
  std::map<Key, std::size_t> known;
  std::vector<std::uint32_t> beside;
  for (std::uint32_t i = 0; i < requests_.size(); ++i) {
    const Request& request = requests_[i];
    if (scopes_.runs_beside(*request.family, *request.test)) {
      beside.push_back(i);
      continue;
    }
    auto reach = scopes_.reach(*request.family, *request.test, request.number);
    const std::size_t base = base_for(reach);
    const auto step = step_of(request.number);
    reach.own.insert(reach.own.end(), reach.few.begin(), reach.few.end());
    const auto [at, fresh] =
        known.try_emplace(Key(base, request.family->number, step,
                              std::move(reach.own)),
                          groups_.size());
    if (fresh) groups_.push_back({bases_[base].get(), request.family, step, {}});
    groups_[at->second].requests.push_back(i);
  }
  if (!beside.empty()) group_beside(beside);
}

void JvmRows::group_beside(const std::vector<std::uint32_t>& requests) {
  RowScopes::Reach session;
  session.common = {0};
  BaseRow* base = bases_[base_for(session)].get();
  const Group* last = nullptr;
  for (const auto i : requests) {
    const auto step = step_of(requests_[i].number);
    if (last == nullptr || last->step != step ||
        last->requests.size() == kTestsBeside) {
      last = &groups_.emplace_back(Group{base, nullptr, step, {}});
    }
    groups_.back().requests.push_back(i);
  }
}

void JvmRows::Scratch::use(const JvmRows& rows) {
  if (rows_ == &rows) return;
  rows_ = &rows;
  marks_.rounds.assign(rows.graph_->size(), 0);
  own_.assign(rows.classes_.size(), 0);
  needs_.assign(rows.graph_->needs(), {});
  rounds_ = 0;
}

void JvmRows::share(const std::string& what, std::vector<LocalAtom>& out) {
  out.push_back(codes_.intern(AtomKind::kState, what));
  out.push_back(codes_.intern(AtomKind::kLeft, what));
}

// What is looked at in classes that its tests are made of says nothing.
void JvmRows::take_family(const RowScopes::Family& family,
                          Scratch& scratch) const {
  scratch.own_round_ = ++scratch.rounds_;
  for (const Id id : family.compared) scratch.own_[id] = scratch.own_round_;
}

void JvmRows::append_guarded(std::span<const std::uint32_t> facts,
                             Scratch& scratch) const {
  for (const auto fact : facts) {
    if (scratch.own_[graph_->class_of_fact(fact)] != scratch.own_round_) {
      scratch.todo_.push_back(graph_->behind_guard(fact));
    }
  }
}

void JvmRows::begin_common(const Group& group, Common& common,
                           Scratch& scratch) {
  common = {};
  const auto changed = group.base->changed(group.step);
  common.set = group.base->atoms(group.step);
  common.changed.assign(changed.begin(), changed.end());
  auto& marks = scratch.marks_;
  marks.base = group.base->reached();
  marks.step = group.step;
  marks.common = ++scratch.rounds_;
  take_needs(group, group.base->needs(group.step), common, scratch);
}

// By what is in todo_.
template <class Guard>
void JvmRows::extend(const Group& group, Common& common, Scratch& scratch,
                     Guard&& guard) {
  auto& marks = scratch.marks_;
  marks.round = marks.common;
  Found& found = scratch.found_;
  found.clear();
  walk(*graph_, codes_, marks, scratch.todo_, found, guard);
  // Who met the state of a class in the same methods would have left the same.
  const auto left = [&](Id id, std::uint32_t method) {
    found.atoms.push_back(codes_.left(id, method));
  };
  const auto met_here = [&](Id id) {
    const auto at = common.met.find(id);
    if (at == common.met.end()) return;
    for (const auto method : at->second) left(id, method);
  };
  for (const auto method : found.met) {
    for (const auto& one : graph_->met(method)) {
      common.met[one.id].push_back(method);
      if (std::ranges::find(common.changed, one.id) != common.changed.end()) {
        left(one.id, method);
      }
    }
  }
  for (const Id id : found.changed) {
    group.base->each_met(id, group.step, [&](auto method) { left(id, method); });
    met_here(id);
  }
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(common.files, found.files);
  append(common.loaded, found.loaded);
  append(common.extensions, found.extensions);
  append(common.changed, found.changed);
  common.native = marks.has(graph_->native());
  for (const auto given : found.gives) {
    scratch.needs_[given].given = marks.common;
  }
  const auto gone = std::erase_if(common.needs, [&](RowGraph::Need need) {
    return scratch.needs_[need].given == marks.common;
  });
  if (gone != 0) common.borrowed = MatrixBuilder::kNoSet;
  take_needs(group, found.needs, common, scratch);
}

void JvmRows::seal(Common& common, Scratch& scratch) {
  if (scratch.found_.atoms.empty()) return;
  common.set = builder_.add_set(scratch.found_.atoms, common.set);
}

// Instances that tests of one class have together: its own, and those of the
// extensions that it is registered with.
void JvmRows::append_instances(const Group& group, const Common& common,
                               const RowScopes::Family& family,
                               std::vector<LocalAtom>& out) {
  const std::string name = dotted(family.name);
  // Tests of a nested class see the instances around theirs.
  for (auto end = name.find('$'); family.shares_instance;
       end = name.find('$', end + 1)) {
    share("instance of " + name.substr(0, end), out);
    if (end == std::string::npos) break;
  }
  const auto extension = [&](Id id) {
    share("instance of " + dotted(classes_.name(id)) + " for " +
              name.substr(0, name.find('$')),
          out);
  };
  for (const Id id : group.base->extensions(group.step)) extension(id);
  for (const Id id : common.extensions) extension(id);
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
  if (common.base_files == MatrixBuilder::kNoSet ||
      common.of_native != native) {
    common.of_native = native;
    common.open.clear();
    common.base_files = group.base->files(group.step, native, common.open);
    common.own_files = MatrixBuilder::kNoSet;
    common.files_of = 0;
  }
  std::vector<LocalAtom> settled;
  for (; common.files_of < common.files.size(); ++common.files_of) {
    const auto fact = common.files[common.files_of];
    if (files_.is_settled(fact, native, first_end_)) {
      files_.append(fact, native, first_end_, settled);
    } else {
      common.open.push_back(fact);
    }
  }
  if (!settled.empty()) {
    common.own_files = builder_.add_set(std::move(settled), common.own_files);
  }
  sets.push_back(common.base_files);
  if (common.own_files != MatrixBuilder::kNoSet) {
    sets.push_back(common.own_files);
  }
  all(common.open);
}

JvmRows::SetId JvmRows::kinds_of(const Group& group, Common& common) {
  if (common.kinds == MatrixBuilder::kNoSet) {
    common.kinds = group.base->asked_kinds(group.step);
  }
  std::vector<LocalAtom> atoms;
  for (; common.kinds_of < common.loaded.size(); ++common.kinds_of) {
    atoms.push_back(
        codes_[codes_.of_asked_kind(common.loaded[common.kinds_of])]);
  }
  if (!atoms.empty()) {
    common.kinds = builder_.add_set(std::move(atoms), common.kinds);
  }
  return common.kinds;
}

// With what is in todo_.
void JvmRows::derive_test(const Group& group, const Request& request,
                          Common& common, Scratch& scratch, const Sink& sink) {
  auto& marks = scratch.marks_;
  marks.round = ++scratch.rounds_;
  Found& found = scratch.found_;
  found.clear();
  graph_->append(request.test->work, scratch.todo_);
  may_write(request.test->work, found.atoms);
  for (std::size_t at = steps_[group.step];
       at < lasting_.size() && lasting_[at].from <= request.number; ++at) {
    append_lasting(lasting_[at], scratch.todo_);
  }
  walk(*graph_, codes_, marks, scratch.todo_, found, [&](std::uint32_t fact) {
    if (scratch.own_[graph_->class_of_fact(fact)] == scratch.own_round_) return;
    const Node node = graph_->behind_guard(fact);
    if (marks.add(node)) scratch.todo_.push_back(node);
  });

  auto& sets = scratch.sets_;
  sets.assign(1, common.set);
  const bool native = marks.has(graph_->native());
  const std::uint64_t seen = seen_by(*request.test);
  files_of(group, common, seen, native, sets, found.atoms);
  for (const auto fact : found.files) {
    files_.append(fact, native, seen, found.atoms);
  }
  if (marks.has(graph_->asks())) {
    sets.push_back(kinds_of(group, common));
    for (const Id id : found.loaded) {
      found.atoms.push_back(codes_[codes_.of_asked_kind(id)]);
    }
  }
  const std::string name = dotted(request.family->name);
  for (const Id id : found.extensions) {
    share("instance of " + dotted(classes_.name(id)) + " for " +
              name.substr(0, name.find('$')),
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
  Derived out;
  out.request = static_cast<std::size_t>(&request - requests_.data());
  out.sets = sets;
  out.atoms.assign(found.atoms.begin(), found.atoms.end());
  out.started_child = marks.has(graph_->child());
  sink(std::move(out));
}

void JvmRows::derive_class(const Group& group, Scratch& scratch,
                           const Sink& sink) {
  const RowScopes::Family& family = *group.family;
  const Request& any = requests_[group.requests[0]];
  const auto reach = scopes_.reach(family, *any.test, any.number);
  auto& todo = scratch.todo_;
  todo.clear();
  for (const Number n : reach.own) {
    graph_->append(scopes_.scope(n).work, todo);
  }
  for (const Number n : reach.few) scopes_.append_common(*graph_, n, todo);
  for (const auto* list : {&reach.few, &reach.common}) {
    for (const Number n : *list) {
      scopes_.append_discovered(n, family.own, todo);
    }
  }
  Common common;
  begin_common(group, common, scratch);
  take_family(family, scratch);
  append_guarded(group.base->guarded(group.step), scratch);
  extend(group, common, scratch, [&](std::uint32_t fact) {
    if (scratch.own_[graph_->class_of_fact(fact)] == scratch.own_round_) return;
    const Node node = graph_->behind_guard(fact);
    if (scratch.marks_.add(node)) todo.push_back(node);
  });
  append_instances(group, common, family, scratch.found_.atoms);
  for (const Number n : reach.own) {
    may_write(scopes_.scope(n).work, scratch.found_.atoms);
  }
  seal(common, scratch);
  for (const auto request : group.requests) {
    todo.clear();
    derive_test(group, requests_[request], common, scratch, sink);
  }
}

// What depends on the class of a test is that test's own.
void JvmRows::derive_beside(const Group& group, Scratch& scratch,
                            const Sink& sink) {
  Beside beside(scopes_);
  Common common;
  std::vector<Number> fresh;
  std::vector<LocalAtom> instances;
  auto& todo = scratch.todo_;
  for (const auto i : group.requests) {
    const Request& request = requests_[i];
    if (!beside.move_to(*request.family, *request.test, fresh)) {
      begin_common(group, common, scratch);
    }
    todo.clear();
    for (const Number n : fresh) {
      if (scopes_.is_common(n)) {
        scopes_.append_common(*graph_, n, todo);
      } else {
        graph_->append(scopes_.scope(n).work, todo);
      }
    }
    extend(group, common, scratch,
           [&](std::uint32_t fact) { common.guarded.push_back(fact); });
    for (const Number n : fresh) {
      if (scopes_.is_common(n)) continue;
      may_write(scopes_.scope(n).work, scratch.found_.atoms);
    }
    seal(common, scratch);
    take_family(*request.family, scratch);
    todo.clear();
    append_guarded(group.base->guarded(group.step), scratch);
    append_guarded(common.guarded, scratch);
    for (const Number n : beside.common()) {
      scopes_.append_discovered(n, request.family->own, todo);
    }
    instances.clear();
    append_instances(group, common, *request.family, instances);
    derive_test(group, request, common, scratch, [&](Derived&& out) {
      out.atoms.insert(out.atoms.end(), instances.begin(), instances.end());
      sink(std::move(out));
    });
  }
}

void JvmRows::derive(std::size_t group, Scratch& scratch, const Sink& sink) {
  scratch.use(*this);
  const Group& all = groups_[group];
  if (all.family != nullptr) {
    derive_class(all, scratch, sink);
  } else {
    derive_beside(all, scratch, sink);
  }
}

}  // namespace rejig::coverage
