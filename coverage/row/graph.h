// SPDX-License-Identifier: Apache-2.0
// What follows from what, in one JVM? apps/agent/ROWS.md as a graph: a test's
// row has every atom of the nodes that its work reaches. Vertices are methods,
// facts, receivers, and for each class what can become of it (it is loaded,
// initialized, created, looked at by reflection ...). Edges first lead to what
// is initialized and what that does, then to the rest. What depends on several
// things at once or on whose row it is stands as a note at the vertex.
// Linear in the file, but for lists of supertypes. File, classes and codes must
// outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "coverage/row/atom_codes.h"
#include "coverage/row/row_file.h"
#include "coverage/row/row_file_classes.h"
#include "coverage/row/row_file_lasting.h"
#include "coverage/row/row_file_work.h"

namespace rejig::coverage {

class RowGraph {
 public:
  using Id = RecordedClasses::Id;
  using Node = std::uint32_t;
  using Code = AtomCodes::Code;

  // Of a class.
  enum Part : std::uint8_t {
    kEntered,          // a method of it
    kInitialized,      // itself
    kInitializedWith,  // and what goes with it
    kInitializedUp,    // and everything above it
    kReferred,         // met by name
    kLoaded,
    kCreated,
    kConstructed,
    kReflected,    // itself
    kReflectedUp,  // and what it inherits
    kCloned,       // and any subtype
    kExtension,    // an instance of it, which is an extension of JUnit 5
    kChanged,      // what its static fields hold
    kParts,
  };
  // What a visitor has to remember.
  enum class Note : std::uint8_t {
    kNothing,
    kFile,         // a fact about a file
    kGuarded,      // a fact about a class, which is nothing to its own tests
    kLoaded,       // an internal class
    kMeetsState,   // a method that names static fields
    kCreated,      // with `constructed` it is an instance
    kConstructed,
    kExtension,
    kChanged,
  };

  // An object of a class, or what a method made (a lambda): whoever calls it and
  // entered no maker got it from somebody.
  using Need = std::uint32_t;
  static constexpr Need kNoNeed = 0xFFFFFFFF;

  // `guarded`: what tests are made of. `written`: the name that rows have for a
  // file that the program wrote.
  RowGraph(const RowFile& file, RecordedClasses& classes, AtomCodes& codes,
           const Marks& guarded,
           const std::function<std::string(const std::string&)>& written,
           const std::vector<std::string>* choices);

  std::size_t size() const { return vertices_.size(); }
  Node method(std::uint32_t index) const { return index; }
  Node fact(std::uint32_t index) const { return first_fact_ + index; }
  Node receiver(std::uint32_t index) const { return first_receiver_ + index; }
  Node of(Part part, Id id) const {
    return first_part_ + part * static_cast<Node>(classes_.size()) + id;
  }
  Node asks() const { return first_part_ - 3; }    // a Class, by native methods
  Node native() const { return first_part_ - 2; }  // code was loaded
  Node child() const { return first_part_ - 1; }   // a process was started
  void append(const Work& work, std::vector<Node>& out) const;

  std::span<const Node> next(Node node) const {
    const Vertex& v = vertices_[node];
    return std::span(edges_).subspan(v.begin, v.end - v.begin);
  }
  std::span<const Node> initializes(Node node) const {
    const Vertex& v = vertices_[node];
    return std::span(edges_).subspan(v.begin, v.middle - v.begin);
  }
  std::span<const Code> atoms(Node node) const {
    const Vertex& v = vertices_[node];
    return std::span(codes_of_).subspan(v.atoms, v.atom_count);
  }
  Note note(Node node) const { return vertices_[node].note; }

  // Of a node with that note.
  std::uint32_t fact_of(Node node) const { return node - first_fact_; }
  Id class_of(Node node) const {
    return (node - first_part_) % static_cast<Node>(classes_.size());
  }
  Id class_of_fact(std::uint32_t fact) const { return fact_class_[fact]; }
  // What a guarded fact leads to, unless it is about one's own class.
  Node behind_guard(std::uint32_t fact) const;
  // Classes whose state a method meets.
  struct Met {
    std::uint32_t method = 0;
    Id id = 0;
  };
  std::span<const Met> met(std::uint32_t method) const {
    return std::span(met_).subspan(met_begin_[method],
                                   met_begin_[method + 1] - met_begin_[method]);
  }
  const RecordedClasses& classes() const { return classes_; }

  // What entering this method needs, and what reaching a node gives.
  Need need(Node node) const {
    return node < need_of_.size() ? need_of_[node] : kNoNeed;
  }
  std::span<const Need> gives(Node node) const {
    if (node < need_of_.size()) return in(gives_, gives_begin_, node);
    const Node made = node - of(kConstructed, 0);
    if (node < of(kConstructed, 0) || made >= classes_.size()) return {};
    return in(made_gives_, made_gives_begin_, made);
  }
  std::size_t needs() const { return need_codes_.size(); }
  Code need_code(Need need) const { return need_codes_[need]; }
  // States that a test's own entry of a method may change, as atoms.
  std::span<const Code> may_write(std::uint32_t method) const {
    return in(may_, may_begin_, method);
  }

 private:
  using AtomKind = classfile::AtomKind;
  struct Vertex {
    std::uint32_t begin = 0;
    std::uint32_t middle = 0;
    std::uint32_t end = 0;
    std::uint32_t atoms = 0;
    std::uint32_t atom_count = 0;
    Note note = Note::kNothing;
  };

  void open(Node node);
  void rest(Node node) {
    vertices_[node].middle = static_cast<std::uint32_t>(edges_.size());
  }
  void close(Node node);
  void edge(Node to) { edges_.push_back(to); }
  void atom(Code code) { codes_of_.push_back(code); }
  void text(AtomKind kind, std::string_view text) {
    atom(codes_.of_text(kind, text));
  }
  void initialize(Part part, Id id);
  void refer(Id id);
  void add_initializations();
  void add_methods();
  void add_method(std::uint32_t index);
  void add_facts(
      const std::function<std::string(const std::string&)>& written);
  void add_fact(std::uint32_t index);
  void reflected(std::uint32_t fact, Node target);
  void missing(const std::string& name);
  void constants(Id id);
  void add_receivers();
  void add_receiver(Id receiver, std::uint32_t method);
  void find_unexplained();
  void add_classes();
  void add_loaded(Id id);
  void untouched(Id id, const RecordedClass& c);
  bool is_extension(Id id);
  const std::vector<Id>& keepers_behind(Id library);
  void meets(std::uint32_t index, Id id);
  void add_writes();
  void add_may_write(std::uint32_t index);
  std::vector<Id> written_by(const RecordedMethod& method,
                             const RecordedClass& owner, Id self, unsigned how);
  std::vector<bool> find_early() const;
  void left_there(
      const std::string& text,
      const std::function<std::string(const std::string&)>& written);
  void find_needs();
  template <class T>
  static std::span<const T> in(const std::vector<T>& list,
                               const std::vector<std::uint32_t>& begins,
                               std::size_t at) {
    return std::span(list).subspan(begins[at], begins[at + 1] - begins[at]);
  }

  const RowFile& file_;
  RecordedClasses& classes_;
  AtomCodes& codes_;
  const Marks& guarded_;
  LastingFacts kept_;
  const std::vector<std::string>* choices_;
  bool receivers_ = false;  // were recorded
  Node first_fact_ = 0;
  Node first_receiver_ = 0;
  Node first_part_ = 0;
  std::vector<Vertex> vertices_;
  std::vector<Node> edges_;
  std::vector<Code> codes_of_;
  std::vector<Id> fact_class_;
  std::vector<std::vector<const Work*>> init_of_;
  std::vector<std::vector<std::uint32_t>> methods_of_;  // of redefined classes
  std::vector<Met> met_;  // by method
  std::vector<std::uint32_t> met_begin_;
  std::unordered_map<Id, std::vector<Id>> keepers_;  // behind a library's class
  std::vector<Code> may_;  // by method
  std::vector<std::uint32_t> may_begin_;
  std::vector<Need> need_of_;  // each method
  std::vector<Code> need_codes_;
  std::vector<Need> gives_;  // by method
  std::vector<std::uint32_t> gives_begin_;
  std::vector<Need> made_gives_;  // by class that is constructed
  std::vector<std::uint32_t> made_gives_begin_;
};

bool is_file_fact(FactKind kind);

}  // namespace rejig::coverage
