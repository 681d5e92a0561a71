#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the frameworks that come, go or change, composed ones and those
that run for other classes included: every test whose outcome is another (the
truth is a run without rejig) runs. A test that comes does not wake its
neighbours. usage: fixtures.py [NAME] (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR,
ARTIFACTS)"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REJIG = os.environ["REJIG"]
JARS = pathlib.Path(os.environ["ARTIFACTS"])
failures = []
env = {name: value for name, value in os.environ.items()
       if not name.startswith("REJIG_") or name in ("REJIG_AGENT", "REJIG_JUNIT_JAR")}

SAY = """package p;
public class S {
  public static int v;
  public static void is(String name, boolean right) {
    System.out.println("RAN:" + name);
    if (!right) throw new AssertionError(name);
    System.out.println("PASSED:" + name);
  }
}
"""


def jars(*names):
    return ":".join(str(JARS / name) for name in names)


class Framework:
    def __init__(self, path, imports, words):
        self.path, self.imports, self.words = path, imports, words


def console(version):
    return Framework(jars(f"junit-platform-console-standalone-{version}.jar"),
                     "import org.junit.jupiter.api.*; import org.junit.jupiter.api.extension.*; import org.junit.jupiter.params.*; "
                     "import org.junit.jupiter.params.provider.*; import java.lang.annotation.*;",
                     lambda classes: ["org.junit.platform.console.ConsoleLauncher", *(["execute"] if version > "1.9.9" else []),
                                      "--disable-banner", "--details=none", *[f"--select-class={name}" for name in classes]])


JUPITER, JUNIT6, PLATFORM = console("1.9.3"), console("6.0.0"), console("1.13.4")
JUNIT4 = Framework(jars("junit-4.13.2.jar", "hamcrest-core-1.3.jar"),
                   "import org.junit.*; import org.junit.rules.*; import org.junit.runner.*; import org.junit.runners.*;",
                   lambda classes: ["org.junit.runner.JUnitCore", *classes])
JUNIT3 = Framework(jars("junit-3.8.2.jar"), "import junit.framework.*;", lambda classes: ["junit.textui.TestRunner", *classes])
TESTNG = Framework(jars("testng-7.5.1.jar", "jcommander-1.82.jar", "slf4j-api-1.7.36.jar"),
                   "import org.testng.*; import org.testng.annotations.*;",
                   lambda classes: ["org.testng.TestNG", "-usedefaultlisteners", "false", "-testclass", ",".join(classes)])


def compiled(framework, sources):
    for folder in ("src", "classes"):
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs("src/p")
    for name, text in dict(sources, S=SAY).items():
        pathlib.Path(f"src/p/{name}.java").write_text(text if name == "S" else f"package p; {framework.imports}\n{text}\n")
    subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-proc:none", "-cp", framework.path, "-d", "classes",
                    *map(str, pathlib.Path("src/p").iterdir())], check=True)


def outcome(framework, classes, under):
    words = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", f"classes:{framework.path}", *framework.words(classes)]
    done = subprocess.run(under + words, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return set(re.findall("RAN:(.*)", done.stdout)), set(re.findall("PASSED:(.*)", done.stdout)), done.stdout


def case(name, framework, old, new, classes=("p.T", "p.U"), flips=None, quiet=()):
    """`flips`: at least these; `quiet`: these do not run."""
    if len(sys.argv) > 1 and sys.argv[1] not in name:
        return
    shutil.rmtree(".rejig", ignore_errors=True)
    rejig = [REJIG, "run", "--"]

    def there(sources):
        return [one for one in classes if one[2:] in sources]
    compiled(framework, old)
    ran, passed, text = outcome(framework, there(old), rejig)
    if not passed:
        failures.append(name)
        return print(f"FAILED {name}: nothing passed: {text}")
    compiled(framework, new)
    whole, truth, _ = outcome(framework, there(new), [])
    again, _, text = outcome(framework, there(new), rejig)
    changed = (passed ^ truth) & whole
    problems = []
    if set(flips or ()) - changed:
        problems.append(f"{sorted(set(flips) - changed)} should have flipped")
    if changed - again:
        problems.append(f"missed {sorted(changed - again)}")
    if set(quiet) & again:
        problems.append(f"{sorted(set(quiet) & again)} ran")
    if problems:
        failures.append(name)
        print(f"FAILED {name}: {'; '.join(problems)}: {text}")
    else:
        print(f"ok {name}: {sorted(changed)} flipped, {sorted(again)} ran", flush=True)


def tests(extra="", head="class T", before="", name="T", own=True, test="@Test", letters="ab"):
    body = "".join(f" {test} public void {letter}() {{ S.is(\"{name}.{letter}\", {'v' if own else 'S.v'} == 0); }}" for letter in letters)
    return f"{before} public {head} {{ {'static int v;' if own else ''}{body} {extra} }}"


def jupiter(framework, word):
    def composed(meta, name="EachTest"):
        return {name: f"@Target({{ElementType.METHOD, ElementType.ANNOTATION_TYPE}}) @Retention(RetentionPolicy.RUNTIME) {meta} public @interface {name} {{}}"}
    u = {"U": tests(head="class U", name="U")}
    for annotation, modifier in (("@BeforeEach", ""), ("@AfterEach", ""), ("@BeforeAll", "static")):
        fixture = f"{modifier} void fixture() {{ v++; }}"
        flips = ["T.b"] if annotation == "@AfterEach" else ["T.a", "T.b"]
        case(f"{word} {annotation} comes", framework, {"T": tests(fixture), **u}, {"T": tests(f"{annotation} {fixture}"), **u},
             flips=flips, quiet=["U.a", "U.b"])
        own = composed(annotation)
        case(f"{word} composed of {annotation} comes", framework, {"T": tests(), **u, **own}, {"T": tests(f"@EachTest {fixture}"), **u, **own},
             flips=flips, quiet=["U.a", "U.b"])
        case(f"{word} composed of {annotation} goes", framework, {"T": tests(f"@EachTest {fixture}").replace("v == 0", "v != 0"), **u, **own},
             {"T": tests().replace("v == 0", "v != 0"), **u, **own}, flips=["T.b"])
        twice = {**composed(annotation, "Inner"), **composed("@Inner")}
        case(f"{word} composed twice of {annotation}", framework, {"T": tests(fixture), **u, **twice},
             {"T": tests(f"@EachTest {fixture}"), **u, **twice}, flips=flips)
        case(f"{word} a test becomes composed of {annotation}", framework, {"T": tests(f"@Test {fixture.replace('static ', '')}", letters="ab"), **u, **own},
             {"T": tests(f"@EachTest {fixture}"), **u, **own})
        case(f"{word} {annotation} in a superclass", framework, {"T": tests(head="class T extends Base", before="class Base { static int v; }", own=False).replace("S.v", "v")},
             {"T": tests(head="class T extends Base", before=f"class Base {{ static int v; @EachTest {fixture} }}", own=False).replace("S.v", "v"), **own} | own)
        case(f"{word} the meaning of an annotation becomes {annotation}", framework,
             {"T": tests(f"@EachTest {fixture}"), **u, **composed("")}, {"T": tests(f"@EachTest {fixture}"), **u, **own}, flips=flips)
    own = composed("@BeforeEach")
    inner = "@Nested class In {{ @Test void c() {{ S.is(\"In.c\", v == 0); }} }} {}"
    case(f"{word} for a nested class", framework, {"T": tests(inner.format("")), **own}, {"T": tests(inner.format("@EachTest void x() { v++; }")), **own},
         flips=["In.c"])
    case(f"{word} in an interface", framework, {"I": "interface I { }", "T": tests(head="class T implements I"), **own},
         {"I": "interface I { @EachTest default void x() { T.v++; } }", "T": tests(head="class T implements I"), **own}, flips=["T.a", "T.b"])
    case(f"{word} an extension comes", framework, {"T": tests("static class E implements BeforeEachCallback { public void beforeEach(ExtensionContext c) { v++; } }")},
         {"T": tests("@RegisterExtension static E e = new E(); static class E implements BeforeEachCallback { public void beforeEach(ExtensionContext c) { v++; } }")},
         flips=["T.a", "T.b"])
    extend = {"With": "@Target({ElementType.TYPE, ElementType.METHOD}) @Retention(RetentionPolicy.RUNTIME) @ExtendWith(T.E.class) public @interface With {}"}
    callback = "static class E implements BeforeEachCallback { public void beforeEach(ExtensionContext c) { v++; } }"
    case(f"{word} a composed extension of the class", framework, {"T": tests(callback), **extend}, {"T": tests(callback, before="@With"), **extend},
         flips=["T.a", "T.b"])
    case(f"{word} a composed extension of a test", framework, {"T": tests(callback, letters="a") , **extend},
         {"T": tests(callback, letters="a", test="@With @Test"), **extend}, flips=["T.a"])
    # Tests that come wake nobody.
    harmless = {"Note": "@Retention(RetentionPolicy.RUNTIME) public @interface Note {}", **composed("@Test", "Fast")}
    for new in ("@Test void c() { S.is(\"c\", true); }", "@Fast void c() { S.is(\"c\", true); }", "@Note @DisplayName(\"x\") @Test void c() { S.is(\"c\", true); }",
                "@ParameterizedTest @ValueSource(ints = 1) void c(int x) { S.is(\"c\", true); }", "@RepeatedTest(2) void c() { S.is(\"c\", true); }"):
        case(f"{word} {new[:12]}… comes", framework, {"T": tests(), **u, **harmless}, {"T": tests(new), **u, **harmless},
             flips=["c"], quiet=["T.a", "T.b", "U.a", "U.b"])


def junit4():
    u = {"U": tests(head="class U", name="U")}
    rule = "{} ExternalResource r = new ExternalResource() {{ protected void before() {{ v++; }} }};"
    for fixture, modifiers in (("@Before", "public"), ("@BeforeClass", "public static"), ("@After", "public")):
        text = f"{modifiers} void fixture() {{ v++; }}"
        case(f"JUnit 4 {fixture} comes", JUNIT4, {"T": tests(text), **u}, {"T": tests(f"{fixture} {text}"), **u}, quiet=["U.a", "U.b"])
    for fixture, modifiers in (("@Rule", "public"), ("@ClassRule", "public static")):
        case(f"JUnit 4 {fixture} comes", JUNIT4, {"T": tests(rule.format(modifiers)), **u}, {"T": tests(fixture + " " + rule.format(modifiers)), **u},
             flips=["T.a", "T.b"], quiet=["U.a", "U.b"])
    case("JUnit 4 a test comes", JUNIT4, {"T": tests(), **u}, {"T": tests(letters="abc"), **u}, flips=["T.c"], quiet=["T.a", "T.b", "U.a"])
    suite = "@RunWith(Suite.class) @Suite.SuiteClasses({T.class, U.class}) public class All { %s public static void x() { T.v++; U.v++; } }"
    case("JUnit 4 a suite's fixture comes", JUNIT4, {"T": tests(), **u, "All": suite % ""}, {"T": tests(), **u, "All": suite % "@BeforeClass"},
         classes=["p.All"], flips=["T.a", "U.a"])
    parameters = "@RunWith(Parameterized.class)"
    text = "public T(int x) {{ v = x; }} {} public static Object[] data() {{ return new Object[] {{0}}; }} public static Object[] more() {{ return new Object[] {{1}}; }}"
    case("JUnit 4 other parameters", JUNIT4, {"T": tests(text.format("@Parameterized.Parameters"), before=parameters)},
         {"T": tests("public T(int x) { v = x; } public static Object[] data() { return new Object[] {0}; } @Parameterized.Parameters "
                     "public static Object[] more() { return new Object[] {1}; }", before=parameters)}, flips=["T.a", "T.b"])


def junit3():
    u = {"U": tests(head="class U extends TestCase", name="U", test="", letters="ab").replace("void a", "void testA").replace("void b", "void testB")}
    t = tests(head="class T extends TestCase", test="").replace("void a", "void testA").replace("void b", "void testB")
    # One class at a time: its main takes one.
    for method in ("protected void setUp()", "protected void runTest() throws Throwable"):
        rest = "super.runTest();" if "runTest" in method else ""
        case(f"JUnit 3 {method} comes", JUNIT3, {"T": t, **u}, {"T": t[:-2] + f" {method} {{ v++; {rest} }} }}", **u}, classes=["p.T"], flips=["T.a", "T.b"])
    case("JUnit 3 a test comes", JUNIT3, {"T": t}, {"T": t[:-2] + " public void testC() { S.is(\"c\", true); } }"}, classes=["p.T"],
         flips=["c"], quiet=["T.a", "T.b"])


def testng():
    def t(extra="", **options):
        return tests(extra, **options)
    u = {"U": tests(head="class U", name="U", own=False, test="@Test(groups = \"g\")")}
    for fixture in ("@BeforeSuite", "@BeforeTest", "@BeforeGroups(\"g\")"):
        method = "public void fixture() { S.v++; }"
        case(f"TestNG {fixture} comes in another class", TESTNG, {"T": t(method), **u}, {"T": t(f"{fixture} {method}"), **u}, flips=["U.a", "U.b"])
        case(f"TestNG {fixture} goes in another class", TESTNG, {"T": t(f"{fixture} {method}"), "U": u["U"].replace("S.v == 0", "S.v != 0")},
             {"T": t(method), "U": u["U"].replace("S.v == 0", "S.v != 0")}, flips=["U.a", "U.b"])
        case(f"TestNG {fixture} is enabled", TESTNG, {"T": t(f"{off(fixture)} {method}"), **u}, {"T": t(f"{fixture} {method}"), **u}, flips=["U.a", "U.b"])
        case(f"TestNG a class with {fixture} comes", TESTNG, {"T": t(), **u}, {"T": t(), **u, "Setup": f"public class Setup {{ {fixture} {method} }}"},
             classes=["p.T", "p.U", "p.Setup"], flips=["U.a", "U.b"])
        case(f"TestNG a class with {fixture} goes", TESTNG, {"T": t(), "U": u["U"].replace("S.v == 0", "S.v != 0"), "Setup": f"public class Setup {{ {fixture} {method} }}"},
             {"T": t(), "U": u["U"].replace("S.v == 0", "S.v != 0")}, classes=["p.T", "p.U", "p.Setup"], flips=["U.a", "U.b"])
        base = {"Base": f"public abstract class Base {{ {fixture} {method} }}"}
        case(f"TestNG a class inherits {fixture} now", TESTNG, {"T": t(), **u, **base}, {"T": t(head="class T extends Base"), **u, **base}, flips=["U.a", "U.b"])
        case(f"TestNG a class that inherits {fixture} comes", TESTNG, {"T": t(), **u, **base},
             {"T": t(), **u, **base, "V": tests(head="class V extends Base", name="V")}, classes=["p.T", "p.U", "p.V"], flips=["U.a", "U.b"])
    listener = {"L": "public class L implements IInvokedMethodListener { public void beforeInvocation(IInvokedMethod m, ITestResult r) { S.v = 1; } "
                     "public void afterInvocation(IInvokedMethod m, ITestResult r) { } }"}
    case("TestNG listeners of another class", TESTNG, {"T": t(), **u, **listener}, {"T": t(before="@Listeners(L.class)"), **u, **listener}, flips=["U.a", "U.b"])
    # What runs at the end of a <test> or suite: nobody is left to flip, and nothing is missed.
    for fixture in ("@AfterSuite", "@AfterTest", "@AfterGroups(\"g\")", "@AfterClass", "@AfterMethod", "@BeforeClass", "@BeforeMethod"):
        own = fixture[-5:] in ("Class", "ethod")
        method = f"public void fixture() {{ v++; {'' if own else 'S.v++;'} }}"
        case(f"TestNG {fixture} comes", TESTNG, {"T": t(method), **u}, {"T": t(f"{fixture} {method}"), **u})
    case("TestNG a test comes", TESTNG, {"T": t(), **u}, {"T": t(letters="abc"), **u}, flips=["T.c"], quiet=["U.a", "U.b"])
    data = "@DataProvider(name = \"{}\") public static Object[][] one() {{ return new Object[][] {{{{0}}}}; }} @DataProvider(name = \"{}\") public static Object[][] two() {{ return new Object[][] {{{{1}}}}; }}"
    user = "@Test(dataProvider = \"x\") public void d(int n) { S.is(\"T.d\", n == 0); }"
    case("TestNG providers swap names", TESTNG, {"T": t(user + data.format("x", "y")), **u}, {"T": t(user + data.format("y", "x")), **u}, flips=["T.d"])


def off(fixture):
    return fixture[:-1] .replace("(\"g\"", "(groups = \"g\", enabled = false)") if fixture.endswith(")") else fixture + "(enabled = false)"


def suites():
    imports = "import org.junit.platform.suite.api.*; "
    suite = imports + "@Suite @SelectClasses({{T.class, U.class}}) {} public class All {{ {} public static void x() {{ T.v++; U.v++; }} }}"
    u = {"U": tests(head="class U", name="U")}
    case("a platform suite's fixture comes", PLATFORM, {"T": tests(), **u, "All": suite.format("", "")},
         {"T": tests(), **u, "All": suite.format("", "@org.junit.platform.suite.api.BeforeSuite")}, classes=["p.All"], flips=["T.a", "U.a"])
    asks = "static class E implements BeforeEachCallback { public void beforeEach(ExtensionContext c) { v = c.getConfigurationParameter(\"k\").isPresent() ? 1 : 0; } }"
    t = {"T": tests(asks, before="@ExtendWith(T.E.class)")}
    case("a platform suite's parameter comes", PLATFORM, {**t, **u, "All": suite.format("", "")},
         {**t, **u, "All": suite.format("@ConfigurationParameter(key = \"k\", value = \"1\")", "")}, classes=["p.All"], flips=["T.a", "T.b"])


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    jupiter(JUPITER, "JUnit 5")
    junit4()
    junit3()
    testng()
    suites()
    jupiter(JUNIT6, "JUnit 6")
    os.chdir("/")
if failures:
    print(len(failures), "failed")
    sys.exit(1)
print("all passed")
