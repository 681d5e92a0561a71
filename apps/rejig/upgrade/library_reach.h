// SPDX-License-Identifier: Apache-2.0
// From which methods of an application can changed code of its libraries be
// reached, and by which way? A search backwards over the Java Interclass Graph of
// the application and the new libraries together: calls, dispatch, initializers,
// lambdas, and instances that the platform may call back. The nearest way is the
// one that is told. Reflection is not followed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/parallel.h"
#include "jig/world/world.h"

namespace rejig::app {

struct LibraryWay {
  std::string method;             // of the application, "a.b.C.x(I)V"
  std::vector<std::string> path;  // library methods; the last one changed
};

// Sorted by length of the way, then by name. Only methods that call into a
// library themselves: whoever calls these is further away.
std::vector<LibraryWay> ways_into(
    const jig::World& world, base::ThreadPool& pool,
    const std::function<bool(std::string_view class_name)>& is_application,
    const std::function<bool(const std::string& method)>& is_changed);

}  // namespace rejig::app
