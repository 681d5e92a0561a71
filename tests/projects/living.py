#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A store that lives through many small commits selects as well as one that was recorded afresh.
Each step changes sources, compiles, runs `rejig run` on the store of the step before, and states which tests must run and which may.
Whatever runs, the tests that end otherwise than before must be among it: the whole suite is run beside, without rejig.
usage: living.py (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR, ARTIFACTS)"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REJIG = os.environ["REJIG"]
CONSOLE = os.path.join(os.environ["ARTIFACTS"], "junit-platform-console-standalone-1.9.3.jar")
env = {name: value for name, value in os.environ.items()
       if not name.startswith("REJIG_") or name in ("REJIG_AGENT", "REJIG_JUNIT_JAR")}
quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
failures = []

PRODUCT = {
    "Color": "enum Color { RED, GREEN; static int code(Color c) { switch (c) { case RED: return 1; default: return 2; } } }",
    "L": "import java.util.function.*; class L { static IntSupplier keep() { return () -> 7; } static IntSupplier other() { return () -> 8; } }",
    "Anon": "class Anon { static Runnable one() { return new Runnable() { public void run() { A.twice(1); } }; }"
            " static Runnable two() { return new Runnable() { public void run() { } }; } }",
    "Outer": "class Outer { private int hidden = 3; static class In { int read(Outer o) { return o.hidden; } } }",
    "A": "class A { static int twice(int x) { return x + x; } static int thrice(int x) { return 3 * x; } }",
}
TESTS = {
    "ColorTest": ["red { assertEquals(1, Color.code(Color.RED)); }", "two { assertEquals(2, Color.values().length); }"],
    "LTest": ["keep { assertEquals(7, L.keep().getAsInt()); }", "other { assertEquals(8, L.other().getAsInt()); }"],
    "AnonTest": ["one { Anon.one().run(); }", "both { Anon.one().run(); Anon.two().run(); }"],
    "OuterTest": ["hidden { assertEquals(3, new Outer.In().read(new Outer())); }"],
    "ATest": ["twice { assertEquals(4, A.twice(2)); }", "thrice { assertEquals(6, A.thrice(2)); }"],
}


class Project:
    def __init__(self, release=8):
        self.product = dict(PRODUCT)
        self.tests = {name: list(body) for name, body in TESTS.items()}
        self.extra = {}
        self.resources = {}
        self.release = release

    def change(self, name, old, new):
        text = self.product[name]
        assert old in text, (name, old)
        self.product[name] = text.replace(old, new, 1)

    def build(self):
        for folder in ("src", "main"):
            shutil.rmtree(folder, ignore_errors=True)
        pathlib.Path("src/p").mkdir(parents=True)
        for name, text in self.product.items():
            pathlib.Path(f"src/p/{name}.java").write_text("package p; " + text)
        for name, bodies in self.tests.items():
            methods = " ".join('@Test void {0}() {{ System.out.println("RAN:{1}.{0}"); {2}'.format(
                body.split(" ", 1)[0], name, body.split("{", 1)[1]) for body in bodies)
            pathlib.Path(f"src/p/{name}.java").write_text(
                f"package p; import org.junit.jupiter.api.*; import static org.junit.jupiter.api.Assertions.*; class {name} {{ {methods} }}")
        for name, text in self.extra.items():
            pathlib.Path(f"src/p/{name}.java").write_text("package p; " + text)
        subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-Xlint:-options", "-proc:none", "--release", str(self.release),
                        "-cp", CONSOLE, "-d", "main", *map(str, sorted(pathlib.Path("src/p").glob("*.java")))], check=True)
        for name, text in self.resources.items():
            pathlib.Path("main", name).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path("main", name).write_text(text)


COMMAND = ["java", *quick, "-cp", f"main:{CONSOLE}", "org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--scan-classpath", "main"]


def ran(text):
    return set(re.findall(r"RAN:(\S+)", text))


def failed(text):
    return set(re.findall(r"(\w+) \(\)? ?\[X\]", text)) | set(re.findall(r"─ (\w+)\(\) \[X\]", text))


def step(project, name, must, may=(), pending=0):
    """must: tests that have to run; may: tests that may, too; pending: at most so many rows wait for another run."""
    project.build()
    plain = subprocess.run(COMMAND, env=env, text=True, capture_output=True, timeout=300)
    done = subprocess.run([REJIG, "run", "--", *COMMAND], env=env, text=True, capture_output=True, timeout=300)
    got = ran(done.stdout)
    waits = re.search(r"(\d+) pending", done.stderr)
    waiting = int(waits.group(1)) if waits else 0
    wanted = set(must)
    otherwise = failed(plain.stdout) - {one.split(".")[1] for one in got}
    if wanted - got or got - wanted - set(may) or waiting > pending or otherwise:
        failures.append(name)
        print(f"FAILED {name}: ran {sorted(got)}, wanted {sorted(wanted)} (may {sorted(may)}); {waiting} pending; not run but failing: {sorted(otherwise)}")
        print(done.stderr)
    else:
        print("ok", name, sorted(got))


def all_tests(project):
    return {f"{name}.{body.split(' ', 1)[0]}" for name, bodies in project.tests.items() for body in bodies}


def rows(test):
    text = subprocess.run([REJIG, "coverage", "show", f"p.{test}()"], env=env, text=True, capture_output=True).stdout
    return set(text.split())


def numbers(project):
    """Lambdas, accessors, anonymous classes and enums whose classes change beside them."""
    step(project, "the first run", all_tests(project))
    project.change("Color", "enum Color", "\n/** A line more. */\nenum Color")
    project.change("L", "class L", "\n// A line more.\nclass L")
    project.change("Anon", "class Anon", "\n\nclass Anon")
    project.change("Outer", "class Outer", "\n\nclass Outer")
    project.change("A", "x + x", "2 * x")
    step(project, "comments beside a changed body", {"ATest.twice", "AnonTest.one", "AnonTest.both"})
    step(project, "nothing changed", set())
    project.change("L", "return () -> 8", "int n = 8; return () -> n")
    step(project, "a lambda beside another", {"LTest.other"}, {"LTest.keep"})
    step(project, "nothing changed after it", set())
    project.change("L", "static IntSupplier keep()", "static IntSupplier first() { return () -> 1; } static IntSupplier keep()")
    project.change("A", "2 * x", "x * 2")
    # keep() has a lambda of another number: whoever ran it may wait, but need not.
    step(project, "a lambda in front of the others", {"ATest.twice", "AnonTest.one", "AnonTest.both"}, {"LTest.keep", "LTest.other"}, 2)
    step(project, "nothing changed after the numbers moved", set(), {"LTest.keep", "LTest.other"})
    project.change("L", "() -> 7", "() -> 70")
    step(project, "the lambda that moved changes", {"LTest.keep"}, {"LTest.other"})
    project.change("L", "() -> 70", "() -> 7")
    step(project, "and back", {"LTest.keep"}, {"LTest.other"})
    project.change("Anon", "static Runnable two()", "static Runnable zero() { return new Runnable() { public void run() { A.thrice(1); } }; } static Runnable two()")
    step(project, "an anonymous class between two", set(), {"AnonTest.both", "AnonTest.one"}, 2)
    project.change("Anon", "public void run() { } };", "public void run() { throw new IllegalStateException(); } };")
    step(project, "the one that moved changes", {"AnonTest.both"}, {"AnonTest.one"})


def discovery(project):
    """Rows of a partial run are those of a full run."""
    step(project, "the first run", all_tests(project))
    full = rows("ATest#twice")
    project.change("A", "x + x", "2 * x")
    step(project, "one body", {"ATest.twice", "AnonTest.one", "AnonTest.both"})
    partial = rows("ATest#twice")
    others = {atom for atom in partial - full if atom.startswith("refl:")}
    if others:
        failures.append("reflection of others")
        print("FAILED the row of a partial run has", sorted(others))
    project.tests["LTest"].append("added { }")
    step(project, "a test more in another class", {"LTest.added"})
    project.tests["OuterTest"] = ["hidden { assertEquals(3, new Outer.In().read(new Outer())); assertTrue(true); }"]
    step(project, "another body of a test", {"OuterTest.hidden"})
    project.change("A", "2 * x", "x * 2")
    step(project, "one body again", {"ATest.twice", "AnonTest.one", "AnonTest.both"})
    project.tests["ColorTest"].append("third { }")
    step(project, "a test more after it", {"ColorTest.third"})


def verified(name, wanted):
    done = subprocess.run([REJIG, "verify", "--reports", "reports"], env=env, text=True, capture_output=True, timeout=300)
    if done.returncode != wanted:
        failures.append(name)
        print(f"FAILED {name}: rejig verify: {done.returncode}, wanted {wanted}\n{done.stdout}{done.stderr}")
    else:
        print("ok", name)


def deleted(project):
    """Tests that go, and runs that have nothing to run."""
    global COMMAND
    usual = COMMAND
    os.mkdir("reports")
    COMMAND = [*usual, "--reports-dir", "reports"]
    step(project, "the first run", all_tests(project))
    step(project, "nothing changed", set())
    shutil.rmtree("reports")
    os.mkdir("reports")
    verified("nothing was selected and there is no report", 0)
    project.change("A", "3 * x", "x * 3")
    project.tests["ATest"].pop()
    step(project, "a test goes with a change of what it ran", set())
    verified("nobody misses it", 0)
    project.change("A", "x + x", "2 * x")
    step(project, "the next change", {"ATest.twice", "AnonTest.one", "AnonTest.both"})
    verified("nor later", 0)
    del project.tests["LTest"]
    project.change("Color", "return 2", "return c.ordinal() + 1")
    step(project, "a class goes", {"ColorTest.red"}, {"ColorTest.two"})
    verified("nobody misses the class", 0)
    known = subprocess.run([REJIG, "coverage", "export", "--format", "ndjson"], env=env, text=True, capture_output=True).stdout
    for test in ("ATest#thrice", "LTest#keep"):
        if test in known:
            failures.append(test)
            print("FAILED the store still knows", test)
    COMMAND = usual


def mended(project):
    """A JUnit 4 class that failed as a whole once."""
    bad = 'public class V4Test { @org.junit.Test %s void m() { System.out.println("RAN:V4Test.m"); } }'
    project.extra["V4Test"] = bad % ""
    step(project, "its test is not public", all_tests(project))
    project.extra["V4Test"] = bad % "public"
    step(project, "it is mended", {"V4Test.m"})
    step(project, "nothing changed", set())


def constructed(project):
    """JUnit 3 makes the objects of all test classes before the first test runs."""
    one = ('public class OneTest extends junit.framework.TestCase { static final int SIZE = "a".length(); int n = A.twice(2);'
           ' public void testX() { System.out.println("RAN:OneTest.testX"); assertEquals(4, n); } }')
    project.extra["OneTest"] = one
    project.extra["TwoTest"] = ('public class TwoTest extends junit.framework.TestCase {'
                                ' public void testY() { System.out.println("RAN:TwoTest.testY"); } }')
    step(project, "the first run", all_tests(project) | {"OneTest.testX", "TwoTest.testY"})
    project.extra["OneTest"] = one = one.replace("twice(2)", "twice(1 + SIZE)")
    step(project, "a constructor", {"OneTest.testX"})
    project.extra["OneTest"] = one = one.replace('"a".length', '"b".length')
    step(project, "an initializer", {"OneTest.testX"})
    project.extra["TwoTest"] = project.extra["TwoTest"].replace("testY", "testZ")
    step(project, "a test of another name", {"TwoTest.testZ"})


def handed_over(project):
    """What a constructor leaves is everybody's, and so is what it could leave with other values."""
    project.product["Registry"] = 'class Registry { static String name = "a"; static void set(String to) { name = to; } }'
    one = ('public class OneTest extends junit.framework.TestCase { { Registry.set("a"); }'
           ' public void testX() { System.out.println("RAN:OneTest.testX"); } }')
    project.extra["OneTest"] = one
    project.extra["TwoTest"] = ('public class TwoTest extends junit.framework.TestCase { public void testY() {'
                                ' System.out.println("RAN:TwoTest.testY"); assertEquals("a", Registry.name); } }')
    every = all_tests(project) | {"OneTest.testX", "TwoTest.testY"}
    step(project, "the first run", every)
    project.extra["OneTest"] = one.replace('"a"', '"b"')
    step(project, "a constructor leaves another value", {"OneTest.testX", "TwoTest.testY"}, every)


def chosen(project):
    """Properties by which a build is told which tests to run: who does not ask runs no more for them."""
    global COMMAND
    usual = COMMAND

    def started_with(*options):
        global COMMAND
        COMMAND = ["java", *quick, *options, *usual[len(quick) + 1:]]

    project.tests["ChoiceTest"] = ["asks { System.getProperty(\"test\"); }", "all { System.getProperties().size(); }", "other { }"]
    step(project, "the first run", all_tests(project))
    asking = {"ChoiceTest.asks", "ChoiceTest.all"}
    started_with("-Dtest=X", "-Dmaven.javadoc.skip=true")
    step(project, "a choice of tests", asking)
    step(project, "the same again", set())
    started_with("-DskipITs")
    step(project, "another one", asking)
    started_with("-DskipITs", "-Dcheckstyle.skip")
    step(project, "one that only who asks for all can see", {"ChoiceTest.all"})
    COMMAND = usual
    project.change("A", "x + x", "2 * x")
    step(project, "none, and a body", {"ATest.twice", "AnonTest.one", "AnonTest.both", "ChoiceTest.all"})
    step(project, "nothing changed", set())


def chosen_for_all(project):
    """A listener of the session asks how the build was told to choose, and tests find what it wrote down."""
    global COMMAND
    usual = COMMAND
    project.extra["Mode"] = "class Mode { static final boolean QUICK = System.getProperty(\"slow.skip\") != null; static boolean brief; }"
    project.extra["Opened"] = ("public class Opened implements org.junit.platform.launcher.LauncherSessionListener { public void launcherSessionOpened("
                               "org.junit.platform.launcher.LauncherSession s) { Mode.brief = Mode.QUICK || System.getProperty(\"its.skip\") != null; } }")
    project.resources["META-INF/services/org.junit.platform.launcher.LauncherSessionListener"] = "p.Opened"
    project.tests["ModeTest"] = ["quick { assertFalse(Mode.QUICK); }", "brief { assertFalse(Mode.brief); }"]
    step(project, "the first run", all_tests(project))
    step(project, "nothing changed", set())
    asking = {"ModeTest.quick", "ModeTest.brief"}
    for option in ("-Dslow.skip", "-Dits.skip"):
        COMMAND = ["java", *quick, option, *usual[len(quick) + 1:]]
        step(project, f"what an initializer or the listener asked for: {option}", asking if option == "-Dslow.skip" else {"ModeTest.brief"},
             all_tests(project))
        COMMAND = usual
        step(project, "without it", {"ModeTest.brief"}, all_tests(project))


def jar(name, sources, files=()):
    """NAME.jar beside the project: classes of one package, and other files."""
    lib = pathlib.Path(os.getcwd() + "-lib")
    lib.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for source, text in sources.items():
            paths.append(pathlib.Path(folder, "src", source + ".java"))
            paths[-1].parent.mkdir(parents=True, exist_ok=True)
            paths[-1].write_text(f"package {os.path.dirname(source).replace('/', '.')}; {text}")
        out = pathlib.Path(folder, "out")
        out.mkdir()
        if paths:
            subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-Xlint:-options", "--release", "17", "-cp",
                            ":".join([CONSOLE, *map(str, lib.glob("*.jar"))]), "-d", out, *paths], check=True)
        for file, text in dict(files).items():
            pathlib.Path(out, file).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(out, file).write_text(text)
        manifest = pathlib.Path(folder, "manifest")
        manifest.write_text(dict(files).get("manifest", f"Implementation-Version: {name}\n"))
        subprocess.run(["jar", "cfm", lib / f"{name}.jar", manifest, "-C", out, "."], check=True)


def upgraded(project):
    """Other versions of libraries run who uses what differs, and whoever may come to it."""
    global COMMAND, CONSOLE
    usual, console = COMMAND, CONSOLE
    lib = os.getcwd() + "-lib"
    A = "public class A { public static int one() { return 1; } public static int two() { return 2; } }"
    B = ("public class B { public static int b() { return 1; } public static String file() throws Exception {"
         " return new String(B.class.getResourceAsStream(\"b.txt\").readAllBytes()); } }")
    C = "public class C { public static int c() { return a.A.one() + 1; } public static int other() { return 3; } }"
    SPI = "public interface Spi { int give(); static Spi get() { return java.util.ServiceLoader.load(Spi.class).findFirst().get(); } }"
    CACHE = "public class Cache { static Spi spi; public static Spi spi() { if (spi == null) spi = Spi.get(); return spi; } }"
    jar("a-1", {"a/A": A, "a/Unused": "public class Unused { }"})
    jar("b-1", {"b/B": B}, {"b/b.txt": "one"})
    jar("c-1", {"c/C": C})
    jar("s-1", {"s/Spi": SPI, "s/Cache": CACHE})
    jar("i-1", {"i/Impl": "public class Impl implements s.Spi { public int give() { return Deep.deep(); } }",
                "i/Deep": "class Deep { static int deep() { return 1; } }"}, {"META-INF/services/s.Spi": "i.Impl\n"})
    project.tests["UsesTest"] = [
        "a { assertEquals(1, a.A.one()); }", "b { assertEquals(1, b.B.b()); }", "file { try { assertEquals(\"one\", b.B.file()); } catch (Exception e) { throw new Error(e); } }",
        "c { assertEquals(2, c.C.c()); }", "other { assertEquals(3, c.C.other()); }", "spi { assertEquals(1, s.Cache.spi().give()); }",
        "again { assertEquals(1, s.Cache.spi().give()); }", "path { assertTrue(System.getProperty(\"java.class.path\").length() > 0); }", "none { }"]
    jars = ["a-1", "b-1", "c-1", "s-1", "i-1"]

    def now(*names):
        global COMMAND, CONSOLE
        CONSOLE = ":".join([f"{lib}/{name}.jar" for name in names] + [console])
        COMMAND = ["java", *quick, "-cp", f"main:{CONSOLE}", *usual[len(quick) + 3:]]

    def uses(*names):
        return {"UsesTest." + name for name in names}

    now(*jars)
    step(project, "the first run", all_tests(project))
    step(project, "nothing changed", set())
    jar("a-2", {"a/A": A.replace("return 1", "return 7"), "a/Unused": "public class Unused { }"})
    now("a-2", *jars[1:])
    step(project, "a body of a library", uses("a", "c", "path"), uses("other"))
    step(project, "and nothing more", {"UsesTest.a", "UsesTest.c"})  # they fail
    jar("a-3", {"a/A": A, "a/Unused": "public class Unused { int x; }"})
    now("a-3", *jars[1:])
    step(project, "it is right again", uses("a", "c", "path"), uses("other"))
    jar("b-2", {"b/B": B}, {"b/b.txt": "two"})
    now("a-3", "b-2", *jars[2:])
    # What a class of a library opened first counts for all who use that class.
    step(project, "a file of a library", uses("file", "path"), uses("b"))
    jar("b-3", {"b/B": B}, {"b/b.txt": "one"})
    now("a-3", "b-3", *jars[2:])
    step(project, "and back", uses("file", "path"), uses("b"))
    jar("i-2", {"i/Impl": "public class Impl implements s.Spi { public int give() { return Deep.deep(); } }",
                "i/Deep": "class Deep { static int deep() { return 5; } }"}, {"META-INF/services/s.Spi": "i.Impl\n"})
    now("a-3", "b-3", "c-1", "s-1", "i-2")
    step(project, "behind a service that a library keeps", uses("spi", "again", "path"))
    now("a-3", "b-3", "c-1", "s-1", "i-1")
    step(project, "and back again", uses("spi", "again", "path"))
    pathlib.Path(lib, "a-3.jar").unlink()
    jar("a-4", {"a/A": A})
    now("a-4", "b-3", "c-1", "s-1", "i-1")
    step(project, "the one before is gone", all_tests(project))
    jar("a-5", {"a/A": A, "a/Handlers": "public class Handlers extends java.nio.charset.spi.CharsetProvider { public java.util.Iterator<java.nio.charset.Charset>"
                " charsets() { return java.util.Collections.emptyIterator(); } public java.nio.charset.Charset charsetForName(String n) { return null; } }"},
        {"META-INF/services/java.nio.charset.spi.CharsetProvider": "a.Handlers\n"})
    now("a-5", "b-3", "c-1", "s-1", "i-1")
    step(project, "it serves the JDK now", all_tests(project))
    jar("a-6", {"a/A": A, "a/Listener": "public class Listener implements org.junit.platform.launcher.TestExecutionListener { }"},
        {"META-INF/services/org.junit.platform.launcher.TestExecutionListener": "a.Listener\n"})
    now("a-6", "b-3", "c-1", "s-1", "i-1")
    step(project, "it serves the test framework now", all_tests(project))
    COMMAND, CONSOLE = usual, console
    shutil.rmtree(lib)


def disabled(project):
    """Who is disabled is no test that ran, and runs as soon as nothing disables it."""
    project.tests["OffTest"] = ["on { }", "off { }", "perhaps { Assumptions.assumeTrue(A.twice(1) == 3); }", "asked { }"]
    marks = {"off": "@Disabled", "asked": "@org.junit.jupiter.api.extension.ExtendWith(Only.class)"}
    project.extra["Only"] = ("public class Only implements org.junit.jupiter.api.extension.ExecutionCondition { public org.junit.jupiter.api.extension.ConditionEvaluationResult"
                             " evaluateExecutionCondition(org.junit.jupiter.api.extension.ExtensionContext c) { return A.thrice(1) == 3 ? org.junit.jupiter.api.extension."
                             "ConditionEvaluationResult.disabled(\"\") : org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled(\"\"); } }")

    def mark():
        project.tests["OffTest"] = [body.replace("{", "{ System.out.println(\"RAN:OffTest." + body.split(" ")[0] + "\");", 1) for body in project.tests["OffTest"]]
        methods = " ".join(marks.get(body.split(" ")[0], "") + " @Test void " + body.split(" ")[0] + "() {" + body.split("{", 1)[1] for body in project.tests["OffTest"])
        project.extra["OffTest"] = ("import org.junit.jupiter.api.*; class OffTest { " + methods + " }")

    mark()
    off = project.tests.pop("OffTest")
    told = []

    def summary(name, wanted):
        project.build()
        done = subprocess.run([REJIG, "run", "--", *COMMAND], env=env, text=True, capture_output=True, timeout=300)
        line = re.findall("rejig: (.* tests run.*)", done.stderr)
        told.append(ran(done.stdout))
        if wanted not in line:
            failures.append(name)
            print(f"FAILED {name}: {line}, wanted {wanted}")
        else:
            print("ok", name, line)

    summary("the first run", "11 of 11 tests run, 0 unaffected (rejig explain); 2 disabled; 1 row is partial")
    summary("nothing changed", "1 of 11 tests run, 10 unaffected (rejig explain); 2 disabled; 1 row is partial")
    project.change("A", "3 * x", "x * 4")
    summary("what disabled it is another thing now", "4 of 12 tests run, 8 unaffected (rejig explain); 1 disabled; 1 row is partial; 1 failed")
    marks.pop("off")
    project.tests["OffTest"] = off
    mark()
    project.tests.pop("OffTest")
    summary("nothing disables it now", "5 of 13 tests run, 8 unaffected (rejig explain); 1 row is partial; 1 failed")
    if "OffTest.asked" not in told[2] or "OffTest.off" not in told[3]:
        failures.append("disabled")
        print("FAILED disabled tests did not run when they could", told)


def elsewhere(project):
    """A store of another checkout, of other options and of a library that lies elsewhere."""
    global COMMAND
    usual = COMMAND
    lent = pathlib.Path("lib/extra.jar")
    lent.parent.mkdir()
    shutil.copy(CONSOLE, lent)

    def started_with(*options):
        global COMMAND
        COMMAND = ["java", *quick, *options, *usual[len(quick) + 1:]]

    here = os.getcwd()
    started_with(f"-Dbasedir={here}", f"-Dbuild.folder={here}/main", f"-Dsibling={here}2/x")
    step(project, "the first run", all_tests(project))
    there = here + "-elsewhere"
    shutil.copytree(here, there)
    os.chdir(there)
    project.change("A", "x + x", "2 * x")
    started_with(f"-Dbasedir={there}", f"-Dbuild.folder={there}/main", f"-Dsibling={here}2/x")
    step(project, "another checkout", {"ATest.twice", "AnonTest.one", "AnonTest.both"})
    started_with(f"-Dbasedir={there}", f"-Dbuild.folder={there}/main", f"-Dsibling={there}2/x", "-Dmore=1")
    project.build()
    done = subprocess.run([REJIG, "run", "--", *COMMAND], env=env, text=True, capture_output=True, timeout=300)
    for wanted in ("property more", "property sibling"):
        if wanted not in done.stderr or ran(done.stdout) != all_tests(project):
            failures.append("differences")
            print(f"FAILED every difference is named: {wanted} is not in", done.stderr)
    COMMAND = usual
    os.chdir(here)
    shutil.rmtree(there)


for scenario, releases in ((numbers, (8, 17)), (discovery, (17,)), (chosen, (17,)), (chosen_for_all, (17,)), (upgraded, (17,)), (disabled, (17,)), (elsewhere, (17,)), (deleted, (17,)), (mended, (17,)),
                           (constructed, (17,)), (handed_over, (17,))):
    for release in releases:
        print(f"-- {scenario.__name__}, release {release}")
        with tempfile.TemporaryDirectory() as work:
            os.chdir(work)
            scenario(Project(release))
            os.chdir("/")
sys.exit(f"{len(failures)} failed: {failures}" if failures else 0)
