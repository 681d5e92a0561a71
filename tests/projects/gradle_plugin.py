#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The plugin for Gradle, by its init script or by the settings of a project: which tests run, and whether a JVM was started; with the
daemon and without; the build cache and a build without it in between. usage: gradle_plugin.py HOW (REJIG, REJIG_AGENT,
REJIG_JUNIT_JAR, ARTIFACTS, REJIG_GRADLE: folder of the plugin). HOW: init or settings."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HOW = sys.argv[1]
REJIG = os.environ["REJIG"]
BUILT = os.environ["REJIG_GRADLE"]
ARTIFACTS = os.environ["ARTIFACTS"]
WORK = pathlib.Path(tempfile.mkdtemp())
PROJECT = WORK / "project"
env = {name: value for name, value in os.environ.items()
       if not name.startswith("REJIG_") or name in ("REJIG_AGENT", "REJIG_JUNIT_JAR")}
env.update(GRADLE_USER_HOME=str(WORK / "home"))
failures = []

FILES = {
    "settings.gradle": "include 'core', 'leaf'\n",
    "build.gradle": """subprojects {
  apply plugin: 'java'
  dependencies { testCompile files('%s/junit-4.13.2.jar', '%s/hamcrest-core-1.3.jar') }
  test { testLogging.showStandardStreams = true; environment 'OWN', 'kept' }
}
""" % (ARTIFACTS, ARTIFACTS),
    "core/src/main/java/core/Core.java": "package core; public class Core { public static int one() { return 1; } public static int two() { return 2; } }",
    "leaf/src/main/java/leaf/Leaf.java": "package leaf; public class Leaf { public static int five() { return 5; } }",
}
TEST = """package %s;
import org.junit.Test;
import static org.junit.Assert.assertEquals;
public class %s {
%s}
"""


def check(name, good, seen=""):
    if not good:
        failures.append(name)
    print("ok" if good else "FAILED", name, "" if good else str(seen)[-6000:], flush=True)


def write(name, text):
    path = PROJECT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test(name, expression, value):
    return f'  @Test public void {name}() {{ System.out.println("RAN:{name}"); assertEquals({value}, {expression}); }}\n'


def change(name, old, new):
    text = (PROJECT / name).read_text()
    assert old in text, (name, old)
    write(name, text.replace(old, new))


def gradle(*words, plugin=True, path=True, **variables):
    command = ["gradle", "--offline", "--console", "plain", *words]
    if plugin and HOW == "init":
        command[1:1] = ["-I", f"{BUILT}/rejig.gradle"]
    more = dict(env, **variables)
    if path:
        more["PATH"] = f"{WORK}/bin{os.pathsep}{env['PATH']}"
    done = subprocess.run(command, cwd=PROJECT, env=more, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    return done.returncode, set(re.findall(r"RAN:(\w+)", done.stdout)), done.stdout.count("Picked up JAVA_TOOL_OPTIONS"), done.stdout


def step(name, wanted, *words, code=0, jvms=None, says="", **more):
    got = gradle(*(words or ("test",)), **more)
    check(name, got[0] == code and got[1] == set(wanted) and (jvms is None or got[2] == jvms) and re.search(says, got[3]),
          f"exit {got[0]} ran {got[1]} in {got[2]} JVMs, wanted {wanted} in {jvms}\n{got[3]}")


for name, text in FILES.items():
    write(name, text)
write("core/src/test/java/core/CoreTest.java", TEST % ("core", "CoreTest", test("one", "Core.one()", 1) + test("two", "Core.two()", 2)))
write("leaf/src/test/java/leaf/LeafTest.java", TEST % ("leaf", "LeafTest", test("leaf", 'Leaf.five() + System.getenv("OWN").length()', 9)))
if HOW == "settings":
    write("settings.gradle", f"buildscript {{ dependencies {{ classpath files('{BUILT}/rejig-gradle.jar') }} }}\napply plugin: rejig.gradle.RejigPlugin\n" + FILES["settings.gradle"])
(WORK / "bin").mkdir()
(WORK / "bin/rejig").symlink_to(REJIG)
CORE = "core/src/main/java/core/Core.java"
ALL = {"one", "two", "leaf"}
try:
    step("first: everything runs and is recorded", ALL, jvms=2, says="no baseline yet")
    step("no change: no JVM", set(), jvms=0, says="0 of 3 tests run")
    change(CORE, "return 1;", "int i = Math.abs(1); return i;")
    step("one body: what is affected", {"one"}, jvms=1, says="no change can affect any of the 1 tests of :leaf:test")
    step("no change, from nothing", set(), "clean", "test", jvms=0)
    change(CORE, "return 2;", "return 3;")
    step("a test fails", {"two"}, "--continue", "test", code=1)
    step("and fails again", {"two"}, "--continue", "test", code=1)
    change(CORE, "return 3;", "return 2;")
    step("repaired", {"two"})
    step("then no JVM", set(), jvms=0)
    write("leaf/src/test/java/leaf/MoreTest.java", TEST % ("leaf", "MoreTest", test("more", "Leaf.five()", 5)))
    step("a new test class", {"more"}, jvms=1)
    ALL.add("more")
    step("then no JVM", set(), jvms=0)
    change(CORE, "return 2;", "int i = Math.abs(2); return i;")
    step("one project only", set(), ":leaf:test", jvms=0)
    step("a choice of tests", {"two"}, ":core:test", "--tests", "*two")
    step("a choice that nobody meets is red, as ever", set(), ":core:test", "--tests", "NoSuch", code=1)
    step("then nothing is left", set(), "test", jvms=0)
    # What left tests out is no answer for a build that wants all of them, nor for anybody's cache.
    change(CORE, "int i = 2;", "int j = 2; int i = j;")
    step("into the cache?", {"two"}, "--build-cache", "test")
    if HOW == "init":
        step("without the plugin everything runs", ALL, "--build-cache", "test", plugin=False)
    else:
        step("without the plugin everything runs", ALL, "--no-daemon", "--build-cache", "test", REJIG_OFF="1")
    change(CORE, "int j = 2;", "long n = 2; int j = (int) n;")
    step("no program: everything runs", {"one", "two"}, "--no-daemon", ":core:test", path=False, says="there is no rejig: .*all tests run, nothing is recorded")
    change(CORE, "long n = 2;", "long m = 2; long n = m;")
    step("a program of another kind", {"one", "two"}, ":core:test", "-Prejig.exe=/bin/true", says="/bin/true: it cannot record here: all tests run")
    change(CORE, "long m = 2;", "long k = 2; long m = k;")
    step("an option that it does not know", {"one", "two"}, ":core:test", "-Prejig.args=--no-such-option", says="all tests run, nothing is recorded")
    change(CORE, "long k = 2;", "long h = 2; long k = h;")
    step("the next good run", {"two"}, ":core:test", "--no-daemon")
    step("without a daemon", set(), "--no-daemon", "test")
    step("then no JVM", set(), "--no-daemon", "test", jvms=0)
finally:
    subprocess.run(["gradle", "--stop"], cwd=PROJECT, env=env, capture_output=True)
print(f"{len(failures)} failed" if failures else "all passed")
shutil.rmtree(WORK, ignore_errors=True)
sys.exit(bool(failures))
