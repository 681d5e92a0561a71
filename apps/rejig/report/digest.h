// SPDX-License-Identifier: Apache-2.0
// What of a comparison does a reviewer want to know first? The edges gathered to
// items, causes before effects: one for each method whose body is other, for each
// class whose API is, for each cause of another dispatch with its fan-out; what
// matters most stands first. Nothing is left out: what is no item is counted.
// Pure: no I/O, no words about layout.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "coverage/select/answer.h"
#include "traversal/describe/body_facts.h"
#include "traversal/describe/compatibility.h"

namespace rejig::app {

// In the order of the report.
enum class Part : std::uint8_t {
  kApiBehaviour,    // public code that does something else
  kApiBroken,       // what other code can no longer name
  kUnchangedCode,   // runs, links or is something else though nobody touched it
  kInitialization,  // initializers, constants
  kOtherCode,       // bodies that nobody outside can name
  kFiles,           // resources, services, native libraries
  kApiAdded,
};
inline constexpr std::size_t kParts = 7;
std::string_view title_of(Part part);

struct DigestItem {
  Part part = Part::kOtherCode;
  std::string title;   // "JndiManager.lookup(String)"
  std::string entity;  // the method or class that it is about
  std::string file;    // "a/b/C.java"
  unsigned line = 0;
  // What is known already: "− append(LogEvent)", "now a Closeable".
  std::vector<std::string> notes;
  // A method in both versions: its bodies can be told apart (change_of_item).
  bool has_body = false;
  std::vector<std::uint32_t> edges;  // of the answer; the cause first
  std::uint64_t weight = 0;
};

struct Digest {
  std::size_t classes = 0;  // of either version; whoever knows sets both
  std::size_t changed_classes = 0;
  std::size_t methods = 0;  // run other code
  std::size_t new_classes = 0;
  std::size_t gone_classes = 0;
  std::size_t gone_methods = 0;  // of classes that stay
  traversal::ApiCounts api;
  // Classes that were asked for and are in no library that was given; and what
  // could not be told because of them.
  std::set<std::string> missing;
  std::size_t edges_of_missing = 0;
  unsigned old_java = 0;  // of the newest changed class file; 0: not raised
  unsigned new_java = 0;
  std::vector<DigestItem> items;  // by part, then by weight
  // No items: a word for it, and how often.
  std::map<std::string, std::size_t> reflection;  // "members" of n classes
  std::size_t library_classes = 0;                // D21
  std::vector<std::string> metadata;              // paths of manifests, licences
  std::map<std::string, std::size_t> facets;

  std::span<const DigestItem> of(Part part) const;
};

// `shown`: which of the edges. `versions` may be null: then nothing is known of
// who can name what.
Digest digest_of(std::span<const coverage::Edge> edges,
                 std::span<const std::uint32_t> shown,
                 std::span<const classfile::Delta> facets,
                 const traversal::Versions* versions);

// What the body of an item gained and lost; asked for what is printed only.
traversal::BodyChange change_of_item(const DigestItem& item,
                                     const traversal::Versions& versions);
// All that can be said about the item: its notes and what its body gained and
// lost, at most `most` of each sort.
std::vector<std::string> words_of(const DigestItem& item,
                                  std::span<const coverage::Edge> edges,
                                  const traversal::Versions* versions,
                                  std::size_t most);

// The first lines: what runs other code, what is new, what is broken.
std::vector<std::string> verdict_of(const Digest& digest, std::size_t edges);
std::string classes_of(const Digest& digest);
// The last ones: artefacts, reflection, facets, each folded.
std::vector<std::string> footer_of(const Digest& digest);

// "a, b, c and 4 more"
std::string some_of(const std::vector<std::string>& names, std::size_t most);
// "1 method", "3 methods"
std::string counted(std::size_t n, std::string_view one, std::string_view many);

}  // namespace rejig::app
