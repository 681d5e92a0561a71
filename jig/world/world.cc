// SPDX-License-Identifier: Apache-2.0
// A name is looked for once. Internal classes have a place of their own, written
// by whoever comes first with a compare-and-exchange and read without a lock; all
// other names share an append table. A node whose shell cannot be read stays a
// node, and its error is kept for the answer. What is derived (above, supers) is
// made outside any lock and the first one wins, so threads may make it twice but
// never see two.
#include "jig/world/world.h"

#include <algorithm>
#include <tuple>

namespace rejig::jig {

namespace {

constexpr Name kObjectName = "java/lang/Object";
constexpr Name kPlatform = "java/";

// The members of java.lang.Object that a program can name or override: the same
// in all releases (private ones come and go).
std::unique_ptr<ClassNode> object_node() {
  using namespace classfile;
  constexpr auto kAnyVersion = std::uint16_t{52};
  ClassShell shell;
  shell.name = kObjectName;
  shell.access = kAccPublic | kAccSuper;
  shell.major = kAnyVersion;
  const auto add = [&](Name name, Name descriptor, int access) {
    shell.methods.push_back({name, descriptor,
                             static_cast<std::uint16_t>(access),
                             (access & kAccNative) == 0});
  };
  add("<init>", "()V", kAccPublic);
  add("getClass", "()Ljava/lang/Class;", kAccPublic | kAccFinal | kAccNative);
  add("hashCode", "()I", kAccPublic | kAccNative);
  add("equals", "(Ljava/lang/Object;)Z", kAccPublic);
  add("clone", "()Ljava/lang/Object;", kAccProtected | kAccNative);
  add("toString", "()Ljava/lang/String;", kAccPublic);
  add("notify", "()V", kAccPublic | kAccFinal | kAccNative);
  add("notifyAll", "()V", kAccPublic | kAccFinal | kAccNative);
  add("wait", "()V", kAccPublic | kAccFinal);
  add("wait", "(J)V", kAccPublic | kAccFinal);
  add("wait", "(JI)V", kAccPublic | kAccFinal);
  add("finalize", "()V", kAccProtected);
  shell.index();
  auto node = std::make_unique<ClassNode>();
  node->name = kObjectName;
  node->shell = std::make_shared<const ClassShell>(std::move(shell));
  return node;
}

}  // namespace

World::World(Names& names, const classfile::Program& internal,
             std::vector<const classfile::Program*> external)
    : names_(&names),
      internal_(&internal),
      external_(std::move(external)),
      places_(internal.classes().size()),
      other_nodes_(kOthersBits) {}

World::~World() = default;

World::Place::~Place() { delete node.load(); }

ClassNode::~ClassNode() {
  delete above_.load();
  delete supers_.load();
}

void World::share_shells(const World& twin,
                         std::function<bool(Name)> is_equal_in_twin,
                         std::vector<std::uint32_t> places) {
  twin_ = &twin;
  is_equal_in_twin_ = std::move(is_equal_in_twin);
  twin_places_ = std::move(places);
}

std::unique_ptr<ClassNode> World::bare_node(
    Name name, const classfile::Program* program,
    const classfile::ProgramFile* file) const {
  auto node = std::make_unique<ClassNode>();
  node->internal = program == internal_;
  // The program outlives the world, and so do the names of its classes.
  node->name = node->internal ? file->name : names_->intern(name);
  node->program = program;
  node->file = file;
  return node;
}

std::unique_ptr<ClassNode> World::make_node(Name name) const {
  const classfile::Program* program = internal_;
  const classfile::ProgramFile* file = internal_->find_class(name);
  for (std::size_t i = 0; file == nullptr && i < external_.size(); ++i) {
    program = external_[i];
    file = program->find_class(name);
  }
  if (file == nullptr) {
    return knows_object_ && name == kObjectName ? object_node() : nullptr;
  }
  auto node = bare_node(name, program, file);
  if (twin_ != nullptr) {
    const bool equal = node->internal
                           ? is_equal_in_twin_(name)
                           : std::count(twin_->external_.begin(),
                                        twin_->external_.end(), program) != 0;
    const ClassNode* other = equal ? twin_->find(name) : nullptr;
    if (other != nullptr && other->internal == node->internal) {
      node->shell = other->shell;
      return node;
    }
  }
  auto shell = read_shell(*node);
  if (shell.ok()) {
    node->shell = std::make_shared<const ClassShell>(std::move(shell).value());
  } else {
    const std::scoped_lock lock(diagnostics_mutex_);
    unreadable_.push_back(std::move(shell).error());
  }
  return node;
}

base::Result<ClassShell> World::read_shell(const ClassNode& node) const {
  thread_local base::Buffer buffer;
  REJIG_TRY(const base::Bytes bytes,
            bytes_of(*node.program, *node.file, buffer));
  thread_local classfile::ClassReader reader;
  REJIG_TRY(const auto* const view, reader.parse_layout(bytes, where(node)));
  if (view->name() != node.name) {
    return other_name(*view, node.name, where(node));
  }
  return make_shell(*view, *names_);
}

base::Error World::other_name(const classfile::ClassView& view, Name name,
                              std::string where) {
  return {base::Errc::kMalformed,
          "the class calls itself " + std::string(view.name()) +
              ", a loader looks for " + std::string(name),
          std::move(where)};
}

void World::expect_bytes() { lent_.resize(internal_->classes().size()); }

void World::glance_at_all(base::ThreadPool& pool, const MentionSet& wanted) {
  const auto classes = internal_->classes();
  expect_bytes();
  glances_.assign(classes.size(), nullptr);
  const auto platform = std::lower_bound(
      classes.begin(), classes.end(), kPlatform,
      [](const auto& file, Name prefix) { return file.name < prefix; });
  const bool without_platform =
      platform == classes.end() || !platform->name.starts_with(kPlatform);
  own_glances_.assign(classes.size(), std::nullopt);
  kept_.resize(pool.workers());
  glance_memory_.resize(pool.workers());
  std::vector<GlanceReader> readers(pool.workers(),
                                    GlanceReader(*internal_, *names_,
                                                 without_platform));
  constexpr std::size_t kAll = ~std::size_t{0};
  pool.for_ranges(
      classes.size(), 64,
      [&](unsigned worker, std::size_t begin, std::size_t end) {
        GlanceReader& reader = readers[worker];
        base::Buffer buffer(kept_[worker]);
        for (std::size_t i = begin; i < end; ++i) {
          const Name name = classes[i].name;
          if (twin_ != nullptr && is_equal_in_twin_(name)) {
            glances_[i] = twin_->glance(name);
            continue;
          }
          reader.begin(name);
          if (!lent_[i].empty()) {
            reader.more(lent_[i]);
          } else if (twin_ != nullptr) {
            // What the twin has not will be asked for: it is read once, as a
            // whole.
            const auto read = internal_->read(classes[i], buffer);
            if (read.ok()) lent_[i] = *read;
            find(name);
            if (!read.ok()) continue;
            reader.more(*read);
            lent_[i] = {};
          } else {
            // As far as its pool goes; of those that will be loaded everything.
            bool whole = false;
            const auto read = internal_->read_front(
                classes[i], buffer, [&](base::Bytes first) {
                  const std::size_t more = reader.more(first);
                  whole = reader.seen() != nullptr && wanted.any_in(*reader.seen());
                  return whole ? kAll : more;
                });
            if (!read.ok()) continue;
            if (whole) lent_[i] = kept_[worker].keep(*read);
          }
          own_glances_[i] = reader.glance(glance_memory_[worker]);
          if (own_glances_[i]) glances_[i] = &*own_glances_[i];
        }
      });
}

const Glance* World::glance(Name name) const {
  return glance_of_place(internal_->class_place(name));
}

const ClassNode* World::find(Name name) const {
  const std::uint32_t place = internal_->class_place(name);
  if (place < places_.size()) {
    const ClassNode* known = places_[place].node.load(std::memory_order_acquire);
    return known != nullptr ? known : settle(place, make_node(name));
  }
  if (const auto known = other_nodes_.find(name); known.value != nullptr) {
    return known.value->get();
  }
  return other_nodes_.insert(name, make_node(name)).value->get();
}

// Of two threads that made the node of one internal class the first one wins.
const ClassNode* World::settle(std::uint32_t place,
                               std::unique_ptr<ClassNode> made) const {
  const ClassNode* expected = nullptr;
  if (places_[place].node.compare_exchange_strong(expected, made.get(),
                                         std::memory_order_acq_rel)) {
    return made.release();
  }
  return expected;
}

void World::adopt(ClassShell shell) {
  auto node = std::make_unique<ClassNode>();
  node->name = shell.name;
  node->internal = true;
  node->shell = std::make_shared<const ClassShell>(std::move(shell));
  const Name name = node->name;
  if (const auto place = internal_->class_place(name);
      place < places_.size()) {
    settle(place, std::move(node));
    return;
  }
  other_nodes_.insert(name, std::move(node));
}

base::Result<LoadedClass> World::load(const ClassNode& node) const {
  if (node.file == nullptr) {
    return base::Error{base::Errc::kNotFound,
                       "the class file is not part of a program",
                       std::string(node.name)};
  }
  return load(*node.program, *node.file, node.name);
}

base::Result<LoadedClass> World::load_internal(Name name) const {
  const auto* file = internal_->find_class(name);
  if (file == nullptr) {
    return base::Error{base::Errc::kNotFound, "there is no such class",
                       std::string(name)};
  }
  return load(*internal_, *file, name);
}

base::Result<LoadedClass> World::load_equal(Name name) const {
  const auto* file = internal_->find_class(name);
  if (file == nullptr) return load_internal(name);
  LoadedClass out;
  REJIG_TRY(const base::Bytes bytes,
            bytes_of(*internal_, *file, out.buffer));
  const std::string where = internal_->where(*file);
  REJIG_TRY(auto view, classfile::ClassView::parse_layout(bytes, where));
  if (view.name() != name) return other_name(view, name, where);
  out.view = std::move(view);
  return out;
}

base::Result<LoadedClass> World::load(const classfile::Program& program,
                                      const classfile::ProgramFile& file,
                                      Name name) const {
  LoadedClass out;
  REJIG_TRY(const base::Bytes bytes, bytes_of(program, file, out.buffer));
  std::string where = program.where(file);
  REJIG_TRY(auto view, classfile::ClassView::parse(bytes, where));
  if (view.name() != name) return other_name(view, name, std::move(where));
  out.view = std::move(view);
  return out;
}

base::Result<base::Bytes> World::bytes_of(
    const classfile::Program& program, const classfile::ProgramFile& file,
    base::Buffer& buffer) const {
  if (&program == internal_ && !lent_.empty()) {
    const std::uint32_t place = internal_->class_place(file.name);
    if (place < lent_.size() && !lent_[place].empty()) return lent_[place];
  }
  return program.read(file, buffer);
}

void World::know(std::uint32_t place, const classfile::ClassView& view) const {
  const auto* file = &internal_->classes()[place];
  auto node = bare_node(file->name, internal_, file);
  node->shell = std::make_shared<const ClassShell>(make_shell(view, *names_));
  settle(place, std::move(node));
}

std::string World::where(const ClassNode& node) const {
  return node.file == nullptr ? std::string(node.name)
                              : node.program->where(*node.file);
}

namespace {

// Stays in the slot unless somebody was faster.
template <class T>
const T& settled(std::atomic<const T*>& slot, std::unique_ptr<T> made) {
  const T* expected = nullptr;
  if (slot.compare_exchange_strong(expected, made.get(),
                                   std::memory_order_acq_rel)) {
    return *made.release();
  }
  return *expected;
}

}  // namespace

const Above& World::above(const ClassNode& node) const {
  if (const auto* known = node.above_.load(std::memory_order_acquire)) {
    return *known;
  }
  auto made = std::make_unique<Above>();
  if (!node.shell->super.empty()) made->super = find(node.shell->super);
  made->interfaces.reserve(node.shell->interfaces.size());
  for (const Name itf : node.shell->interfaces) {
    made->interfaces.push_back(find(itf));
  }
  return settled(node.above_, std::move(made));
}

const SuperSet& World::supers(Name name) const {
  static const SuperSet kUnknown{{}, {}, {}, true};
  const ClassNode* node = find(name);
  return node == nullptr ? kUnknown : supers(*node);
}

const SuperSet& World::supers(const ClassNode& node) const {
  if (const auto* known = node.supers_.load(std::memory_order_acquire)) {
    return *known;
  }
  return settled(node.supers_, make_supers(node));
}

std::unique_ptr<SuperSet> World::make_supers(const ClassNode& node) const {
  struct Found {
    Name name;
    const ClassNode* node;
  };
  std::vector<Found> found;
  base::HashSet<Name> many;  // of `found`, when there are
  constexpr std::size_t kFew = 24;
  const auto is_new = [&](Name name) {
    if (found.size() < kFew) {
      return std::none_of(found.begin(), found.end(),
                          [&](const Found& one) { return one.name == name; });
    }
    if (many.empty()) {
      for (const Found& one : found) many.insert(one.name);
    }
    return many.insert(name);
  };
  auto set = std::make_unique<SuperSet>();
  const auto look_into = [&](const ClassNode* at, Name name) {
    if (at == nullptr || !at->readable()) {
      set->open = true;
      if (at != &node) set->unknown.push_back(name);
      return;
    }
    const Above& its = above(*at);
    const auto push = [&](Name super, const ClassNode* its_node) {
      if (super == node.name) {
        set->open = true;
      } else if (!super.empty() && is_new(super)) {
        found.push_back({super, its_node});
      }
    };
    push(at->shell->super, its.super);
    for (std::size_t i = 0; i < its.interfaces.size(); ++i) {
      push(at->shell->interfaces[i], its.interfaces[i]);
    }
  };
  look_into(&node, node.name);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Found one = found[i];
    look_into(one.node, one.name);
  }
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.name < b.name; });
  set->names.reserve(found.size());
  set->nodes.reserve(found.size());
  for (const Found& one : found) {
    set->names.push_back(one.name);
    set->nodes.push_back(one.node);
  }
  std::sort(set->unknown.begin(), set->unknown.end());
  return set;
}

bool World::is_subtype(Name sub, Name super) const {
  if (sub == super) return true;
  const auto& names = supers(sub).names;
  return std::binary_search(names.begin(), names.end(), super);
}

bool World::is_subtype(const ClassNode& sub, const ClassNode& super) const {
  if (&sub == &super) return true;
  const auto& nodes = supers(sub).nodes;
  return std::find(nodes.begin(), nodes.end(), &super) != nodes.end();
}

base::Diagnostics World::take_diagnostics() const {
  const std::scoped_lock lock(diagnostics_mutex_);
  std::sort(unreadable_.begin(), unreadable_.end(),
            [](const base::Error& a, const base::Error& b) {
              return std::tie(a.where, a.what) < std::tie(b.where, b.what);
            });
  base::Diagnostics out;
  for (const auto& error : unreadable_) out.widened(error);
  unreadable_.clear();
  return out;
}

}  // namespace rejig::jig
