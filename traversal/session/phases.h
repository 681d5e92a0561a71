// SPDX-License-Identifier: Apache-2.0
// Which phases are there, what does each read, and what does it say? A phase
// has as const& what it reads: worlds ← matching ← structure, each of which
// holds the one before it, and what the phases before it found out (Bodies,
// Linking). It returns what later ones read and appends to the findings what
// the answer says. So the compiler shows who may still change what: nobody has
// a Structure without const, and of those after match_classes() only
// compare_classes() adds to the matching.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "traversal/session/findings.h"
#include "traversal/session/structure.h"

namespace rejig::traversal {

// Are classes with other bytes that say the same treated like equal ones?
enum class Alike : std::uint8_t { kLikeEqual, kLikeChanged };

// Of the changed pairs, in their order: which references of their old classes
// are still to be looked at?
struct Bodies {
  struct OfPair {
    // Methods of the old class whose bodies are equal to the new ones.
    std::vector<std::uint16_t> equal_methods;
    // Of these: pcs of references that were compared by what they come to.
    std::map<std::uint16_t, std::vector<std::uint32_t>> by_use;
    // Methods whose bodies part at known edges: pcs of references that both
    // share. Sorted.
    std::map<std::uint16_t, std::vector<std::uint32_t>> shared;
  };
  std::vector<OfPair> of_changed;
};

struct Linking {
  base::HashSet<Name> otherwise;  // of the doubtful names: now, or no longer
};

// Fills the worlds: bytes that were read are lent to them.
std::unique_ptr<Matching> match_classes(Worlds& worlds, Alike alike,
                                        Findings& findings);
// Glances at both worlds.
std::unique_ptr<const Structure> find_structure(Worlds& worlds,
                                                const Matching& matching,
                                                Findings& findings);
// D1, D2, D23. Adds the users of synthetic members that mean something else
// now.
Bodies compare_classes(Matching& matching, Findings& findings);
// Who may call a native method stands for it: it has no entry to be recorded.
void add_native_callers(const Matching& matching, Findings& findings);
void compare_shells(const Matching& matching, Findings& findings);  // D15-D19
Linking compare_linking(const Structure& structure, Findings& findings);  // D14
void compare_references(const Structure& structure, const Bodies& bodies,
                        const Linking& linking,
                        Findings& findings);  // D3-D6, D9 (linking), D15
void compare_selection(const Structure& structure,
                       Findings& findings);  // D7-D9
void compare_subtypes(const Structure& structure,
                      Findings& findings);  // D9-D12
void compare_initialization(const Structure& structure,
                            Findings& findings);  // D13
void compare_verification(const Structure& structure, const Linking& linking,
                          Findings& findings);  // D14
void find_left_state(const Matching& matching, const Bodies& bodies,
                     Findings& findings);  // D24
void compare_artefacts(const Matching& matching, Findings& findings);  // D20-22
void compare_listings(const Worlds& worlds,
                      Findings& findings);  // D20, for rows
// D14, D16, D20 of module-info
void compare_modules(const Worlds& worlds, Findings& findings);

// Also of one program alone.
std::vector<TestMethod> discover_tests(jig::World& world,
                                       base::ThreadPool& pool);
// Of the new program; classes that are as they were keep theirs.
std::vector<TestMethod> new_tests_of(Worlds& worlds, const Matching& matching,
                                     const std::vector<TestMethod>& old_tests);
classfile::Implied make_implied(CompareInputs inputs);
classfile::MayLeave make_may_leave(CompareInputs inputs);

// What a comparison leaves behind for whoever asks more of it (`Versions`).
struct Compared {
  explicit Compared(const CompareInputs& inputs) : worlds(inputs) {}
  Worlds worlds;
  std::unique_ptr<Matching> matching;
};

}  // namespace rejig::traversal
