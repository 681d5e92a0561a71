#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rejig audit and the views of rejig select. audit.sh REJIG MAKE_STORE JARS
. "$(dirname "$0")/lib.sh" "$1" "$2"
console=$3/junit-platform-console-standalone-1.10.5.jar
[ -f "$console" ] || { echo "missing: $console" >&2; exit 1; }

# --- A real run: a library, its tests, a change that breaks one of them.
mkdir -p a/p a/t b/p
cat > a/p/Calc.java <<'END'
package p;
public class Calc {
  public int add(int x, int y) { return x + y; }
  public int twice(int x) { return 2 * x; }
}
END
cat > a/p/Text.java <<'END'
package p;
public class Text { public String low(String s) { return s.toLowerCase(); } }
END
cat > a/t/CalcTest.java <<'END'
package t;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
class CalcTest {
  p.Calc calc = new p.Calc();
  @Test void add() { assertEquals(5, calc.add(2, 3)); }
  @ParameterizedTest @ValueSource(ints = {0, 4}) void twice(int n) { assertEquals(n + n, calc.twice(n)); }
  @Test void over() { assertEquals(0, calc.add(0, 0)); }
  @Test void over(TestInfo info) { assertEquals(7, calc.add(3, 4)); }
  @Nested class In { @Test void deep() { assertEquals(1, calc.add(1, 0)); } }
  @Test void calm() { assertNotNull(calc); }
}
END
cat > a/t/TextTest.java <<'END'
package t;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class TextTest {
  @Test @DisplayName("lower <case> & \"quotes\"") void low() { assertEquals("a", new p.Text().low("A")); }
}
END
sed 's/2 \* x/x > 1 ? 3 * x : 2 * x/' a/p/Calc.java > b/p/Calc.java
mkdir -p old new
quick_javac -g -proc:none --release 17 -cp "$console" -d old a/p/*.java a/t/*.java || exit 1
quick_javac -g -proc:none --release 17 -cp "$console" -d new b/p/Calc.java a/p/Text.java a/t/*.java || exit 1

# The atoms are those that each test meets.
new='m:p.Calc.<init>()V	load:p.Calc	load:t.CalcTest'
row() {
  printf 'row\tdefault\tt.%s\tcomplete\tpass\tall\t%s\t%s\n' "$1" "$2" "${3:-$new}"
}
{
  row 'CalcTest#add()' 'm:p.Calc.add(II)I'
  row 'CalcTest#twice(int)' 'm:p.Calc.twice(I)I'
  row 'CalcTest#over()' 'm:p.Calc.add(II)I'
  row 'CalcTest#over(org.junit.jupiter.api.TestInfo)' 'm:p.Calc.add(II)I'
  row 'CalcTest$In#deep()' 'm:p.Calc.add(II)I'
  row 'CalcTest#calm()' 'm:t.CalcTest.calm()V'
  row 'TextTest#low()' 'm:p.Text.low(Ljava/lang/String;)Ljava/lang/String;' 'load:p.Text	load:t.TextTest'
} | "$make_store" m.db || exit 1
run() {
  java -jar "$console" execute --disable-banner -cp "$1" --scan-classpath "$1" --reports-dir "$2" > run.log 2>&1
  [ -f "$2/TEST-junit-jupiter.xml" ] || { cat run.log >&2; exit 1; }
}
run new reports

audit() { "$rejig" audit old new --lib "$console" --coverage m.db "$@"; }
select_ids() { "$rejig" select old new --lib "$console" --coverage m.db --format ids "$@" 2> .err; }

# --- The views.
same "view method" "t.CalcTest#twice(int)" "$(select_ids)"
same "view class" 't.CalcTest#add()
t.CalcTest#calm()
t.CalcTest#over()
t.CalcTest#over(org.junit.jupiter.api.TestInfo)
t.CalcTest#twice(int)
t.CalcTest$In#deep()' "$(select_ids --view class)"
exits "an unknown view" 2 "$rejig" select old new --coverage m.db --view hybrids
has "an unknown view" "$(cat .err)" "method"
has "an unknown view" "$(cat .err)" "class"
exits "an unknown view of audit" 2 audit --results reports --view statics
has "an unknown view of audit" "$(cat .err)" "the views are method, "

# Only line numbers moved: no class changed.
mkdir -p lines/p
{ echo; sed 's/return x/\n return x/' a/p/Calc.java; } > lines/p/Calc.java
cp -r old moved
quick_javac -g -proc:none --release 17 -d moved lines/p/Calc.java || exit 1
cmp -s old/p/Calc.class moved/p/Calc.class && fail "the line numbers did not move"
same "line numbers, view class" "" \
  "$("$rejig" select old moved --lib "$console" --coverage m.db --format ids --view class 2> .err)"

# --- Nothing missed.
exits "a safe selection" 0 audit --results reports
has "a safe selection" "$(cat .out)" "view method: selected 1
  hard misses  0
  LR           tests 0 of 1 (0.0 %), classes 0 of 1 (0.0 %)
  at least one no
  unobserved   0"
has "both views" "$(cat .out)" "view class: selected 6"
has "counts" "$(cat .out)" "7 tests known, 1 fail now, 1 end otherwise than before, 1 executed changed code (old rows)"
exits "json" 0 audit --results reports --format json
holds "json" "$(cat .out)" '{"verdict": "nothing missed"}'
first=$(cat .out)
for j in 1 8; do
  exits "-j$j" 0 audit --results reports --format json -j $j
  same "-j$j: the same bytes" "$first" "$(cat .out)"
done

# --- Rows that are wrong mislead rejig itself, and the audit says so.
{
  row 'CalcTest#twice(int)' 'm:p.Calc.add(II)I'
  row 'TextTest#low()' 'm:p.Text.low(Ljava/lang/String;)Ljava/lang/String;' 'load:p.Text	load:t.TextTest'
} | "$make_store" lies.db || exit 1
exits "rows that lie" 1 "$rejig" audit old new --lib "$console" --coverage lies.db --results reports
has "view method misses" "$(cat .out)" "  MISSED t.CalcTest#twice(int): pass, now fail

view class: selected"
same "view class does not" "1" "$(grep -c MISSED .out)"

# --- Lists of somebody else.
printf 't.CalcTest#add()\n' > bad.txt
exits "a list that misses" 1 audit --results reports --selection bad.txt
has "the hard miss" "$(cat .out)" "MISSED t.CalcTest#twice(int): pass, now fail"
has "LR" "$(cat .out)" "LR           tests 1 of 1 (100.0 %), classes 1 of 1 (100.0 %)
  at least one yes"
has "the changed code" "$(cat .out)" "executed changed code: t.CalcTest#twice(int) (m:p.Calc.twice(I)I)"
for list in 't.CalcTest#twice(int)' 't.CalcTest#twice' 't.CalcTest' 't.CalcTest#*' '# all: because'; do
  printf '%s\n' "$list" > list.txt
  exits "the list '$list'" 0 audit --results reports --selection list.txt
done
: > empty.txt
exits "an empty list" 1 audit --results reports --selection empty.txt --format json
python3 - <<'END' || fail "json of a miss"
import json
d = json.load(open(".out"))
assert d["schema"] == "rejig.audit/1" and d["verdict"] == "missed" and d["counts"]["known"] == 7, d
[s] = d["selectors"]
assert s["hard_misses"] == [{"suite": "default", "test": "t.CalcTest#twice(int)", "old": "pass", "new": "fail", "match": "exact"}], s
assert s["lr"]["tests"] == {"affected": 1, "missed": 1, "lr": 1.0} and s["at_least_one"] is True, s
END
exits "html" 1 audit --results reports --selection empty.txt --view method --format html
has "html: the miss" "$(cat .out)" "<code>t.CalcTest#twice(int)</code><ul><li>pass, now fail</li>"
python3 - <<'END' || fail "html"
import html.parser
class Reader(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):
        assert tag not in ("link", "img", "iframe", "a"), tag
        for name, value in attrs:
            assert not name.startswith("on") and name not in ("src", "href"), (tag, name)
text = open(".out").read()
Reader().feed(text)
assert "://" not in text and text.startswith("<!DOCTYPE html>") and text.count("<script") == 2
END

# --- Hand-made reports from here on.
{
  printf '<testsuites><testsuite name="t.CalcTest">'
  for n in 'add()' 'over()' 'over(TestInfo)' 'calm()' 'twice(int)[1]' 'twice(int)[2]'; do
    printf '<testcase classname="t.CalcTest" name="%s"/>' "$n"
  done
  printf '<testcase classname="t.CalcTest$In" name="deep()"/></testsuite>'
  printf '<testcase classname="t.TextTest" name="low()"/></testsuites>'
} > good.xml
# other NAME CONTENT: good.xml where the test case NAME has CONTENT.
other() { sed "s/name=\"$1\"\\/>/name=\"$1\">$2<\\/testcase>/" good.xml; }

exits "all pass" 0 audit --results good.xml --view method
other 'low()' '<skipped\/>' > skip.xml
exits "a test is skipped now" 1 audit --results skip.xml --view method
has "a test is skipped now" "$(cat .out)" "MISSED t.TextTest#low(): pass, now skip"

# A report tells an error from a failure; a row does not: such a test ends as it did.
{
  row 'CalcTest#twice(int)' 'm:p.Calc.twice(I)I' | sed 's/	pass	/	fail	/'
  row 'TextTest#low()' 'm:p.Text.low(Ljava/lang/String;)Ljava/lang/String;' 'load:p.Text	load:t.TextTest'
} | "$make_store" failed.db || exit 1
for end in failure error; do
  other 'twice(int)\[1]' "<$end\\/>" > fails.xml
  exits "it failed before, now $end" 0 "$rejig" audit old new --lib "$console" --coverage failed.db --results fails.xml --view method
  has "it failed before, now $end" "$(cat .out)" "1 fail now, 0 end otherwise than before"
done

# --- Flaky: two runs of the same version differ.
other 'add()' '<failure\/>' > first.xml
exits "one run" 1 audit --results first.xml --view method
has "one run" "$(cat .out)" "MISSED t.CalcTest#add(): pass, now fail"
exits "two runs" 0 audit --results first.xml --results-again good.xml --view method
has "two runs" "$(cat .out)" "flaky, not counted: t.CalcTest#add()"
exits "the same run twice" 1 audit --results first.xml --results-again first.xml --view method
other 'add()' '<flakyFailure\/>' > rerun.xml
exits "flaky by the runner's word" 0 audit --results rerun.xml --view method
has "flaky by the runner's word" "$(cat .out)" "flaky, not counted: t.CalcTest#add()"

# --- Names that are no test's: a doubt is a miss.
sed 's/name="low()"\/>/name="lower case"><failure\/><\/testcase>/' good.xml > display.xml
exits "a display name" 1 audit --results display.xml --view method
has "a display name" "$(cat .out)" "MISSED t.TextTest#lower case: no row, now fail (some test of the class)"
sed 's/name="low()"/name="lower case"/' good.xml > display.xml
exits "a display name that passed" 0 audit --results display.xml --view method
printf '<testsuite name="x.Unheard"><testcase name="of"><error/></testcase></testsuite>' > unheard.xml
exits "a test that nobody knows" 1 audit --results good.xml --results unheard.xml --view method
has "a test that nobody knows" "$(cat .out)" "MISSED x.Unheard#of: no row, now error (no known test)"
# All tests of the class have results, and one of them was selected: the selection saw the fixture fail.
printf '<testsuite name="t.CalcTest"><testcase name=""><error/></testcase></testsuite>' > fixture.xml
exits "a fixture that failed" 0 audit --results good.xml --results fixture.xml --view method
# Overloads that the report does not tell apart: each of them may be the one.
sed 's/name="over()"\/>/name="over(Thing)"><failure\/><\/testcase>/' good.xml > overload.xml
printf 't.CalcTest#over()\nt.CalcTest#twice\n' > list.txt
exits "an overload" 1 audit --results overload.xml --selection list.txt
has "an overload" "$(cat .out)" "MISSED t.CalcTest#over(org.junit.jupiter.api.TestInfo): pass, now fail (this or another method of that name)"

# --- A skipped test without a result proves nothing.
printf '<testsuite name="t.CalcTest"><testcase name="twice(int)[1]"/></testsuite>' > partial.xml
exits "not a full run" 1 audit --results partial.xml --view method
has "not a full run" "$(cat .out)" "not selected, and without a result: t.TextTest#low()"
has "not a full run" "$(cat .err)" "are these the results of a full run?"

# --- Rows of the new version.
line() {
  printf '{"v":1,"suite":"default","test":"t.%s","grade":"complete","result":"%s","ms":1,"atoms":["m:p.Calc.%s"]}\n' "$1" "$2" "$3"
}
{
  for t in 'CalcTest#add()' 'CalcTest#over()' 'CalcTest#over(org.junit.jupiter.api.TestInfo)' 'CalcTest$In#deep()' \
           'TextTest#low()'; do
    line "$t" pass 'add(II)I'
  done
  line 'CalcTest#twice(int)' fail 'twice(I)I'
  line 'CalcTest#calm()' pass 'twice(I)I'
} > new.ndjson
exits "new rows" 1 audit --results new.ndjson --view method
has "new rows" "$(cat .out)" "2 executed changed code (new rows)"
has "new rows" "$(cat .out)" "executed changed code: t.CalcTest#calm() (m:p.Calc.twice(I)I)"
has "new rows: LR" "$(cat .out)" "LR           tests 1 of 2 (50.0 %), classes 1 of 1 (100.0 %)"

# --- Where results are looked for.
mkdir -p deep/er
cp good.xml deep/er/TEST-x.xml
echo '<other/>' > deep/er/other.xml
exits "a folder" 0 audit --results deep --view method
exits "a pattern" 0 audit --results 'de*/**/TEST-*.xml' --view method
exits "a pattern for one folder" 0 audit --results 'deep/*/TEST-?.xml' --view method
exits "what a shell makes of a pattern" 0 audit --view method --results good.xml good.xml deep/er/TEST-x.xml
exits "no such pattern" 2 audit --results 'deep/*.xml' --view method
exits "no such file" 2 audit --results none.xml
exits "no results" 2 audit
exits "no report" 2 audit --results deep/er/other.xml
has "no report" "$(cat .err)" "the root element is <other>"
head -c 200 good.xml > short.xml
exits "a truncated report" 2 audit --results short.xml
has "a truncated report" "$(cat .err)" "short.xml:1:"
printf '<testsuite/>' > none-ran.xml
exits "a report without tests" 2 audit --results none-ran.xml
exits "no list" 2 audit --results good.xml --selection none.txt
exits "no matrix" 2 "$rejig" audit old new --coverage none.db --results good.xml

done_testing
