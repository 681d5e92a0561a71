# SPDX-License-Identifier: Apache-2.0
# What the black-box tests share. Sourced with: . lib.sh "$@"
set -u
rejig=$1
make_store=$2
tests=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# Nothing of the machine may reach the answers.
unset JAVA_HOME REJIG_COVERAGE REJIG_ASSUME REJIG_SUITE
export HOME="$work/home" XDG_CONFIG_HOME="$work/xdg" LC_ALL=C.UTF-8
failures=0

fail() {
  echo "FAILED: $1" >&2
  failures=$((failures + 1))
}

# same NAME EXPECTED ACTUAL
same() {
  if [ "$2" != "$3" ]; then
    fail "$1"
    printf '%s\n' "$2" > "$work/.expected"
    printf '%s\n' "$3" > "$work/.actual"
    diff -u "$work/.expected" "$work/.actual" >&2
  fi
}

# has NAME TEXT PART
has() {
  case $2 in
    *"$3"*) ;;
    *) fail "$1: no '$3' in: $2" ;;
  esac
}

# holds NAME JSON PATTERN: some value in it matches, see json_holds.py; holds_not: none does
holds() {
  printf '%s' "$2" | python3 "$tests/json_holds.py" "$3" || fail "$1: nothing like $3 in: $2"
}
holds_not() {
  if printf '%s' "$2" | python3 "$tests/json_holds.py" "$3"; then fail "$1: $3 in: $2"; fi
}

# lacks NAME TEXT PART
lacks() {
  case $2 in
    *"$3"*) fail "$1: '$3' in: $2" ;;
  esac
}

# exits NAME CODE COMMAND...
exits() {
  wanted_name=$1
  wanted=$2
  shift 2
  "$@" > "$work/.out" 2> "$work/.err"
  got=$?
  if [ $got -ne "$wanted" ]; then
    fail "$wanted_name: exit $got instead of $wanted"
    cat "$work/.out" "$work/.err" >&2
  fi
}

# For so few classes a compiler need not compile itself.
quick_javac() { javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC "$@"; }

# compile DEST FILE...: sources relative to the working directory.
compile() {
  destination=$1
  shift
  mkdir -p "$destination"
  quick_javac -g -proc:none --release 17 -d "$destination" "$@" || exit 1
}

done_testing() {
  if [ $failures -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
  fi
  echo "all passed"
  exit 0
}

# Sources in a/ and b/, classes in old/ and new/: p.A.f()I returns 1, then 3; p.A.g()I stays.
two_versions_of_a() {
  mkdir -p a/p b/p
  cat > a/p/A.java <<'END'
package p;
public class A {
  public int f() { return 1; }
  public int g() { return 2; }
}
END
  sed 's/return 1/return 3/' a/p/A.java > b/p/A.java
  compile old a/p/A.java
  compile new b/p/A.java
}
