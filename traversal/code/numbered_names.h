// SPDX-License-Identifier: Apache-2.0
// Which class names hold a number that a compiler counted? javac, Kotlin and
// Scala begin a part with it ("a/B$1", "a/B$$anon$2"), Clojure ends one with
// it, behind two underscores or `eval` ("a/core$fn__812", "a/core$eval7"), and
// Groovy behind `_closure` or `_lambda`. A name alone proves nothing: who renames
// by it compares everything that names the class.
#pragma once

#include <string>
#include <string_view>

namespace rejig::traversal {

// "a/B" of "a/B$1" and "a/B$C$2Local"; empty when no part is numbered.
std::string_view numbered_in(std::string_view name);
// A number counts through a whole program, not through one class: the same name
// in two versions says nothing.
bool is_counted_through(std::string_view name);
// "a/B$#" of "a/B$12": each counted number is one sign.
std::string without_numbers(std::string_view name);
// "s__#" of "s__12": what Clojure's gensym made is the same but for the count.
std::string without_counts(std::string_view text);
// Who reads a name with a digit behind a `$` is in the rows; of another one
// nobody notes it (apps/agent/class_names.h).
bool is_seen_when_read(std::string_view name);
// By their text, but numbers by their value: "a$9" is before "a$10".
bool numbered_before(std::string_view a, std::string_view b);

}  // namespace rejig::traversal
