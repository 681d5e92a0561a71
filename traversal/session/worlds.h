// SPDX-License-Identifier: Apache-2.0
// What do the phases of one comparison look at? Both versions of the program as
// worlds, and the threads that look. Only matching and finding the structure
// fill the worlds (lent bytes, glances); from then on everybody has them as
// const, and what a world still learns (a shell that is read when it is asked
// for) it says alike whoever asks first.
#pragma once

#include <vector>

#include "classfile/base/parallel.h"
#include "jig/world/world.h"
#include "traversal/compare.h"

namespace rejig::traversal {

using jig::ClassNode;
using jig::Name;

struct Worlds {
  explicit Worlds(const CompareInputs& in)
      : inputs(in),
        pool(in.jobs),
        old_world(names, *in.old_internal, in.old_external),
        new_world(names, *in.new_internal, in.new_external) {
    old_world.set_release(in.old_release);
    new_world.set_release(in.new_release);
    old_world.know_object();
    new_world.know_object();
  }
  Worlds(const Worlds&) = delete;
  Worlds& operator=(const Worlds&) = delete;

  CompareInputs inputs;
  // Hands out work. Not from inside a job of its own.
  mutable base::ThreadPool pool;
  std::vector<base::KeptBytes> kept_old;  // of each worker; lent to the worlds
  std::vector<base::KeptBytes> kept_new;
  mutable jig::Names names;  // from any thread
  jig::World old_world;
  jig::World new_world;
};

// False only if no name of these can stand in the class's pool. nullptr: nobody
// knows.
inline bool may_mention(const jig::Glance* glance,
                        const jig::MentionSet& wanted) {
  return glance == nullptr || wanted.any_in(*glance);
}

}  // namespace rejig::traversal
