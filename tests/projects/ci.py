#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recipes of rejig-ci(7), run as they stand there: a nightly job fills the cache, a pull request in another folder uses
it, on a project of two modules and with Maven itself. usage: ci.py ROOT (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR)"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(sys.argv[1]).resolve()
REJIG = os.environ["REJIG"]
env = {name: value for name, value in os.environ.items()
       if not name.startswith("REJIG_") or name in ("REJIG_AGENT", "REJIG_JUNIT_JAR")}
failures = []

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rejig.tests</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
  <modules><module>core</module><module>app</module></modules>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies><dependency>
    <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.9.3</version><scope>test</scope>
  </dependency></dependencies>
  <build><plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
  </plugins></build>
</project>
"""
MODULE = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>rejig.tests</groupId><artifactId>all</artifactId><version>1</version></parent>
  <artifactId>%s</artifactId>
  <dependencies>%s</dependencies>
</project>
"""
USES_CORE = "<dependency><groupId>rejig.tests</groupId><artifactId>core</artifactId><version>1</version></dependency>"
TEST = """package %s;
import org.junit.jupiter.api.*;
class %sTest {
%s}
"""


def check(name, good, seen=""):
    if not good:
        failures.append(name)
    print("ok" if good else "FAILED", name, "" if good else str(seen)[-3000:])


def checkout(folder, two="2"):
    """What a job finds: sources, and nothing that was built."""
    def write(name, text):
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    write("pom.xml", POM)
    write("core/pom.xml", MODULE % ("core", ""))
    write("app/pom.xml", MODULE % ("app", USES_CORE))
    write("core/src/main/java/core/Core.java", "package core; public class Core { public static int one() { return 1; } public static int two() { return %s; } }" % two)
    write("app/src/main/java/app/App.java", "package app; public class App { public static int three() { return core.Core.one() + core.Core.two(); } public static int one() { return core.Core.one(); } }")

    def test(name, expression, value):
        return f'  @Test void {name}() {{ System.out.println("RAN:{name}"); Assertions.assertEquals({value}, {expression}); }}\n'
    write("core/src/test/java/core/CoreTest.java", TEST % ("core", "Core", test("coreOne", "Core.one()", 1) + test("coreTwo", "Core.two()", 2)))
    write("app/src/test/java/app/AppTest.java", TEST % ("app", "App", test("appThree", "App.three()", 3) + test("appOne", "App.one()", 1)))


def recipes():
    """By the name of the system: the lines of its shell, as the page has them."""
    text = (ROOT / "apps/rejig/man/rejig-ci.7").read_text().replace("\\-", "-").replace("\\(dq", '"')
    out = {}
    for title, body in re.findall(r"^\.SH ([A-Z ]+)\n\.nf\n(.*?)\n\.fi", text, re.M | re.S):
        lines = re.findall(r"^\s*- (?:run: )?(rejig .*|mvn .*)$|^\s*sh '(.*)'$|^((?:rejig|mvn) .*)$", body, re.M)
        out[title] = (["".join(one) for one in lines], body)
    return out


def job(folder, lines):
    os.makedirs(os.path.join(folder, "target"), exist_ok=True)
    summary = os.path.join(folder, "summary.md")
    with tempfile.TemporaryDirectory() as programs:
        os.symlink(REJIG, os.path.join(programs, "rejig"))
        variables = dict(env, PATH=programs + os.pathsep + env["PATH"], GITHUB_STEP_SUMMARY=summary)
        done = subprocess.run(["sh", "-ec", "\n".join(lines)], cwd=folder, env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
    return done.returncode, done.stdout, sorted(set(re.findall(r"RAN:(\w+)", done.stdout)))


def main():
    work = tempfile.mkdtemp()
    all_recipes = recipes()
    check("the page has recipes for three systems, and one without a wrapper", set(all_recipes) == {"GITHUB ACTIONS", "GITLAB", "JENKINS", "WITHOUT A WRAPPER AROUND THE BUILD"}, all_recipes)
    for title, (lines, body) in all_recipes.items():
        check(f"{title}: at most ten lines of one's own", len([line for line in body.splitlines() if line.strip()]) <= 12 and lines, body)
    wrapped = {title: lines for title, (lines, _) in all_recipes.items() if title != "WITHOUT A WRAPPER AROUND THE BUILD"}
    check("all three run the same", len({tuple(lines) for lines in wrapped.values()}) == 1, wrapped)
    lines = next(iter(wrapped.values()))

    nightly = os.path.join(work, "nightly")
    checkout(nightly)
    code, text, ran = job(nightly, lines)
    check("nightly, an empty cache: everything runs", code == 0 and ran == ["appOne", "appThree", "coreOne", "coreTwo"], text)
    pull = os.path.join(work, "elsewhere", "pull-request")
    checkout(pull, "1 + 1 + 0 * one()")
    shutil.copytree(os.path.join(nightly, ".rejig"), os.path.join(pull, ".rejig"))
    code, text, ran = job(pull, lines)
    check("pull request in another folder: what the change can affect", code == 0 and ran == ["appThree", "coreTwo"], text)
    page = pathlib.Path(pull, "report.html")
    check("the report is there", page.exists() and "2 of 4 tests ran" in page.read_text())
    cases = list(xml.etree.ElementTree.parse(os.path.join(pull, "target/skipped.xml")).getroot().iter("testcase"))
    check("JUnit XML of who was left out", sorted(case.get("name") for case in cases) == ["appOne()", "coreOne()"], cases)
    check("the summary", "2 of 4 tests ran" in pathlib.Path(pull, "summary.md").read_text())
    broken = os.path.join(work, "broken")
    checkout(broken, "3")
    shutil.copytree(os.path.join(nightly, ".rejig"), os.path.join(broken, ".rejig"))
    code, text, ran = job(broken, lines)
    check("a change that breaks: red", code != 0 and "coreTwo" in ran, text)
    lost = os.path.join(work, "lost")
    checkout(lost, "1 + 1")
    os.makedirs(os.path.join(lost, ".rejig"))
    pathlib.Path(lost, ".rejig/matrix.db").write_text("torn")
    code, text, ran = job(lost, lines)
    check("a cache that is damaged: everything runs, and it is green", code == 0 and ran == ["appOne", "appThree", "coreOne", "coreTwo"], text)

    by_hand = os.path.join(work, "by-hand")
    checkout(by_hand, "1 + 1 + 0 * one()")
    os.makedirs(os.path.join(by_hand, "core/nightly"))
    shutil.copy(os.path.join(nightly, ".rejig/matrix.db"), os.path.join(by_hand, "core/nightly/matrix.db"))
    module = os.path.join(by_hand, "core")
    lines = ["mvn -B -ntp -q -f .. test-compile", *[line.replace("--coverage", "--suite core/target/test-classes --coverage") for line in
             all_recipes["WITHOUT A WRAPPER AROUND THE BUILD"][0]]]
    code, text, ran = job(module, [line.replace("mvn test", "mvn -B -ntp -f .. -pl core surefire:test") for line in lines])
    check("without a wrapper: only the affected test of the module", code == 0 and ran == ["coreTwo"], text)
    print(f"{len(failures)} failed" if failures else "all passed")
    shutil.rmtree(work, ignore_errors=True)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
