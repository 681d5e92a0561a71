#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: misuse.sh COMPILER ROOT
# Each mistake must be refused by the compiler with the words beside it, and the
# same lines with the mistakes put right must be taken.
set -u
compiler=$1
root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for kind in wrong right; do
  cat > "$work/$kind.cc" <<'TXT'
#include "classfile/base/arena.h"
#include "classfile/base/hash_map.h"
#include "classfile/base/ids.h"
#include "classfile/base/result.h"
#include "traversal/session/phases.h"
using namespace rejig::base;
using ClassId = Id<struct ClassTag>;
using MethodId = Id<struct MethodTag>;
Result<int> number();
Result<void> nothing();
struct Owner { ~Owner(); int* owned; };
namespace phases = rejig::traversal;
using phases::Matching, phases::Structure, phases::Worlds, phases::Findings;
Worlds& worlds();
const Matching& matched();
const Structure& found();
Findings& findings();
TXT
done

# refused NAME WRONG WORDS RIGHT
mistakes=0
refused() {
  mistakes=$((mistakes + 1))
  for kind in wrong right; do
    if [ $kind = wrong ]; then lines=$2; else lines=$4; fi
    printf '#line 1 "mistake-%d"\nvoid body_%d() { %s }\n' \
      "$mistakes" "$mistakes" "$lines" >> "$work/$kind.cc"
  done
  printf '%s\t%s\t%s\n' "$mistakes" "$1" "$3" >> "$work/list"
}
refused 'a dropped Result' 'number();' 'nodiscard' 'if (number().ok()) return;'
refused 'a dropped Result<void>' 'nothing();' 'nodiscard' \
  'if (nothing().ok()) return;'
refused 'ids of two kinds' 'bool b = ClassId(1) == MethodId(1); (void)b;' \
  'no match|invalid operands' \
  'bool b = ClassId(1) == ClassId(1); (void)b;'
refused 'an id from a bare number' 'ClassId id = 1; (void)id;' \
  'conversion|no viable' 'ClassId id(1); (void)id;'
refused 'a number from an id' 'unsigned n = ClassId(1); (void)n;' \
  'convert|no viable' 'unsigned n = ClassId(1).raw(); (void)n;'
refused 'a vector indexed by a bare number' \
  'IdVector<ClassId, int> v(2); v[1] = 0;' 'no match|no viable' \
  'IdVector<ClassId, int> v(2); v[ClassId(1)] = 0;'
refused 'a hash map in a loop' \
  'HashMap<int, int> m; for (auto& x : m) (void)x;' 'begin' \
  'HashMap<int, int> m; for (int k : m.sorted_keys()) (void)k;'
refused 'a hash set in a loop' 'HashSet<int> s; for (int k : s) (void)k;' \
  'begin' 'HashSet<int> s; for (int k : s.sorted()) (void)k;'
refused 'an arena of what has a destructor' \
  'Arena a; (void)a.make_array<Owner>(1);' 'static assertion|static_assert' \
  'Arena a; (void)a.make_array<int>(1);'
refused 'a copied arena' 'Arena a; Arena b = a; (void)b;' 'deleted' \
  'Arena a; Arena b = static_cast<Arena&&>(a); (void)b;'
# What the phases of a comparison have as const is final.
refused 'a doubt behind the structure' 'found().doubtful.insert("A");' \
  'discards qualifiers|not marked const' '(void)found().doubtful.contains("A");'
refused 'a structure that somebody may change' \
  'std::unique_ptr<Structure> s = phases::find_structure(worlds(), matched(), findings());' \
  'could not convert|no viable|conversion' \
  'auto s = phases::find_structure(worlds(), matched(), findings());'
refused 'another pair behind the matching' 'phases::compare_classes(matched(), findings());' \
  'discards qualifiers|drops|no known conversion|no matching' \
  'phases::compare_shells(matched(), findings());'
refused 'bytes lent to a world that phases read' 'matched().worlds.old_world.lend(0, {});' \
  'discards qualifiers|not marked const' 'worlds().old_world.lend(0, {});'

compile() {
  "$compiler" -std=c++20 -Wall -Werror -fsyntax-only -I "$root" "$1"
}
if compile "$work/wrong.cc" > "$work/log" 2>&1; then
  echo 'not ok - the compiler takes all of it'
  exit 1
fi
# The words of an error stand beside its place or, in a header, before it.
while IFS='	' read -r number name words; do
  if ! grep -A 12 -B 4 -E "mistake-$number:" "$work/log" |
      grep -q -E "$words"; then
    echo "not ok - $name: not refused, or not for its mistake"
    failed=1
  fi
  if ! grep -q -E "mistake-$number:1:.*(error|required from here|requested here)" "$work/log"; then
    echo "not ok - $name: no error at its place"
    failed=1
  fi
done < "$work/list"
[ $failed = 0 ] || cat "$work/log"
if ! compile "$work/right.cc"; then
  echo 'not ok - the right ways do not compile'
  failed=1
fi
[ $failed = 0 ] && echo "the compiler refuses all $mistakes mistakes"
exit $failed
