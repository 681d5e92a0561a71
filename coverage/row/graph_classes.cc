// SPDX-License-Identifier: Apache-2.0
// What follows from a class: that it was met by name, loaded, looked at with what
// it inherits, cloned, or ran without anything having been recorded of it.
#include "coverage/row/graph.h"

namespace rejig::coverage {

using classfile::dotted;

void RowGraph::add_classes() {
  for (Id id = 0; id < classes_.size(); ++id) {
    const Node referred = of(kReferred, id);
    open(referred);
    edge(of(kLoaded, id));
    if (kept_.is_missed(id)) atom(codes_.of_class(AtomKind::kMiss, id));
    close(referred);
    add_loaded(id);
    vertices_[of(kChanged, id)].note = Note::kChanged;
    vertices_[of(kExtension, id)].note = Note::kExtension;
    const Node up = of(kReflectedUp, id);
    open(up);
    for (const Id super : classes_.supertypes(id)) edge(of(kReflectedUp, super));
    if (classes_.is_internal(id)) {
      edge(of(kReflected, id));
      for (const auto record : classes_.records(id)) {
        for (const auto name : file_.classes[record].names) {
          refer(classes_.of_name(name));
        }
      }
    }
    close(up);
    if (!classes_.is_internal(id)) continue;
    const Node self = of(kReflected, id);
    open(self);
    atom(codes_.of_class(AtomKind::kRefl, id));
    close(self);
    const Node created = of(kCreated, id);
    if (classes_.is_recorded(id)) {
      vertices_[created].note = Note::kCreated;
      vertices_[of(kConstructed, id)].note = Note::kConstructed;
    } else {
      open(created);
      atom(codes_.of_class(AtomKind::kInst, id));
      close(created);
    }
  }
  Marks clones(classes_.size());
  for (const auto& [c, slot] : file_.methods) {
    const Id id = classes_.of_class(c);
    if (!file_.classes[c].methods[slot].clones || !clones.add(id)) continue;
    const Node node = of(kCloned, id);
    open(node);
    for (const Id sub : classes_.down(id)) {
      if (classes_.is_internal(sub)) {
        atom(codes_.of_class(AtomKind::kInst, sub));
      }
    }
    close(node);
  }
}

void RowGraph::add_loaded(Id id) {
  const Node node = of(kLoaded, id);
  open(node);
  if (kept_.is_initialized(id)) initialize(kInitializedWith, id);
  for (const auto f : kept_.of(id)) edge(fact(f));
  for (const Id super : classes_.supertypes(id)) edge(of(kLoaded, super));
  const bool internal = classes_.is_internal(id);
  if (classes_.is_external(id) && !internal) {
    atom(codes_.of_class(AtomKind::kExt, id));
    // What a library class needs was loaded once, for whoever came first.
    for (const auto record : classes_.records(id)) {
      for (const auto name : file_.classes[record].names) {
        const Id needed = classes_.of_name(name);
        if (classes_.is_external(needed)) edge(of(kLoaded, needed));
      }
    }
  }
  if (internal) {
    vertices_[node].note = Note::kLoaded;
    atom(codes_.of_class(AtomKind::kLoad, id));
    if (kept_.computes(id)) {
      text(AtomKind::kState, "class value " + dotted(classes_.name(id)));
    }
    // Should a program have such a class some day, it is news.
    if (classes_.is_generated(id)) {
      atom(codes_.of_class(AtomKind::kMiss, id));
    }
    for (const auto record : classes_.records(id)) {
      const auto& c = file_.classes[record];
      if (c.origin == Origin::kUntouched) untouched(id, c);
    }
  }
  close(node);
}

// A class whose methods could not be recorded: who meets it may have entered
// all of them.
void RowGraph::untouched(Id id, const RecordedClass& c) {
  for (const auto kind : {AtomKind::kInit, AtomKind::kInst, AtomKind::kRefl}) {
    atom(codes_.of_class(kind, id));
  }
  for (const auto& m : c.methods) {
    const std::string entity =
        classfile::method_entity(c.name, m.name, m.descriptor);
    text(AtomKind::kMethod, entity);
    if (!receivers_ || m.is_static) continue;
    for (const Id sub : classes_.down(id)) {
      if (classes_.is_internal(sub)) {
        text(AtomKind::kRecv, dotted(classes_.name(sub)) + "|" + entity);
      }
    }
  }
}

}  // namespace rejig::coverage
