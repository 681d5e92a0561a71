// SPDX-License-Identifier: Apache-2.0
// Who is above and below whom? The types of a World that internal classes
// descend from, numbered densely in the order of their names: supertypes,
// superclass, and for every type its receivers (internal classes, neither
// abstract nor interface, that are known subtypes of it). A type that is not in
// the world is here too, without a node; whatever sits below one, or on a cycle,
// is open: its supertypes are not all known. The lists together are as long as
// the supertype sets of the classes; nothing is kept by pairs of classes.
// Borrows the World. Immutable after the constructor.
#pragma once

#include <span>
#include <vector>

#include "classfile/base/hash_map.h"
#include "classfile/base/ids.h"
#include "classfile/base/parallel.h"
#include "jig/lookup/resolve.h"

namespace rejig::jig {

using TypeId = base::Id<struct TypeTag>;

// A method as its declaration: the type and the place in its shell.
struct Declaration {
  TypeId type;
  const MethodShell* method = nullptr;
};

class ClassHierarchy {
 public:
  // `internal`: names of internal classes, sorted.
  ClassHierarchy(const World& world, const std::vector<Name>& internal,
                 base::ThreadPool& pool);

  const World& world() const { return *world_; }
  std::size_t size() const { return types_.size(); }
  // none() for a name that no internal class descends from.
  TypeId find(Name name) const;

  Name name(TypeId id) const { return types_[id.index()].name; }
  // nullptr: not in the world, or unreadable.
  const ClassNode* node(TypeId id) const { return types_[id.index()].node; }
  TypeId super(TypeId id) const { return types_[id.index()].super; }
  bool is_receiver(TypeId id) const { return types_[id.index()].receiver; }
  bool open(TypeId id) const { return types_[id.index()].open; }
  bool cyclic(TypeId id) const { return types_[id.index()].cyclic; }
  // It or a type above is not in the world.
  bool incomplete(TypeId id) const { return types_[id.index()].incomplete; }
  // Sorted; the type itself only when it is on a cycle.
  std::span<const TypeId> supers(TypeId id) const {
    return slice(supers_, super_begin_, id);
  }
  // Sorted; the type itself when it is one.
  std::span<const TypeId> receivers(TypeId id) const {
    return slice(receivers_, receiver_begin_, id);
  }
  bool is_subtype(TypeId sub, TypeId super) const;

  // All declarations with that name and descriptor (interned names) among the
  // types, sorted by type.
  std::span<const Declaration> declarations(Name name, Name descriptor) const;

 private:
  struct Type {
    Name name;
    const ClassNode* node = nullptr;
    TypeId super;
    bool receiver = false;
    bool open = false;
    bool cyclic = false;
    bool incomplete = false;
  };
  static std::span<const TypeId> slice(const std::vector<TypeId>& items,
                                       const std::vector<std::uint32_t>& begin,
                                       TypeId id) {
    return std::span(items).subspan(
        begin[id.index()], begin[id.index() + 1] - begin[id.index()]);
  }
  void collect(const std::vector<Name>& internal);
  void close(base::ThreadPool& pool);
  void invert();
  void index_methods();

  struct Signature {
    Name name;
    Name descriptor;
    friend bool operator==(const Signature& a, const Signature& b) {
      return a.name.data() == b.name.data() &&
             a.descriptor.data() == b.descriptor.data();
    }
  };
  struct SignatureHash {
    std::uint64_t operator()(const Signature& s) const {
      return base::mix64(reinterpret_cast<std::uintptr_t>(s.name.data()) * 31 +
                         reinterpret_cast<std::uintptr_t>(
                             s.descriptor.data()));
    }
  };

  const World* world_;
  std::vector<Type> types_;
  std::vector<std::vector<TypeId>> direct_;  // only while building
  std::vector<std::uint32_t> super_begin_;
  std::vector<TypeId> supers_;
  std::vector<std::uint32_t> receiver_begin_;
  std::vector<TypeId> receivers_;
  base::HashMap<Signature, std::uint32_t, SignatureHash> signatures_;
  std::vector<std::uint32_t> declaration_begin_;
  std::vector<Declaration> declarations_;
};

}  // namespace rejig::jig
