#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a test JVM was started with, one thing at a time: recorded with one
value; nothing runs again with the same; with another one every test whose
outcome is another (the truth is a run without rejig) runs.
usage: started.py (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR, ARTIFACTS)"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REJIG = os.environ["REJIG"]
CONSOLE = os.path.join(os.environ["ARTIFACTS"], "junit-platform-console-standalone-1.9.3.jar")
JAVA = shutil.which("java")
failures = []

TESTS = """package p;
import static org.junit.jupiter.api.Assertions.*;
import java.util.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.*;
@ExtendWith(T.Say.class)
class T {
  static class Say implements BeforeTestExecutionCallback, AfterTestExecutionCallback, ParameterResolver {
    public void beforeTestExecution(ExtensionContext c) { System.out.println("RAN:" + c.getRequiredTestMethod().getName()); }
    public void afterTestExecution(ExtensionContext c) {
      if (!c.getExecutionException().isPresent()) System.out.println("PASSED:" + c.getRequiredTestMethod().getName());
    }
    public boolean supportsParameter(ParameterContext p, ExtensionContext c) { return true; }
    public Object resolveParameter(ParameterContext p, ExtensionContext c) { return c.getConfigurationParameter("mode").orElse("none"); }
  }
  @Test void plain() {}
  @Test void asserts() { boolean[] b = {false}; assert b[0] = true; assertTrue(b[0]); }
  @Test void traces() { assertTrue(new Exception().getStackTrace().length > 0); }
  @Test void boots() throws Exception { assertEquals("one", String.valueOf(Class.forName("boot.B", true, null).getField("S").get(null))); }
  @Test void patched() throws Exception { assertEquals("one", String.valueOf(Class.forName("java.util.logging.Extra").getField("S").get(null))); }
  @Test void zones() { assertEquals("GMT", TimeZone.getDefault().getID()); }
  @Test void mode(String mode) { assertEquals("a", mode); }
  @Test void property() { assertEquals("a\\nb", System.getProperty("x")); }
  @Test void variable() { assertEquals("a\\nb", System.getenv("SOME")); }
  @Test void logs() { assertTrue(java.util.logging.Logger.getLogger("x").isLoggable(java.util.logging.Level.INFO)); }
  @Test void secures() { assertEquals("1", java.security.Security.getProperty("my.prop")); }
  @Test void agent() throws Exception { assertEquals("one", ClassLoader.getSystemClassLoader().loadClass("boot.Agent").getField("S").get(null)); }
  @Test void own() { assertEquals("1", System.getProperty("told.by.main")); }
}
"""
MAIN = """package p;
public class Main {
  public static void main(String... words) {
    System.setProperty("told." + "by.main", words[0]);
    org.junit.platform.console.ConsoleLauncher.main("--select-class=p.T", "--disable-banner", "--details=none");
  }
}
"""


def fail(name, text):
    failures.append(name)
    print(f"FAILED {name}: {text}")


def javac(folder, sources, path, *options):
    for name, text in sources.items():
        file = pathlib.Path("src", folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", *options, "-cp", path or ".", "-d", folder,
                    *[os.path.join("src", folder, name) for name in sources]], check=True)


def jar(file, folder, manifest=""):
    pathlib.Path("manifest").write_text(manifest)
    subprocess.run(["jar", "--create", "--file", file, "--manifest", "manifest", "-C", folder, "."], check=True)


def write(**files):
    for name, text in files.items():
        pathlib.Path(name.replace("_", ".")).write_text(text)


LAUNCHER = ["org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--details=none"]


def command(options=(), words=("--select-class=p.T",), main=None, java=None):
    return [java or JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *options, "-cp", f"classes:{CONSOLE}",
            *(main or LAUNCHER), *words]


def outcome(words, variables, under=()):
    env = {name: value for name, value in os.environ.items()
           if not name.startswith("REJIG_") or name in ("REJIG_AGENT", "REJIG_JUNIT_JAR")}
    env.pop("SOME", None)
    env.pop("TZ", None)
    if under:
        env.update(under[1])
        words = under[0] + [word for name, value in variables.items() for word in (f"{name}={value}",)] + words
    else:
        env.update(variables)
    done = subprocess.run(words, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return (set(re.findall("RAN:(.*)", done.stdout)), set(re.findall("PASSED:(.*)", done.stdout)), done.stdout)


def case(name, before, after, before_env=None, after_env=None, prepare=None, expect=None, outer=None, same=False):
    """`prepare(side)` changes files. `outer`: rejig's own environment. `same`: nothing runs, though it is written otherwise."""
    shutil.rmtree(".rejig", ignore_errors=True)
    before_env, after_env = before_env or {}, after_env or {}
    under = ([REJIG, "run", "--", "env"], outer or {})
    if prepare:
        prepare(1)
    _, passed, text = outcome(before, before_env, under)
    if not passed:
        return fail(name, "nothing passed: " + text)
    again, _, text = outcome(before, before_env, under)
    failing = {test for test in TESTS_NAMES if test not in passed}
    if again - failing:
        return fail(name, f"unchanged, and {sorted(again)} ran: {text}")
    if prepare:
        prepare(2)
    _, truth, _ = outcome(after, after_env)
    ran, _, text = outcome(after, after_env, under)
    missed = (passed ^ truth) - ran
    if expect and expect not in passed ^ truth:
        fail(name, f"{expect} should have flipped; passed {sorted(passed)}, then {sorted(truth)}")
    if missed:
        fail(name, f"missed {sorted(missed)}: {text}")
    if same and ran - failing:
        fail(name, f"{sorted(ran - failing)} ran: {text}")
    said = [line for line in text.splitlines() if "everything runs" in line]
    print(f"ok {name}: {len(ran)} ran; {said[0][-90:] if said else ''}", flush=True)


TESTS_NAMES = set(re.findall(r"@Test void (\w+)\(", TESTS))


def run_all():
    javac("classes", {"p/T.java": TESTS, "p/Main.java": MAIN}, CONSOLE)
    for n, word in ((1, "one"), (2, "two")):
        javac(f"boot{n}", {"boot/B.java": f'package boot; public class B {{ public static String S = "{word}".toString(); }}'}, "")
        jar(f"boot{n}.jar", f"boot{n}")
        javac(f"agent{n}", {"boot/Agent.java": 'package boot; public class Agent { public static String S = "%s".toString(); '
                            'public static void premain(String a) {} }' % word}, "")
        jar(f"agent{n}.jar", f"agent{n}", "Premain-Class: boot.Agent\n")
        javac(f"patch{n}", {"java/util/logging/Extra.java": 'package java.util.logging; public class Extra { public static String S = "%s".toString(); }' % word},
              "", "--patch-module", "java.logging=src/patch%d" % n)
    plain = command()

    def files(**texts):
        def prepare(side):
            write(**{name: both[side - 1] for name, both in texts.items()})
        return prepare

    def copies(name, kind):
        def prepare(side):
            if os.path.isdir(f"{kind}{side}"):
                shutil.rmtree(name, ignore_errors=True)
                shutil.copytree(f"{kind}{side}", name)
            else:
                shutil.copy(f"{kind}{side}.jar", name)
        return prepare

    def jars(name, kind):
        return lambda side: shutil.copy(f"{kind}{side}.jar", name)

    case("argument file", command(["@opts"]), command(["@opts"]), prepare=files(opts=("-ea", "-da")), expect="asserts")
    case("argument file by JDK_JAVA_OPTIONS", plain, plain, {"JDK_JAVA_OPTIONS": "@opts"}, {"JDK_JAVA_OPTIONS": "@opts"},
         prepare=files(opts=("-ea", "-da")), expect="asserts")
    case("the same in an argument file", command(["-ea"]), command(["@opts"]), prepare=files(opts=("-ea", "-ea")), same=True)
    case("JAVA_TOOL_OPTIONS", plain, plain, {"JAVA_TOOL_OPTIONS": TOOL + "-ea"}, {"JAVA_TOOL_OPTIONS": TOOL + "-da"}, expect="asserts")
    case("_JAVA_OPTIONS", plain, plain, {"_JAVA_OPTIONS": "-ea"}, {"_JAVA_OPTIONS": "-da"}, expect="asserts")
    case("options file", command(["-XX:VMOptionsFile=vm"]), command(["-XX:VMOptionsFile=vm"]),
         prepare=files(vm=("-ea\n", "-da\n")), expect="asserts")
    case("flags file", command(["-XX:Flags=flags"]), command(["-XX:Flags=flags"]),
         prepare=files(flags=("+StackTraceInThrowable\n", "-StackTraceInThrowable\n")), expect="traces")
    case("order of options", command(["-da", "-ea"]), command(["-ea", "-da"]), expect="asserts")
    case("order of packages' options", command(["-ea", "-da:p..."]), command(["-ea", "-da:p...", "-ea:p.T"]), expect="asserts")
    boot = command(["-Xbootclasspath/a:boot.jar"])
    case("boot class path", boot, boot, prepare=jars("boot.jar", "boot"), expect="boots")
    folder = command(["-Xbootclasspath/a:bootfolder"])
    case("folder on the boot class path", folder, folder, prepare=copies("bootfolder", "boot"), expect="boots")
    patch = command(["--patch-module=java.logging=patch"])
    case("patched module", patch, patch, prepare=copies("patch", "patch"), expect="patched")
    agent = command(["-javaagent:../agent.jar=x=y"])
    case("agent", agent, agent, prepare=jars("../agent.jar", "agent"), expect="agent")
    logging = command(["-Djava.util.logging.config.file=log.properties"])
    case("logging", logging, logging, prepare=files(log_properties=(".level=INFO\n", ".level=SEVERE\n")), expect="logs")
    secure = command(["-Djava.security.properties=sec.properties"])
    case("security properties", secure, secure, prepare=files(sec_properties=("my.prop=1\n", "my.prop=2\n")), expect="secures")
    alone = command(["-Djava.security.properties==all.properties"])
    case("security properties alone", alone, alone, prepare=lambda side: pathlib.Path("all.properties").write_text(
        SECURITY + f"my.prop={side}\n"), expect="secures")
    url = command(["-Djava.security.properties=file:" + os.path.abspath("sec.properties")])
    case("security properties by URL", url, url, prepare=files(sec_properties=("my.prop=1\n", "my.prop=2\n")), expect="secures")
    case("zone", plain, plain, {"TZ": "GMT"}, {"TZ": "UTC"}, expect="zones")
    case("zone property", command(["-Duser.timezone=GMT"]), command(["-Duser.timezone=UTC"]), expect="zones")
    case("zone by another word", plain, plain, {"TZ": "UTC"}, {"TZ": ":UTC"}, same=True)
    case("configuration parameter", command(words=["--select-class=p.T", "--config=mode=a"]),
         command(words=["--select-class=p.T", "--config=mode=b"]), expect="mode")
    case("configuration parameter, two words", command(words=["-c", "p.T", "--config", "mode=a"]),
         command(words=["-c", "p.T", "--config", "mode=b"]), expect="mode")
    inner = command(words=["@words"])
    case("argument file of the launcher", inner, inner,
         prepare=files(words=("--select-class=p.T\n--config mode=a\n", "--select-class=p.T\n--config mode=b\n")), expect="mode")
    case("another choice of tests", command(words=["--select-class=p.T", "--config=mode=a"]),
         command(words=["--config=mode=a", "--scan-classpath", "classes", "--include-classname=.*T", "--reports-dir=reports"]), same=True)
    main = ["p.Main"]
    case("words of a main class", command(words=["1"], main=main), command(words=["2"], main=main), expect="own")
    case("words with blanks", command(words=["1", "2 3"], main=main), command(words=["1", "2", "3"], main=main))
    case("property with a line end", command(["-Dx=a\nb"]), command(["-Dx=a b"]), expect="property")
    case("property with a carriage return", command(["-Dx=a\nb"]), command(["-Dx=a\r\nb"]), expect="property")
    case("variable with a line end", plain, plain, {"SOME": "a\nb"}, {"SOME": "a b"}, expect="variable")
    case("variable that is gone, but rejig has it", plain, ["env", "-u", "SOME", *plain], {"SOME": "a\nb"}, {"SOME": "a\nb"},
         expect="variable", outer={"SOME": "a\nb"})
    case("unchanged variable with a line end", plain, plain, {"SOME": "a\nb"}, {"SOME": "a\nb"}, same=True)
    # The test JVM's variables say nothing to rejig.
    case("settings for rejig in the JVM's environment", plain, plain, {"SOME": "a\nb"},
         {"SOME": "a b", "REJIG_ASSUME": "no-resources", "REJIG_COVERAGE": "none.db", "LD_PRELOAD": os.path.abspath("none.so")},
         expect="variable")

    home = os.path.abspath("jdk")
    subprocess.run([os.path.join(os.path.dirname(os.path.realpath(JAVA)), "jlink"), "--output", home, "--strip-debug", "--no-man-pages", "--no-header-files",
                    "--add-modules", "java.base,java.logging,java.xml,java.management,java.instrument,jdk.unsupported"], check=True)
    other = command(java=home + "/bin/java")

    def jdk_file(name, first, second):
        def prepare(side):
            path = pathlib.Path(home, name)
            path.chmod(0o644)
            path.write_text((first, second)[side - 1])
        return prepare

    security = pathlib.Path(home, "conf/security/java.security").read_text()
    case("the JDK's security", other, other, prepare=jdk_file(
        "conf/security/java.security", security + "\nmy.prop=1\n", security + "\nmy.prop=2\n"), expect="secures")
    case("the JDK's logging", other, other, prepare=jdk_file(
        "conf/logging.properties", ".level=INFO\n", ".level=SEVERE\n"), expect="logs")
    shutil.move(home + "/conf/logging.properties", "logging.properties")
    os.symlink(os.path.abspath("logging.properties"), home + "/conf/logging.properties")
    case("the JDK's logging behind a link", other, other,
         prepare=files(logging_properties=(".level=INFO\n", ".level=SEVERE\n")), expect="logs")


TOOL = f"-agentpath:{os.environ['REJIG_AGENT']} "
SECURITY = pathlib.Path(os.path.dirname(os.path.dirname(os.path.realpath(JAVA))), "conf/security/java.security").read_text() + "\n"

with tempfile.TemporaryDirectory() as work:
    # An agent's classes are there before the recorder wakes: those of a project would be in doubt.
    os.mkdir(os.path.join(work, "project"))
    os.chdir(os.path.join(work, "project"))
    run_all()
    os.chdir("/")
if failures:
    print(len(failures), "failed")
    sys.exit(1)
print("all passed")
