// SPDX-License-Identifier: Apache-2.0
// What do the symbolic references of an artefact mean? The `hierarchy` and
// `link` lines of `rejig dump --format ndjson`: the dump hands in the classes
// that define a name (add(), from its workers), then write() prints what the
// whole world says about them, sorted, the same at any number of workers.
// Work is that of call_targets.h: by distinct reference, never by call site.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "classfile/base/parallel.h"
#include "classfile/program/program.h"
#include "classfile/reader/class_view.h"
#include "jig/world/names.h"

namespace rejig::jig {

class LinkLines {
 public:
  // `references`: link lines are wanted, not only hierarchy.
  LinkLines(unsigned workers, bool references);
  ~LinkLines();

  // A class that is part of the world; its bytes may go away afterwards.
  void add(unsigned worker, const classfile::ClassView& cls);

  // Once. `external` is asked for shells.
  void write(const std::vector<const classfile::Program*>& external,
             bool hierarchy, base::ThreadPool& pool,
             const std::function<void(std::string_view)>& write);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rejig::jig
