// SPDX-License-Identifier: Apache-2.0
// May this code change an object that a static field holds? By what the code
// calls, and by the type of the field: a test that meets changed code and enters
// such a method may leave something else there. When in doubt: it may. The
// recorder and the comparison ask; for both it has no library behind it.
#pragma once

#include <string_view>

namespace rejig::classfile {

// What a method may change, by kind of object: of an array, a collection, an
// atomic or thread local, something else of the JDK.
enum Changes : unsigned {
  kArrays = 1,
  kCollections = 2,
  kAtomics = 4,
  kOthers = 8,
};

inline bool is_atomic(std::string_view type) {
  return type.starts_with("java/util/concurrent/atomic/") ||
         type.starts_with("java/lang/ThreadLocal") ||
         type.starts_with("java/lang/InheritableThreadLocal");
}

// By name: what a call of the JDK may change of its object, or of an argument.
// What the program calls of its own is looked at where it does something.
inline unsigned changes_by(std::string_view owner, std::string_view name) {
  if (!owner.starts_with("java/")) return 0;
  for (const std::string_view one :
       {"get", "getOrDefault", "size", "isEmpty", "contains", "containsKey",
        "containsValue", "iterator", "hasNext", "next", "values", "keySet",
        "entrySet", "getKey", "getValue", "length", "equals", "hashCode",
        "toString", "indexOf", "subList", "compare", "compareTo", "matcher",
        "matches", "find", "group", "stream", "format", "println", "print",
        "containsAll", "first", "last", "peek", "toArray", "asList", "of",
        "unmodifiableList", "unmodifiableSet", "unmodifiableMap",
        "requireNonNull", "isPresent", "copyOf", "copyOfRange",
        "binarySearch", "<init>"}) {
    if (name == one) return 0;
  }
  if (is_atomic(owner) || owner == "java/lang/invoke/VarHandle") return kAtomics;
  if (owner == "java/util/Arrays" || name == "arraycopy") return kArrays;
  if (owner.starts_with("java/lang/")) return 0;
  return owner.starts_with("java/util/") ? kCollections : kOthers;
}

// Of these, what an object of that type may have changed by.
inline unsigned changes_of(std::string_view descriptor) {
  if (descriptor.front() == '[') return kArrays;
  descriptor.remove_prefix(1);
  if (is_atomic(descriptor)) return kAtomics;
  if (descriptor.starts_with("java/util/")) return kCollections;
  return kArrays | kCollections | kAtomics | kOthers;
}

// Stores into arrays, one instruction after the other: not those that fill one
// which the same expression makes.
class ArrayStores {
 public:
  bool changes(unsigned op, unsigned before) {
    constexpr unsigned kDup = 0x59;
    if (op == kDup && (is_new(before) || is_store(before))) {
      ++literals_;
    } else if (is_store(op)) {
      if (literals_ == 0) return true;
      --literals_;
    }
    return false;
  }

 private:
  static bool is_store(unsigned op) { return op >= 0x4f && op <= 0x56; }
  static bool is_new(unsigned op) { return op == 0xbc || op == 0xbd; }

  unsigned literals_ = 0;  // elements that wait for their value
};

}  // namespace rejig::classfile
