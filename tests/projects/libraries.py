#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Other versions of libraries: whoever ends otherwise with them must run, whatever the way from the test to what differs.
Each program is recorded with OLD libraries and run with NEW ones, with and without rejig; of the tests named `still` none may run.
usage: libraries.py (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR, ARTIFACTS) [NAME...]"""
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
IMPORTS = "import java.util.*; import java.util.function.*; import java.io.*; "
TEST = IMPORTS + "import org.junit.jupiter.api.*; import static org.junit.jupiter.api.Assertions.*; "


class Jar:
    """Sources by class name ("a.A": the rest of the file), files, lines of the manifest."""

    def __init__(self, sources=None, files=None, manifest=""):
        self.sources, self.files, self.manifest = sources or {}, files or {}, manifest

    def write(self, path, class_path):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "out")
            out.mkdir()
            if self.sources:
                java(self.sources, pathlib.Path(folder, "src"), out, class_path, IMPORTS)
            for name, text in self.files.items():
                pathlib.Path(out, name).parent.mkdir(parents=True, exist_ok=True)
                pathlib.Path(out, name).write_text(text)
            manifest = pathlib.Path(folder, "manifest")
            manifest.write_text(self.manifest)
            subprocess.run(["jar", "cfm", path, manifest, "-C", out, "."], check=True)


def java(sources, folder, out, class_path, imports):
    paths = []
    for name, text in sources.items():
        package, _, simple = name.rpartition(".")
        paths.append(pathlib.Path(folder, *package.split("."), simple + ".java"))
        paths[-1].parent.mkdir(parents=True, exist_ok=True)
        paths[-1].write_text(f"package {package}; {imports} {text}")
    subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-Xlint:none", "-proc:none", "--release", "17", "-cp", ":".join(map(str, class_path)),
                    "-d", out, *paths], check=True)


class Program:
    """`sources` are the project's; `body` the members of T; `old` and `new` jars by name, in the order of the class path."""

    def __init__(self, body, old, new, sources=None):
        self.body, self.old, self.new, self.sources = body, old, new, sources or {}


def versions(text, before, after, **others):
    """Class a.A with $1 in it; the other classes stay. Names with __ are names with a dot."""
    rest = {name.replace("__", "."): source for name, source in others.items()}
    return tuple({"l": Jar({"a.A": text.replace("$1", value), **rest})} for value in (before, after))


PROGRAMS = {
    "body": Program("@Test void t() { assertEquals(1, a.A.f()); } @Test void still() { }",
                    *versions("public class A { public static int f() { return $1; } }", "1", "2")),
    "deep": Program("@Test void t() { assertEquals(1, a.B.f()); } @Test void still() { }",
                    *versions("class A { static int f() { return $1; } }", "1", "2", a__B="public class B { public static int f() { return A.f(); } }")),
    "default-of-an-interface": Program("@Test void t() { assertEquals(1, new C().f()); } @Test void still() { }",
                                       *versions("public interface A { default int f() { return $1; } }", "1", "2"),
                    {"p.C": "class C implements a.A { }"}),
    "template": Program("@Test void t() { assertEquals(1, new C().run()); } @Test void still() { }",
                        *versions("public abstract class A { public int run() { return hook() + $1; } public abstract int hook(); }", "0", "1"),
                    {"p.C": "class C extends a.A { public int hook() { return 1; } }"}),
    "annotation-default": Program("@Test void first() { assertTrue(Arrays.toString(C.class.getAnnotations()).contains(\"one\")); }"
                                  " @Test void second() { assertTrue(Arrays.toString(C.class.getAnnotations()).contains(\"one\")); } @Test void still() { }",
                                  *versions("import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME) public @interface A { String value() default \"$1\"; }",
                                            "one", "two"),
                    {"p.C": "@a.A class C { }"}),
    "enum": Program("@Test void t() { assertEquals(2, a.A.values().length); } @Test void map() { assertEquals(2, new EnumMap<a.A, Integer>(Map.of(a.A.X, 1, a.A.Y, 2)).size());"
                    " assertEquals(1, a.A.Y.ordinal()); } @Test void still() { }",
                    *versions("public enum A { X, $1 Y }", "", "W,")),
    "super-of-an-exception": Program("@Test void t() { try { a.B.f(); } catch (IllegalStateException e) { return; } catch (RuntimeException e) { fail(); } } @Test void still() { }",
                                     *versions("public class A extends $1 { }", "IllegalStateException", "RuntimeException",
                                               a__B="public class B { public static void f() { throw new A(); } }")),
    "initialized-by-another": Program("@Test void first() { assertEquals(\"1\", a.B.v); } @Test void second() { assertEquals(\"1\", a.B.v); } @Test void still() { }",
                                      *versions("class A { static String f() { return \"$1\"; } }", "1", "2", a__B="public class B { public static String v = A.f(); }")),
    "kept-by-the-program": Program("@Test void first() throws Exception { if (K.kept == null) K.kept = (Supplier<Integer>) Class.forName(\"a.A\").getDeclaredConstructor().newInstance(); "
                                   "assertEquals(1, K.kept.get()); } @Test void second() { assertEquals(1, K.kept.get()); } @Test void still() { }",
                                   *versions("public class A implements Supplier<Integer> { public Integer get() { return $1; } }", "1", "2"),
                                   {"p.K": "public class K { public static Supplier<Integer> kept; }"}),
    "bundle": Program("static String get() { return ResourceBundle.getBundle(\"a.words\", Locale.ROOT).getString(\"k\"); } @Test void first() { assertEquals(\"one\", get()); }"
                      " @Test void second() { assertEquals(\"one\", get()); } @Test void still() { }",
                      {"l": Jar(files={"a/words.properties": "k=one\n"})}, {"l": Jar(files={"a/words.properties": "k=two\n"})}),
    "overrides-now": Program("@Test void t() { assertEquals(1, new C().g()); } @Test void still() { }",
                             *versions("public class A { public int f() { return 0; } public int g() { return $1; } }", "1", "f()"),
                    {"p.C": "class C extends a.A { public int f() { return 5; } }"}),
    "provider": Program("@Test void first() { assertEquals(1, s.S.get().f()); } @Test void second() { assertEquals(1, s.S.get().f()); } @Test void still() { }",
                        *({"s": Jar({"s.S": "public interface S { int f(); static S get() { return ServiceLoader.load(S.class).iterator().next(); } }"}),
                           "l": Jar({"a.A": "public class A implements s.S { public int f() { return B.f(); } }", "a.B": "class B { static int f() { return %d; } }" % n},
                                    {"META-INF/services/s.S": "a.A\n"})} for n in (1, 2))),
    "provider-of-the-program": Program("@Test void first() { assertEquals(1, P.get()); } @Test void second() { assertEquals(1, P.get()); }",
                                       *({"l": Jar({"a.A": "public class A implements IntSupplier { public int getAsInt() { return %d; } }" % n},
                                                   {"META-INF/services/java.util.function.IntSupplier": "a.A\n"})} for n in (1, 2)),
                                       {"p.P": "public class P { static IntSupplier kept; static int get() { if (kept == null) kept = ServiceLoader.load(IntSupplier.class).iterator().next();"
                                               " return kept.getAsInt(); } }"}),
    "another-provider": Program("@Test void t() { assertEquals(1, s.S.get()); } @Test void still() { }",
                                *({"s": Jar({"s.S": "public interface S { int f(); static int get() { int n = 0; for (S one : ServiceLoader.load(S.class)) n += one.f(); return n; } }"}),
                                   "l": Jar({"a.A": "public class A implements s.S { public int f() { return 1; } }"}, {"META-INF/services/s.S": "a.A\n"}), **more}
                                  for more in ({}, {"m": Jar({"b.B": "public class B implements s.S { public int f() { return 1; } }"}, {"META-INF/services/s.S": "b.B\n"})}))),
    "proxy": Program("@Test void t() { a.A p = (a.A) java.lang.reflect.Proxy.newProxyInstance(T.class.getClassLoader(), new Class<?>[] { a.A.class }, (o, m, x) -> 1);"
                     " assertEquals(1, a.A.class.getMethods().length); } @Test void still() { }",
                     *versions("public interface A { int f(); $1 }", "", "int g();")),
    "program-enum": Program("@Test void t() { assertEquals(1, E.X.f()); } @Test void still() { }",
                            *versions("public interface A { default int f() { return $1; } }", "1", "2"),
                    {"p.E": "enum E implements a.A { X }"}),
    "jar-listed": Program("@Test void t() throws Exception { int n = 0; try (var z = new java.util.zip.ZipFile(a.A.class.getProtectionDomain().getCodeSource().getLocation().getPath())) {"
                          " for (var e : Collections.list(z.entries())) if (e.getName().endsWith(\".txt\")) n++; } assertEquals(1, n); } @Test void still() { }",
                          {"l": Jar({"a.A": "public class A { }"}, {"a/1.txt": ""})}, {"l": Jar({"a.A": "public class A { }"}, {"a/1.txt": "", "a/2.txt": ""})}),
    "version": Program("@Test void t() { assertEquals(\"1\", a.A.class.getPackage().getImplementationVersion()); }",
                       *({"l": Jar({"a.A": "public class A { }"}, {}, f"Implementation-Version: {n}\n")} for n in (1, 2))),
    "own-version": Program("@Test void t() { assertEquals(\"1\", a.A.version()); } @Test void still() { }",
                           *({"l": Jar({"a.A": "public class A { public static String version() { return A.class.getPackage().getImplementationVersion(); } }"}, {},
                                       f"Implementation-Version: {n}\n")} for n in (1, 2))),
    "sealed": Program("@Test void t() { assertFalse(a.A.class.getPackage().isSealed()); }",
                      *({"l": Jar({"a.A": "public class A { }"}, {}, line)} for line in ("", "Sealed: true\n"))),
    "order-of-jars": Program("@Test void t() { assertEquals(1, a.A.f()); } @Test void still() { }",
                             *(dict(order) for order in (lambda x, y: ([("x", x), ("y", y)], [("y", y), ("x", x)]))(
                                 Jar({"a.A": "public class A { public static int f() { return 1; } }"}), Jar({"a.A": "public class A { public static int f() { return 2; } }"})))),
    "hidden-by-a-new-jar": Program("@Test void t() { assertEquals(1, a.A.f()); } @Test void still() { }",
                                   {"l": Jar({"a.A": "public class A { public static int f() { return 1; } }"})},
                                   {"h": Jar({"a.A": "public class A { public static int f() { return 2; } }"}),
                                    "l": Jar({"a.A": "public class A { public static int f() { return 1; } }"})}),
    "optional-comes": Program("static boolean has(String n) { try { Class.forName(n); return true; } catch (ClassNotFoundException e) { return false; } }"
                              " @Test void t() { assertFalse(has(\"o.O\")); } @Test void still() { }",
                              {"l": Jar({"a.A": "public class A { }"})}, {"l": Jar({"a.A": "public class A { }"}), "o": Jar({"o.O": "public class O { }"})}),
    "optional-of-a-library-goes": Program("@Test void first() { assertTrue(a.A.HAS); } @Test void second() { assertTrue(a.A.HAS); } @Test void still() { }",
                                          *({"l": Jar({"a.A": "public class A { public static final boolean HAS; static { boolean b; try { Class.forName(\"o.O\"); b = true; }"
                                                             " catch (ClassNotFoundException e) { b = false; } HAS = b; } }"}), **more}
                                            for more in ({"o": Jar({"o.O": "public class O { }"})}, {}))),
    "resource-comes": Program("@Test void t() { assertNull(T.class.getResource(\"/a/x.txt\")); } @Test void still() { }",
                              {"l": Jar(files={"a/y.txt": ""})}, {"l": Jar(files={"a/y.txt": "", "a/x.txt": ""})}),
    "resources-in-two": Program("@Test void t() throws Exception { assertEquals(1, Collections.list(T.class.getClassLoader().getResources(\"a/y.txt\")).size()); } @Test void still() { }",
                                {"l": Jar(files={"a/y.txt": ""})}, {"l": Jar(files={"a/y.txt": ""}), "m": Jar(files={"a/y.txt": ""})}),
    "sets-a-property": Program("@Test void a1() { assertNotNull(a.A.f()); } @Test void b1() { assertNull(System.getProperty(\"lib.mode\")); } @Test void still() { }",
                               *versions("public class A { public static String f() { $1 return \"x\"; } }", "", "System.setProperty(\"lib.mode\", \"on\");")),
    "sets-the-locale": Program("@Test void a1() { assertNotNull(a.A.f()); } @Test void b1() { assertEquals(\"1.5\", String.format(\"%.1f\", 1.5)); } @Test void still() { }",
                               *versions("public class A { public static String f() { $1 return \"x\"; } }", "", "Locale.setDefault(Locale.GERMANY);")),
    "leaves-in-another-library": Program("@Test void a1() { assertNotNull(a.A.f()); } @Test void b1() { assertEquals(0, k.K.list.size()); } @Test void still() { }",
                                         *({"k": Jar({"k.K": "public class K { public static final List<String> list = new ArrayList<>(); }"}),
                                            "l": Jar({"a.A": "public class A { public static String f() { %s return \"x\"; } }" % code})} for code in ("", "k.K.list.add(\"y\");"))),
    "lambda-for-a-library": Program("@Test void t() { a.A f = x -> x + 1; assertEquals(3, f.twice(1)); } @Test void still() { }",
                                    *versions("public interface A { int f(int x); default int twice(int x) { return $1; } }", "f(f(x))", "f(x)")),
    "gone-method": Program("@Test void t() { assertEquals(1, new a.A().f()); } @Test void still() { }",
                           *versions("public class A { $1 public int g() { return 0; } }", "public int f() { return 1; }", "")),
    "constant-that-code-has": Program("@Test void t() { assertEquals(1, a.A.V); assertEquals(1, a.A.f()); } @Test void still() { }",
                                      *versions("public class A { public static final int V = $1; public static int f() { return V; } }", "1", "2")),
    "to-text": Program("@Test void t() { assertEquals(\"[x]\", List.of(new a.A()).toString()); } @Test void still() { }",
                       *versions("public class A { public String toString() { return \"$1\"; } }", "x", "y")),
    "compared": Program("@Test void t() { var s = new TreeSet<a.A>(); s.add(new a.A(1)); s.add(new a.A(2)); assertEquals(2, s.size()); } @Test void still() { }",
                        *versions("public class A implements Comparable<A> { int n; public A(int n) { this.n = n; } public int compareTo(A o) { return $1; } }", "n - o.n", "0")),
    "thread": Program("@Test void t() throws Exception { int[] n = { 0 }; Thread x = new Thread(new a.A(n)); x.start(); x.join(); assertEquals(1, n[0]); } @Test void still() { }",
                      *versions("public class A implements Runnable { int[] n; public A(int[] n) { this.n = n; } public void run() { n[0] = $1; } }", "1", "2")),
    "base-of-the-tests": Program("@Test void t() { assertEquals(1, f()); }", *versions("public class A { public int f() { return $1; } }", "1", "2")),
    "extension": Program("@org.junit.jupiter.api.extension.ExtendWith(a.A.class) static class In { @Test void t() { assertEquals(\"1\", System.getProperty(\"e\")); } }",
                         *versions("public class A implements org.junit.jupiter.api.extension.BeforeEachCallback { public void beforeEach("
                                   "org.junit.jupiter.api.extension.ExtensionContext c) { System.setProperty(\"e\", \"$1\"); } }", "1", "2")),
    "listener": Program("@Test void t() { assertNull(System.getProperty(\"e\")); }",
                        *({"l": Jar({"a.A": "public class A implements org.junit.platform.launcher.TestExecutionListener { public void testPlanExecutionStarted("
                                            "org.junit.platform.launcher.TestPlan p) { %s } }" % code},
                                    {"META-INF/services/org.junit.platform.launcher.TestExecutionListener": "a.A\n"})} for code in ("", "System.setProperty(\"e\", \"1\");"))),
    "composed-annotation": Program("@a.A void t() { }",
                                   *versions("import java.lang.annotation.*; @Retention(RetentionPolicy.RUNTIME) @org.junit.jupiter.api.Test $1 public @interface A { }", "",
                                             "@org.junit.jupiter.api.Disabled")),
    "class-path-read": Program("@Test void t() { assertFalse(System.getProperty(\"java.class.path\").contains(\"extra\")); } @Test void still() { }",
                               {"l": Jar({"a.A": "public class A { }"})}, {"l": Jar({"a.A": "public class A { }"}), "extra": Jar({"x.X": "public class X { }"})}),
}


def outcomes(text):
    return {name: mark in ("[OK]", "✔") for name, mark in re.findall(r"─ (\w+)\(\) (\[OK\]|\[X\]|✔|✘)", text)}


def run(name, program):
    work = pathlib.Path(tempfile.mkdtemp())
    base = " extends a.A" if name == "base-of-the-tests" else ""
    commands = []
    for side, jars in (("old", program.old), ("new", program.new)):
        pathlib.Path(work, side).mkdir()
        paths = []
        for jar, content in jars.items():
            path = pathlib.Path(work, side, jar + ".jar")
            content.write(path, [CONSOLE, *paths])
            paths.append(path)
        if side == "old":
            project = pathlib.Path(work, "project")
            java({"p.T": TEST + f"class T{base} {{ {program.body} }}", **program.sources},
                 project / "src", project / "main", [CONSOLE, *paths], IMPORTS)
        commands.append(["java", *quick, "-cp", ":".join(["main", *map(str, paths), CONSOLE]), "org.junit.platform.console.ConsoleLauncher",
                         "--disable-banner", "--disable-ansi-colors", "--include-classname", r"p\.T(\$.*)?", "--scan-classpath", "main"])
    here = {"cwd": project, "env": env, "text": True, "capture_output": True, "timeout": 300}
    first = subprocess.run([REJIG, "run", "--", *commands[0]], **here)
    before = outcomes(first.stdout)
    plain = outcomes(subprocess.run(commands[1], **here).stdout)
    done = subprocess.run([REJIG, "run", "--", *commands[1]], **here)
    ran = outcomes(done.stdout)
    flips = {test for test in before.keys() | plain.keys() if before.get(test) != plain.get(test)}
    missed = flips - ran.keys() if set(plain) == set(before) else (flips & plain.keys()) - ran.keys()
    over = {test for test in ran if test.startswith("still")}
    good = not missed and not over and flips and before
    print(f"{'ok    ' if good else 'FAILED'} {name}: {sorted(flips)} flip, {sorted(ran)} ran of {len(before)}"
          + (f"; MISSED {sorted(missed)}" if missed else "") + (f"; too many: {sorted(over)}" if over else ""))
    if not good:
        print(done.stderr[-1500:])
    shutil.rmtree(work)
    return good


names = sys.argv[1:] or list(PROGRAMS)
wrong = [name for name in names if not run(name, PROGRAMS[name])]
print(f"{len(names)} programs, {len(wrong)} failed")
sys.exit(bool(wrong))
