#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rejig upgrade: what breaks is what a JVM refuses, what runs other code is what it prints otherwise.
usage: upgrade.py REJIG MAKE_STORE"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

REJIG, MAKE_STORE = (os.path.abspath(p) for p in sys.argv[1:3])
OTHER_JDK = os.environ.get("JDK25_HOME", "")
failures = []
environment = {k: v for k, v in os.environ.items() if k != "JAVA_TOOL_OPTIONS"}


def check(name, wanted, got):
    if wanted != got:
        failures.append(name)
        print(f"FAILED {name}: wanted {wanted!r}, got {got!r}")


def run(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, env=environment, timeout=180, **options)


def compiled(folder, sources, path="", release="17"):
    files = []
    for name, text in sources.items():
        file = pathlib.Path(folder + ".src", name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        files.append(str(file))
    subprocess.run(["javac", "-g", "-proc:none", "-nowarn", "-Xlint:-removal", "--release", release, "-cp", path or ".", "-d", folder, *files], check=True)


def upgrade(*words):
    done = run(REJIG, "upgrade", *words, "--format", "json")
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


LIB = """package lib;
public class Lib {
  public static int gone(int x) { return x; }
  public static int field;
  public int same() { return 1; }
  public static int far() { return Deep.middle(); }
  public static int dead() { return 1; }
  public static Object made() { return new Shape(); }
}
class Deep {
  static int middle() { return inner(); }
  static int inner() { return 1; }
  static int untouched() { return 1; }
}
"""
SHAPE = "package lib; public class Shape { public int area() { return 1; } public String toString() { return \"shape\"; } }"
SQUARE = "package lib; public class Square extends Shape { BODY }"
OPEN = "package lib; public MODIFIER class Open { public int x() { return 1; } }"
APP = {"app/App.java": """package app;
import lib.*;
public class App {
  static int calls() { return Lib.gone(1); }
  static int reads() { return Lib.field; }
  static int near() { return new Lib().same(); }
  static int far() { return Lib.far(); }
  static int outer() { return far(); }
  static int dispatch(Shape s) { return s.area(); }
  static int square() { return dispatch(new Square()); }
  static int lambda() { java.util.function.IntSupplier s = () -> Lib.far(); return s.getAsInt(); }
  static Object subclass() { return new Sub(); }
  static int main(String what) { return 0; }
  public static void main(String[] a) throws Throwable {
    try { System.out.println(App.class.getDeclaredMethod(a[0]).invoke(null)); }
    catch (java.lang.reflect.InvocationTargetException e) { System.out.println(e.getCause().getClass().getSimpleName()); }
  }
}
class Sub extends Open { }
"""}


def libraries():
    compiled("lib1", {"lib/Lib.java": LIB, "lib/Shape.java": SHAPE, "lib/Square.java": SQUARE.replace("BODY", ""),
                      "lib/Open.java": OPEN.replace("MODIFIER", "")})
    two = LIB.replace("  public static int gone(int x) { return x; }\n", "").replace("int field", "long field")
    two = two.replace("int inner() { return 1; }", "int inner() { return 2; }").replace("dead() { return 1; }", "dead() { return 2; }")
    compiled("lib2", {"lib/Lib.java": two, "lib/Shape.java": SHAPE, "lib/Square.java": SQUARE.replace("BODY", "public int area() { return 4; }"),
                      "lib/Open.java": OPEN.replace("MODIFIER", "final")})
    compiled("app", APP, "lib1")
    code, answer = upgrade("app", "lib1", "lib2")
    check("exit", 1, code)
    breaks = {one["method"]: one for one in answer["breaks"]}
    jvm = {name: run("java", "-cp", "app:lib2", "app.App", name).stdout.strip()
           for name in ("calls", "reads", "near", "far", "outer", "square", "lambda", "subclass")}
    before = {name: run("java", "-cp", "app:lib1", "app.App", name).stdout.strip() for name in jvm}
    # What the JVM refuses is named, with its error, and nothing else is.
    named = {name: next((one["error"] for method, one in breaks.items() if method.startswith(f"app.App.{name}(")), None) for name in jvm}
    named["subclass"] = next((one["error"] for method, one in breaks.items() if method == "app.Sub"), None)
    check("what breaks", {n: (r if r.endswith("Error") else None) for n, r in jvm.items()}, named)
    check("with its line", 4, breaks["app.App.calls()I"]["line"])
    check("and what it is about", "lib.Lib.gone(I)I", breaks["app.App.calls()I"]["what"])
    reach = {one["method"]: one for one in answer["reach"]}
    for name in ("far", "lambda"):
        check(f"{name} runs other code", (True, "lib.Deep.inner()I"),
              (before[name] != jvm[name], next(one["changed"] for method, one in reach.items() if name in method)))
    check("the way", ["lib.Lib.far()I", "lib.Deep.middle()I", "lib.Deep.inner()I"], reach["app.App.far()I"]["path"])
    check("dispatch to a new method", (True, ["lib.Square.area()I"]),
          (before["square"] != jvm["square"], reach["app.App.dispatch(Llib/Shape;)I"]["path"]))
    check("nobody else", {"app.App.far()I", "app.App.lambda$lambda$0()I", "app.App.dispatch(Llib/Shape;)I"}, set(reach))
    check("counts", (len(answer["breaks"]), len(answer["other"]), 3), tuple(answer["counts"][k] for k in ("breaks", "other", "reach")))
    check("the same twice", upgrade("app", "lib1", "lib2", "-j1"), (code, answer))
    text = run(REJIG, "upgrade", "app", "lib1", "lib2", "--all").stdout
    check("for people", True, "NoSuchMethodError: Lib.gone(int)" in text and "→ Lib.far → Deep.middle → Deep.inner (changed)" in text)
    check("no descriptors", False, ")I" in text)
    check("nothing", (0, True), (lambda c, a: (c, a["breaks"] == a["other"] == a["reach"] == []))(*upgrade("app", "lib1", "lib1")))
    for form in ("text", "markdown", "html", "sarif"):
        done = run(REJIG, "upgrade", "app", "lib1", "lib2", "--format", form)
        check(form, (1, True), (done.returncode, "gone" in done.stdout))
    # Only what no method of the application reaches changed.
    compiled("lib3", {"lib/Lib.java": LIB.replace("dead() { return 1; }", "dead() { return 2; }"), "lib/Shape.java": SHAPE,
                      "lib/Square.java": SQUARE.replace("BODY", ""), "lib/Open.java": OPEN.replace("MODIFIER", "")})
    check("nobody uses it", (0, 1), (lambda c, a: (c, a["counts"]["changed_methods"]))(*upgrade("app", "lib1", "lib3")))


def tests_of_it():
    rows = "row\tdefault\tt.T#far()\tcomplete\tpass\tall\tm:app.App.far()I\n"
    subprocess.run([MAKE_STORE, "t.db"], input=rows, text=True, check=True)
    _, answer = upgrade("app", "lib1", "lib2", "--coverage", "t.db")
    check("tests", {"app.App.far()I": 1, "app.App.lambda$lambda$0()I": 0, "app.App.dispatch(Llib/Shape;)I": 0}, {one["method"]: one["tests"] for one in answer["reach"]})
    check("untested", ["app.App.dispatch(Llib/Shape;)I", "app.App.lambda$lambda$0()I"], answer["untested"])
    text = run(REJIG, "upgrade", "app", "lib1", "lib2", "--coverage", "t.db").stdout
    check("said", True, "Changed, used by you, run by no test (2)" in text and "run by 1 test: t.T#far()" in text)
    check("no store", 2, run(REJIG, "upgrade", "app", "lib1", "lib2", "--coverage", "none.db").returncode)


def java_needed():
    source = {"lib/J.java": "package lib; public class J { public static int f() { return 1; } }"}
    compiled("j8", source, release="8")
    compiled("j17", {"lib/J.java": source["lib/J.java"].replace("return 1", "return 2")}, release="17")
    compiled("japp", {"A.java": "class A { int a() { return lib.J.f(); } }"}, "j8", release="8")
    check("Java", 17, upgrade("japp", "j8", "j17")[1]["needs_java"])
    check("said", True, "needs Java 17 (was 8)" in run(REJIG, "upgrade", "japp", "j8", "j17").stdout)


def usage():
    for words in ((), ("app",), ("app", "lib1"), ("app", "lib1", "nowhere"), ("app", "--jdk", "17"), ("app", "--jdk", "3", "4")):
        check(f"upgrade {words}", 2, run(REJIG, "upgrade", *words).returncode)


def platforms():
    home = environment.get("JAVA_HOME", "")
    if not OTHER_JDK or not home:
        print("one JDK only: platforms are not compared")
        return
    sources = {"P.java": """public class P {
  public static void stays() { System.out.println("x".isEmpty()); }
  public static void compiler() { java.lang.Compiler.enable(); }
  public static void unsafe() { new Thread().countStackFrames(); }
  public static void main(String[] a) throws Exception {
    try { P.class.getMethod(a[0]).invoke(null); System.out.println("fine"); }
    catch (java.lang.reflect.InvocationTargetException e) { System.out.println(e.getCause().getClass().getSimpleName()); }
  }
}"""}
    compiled("p", sources)
    code, answer = upgrade("p", "--jdk", home, OTHER_JDK)
    named = {one["method"].split("(")[0].split(".")[-1]: one["error"] for one in answer["breaks"]}
    for name in ("stays", "compiler", "unsafe"):
        said = run(os.path.join(OTHER_JDK, "bin", "java"), "-cp", "p", "P", name).stdout.strip().split("\n")[-1]
        check(f"{name} on the other JDK", None if said == "fine" else said, named.get(name))
    check("exit", 1, code)
    check("that is not searched", False, answer["reach_known"])
    check("the same platform", 0, upgrade("p", "--jdk", home, home)[0])


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for part in (libraries, tests_of_it, java_needed, usage, platforms):
        part()
    os.chdir("/")
if failures:
    print(len(failures), "failed")
    sys.exit(1)
print("all passed")
