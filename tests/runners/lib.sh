# SPDX-License-Identifier: Apache-2.0
# What the runner tests share: a small project, a store whose rows say which of
# its tests must run, and what really ran. Sourced with: . lib.sh REJIG MAKE_STORE
set -u
here=$(cd "$(dirname "$0")" && pwd)
rejig=$1
make_store=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/project/." "$work"
cd "$work" || exit 1
RAN="$work/ran.txt"
export RAN
unset REJIG_COVERAGE
classes=target/test-classes
failures=0

build() {
  mvn -B -q test-compile > build.log 2>&1 || { cat build.log >&2; exit 1; }
}

# store SELECTED...: rows of all tests that discovery finds; the selected ones
# have failed the last time, the others passed.
store() {
  "$rejig" select $classes $classes --coverage no.db --format ids 2> no.err | grep -v '^#' > all.txt
  [ -s all.txt ] || { cat no.err >&2; exit 1; }
  : > selected.txt
  for id in "$@"; do printf '%s\n' "$id" >> selected.txt; done
  while read -r id; do
    result=pass
    grep -qxF -- "$id" selected.txt && result=fail
    printf 'row\tdefault\t%s\tcomplete\t%s\tall\n' "$id" "$result"
  done < all.txt | "$make_store" m.db || exit 1
}

# emit KIND FILE [OPTION...]
emit() {
  kind=$1
  file=$2
  shift 2
  "$rejig" select $classes $classes --coverage m.db --emit "$kind=$file" "$@" \
    > select.out 2> select.err || { cat select.err >&2; exit 1; }
}

# ran NAME EXPECTED-ID...: exactly these tests ran.
ran() {
  name=$1
  shift
  : > expected.txt
  for id in "$@"; do printf '%s\n' "$id" >> expected.txt; done
  sort -u expected.txt > expected
  touch "$RAN"
  sort -u "$RAN" > actual
  rm -f "$RAN"
  if ! diff -u expected actual > difference; then
    echo "FAILED: $name" >&2
    cat difference >&2
    failures=$((failures + 1))
  else
    echo "ok: $name"
  fi
}

done_testing() {
  [ $failures -eq 0 ] || { echo "$failures failed" >&2; exit 1; }
  exit 0
}
