// SPDX-License-Identifier: Apache-2.0
// What could a test reach in the Java Interclass Graph of the old program? A
// test begins with all that its class, the classes above, the nested ones and
// the classes that its annotations name declare, other tests left out. From
// there the edges of the graph are followed: a receiver's edge of a dispatch
// node, and the class entry through which external code calls back (ECN), once
// an instance of that class may exist. Errs towards reaching: reflection that
// bytecode calls reaches everything, and so do native code of the program,
// libraries other than those that are known to call back only, and classes that
// nobody knows; a class named by a literal is reached with all its members.
// One object is for one thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/parallel.h"
#include "classfile/program/program.h"
#include "jig/graph/graph.h"
#include "jig/world/world.h"
#include "traversal/compare.h"

namespace rejig::app {

struct OldWorld {
  const classfile::Program* internal = nullptr;
  std::vector<const classfile::Program*> external;
  const std::vector<traversal::TestMethod>* tests = nullptr;
};

class Reach {
 public:
  Reach(const OldWorld& old, base::ThreadPool& pool);

  std::size_t methods() const { return entities_.size(); }
  const std::vector<std::string>& entities() const { return entities_; }
  std::string_view owner(std::uint32_t method) const { return owners_[method]; }

  struct Answer {
    std::vector<std::uint32_t> methods;  // sorted
    bool reflects = false;               // a call may reach anything
    // All external code that it can reach is known to look at no class of the
    // program and to read no resources.
    bool quiet = true;
    // Nor can it see an exception, whose trace or message tells of lines.
    bool sees_exceptions = false;
  };
  // May the test run a method of that class at all? Empty: of any.
  using Inside = std::function<bool(std::string_view owner)>;
  // `instances`: classes of which it may have an instance anyhow.
  Answer from(const std::string& test, const Inside& inside,
              const std::set<std::string, std::less<>>& instances = {});

 private:
  using NodeId = jig::NodeId;
  using ClassIndex = std::uint32_t;
  static constexpr std::uint32_t kNone = 0xffffffff;
  enum class Outside : std::uint8_t { kNo, kQuiet, kUnknown, kReflective };

  ClassIndex class_index(std::string_view dotted);
  void index(const OldWorld& old);
  void index_node(NodeId node);
  void visit(NodeId node);
  void instantiate(ClassIndex cls);
  void follow(NodeId node, Answer& answer);
  void reach_members(std::string_view cls);
  bool in_own_clinit(NodeId node, NodeId literal) const;
  // Is it a library's, or unknown, and may do what reflection can?
  bool may_reflect(std::string_view dotted_class) const;
  void roots_of(const std::string& test, Answer& answer);
  void add_members(const std::string& cls, const std::string& name, bool whole);
  std::vector<std::string> classes_in_annotations(const std::string& cls) const;

  mutable jig::Names names_;
  jig::World world_;
  jig::Jig graph_;

  // Of methods: dense numbers in the order of nodes.
  std::vector<std::string> entities_;
  std::vector<std::string> owners_;
  std::vector<std::uint32_t> method_of_;  // by node
  std::map<std::string, std::vector<NodeId>, std::less<>> members_;
  std::map<std::string, NodeId, std::less<>> inits_;
  std::map<std::string, std::set<std::string>, std::less<>> tests_of_;

  // Of receiver types: internal classes and lambda sites.
  std::map<std::string, ClassIndex, std::less<>> class_ids_;
  std::vector<NodeId> class_entries_;         // by class; kNone
  std::vector<ClassIndex> makes_;             // by node: an instance of it
  std::vector<ClassIndex> receiver_of_edge_;  // by edge; kNone: all
  std::vector<Outside> outside_;              // by node
  std::vector<bool> catches_;                 // by node

  // Of the question at hand.
  std::uint32_t epoch_ = 0;
  std::vector<std::uint32_t> seen_;
  std::vector<NodeId> todo_;
  std::vector<std::uint32_t> instance_epoch_;  // by class
  std::vector<std::vector<NodeId>> waiting_;   // by class
  std::vector<ClassIndex> waited_;
};

}  // namespace rejig::app
