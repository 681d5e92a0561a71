// SPDX-License-Identifier: Apache-2.0
#include "coverage/row/atom_codes.h"

namespace rejig::coverage {

using classfile::dotted;

AtomCodes::AtomCodes(const RowFile& file, const RecordedClasses& classes,
                     SharedBuilder& builder)
    : file_(file),
      classes_(classes),
      builder_(builder),
      known_(file.methods.size() + (kAskedKind + 1) * classes.size()) {}

std::string AtomCodes::method_text(std::uint32_t method) const {
  const auto [c, slot] = file_.methods[method];
  const auto& m = file_.classes[c].methods[slot];
  return classfile::method_entity(file_.classes[c].name, m.name, m.descriptor);
}

// Two threads may do so at once: both get the same number.
AtomCodes::LocalAtom AtomCodes::make(Code code) {
  LocalAtom made = 0;
  if (code < file_.methods.size()) {
    made = builder_.intern(AtomKind::kMethod, method_text(code));
  } else {
    const std::size_t rest = code - file_.methods.size();
    const std::size_t kind = rest / classes_.size();
    const std::string name =
        dotted(classes_.name(static_cast<Id>(rest % classes_.size())));
    made = kind == kAskedKind
               ? builder_.intern(AtomKind::kRefl, classfile::kind_asked(name))
               : builder_.intern(static_cast<AtomKind>(kind), name);
  }
  known_[code].store(made + 1, std::memory_order_relaxed);
  return made;
}

AtomCodes::LocalAtom AtomCodes::left(Id id, std::uint32_t method) {
  const std::uint64_t key = std::uint64_t{id} << 32 | method;
  const std::scoped_lock lock(mutex_);
  const auto [at, fresh] = left_.try_emplace(key, 0);
  if (fresh) {
    at->second = builder_.intern(
        AtomKind::kLeft, dotted(classes_.name(id)) + "|" + method_text(method));
  }
  return at->second;
}

}  // namespace rejig::coverage
