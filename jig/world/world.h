// SPDX-License-Identifier: Apache-2.0
// Which class does a name mean in this version of the program? A World is the
// effective program (internal classes) plus the external classes it is built
// against (libraries, then the JDK), asked only for their shells. A name that
// is in none of them is unknown: find() answers nullptr, and whoever asks takes
// the side that selects more. A class that is there but cannot be read has a
// node without a shell. Shells are read on first use, from any thread. The
// World borrows the Programs and the Names; nodes live as long as the World.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "classfile/base/append_table.h"
#include "classfile/base/arena.h"
#include "classfile/base/buffer.h"
#include "classfile/base/diagnostics.h"
#include "classfile/base/hash_map.h"
#include "classfile/base/parallel.h"
#include "classfile/program/program.h"
#include "jig/world/glance.h"
#include "jig/world/names.h"
#include "jig/world/shell.h"

namespace rejig::jig {

struct ClassNode;

// The direct supertypes as the shell lists them; null: not in the world.
struct Above {
  const ClassNode* super = nullptr;  // null also where there is none
  std::vector<const ClassNode*> interfaces;
};

struct SuperSet {
  std::vector<Name> names;  // all transitive supertypes, sorted, without itself
  std::vector<const ClassNode*> nodes;  // theirs; null: not in the world
  std::vector<Name> unknown;  // those that are not in the world, sorted
  bool open = false;          // unknown ones, or the class is on a cycle
};

struct ClassNode {
  Name name;
  bool internal = false;
  std::shared_ptr<const ClassShell> shell;  // null: there, but unreadable
  const classfile::Program* program = nullptr;
  const classfile::ProgramFile* file = nullptr;

  ClassNode() = default;
  ClassNode(const ClassNode&) = delete;
  ClassNode& operator=(const ClassNode&) = delete;
  ~ClassNode();

  bool readable() const { return shell != nullptr; }

 private:
  friend class World;
  // What the world was asked about it; of two threads that ask at once the first
  // one wins.
  mutable std::atomic<const Above*> above_{nullptr};
  mutable std::atomic<const SuperSet*> supers_{nullptr};
};

// The view of a class file, and its bytes, unless these are the world's or were
// lent to it.
struct LoadedClass {
  base::Buffer buffer;
  std::optional<classfile::ClassView> view;
};

class World {
 public:
  World(Names& names, const classfile::Program& internal,
        std::vector<const classfile::Program*> external);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Which internal classes of `twin` have equal files: its shells and glances are
  // used again. `places`: of each class of the twin, its place here.
  void share_shells(const World& twin,
                    std::function<bool(Name)> is_equal_in_twin,
                    std::vector<std::uint32_t> places);

  // What every Java platform has in java/lang/Object is known even where no
  // platform is given. Call before the first find().
  void know_object() { knows_object_ = true; }

  // The feature release of the platform that runs the world; 0: not known.
  void set_release(unsigned release) { release_ = release; }
  unsigned release() const { return release_; }

  // A class that was read elsewhere and is in none of the programs; the first
  // one of a name stays. Such a node cannot be loaded.
  void adopt(ClassShell shell);

  const ClassNode* find(Name name) const;
  const classfile::Program& internal() const { return *internal_; }
  const std::vector<const classfile::Program*>& external() const {
    return external_;
  }
  Names& names() const { return *names_; }

  // Bytes that somebody has read and that live as long as the world: they are
  // not read again. One place is one thread's affair; before anybody loads.
  void expect_bytes();
  void lend(std::uint32_t place, base::Bytes bytes) { lent_[place] = bytes; }

  // Reads every internal class at a glance. Equal classes of a twin that did so
  // are not read again, and of the others the shells are read at once. The bytes
  // of classes that mention something of `wanted` are kept for load().
  void glance_at_all(base::ThreadPool& pool, const MentionSet& wanted);
  bool has_glanced() const { return !glances_.empty(); }
  // nullptr: not internal, not understood, or nobody has glanced yet.
  const Glance* glance(Name name) const;
  const Glance* glance_of_place(std::uint32_t place) const {
    return place < glances_.size() ? glances_[place] : nullptr;
  }
  // found(name, place) for the direct supertypes of a class that was glanced at;
  // kNoClass: not internal.
  template <class Found>
  void each_super(std::uint32_t place, Found&& found) const {
    const Glance& its = *glances_[place];
    const bool own = own_glances_[place].has_value();
    const auto one = [&](Name name, std::uint32_t known) {
      found(name, own ? known : place_here(name, known));
    };
    if (!its.super.empty()) one(its.super, its.super_place);
    for (std::size_t i = 0; i < its.interfaces.size(); ++i) {
      one(its.interfaces[i], its.interface_places[i]);
    }
  }

  base::Result<LoadedClass> load(const ClassNode& node) const;
  // An internal class, without its shell.
  base::Result<LoadedClass> load_internal(Name name) const;
  // One that says the same in another version: it is checked no more than its
  // accessors need, since a JVM refuses both or none.
  base::Result<LoadedClass> load_equal(Name name) const;
  // A class that was read elsewhere: its shell is made from this view.
  void know(std::uint32_t place, const classfile::ClassView& view) const;
  std::string where(const ClassNode& node) const;

  // Of a readable class.
  const Above& above(const ClassNode& node) const;
  // Cached; the name itself need not be known.
  const SuperSet& supers(Name name) const;
  const SuperSet& supers(const ClassNode& node) const;
  // Is `sub` the class `super` or one of its known subtypes?
  bool is_subtype(Name sub, Name super) const;
  bool is_subtype(const ClassNode& sub, const ClassNode& super) const;

  // Findings about unreadable classes so far, sorted by place.
  base::Diagnostics take_diagnostics() const;

 private:
  // What belongs to an internal class, by its place in the program: written
  // once, by whoever comes first, and read without a lock.
  struct Place {
    std::atomic<const ClassNode*> node{nullptr};
    ~Place();
  };
  // Of a class that the twin knows at that place.
  std::uint32_t place_here(Name name, std::uint32_t in_twin) const {
    return in_twin < twin_places_.size() ? twin_places_[in_twin]
                                         : internal_->class_place(name);
  }
  const ClassNode* settle(std::uint32_t place,
                          std::unique_ptr<ClassNode> made) const;
  std::unique_ptr<SuperSet> make_supers(const ClassNode& node) const;
  base::Result<LoadedClass> load(const classfile::Program& program,
                                 const classfile::ProgramFile& file,
                                 Name name) const;
  base::Result<base::Bytes> bytes_of(const classfile::Program& program,
                                     const classfile::ProgramFile& file,
                                     base::Buffer& buffer) const;
  std::unique_ptr<ClassNode> bare_node(
      Name name, const classfile::Program* program,
      const classfile::ProgramFile* file) const;
  std::unique_ptr<ClassNode> make_node(Name name) const;
  base::Result<ClassShell> read_shell(const ClassNode& node) const;
  static base::Error other_name(const classfile::ClassView& view, Name name,
                                std::string where);

  Names* names_;
  const classfile::Program* internal_;
  std::vector<const classfile::Program*> external_;
  bool knows_object_ = false;
  unsigned release_ = 0;
  const World* twin_ = nullptr;
  std::function<bool(Name)> is_equal_in_twin_;
  std::vector<std::uint32_t> twin_places_;
  std::vector<const Glance*> glances_;  // of internal().classes()
  std::vector<std::optional<Glance>> own_glances_;
  std::vector<base::Arena> glance_memory_;  // of each worker
  std::vector<base::Bytes> lent_;  // of internal().classes(); empty: not lent
  std::vector<base::KeptBytes> kept_;  // of each worker
  mutable std::vector<Place> places_;         // of internal().classes()
  // Of all other names; null: nobody knows the class.
  static constexpr unsigned kOthersBits = 14;
  mutable base::AppendTable<std::unique_ptr<ClassNode>> other_nodes_;
  mutable std::mutex diagnostics_mutex_;
  mutable std::vector<base::Error> unreadable_;
};

}  // namespace rejig::jig
