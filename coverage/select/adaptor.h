// SPDX-License-Identifier: Apache-2.0
// Which runs can meet this dangerous edge? items_of() turns a Delta into a
// disjunction of conjunctions of atoms: a test is selected when its row
// satisfies every atom of one conjunction. Which atoms those are says the table
// classfile/words/rules.def, row by row.
// Every atom is necessary for the run to meet the edge, so an atom that is left
// out widens. A Delta whose roles do not say enough for its rule selects
// everybody.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "classfile/words/delta.h"
#include "classfile/words/entity.h"

namespace rejig::coverage {

// How closely rows are asked: by what was entered, or by the control-flow edges
// that were taken (e:), of the deltas that name some.
enum class Detail { kMethods, kEdges };

classfile::Disjunction items_of(const classfile::Delta& delta,
                                Detail detail = Detail::kMethods);

// m:C.x(d), except that a <clinit> is read as init:C: its body ran for whoever
// triggered C's initialization, not for the one test that recorded it.
classfile::Atom method_atom(std::string_view method);

// "a.b.C.x(I)V" -> "a.b.C"; empty when `method` is not a method entity.
std::string_view class_of_method(std::string_view method);

}  // namespace rejig::coverage
