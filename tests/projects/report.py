#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser: pages of run, select, diff, upgrade and audit, opened as files. With a folder as argument
pictures are put there. usage: report.py [FOLDER] (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR, ARTIFACTS)"""
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from browser import Browser  # noqa: E402

REJIG = os.environ["REJIG"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
CONSOLE = os.path.join(os.environ["ARTIFACTS"], "junit-platform-console-standalone-1.9.3.jar")
env = {name: value for name, value in os.environ.items()
       if not name.startswith("REJIG_") or name in ("REJIG_AGENT", "REJIG_JUNIT_JAR")}
env.pop("GITHUB_STEP_SUMMARY", None)
failures = []
pictures = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""


def check(name, good, seen=""):
    if not good:
        failures.append(name)
    print("ok" if good else "FAILED", name, "" if good else repr(seen)[:1500])


def run(*words, code=0, **options):
    done = subprocess.run(words, env=options.pop("env", env), text=True, capture_output=True, timeout=300, stdin=subprocess.DEVNULL, **options)
    if code is not None and done.returncode != code:
        check(f"{' '.join(words[1:4])}: exit {code}", False, (done.returncode, done.stdout, done.stderr))
    return done


def write(name, text):
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def program(version):
    write("src/main/java/shop/Price.java", """package shop;

import java.util.List;

public class Price {
  public static int total(List<Integer> cents) {
    int sum = 0;
    for (int each : cents) {
%s
    }
    return sum;
  }
  public static String text(int cents) {
    return cents / 100 + "." + String.format("%%02d", cents %% 100);
  }
  public static int discount(int cents, int percent) {
    return cents - cents * percent / 100;
  }
  public static int refund(int cents) {
    return %s;
  }
}
""" % ("      sum += each;" if version == 1 else "      if (each < 0) throw new IllegalArgumentException(\"negative\");\n      sum += each;",
       "-cents" if version == 1 else "cents == 0 ? 0 : -cents"))
    write("src/main/java/shop/Cart.java", """package shop;

import java.util.*;

public class Cart {
  private final List<Integer> cents = new ArrayList<>();
  public Cart add(int price) { cents.add(price); return this; }
  public int total() { return Price.total(cents); }
  public String receipt() { return "total " + Price.text(total()); }
}
""")
    write("src/test/java/shop/CartTest.java", """package shop;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;

class CartTest {
  @Test void empty() { assertEquals(0, new Cart().total()); }
  @Test void two() { assertEquals(3, new Cart().add(1).add(2).total()); }
  @Test void receipt() { assertEquals("total 1.50", new Cart().add(150).receipt()); }
  @Test void negative() { assertEquals(-1, new Cart().add(-1).total()); }
}
""")
    write("src/test/java/shop/PriceTest.java", """package shop;

import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;

class PriceTest {
  @Test void text() { assertEquals("0.05", Price.text(5)); }
  @Test void discount() { assertEquals(90, Price.discount(100, 10)); }
  // The report shows durations: one has to be longer than the others.
  @Test void discountOfNothing() throws Exception { Thread.sleep(30); assertEquals(0, Price.discount(0, 10)); }
}
""")
    run("sh", "-c", "rm -rf target && javac -g -proc:none -nowarn -d target/classes src/main/java/shop/*.java && javac -g -proc:none -nowarn "
        f"-cp target/classes:{CONSOLE} -d target/test-classes src/test/java/shop/*.java")


CONTRAST = """
const bad = [];
const parts = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
const over = (top, under) => top.length > 3 && top[3] < 1 ? [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])) : top;
const behind = (node) => {
  const stack = [];
  for (let at = node; at; at = at.parentElement) {
    const color = parts(getComputedStyle(at).backgroundColor);
    if (getComputedStyle(at).backgroundColor.startsWith('color(')) for (let i = 0; i < 3; i++) color[i] *= 255;
    stack.push(color);
    if (color.length === 3 || color[3] === 1) break;
  }
  return stack.reverse().reduce((under, top) => over(top, under), parts(getComputedStyle(document.body).backgroundColor));
};
for (const node of document.querySelectorAll('body *')) {
  if (!node.offsetParent || ![...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())) continue;
  if (['SCRIPT', 'STYLE', 'OPTION'].includes(node.tagName)) continue;
  const a = light(parts(getComputedStyle(node).color)), b = light(behind(node));
  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < 4.5) bad.push(node.tagName + '.' + node.className + ' ' + ratio.toFixed(2) + ' ' + node.textContent.slice(0, 40));
}
return bad;
"""
NAMES = """
const bad = [];
for (const node of document.querySelectorAll('button, input, select, canvas, [role=listbox], [role=img], dialog')) {
  if (!(node.getAttribute('aria-label') || node.textContent.trim())) bad.push(node.outerHTML.slice(0, 80));
}
for (const tab of document.querySelectorAll('[role=tab]')) {
  const panel = document.getElementById(tab.getAttribute('aria-controls'));
  if (tab.getAttribute('aria-selected') === 'true' && (!panel || panel.getAttribute('role') !== 'tabpanel' || panel.hidden)) bad.push(tab.textContent);
}
if (document.querySelectorAll('main').length !== 1 || !document.documentElement.lang || document.querySelectorAll('h1').length !== 1) bad.push('main, lang, h1');
return bad;
"""
TEXT = "return document.querySelector('[role=tabpanel]:not([hidden])').innerText"


class Plain(html.parser.HTMLParser):
    """What a server leaves that forbids every script."""

    def __init__(self):
        super().__init__()
        self.text, self.skips, self.handlers = [], 0, []

    def handle_starttag(self, tag, attributes):
        self.skips += tag in ("script", "style")
        self.handlers += [name for name, _ in attributes if name.startswith("on") or name in ("src", "href", "style")]

    def handle_endtag(self, tag):
        self.skips -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.skips:
            self.text.append(data)


def looked_at(browser, page, name):
    """Everything that holds for each page and each of its views."""
    browser.emulate("light")
    browser.open(page)
    check(f"{name}: no error", not browser.log(), browser.log())
    check(f"{name}: loads nothing", browser.run("return performance.getEntriesByType('resource').length") == 0)
    titles = browser.run("return [...document.querySelectorAll('[role=tab]')].map((tab) => tab.textContent)")
    for scheme in ("light", "dark"):
        browser.emulate(scheme)
        for at, title in enumerate(titles):
            browser.run("document.activeElement.blur()")
            browser.key(str(at + 1))
            check(f"{name}: {title}: chosen by key", browser.run("return document.querySelector('[aria-selected=true][role=tab]').textContent") == title)
            if pictures:
                browser.picture(f"{pictures}/{name}-{title}-{scheme}.png".lower())
            bad = browser.run(CONTRAST)
            check(f"{name}: {title}: {scheme}: contrast", not bad, bad)
            if scheme == "light":
                bad = browser.run(NAMES)
                check(f"{name}: {title}: names and roles", not bad, bad)
    check(f"{name}: still no error", not browser.log(), browser.log())
    plain = Plain()
    plain.feed(pathlib.Path(page).read_text())
    check(f"{name}: read without its script", f"rejig {name.split('-')[0]}" in " ".join(plain.text), plain.text[:20])
    check(f"{name}: no handlers, no links out", not plain.handlers, plain.handlers)
    return titles


def of_a_run(browser):
    tests = ["java", "-jar", CONSOLE, "-cp", "target/classes:target/test-classes", "--scan-classpath", "target/test-classes", "--disable-banner", "--details", "none"]
    program(1)
    run("cp", "-r", "target", "old")
    run(REJIG, "run", "--report", "first.html", "--", *tests)
    program(2)
    summary = dict(env, GITHUB_STEP_SUMMARY=os.path.abspath("summary.md"))
    pathlib.Path("summary.md").write_text("# of another step\n")
    run(REJIG, "select", "--report", "select.html", "--source-root", "src/main/java")
    run(REJIG, "run", "--report", "run.html", "--junit-xml", "skipped.xml", "--source-root", "src/main/java", "--", *tests, env=summary, code=1)
    text = pathlib.Path("summary.md").read_text()
    check("summary: appended", text.startswith("# of another step\n### rejig run\n") and "4 of 7 tests ran" in text and "1 did not pass" in text, text)
    skipped = xml.etree.ElementTree.parse("skipped.xml").getroot()
    check("JUnit XML: who was left out, and why", sorted(case.get("name") for case in skipped.iter("testcase")) == ["discount()", "discountOfNothing()", "text()"] and
          all(case.find("skipped").get("message") for case in skipped.iter("testcase")))

    browser.open("first.html")
    check("the first run says why everything ran", "no baseline yet" in browser.run("return document.querySelector('.answer').innerText"))
    titles = looked_at(browser, "run.html", "run")
    check("run: its views", titles == ["Summary", "Map", "Causes", "Tests", "Timeline"], titles)
    browser.emulate("light")
    browser.open("run.html")
    chips = browser.run("return [...document.querySelectorAll('.chip')].map((chip) => [chip.innerText, chip.className, getComputedStyle(chip).color])")
    green = browser.run("const one = document.createElement('i'); one.className = 't-good'; document.body.append(one); return getComputedStyle(one).color")
    left_out = [chip for chip in chips if "not selected" in chip[0]]
    check("run: what is skipped is not green", len(left_out) == 1 and left_out[0][2] != green and "3" in left_out[0][0], chips)
    check("run: what did not pass is said", any("1 ran and did not pass" in chip[0] for chip in chips), chips)
    check("run: changed and executed by no test", "shop.Price.refund(int)" in browser.run(TEXT), browser.run(TEXT))
    check("run: what selects most", "Price.total(List)" in browser.run(TEXT))

    body = pathlib.Path("run.html").read_text().split('id="data">', 1)[1].split("</script>", 1)[0]
    total = next(edge["id"] for edge in json.loads(body)["answer"]["edges"] if edge["name"] == "Price.total(List)")
    browser.open("run.html", f"#view=causes&edge={total}")
    shown = browser.run("return document.getElementById('cause').innerText")
    check("run: a permanent link to an edge", "Price.total(List)" in shown and "selects 4 tests" in shown, shown)
    check("run: both listings", "IllegalArgumentException" in browser.run("return [...document.querySelectorAll('.sides .gained')].map((one) => one.textContent).join('\\n')"))
    check("run: with source lines", 'if (each < 0)' in browser.run("return [...document.querySelectorAll('.sides .source')].map((one) => one.textContent).join('\\n')"))
    browser.open("run.html", "#view=tests&test=shop.PriceTest%23discount()")
    shown = browser.run("return document.getElementById('test').innerText")
    check("run: why a test is left out", "What the proof rests on" in shown and "A15" in shown and "lacks an atom of each of the" in shown, shown)
    browser.open("run.html", "#view=tests&test=shop.CartTest%23two()")
    shown = browser.run("return document.getElementById('test').innerText")
    check("run: why a test is selected", "its row has m:shop.Price.total(Ljava/util/List;)I" in shown and total in shown, shown)

    browser.open("run.html", "#view=tests")
    browser.key("/")
    check("run: the key of the search", browser.run("return document.activeElement.id") == "search")
    browser.key(*"price")
    ends = time.monotonic() + 20
    while "q=price" not in browser.run("return location.hash") and time.monotonic() < ends:
        pass
    shown = browser.run("return [...document.querySelectorAll('#view-tests .row')].map((row) => row.innerText)")
    check("run: search", len(shown) == 3 and all("PriceTest" in row for row in shown), shown)
    browser.key("\ue00c")
    browser.key("j", "j")
    check("run: j goes down", browser.run("return document.querySelector('#view-tests [aria-selected=true]').getAttribute('aria-posinset')") == "2")
    check("run: and the address says so", "test=" in browser.run("return location.hash"), browser.run("return location.hash"))
    before = browser.run("return getComputedStyle(document.body).backgroundColor")
    browser.key("d")
    check("run: d changes light and dark", browser.run("return getComputedStyle(document.body).backgroundColor") != before)
    browser.key("?")
    check("run: ? shows the keys", browser.run("return document.querySelector('dialog').open"))
    return "run.html"


def of_the_others(browser):
    looked_at(browser, "select.html", "select")
    run("sh", "-c", f"{REJIG} diff old/classes target/classes --format html --source-root src/main/java -o diff.html", code=1)
    titles = looked_at(browser, "diff.html", "diff")
    check("diff: its views", titles == ["Summary", "Map", "Causes"], titles)
    browser.open("diff.html")
    check("diff: nobody is blamed for tests that nobody asked about", "no test" not in browser.run("return document.body.innerText"))
    write("app/Use.java", "package app; public class Use { public static int use() { return shop.Price.total(java.util.List.of(1)); } }")
    run("javac", "-d", "app/classes", "-cp", "old/classes", "app/Use.java")
    run(REJIG, "upgrade", "app/classes", "old/classes", "target/classes", "--format", "html", "-o", "upgrade.html", code=1)
    looked_at(browser, "upgrade.html", "upgrade")
    write("results/TEST-all.xml", '<testsuite name="shop.CartTest"><testcase classname="shop.PriceTest" name="text()"/>'
          '<testcase classname="shop.PriceTest" name="discount()"><failure/></testcase></testsuite>')
    run(REJIG, "audit", "old/classes:old/test-classes", "target/classes:target/test-classes", "--results", "results", "--format", "html", "-o", "audit.html", code=None)
    looked_at(browser, "audit.html", "audit")


def large(browser, page):
    """A hundred thousand edges and tests, by the form that a page has."""
    text = pathlib.Path(page).read_text()
    head, rest = text.split('<script type="application/json" id="data">', 1)
    body, tail = rest.split("</script>", 1)
    data = json.loads(body)
    edge = data["answer"]["edges"][0]
    data["answer"]["edges"] = [dict(edge, id=f"E{i + 1}", entity=f"a.b.C{i // 3}.m(I)V", name=f"C{i // 3}.m(int)") for i in range(100_000)]
    data["answer"]["selected"] = [["default", f"a.b.C{i}Test#one()", [], [[i * 5 % 100_000, 0]]] for i in range(20_000)]
    data["answer"]["unaffected"] = {"default": [f"a.b.D{i}Test#one()" for i in range(80_000)]}
    data["suites"] = []
    data["ran"] = []
    pathlib.Path("large.html").write_text(head + '<script type="application/json" id="data">' + json.dumps(data).replace("<", "\\u003c") + "</script>" + tail)
    took = min(browser.open("large.html", hash_text) for hash_text in ("", "#view=causes", "#view=tests", "#view=causes"))
    print(f"100,000 edges and tests: {took:.2f} s")
    check("100,000 edges open in two seconds", took <= 2.0, took)
    browser.open("large.html", "#view=causes&edge=E99999")
    check("the last of them is found", "C33332.m(int)" in browser.run("return document.getElementById('cause').innerText"))
    rows = browser.run("return document.querySelectorAll('#view-causes .row').length")
    check("only what is seen is there", 0 < rows < 200, rows)


def main():
    own = sum((ROOT / "apps/rejig/report/page" / name).stat().st_size for name in ("report.js", "report.css"))
    check("our own code is small", own <= 300_000, own)
    os.chdir(tempfile.mkdtemp())
    if pictures:
        os.makedirs(pictures, exist_ok=True)
    browser = Browser()
    try:
        page = of_a_run(browser)
        of_the_others(browser)
        large(browser, page)
    finally:
        browser.close()
    print(f"{len(failures)} failed" if failures else "all passed")
    sys.exit(bool(failures))


main()
