#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig.toml: precedence, policies, and errors that name file, line and a suggestion.
. "$(dirname "$0")/lib.sh" "$@"

mkdir -p a/p b/p project/sub home xdg/rejig
cat > a/p/A.java <<'END'
package p;
public class A {
  public int f() { return 1; }
}
END
sed 's/return 1/return 3/' a/p/A.java > b/p/A.java
compile old a/p/A.java
compile new b/p/A.java
one() { printf 'row\tdefault\tt.%s#a()\tcomplete\tpass\tall\tm:p.A.f()I\n' "$1" | "$make_store" "$1.db"; }
for name in Flag Env Project User; do one $name || exit 1; done
cd project/sub || exit 1
select() { "$rejig" select ../../old ../../new --format ids "$@" 2> ../../.err; }

echo '[select]
coverage = "../../User.db"' > ../../xdg/rejig/config.toml
same "the user's file" "t.User#a()" "$(select)"
echo '[select]
coverage = "../../Project.db"' > ../rejig.toml
same "the project's file wins" "t.Project#a()" "$(select)"
same "a variable wins" "t.Env#a()" "$(REJIG_COVERAGE=../../Env.db select)"
same "a flag wins" "t.Flag#a()" "$(REJIG_COVERAGE=../../Env.db select --coverage ../../Flag.db)"
rm ../../xdg/rejig/config.toml

# wrong NAME TEXT PART...: exit 2, and every part is said.
wrong() {
  wrong_name=$1
  printf '%s\n' "$2" > ../rejig.toml
  shift 2
  select > ../../.out
  code=$?
  [ $code -eq 2 ] || fail "$wrong_name: exit $code"
  for part in "$@"; do has "$wrong_name" "$(cat ../../.err)" "$part"; done
}
wrong "an unknown key" '[select]
coverag = "x"' "rejig.toml:2" "coverag" "did you mean 'coverage'"
wrong "an unknown table" '[selekt]
coverage = "x"' "rejig.toml:1" "did you mean 'select'"
wrong "a wrong type" '[select]
max-age-days = "14"' "rejig.toml:2" "must be a number"
wrong "a reason is needed" '[[always]]
tests = "*"' "rejig.toml:1" "needs 'reason'"
wrong "an unknown verdict" '[[resources]]
files = "docs/**"
select = "none"' "tests, all or inert"
wrong "an unknown assumption" '[select]
assume = ["no-reflektion"]' "did you mean 'no-reflection'"
wrong "no TOML" '[select' "rejig.toml:"
rm ../rejig.toml
exits "a named file must exist" 2 "$rejig" select ../../old ../../new --config nowhere.toml
exits "a wrong variable" 2 env REJIG_MAX_AGE_DAYS=soon "$rejig" select ../../old ../../new
has "names the variable" "$(cat ../../.err)" "REJIG_MAX_AGE_DAYS"

# Policies.
printf 'row\tdefault\tt.DbIT#a()\tcomplete\tpass\tall\tm:p.B.f()I\n' | "$make_store" ../it.db || exit 1
echo '[select]
coverage = "../it.db"
[[always]]
tests = "*IT#*"
reason = "talks to a database"' > ../rejig.toml
same "always" "t.DbIT#a()" "$(select)"
has "its reason" "$("$rejig" select ../../old ../../new --format json 2> ../../.err)" \
  "\"rule\":\"T6\",\"edge\":\"\",\"atoms\":[],\"why\":\"always '*IT#*': talks to a database\""

mkdir ../../old/docs ../../new/docs
echo one > ../../old/docs/a.txt
echo two > ../../new/docs/a.txt
printf 'row\tdefault\tt.T#a()\tcomplete\tpass\tm\tm:p.B.f()I\n' | "$make_store" ../res.db || exit 1
echo '[select]
coverage = "../res.db"' > ../rejig.toml
has "an unmapped resource selects all and is named" "$(select)" "docs/a.txt"
echo '[select]
coverage = "../res.db"
[[resources]]
files = "docs/**"
select = "inert"' > ../rejig.toml
same "inert" "" "$(select)"
echo '[select]
coverage = "../res.db"
assume = ["no-resources"]' > ../rejig.toml
same "assumed away" "" "$(select)"
has "printed in the answer" "$("$rejig" select ../../old ../../new --format json 2> ../../.err)" "assume no-resources"
echo '[select]
coverage = "../it.db"
[[resources]]
files = "docs/**"
select = "all"' > ../rejig.toml
has "all" "$(select)" "# all: "

same "tests: rows that recorded their resources decide" "t.Reads#a()" "$(
  { printf 'row\tdefault\tt.Reads#a()\tcomplete\tpass\tall\tm:p.B.f()I\tres:docs/a.txt\n'
    printf 'row\tdefault\tt.Other#a()\tcomplete\tpass\tall\tm:p.B.f()I\n'; } | "$make_store" ../reads.db || exit 1
  printf '[select]\ncoverage = "../reads.db"\n[[resources]]\nfiles = "docs/**"\nselect = "tests"\n' > ../rejig.toml
  select)"
printf '[select]\ncoverage = "../reads.db"\n[[resources]]\nfiles = "docs/a*"\nselect = "inert"\n[[resources]]\nfiles = "docs/**"\nselect = "all"\n' > ../rejig.toml
same "the first rule that matches decides" "" "$(select)"
rm -r ../../old/docs ../../new/docs

# How old may a baseline be?
export SOURCE_DATE_EPOCH=1700000000
row='{"v":1,"suite":"s","test":"t.T#a()","grade":"complete","result":"pass","facts":["m","inst","recv","init","load","ext","miss","refl","res","resmiss","stackapi"],"atoms":["m:p.B.f()I"]}'
echo "$row" | "$rejig" coverage import --store ../age.db --suite s --program ../../old - 2> /dev/null || fail "import"
printf '[select]\ncoverage = "../age.db"\nmax-age-days = 14\n' > ../rejig.toml
later() { SOURCE_DATE_EPOCH=$((1700000000 + $1 * 86400)) "$rejig" select ../../old --format ids 2> ../../.err; }
same "a young baseline" "" "$(later 14)"
same "an old one" "# all: the baseline is older than 14 days
t.T#a()" "$(later 15)"
same "one of days to come" "# all: the age of the baseline in days is not known
t.T#a()" "$(later -1)"
printf '[select]\ncoverage = "../res.db"\nmax-age-days = 14\n' > ../rejig.toml
has "one of no known age" "$(select)" "# all: the age of the baseline in days is not known"
printf '[select]\ncoverage = "../age.db"\nmax-selections = 2\n' > ../rejig.toml
same "the first selection" "" "$(later 0)"
"$rejig" explain --not 't.T#a()' --new ../../old > ../../.out 2>&1 || fail "explain: $(cat ../../.out)"
same "the second one" "" "$(later 0)"
same "the third one" "# all: the baseline is older than 2 selections
t.T#a()" "$(later 0)"
echo "$row" | SOURCE_DATE_EPOCH=1700000001 "$rejig" coverage import --store ../age.db --suite s --program ../../old - 2> /dev/null
same "a new baseline" "" "$(later 1)"
chmod a-w ..
if [ "$(id -u)" -ne 0 ]; then
  rm -f ../age.db.selections
  has "who cannot count" "$(later 1)" "in selections is not known"
fi
chmod u+w ..
unset SOURCE_DATE_EPOCH

# Which classes are internal? The roots say it, and patterns of names.
mkdir -p ../../lib/q ../../lib2/q ../q
printf 'package q;\npublic class L { public int f() { return 1; } }\n' > ../q/L.java
compile ../../lib ../q/L.java
sed 's/return 1/return 2/' ../q/L.java > ../q/L2.java && mv ../q/L2.java ../q/L.java
compile ../../lib2 ../q/L.java
{ printf 'row\tdefault\tt.Runs#a()\tcomplete\tpass\tall\tm:q.L.f()I\tload:q.L\n'
  printf 'row\tdefault\tt.Loads#a()\tcomplete\tpass\tall\text:p.A\n'
  printf 'row\tdefault\tt.Inside#a()\tcomplete\tpass\tall\tm:p.A.f()I\tload:p.A\n'
  printf 'row\tdefault\tt.Meets#a()\tcomplete\tpass\tall\tload:q.L\n'; } | "$make_store" ../sides.db || exit 1
printf '[select]\ncoverage = "../sides.db"\n' > ../rejig.toml
sides() { "$rejig" select ../../old "$1" --old-lib ../../lib --new-lib ../../lib2 --format ids ${2-} 2> ../../.err; }
same "a library is compared by its classes" "t.Meets#a()
t.Runs#a()" "$(sides ../../old)"
same "--internal: by its methods" "t.Runs#a()" "$(sides ../../old '--internal q.*')"
printf '[select]\ncoverage = "../sides.db"\n[classes]\ninternal = ["q.*"]\n' > ../rejig.toml
same "[classes] internal" "t.Runs#a()" "$(sides ../../old)"
printf '[select]\ncoverage = "../sides.db"\n[classes]\nexternal = ["p.*", "q.*"]\n' > ../rejig.toml
same "[classes] external" "t.Inside#a()
t.Loads#a()
t.Meets#a()
t.Runs#a()" "$(sides ../../new)"
same "a flag wins; external wins over internal" "t.Inside#a()
t.Loads#a()
t.Runs#a()" "$(sides ../../new '--external p.* --internal *')"
# A module declaration that appears means nothing to a program on the class path: who knows that it runs there says so.
rm -rf ../../old/docs ../../new/docs
mkdir -p ../../m
echo 'module m { exports p; }' > ../../m/module-info.java
(cd ../.. && quick_javac -d with-module a/p/A.java m/module-info.java) || exit 1
cp ../../with-module/module-info.class ../../new/
echo '[select]
coverage = "../res.db"' > ../rejig.toml
has "a new module declaration" "$(select)" "# all: E"
echo '[select]
coverage = "../res.db"
[[resources]]
files = "module-info.class"
select = "inert"' > ../rejig.toml
same "nothing but the class path" "" "$(select)"
has "said in the answer" "$("$rejig" select ../../old ../../new --format json 2> ../../.err)" "rejig.toml says that 'module-info.class' selects nobody"

done_testing
