#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The core extension of Maven, on a reactor that nobody prepared but for .mvn/extensions.xml: which tests run, how many JVMs
were started, what was said. A twin lives through the same changes below `rejig run -- mvn`: the same tests run.
usage: maven_extension.py ENGINE MAVEN (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR, REJIG_MAVEN: folder of the extension, SOURCES)
ENGINE: jupiter (with Failsafe), junit4, testng. MAVEN: "mvn", or an archive of one."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ENGINE, MAVEN = sys.argv[1:]
REJIG = os.environ["REJIG"]
BUILT = pathlib.Path(os.environ["REJIG_MAVEN"])
VERSION = re.search("<version>(.*)</version>", (BUILT / "rejig-maven.pom").read_text()).group(1)
WORK = pathlib.Path(tempfile.mkdtemp())
USUAL = pathlib.Path.home() / ".m2/repository"
env = {name: value for name, value in os.environ.items()
       if not name.startswith("REJIG_") or name in ("REJIG_AGENT", "REJIG_JUNIT_JAR")}
env["MAVEN_OPTS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
failures = []

LIBRARY = {
    "jupiter": ("org.junit.jupiter", "junit-jupiter", "5.9.3", "org.junit.jupiter.api.Test", "org.junit.jupiter.api.Assertions"),
    "junit4": ("junit", "junit", "4.13.2", "org.junit.Test", "org.junit.Assert"),
    "testng": ("org.testng", "testng", "7.5.1", "org.testng.annotations.Test", "org.testng.Assert"),
}[ENGINE]
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rejig.tests</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
  <modules><module>core</module><module>app</module><module>leaf</module></modules>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <argLine>-Down.option=kept</argLine>
  </properties>
  <dependencies><dependency>
    <groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version><scope>test</scope>
  </dependency></dependencies>
  <build><plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin>
    <plugin><artifactId>maven-jar-plugin</artifactId><version>3.3.0</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version>
      <configuration><environmentVariables><OWN>kept</OWN></environmentVariables>@MORE@</configuration></plugin>
    <plugin><artifactId>maven-failsafe-plugin</artifactId><version>3.2.5</version>
      <executions><execution><goals><goal>integration-test</goal><goal>verify</goal></goals></execution></executions></plugin>
  </plugins></build>
</project>
""" % LIBRARY[:3]
# TestNG's own reports lie below the module, and tests are taken to read what of them was there before.
POM = POM.replace("@MORE@", "<properties><property><name>usedefaultlisteners</name><value>false</value></property></properties>" if ENGINE == "testng" else "")
MODULE = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>rejig.tests</groupId><artifactId>all</artifactId><version>1</version></parent>
  <artifactId>%s</artifactId>
  <dependencies>%s</dependencies>
</project>
"""
USES_CORE = "<dependency><groupId>rejig.tests</groupId><artifactId>core</artifactId><version>1</version></dependency>"
EXTENSIONS = """<extensions>
  <extension><groupId>rejig</groupId><artifactId>rejig-maven</artifactId><version>%s</version></extension>
</extensions>
""" % VERSION
ALL = {"one", "two", "appOne", "appFour", "leaf"} | ({"itOne"} if ENGINE == "jupiter" else set())
STEPS = 4 if ENGINE == "jupiter" else 3


def check(name, good, seen=""):
    if not good:
        failures.append(name)
    print("ok" if good else "FAILED", name, "" if good else str(seen)[-6000:], flush=True)


def test(name, expression, value):
    return f'  @Test public void {name}() {{ System.out.println("RAN:{name}"); assertEquals({value}, {expression}); }}\n'


class Project:
    def __init__(self, folder, extension):
        self.folder = pathlib.Path(folder)
        self.extension = extension
        self.write("pom.xml", POM)
        for name, uses in (("core", ""), ("app", USES_CORE), ("leaf", "")):
            self.write(f"{name}/pom.xml", MODULE % (name, uses))
        self.write("core/src/main/java/core/Core.java", "package core; public class Core { public static int one() { return 1; } public static int two() { return 2; } }")
        self.write("app/src/main/java/app/App.java", "package app; public class App { public static int one() { return core.Core.one(); } public static int four() { return 4; } }")
        self.write("leaf/src/main/java/leaf/Leaf.java", "package leaf; public class Leaf { public static int five() { return 5; } }")
        self.tests("core/src/test/java/core/CoreTest.java", test("one", "Core.one()", 1) + test("two", "Core.two()", 2))
        self.tests("app/src/test/java/app/AppTest.java", test("appOne", "App.one()", 1) + test("appFour", "App.four()", 4))
        self.tests("leaf/src/test/java/leaf/LeafTest.java", test("leaf", 'Leaf.five() + (System.getenv("OWN") + System.getProperty("own.option")).length()', 13))
        if ENGINE == "jupiter":
            self.tests("app/src/test/java/app/AppIT.java", test("itOne", "App.one()", 1))
        if extension:
            self.write(".mvn/extensions.xml", EXTENSIONS)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def tests(self, name, bodies):
        package, owner = pathlib.Path(name).parts[-2:]
        self.write(name, f"package {package};\nimport {LIBRARY[3]};\nimport static {LIBRARY[4]}.assertEquals;\npublic class {owner[:-5]} {{\n{bodies}}}\n")

    def change(self, name, old, new):
        text = (self.folder / name).read_text()
        assert old in text, (name, old)
        self.write(name, text.replace(old, new))

    def mvn(self, *words, path=True, variables=(), options=()):
        command = [MVN, "-B", "-ntp", f"-Dmaven.repo.local={WORK}/repository", *(words or ("verify",))]
        if not self.extension:
            command = [REJIG, "run", "--", *command]
        more = dict(env, **dict(variables))
        if path:
            more["PATH"] = f"{WORK}/bin{os.pathsep}{env['PATH']}"
        done = subprocess.run(command, cwd=self.folder, env=more, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
        return done.returncode, set(re.findall(r"RAN:(\w+)", done.stdout)), done.stdout.count("Picked up JAVA_TOOL_OPTIONS"), done.stdout


class Twins:
    """One with the extension, one below `rejig run`."""

    def __init__(self):
        self.own = Project(WORK / "own", True)
        self.other = Project(WORK / "other", False)

    def change(self, *what):
        self.own.change(*what)
        self.other.change(*what)

    def step(self, name, wanted, *words, code=0, jvms=None, says="", alone=False, may=()):
        """jvms: how many were started; None: whatever. may: what may run, too, if it does below `rejig run`."""
        got = self.own.mvn(*words)
        wanted = set(wanted) | (got[1] & set(may))
        said = says in got[3] and not re.search("all tests run, nothing is recorded", got[3])
        check(name, got[0] == code and got[1] == wanted and (jvms is None or got[2] == jvms) and said,
              f"exit {got[0]} ran {got[1]} in {got[2]} JVMs, wanted {wanted} in {jvms}\n{got[3]}")
        if not alone:
            twin = self.other.mvn(*words)
            check(name + ", below rejig run", (twin[0], twin[1]) == got[:2], f"{twin[:2]} against {got[:2]}\n{twin[3]}")


def lives(twins):
    core, app = "core/src/main/java/core/Core.java", "app/src/main/java/app/App.java"
    twins.step("first: everything runs and is recorded", ALL, jvms=STEPS, says="no baseline yet")
    twins.change(app, "return 4;", "int i = Math.abs(4); return i;")
    # Suites share what the store knows of a class: rows of one that did not run are stale to another.
    integration = {"itOne"} & ALL
    twins.step("one body: what is affected, in one JVM", {"appFour"}, jvms=None if integration else 1, may=integration,
               says="no change can affect any of the 2 tests of rejig.tests:core")
    twins.step("no change", set(), jvms=None if integration else 0, may=integration)
    twins.step("no change: no JVM", set(), jvms=0, says="0 of %d tests run" % len(ALL))
    twins.step("no change, from nothing: no JVM", set(), "clean", "verify", jvms=0)
    twins.change(core, "return 1;", "int i = Math.abs(1); return i;")
    affected = {"one", "appOne"} | integration
    twins.step("a body below, in parallel", affected, "-T2", "verify")
    twins.step("and none", set(), "-T2", "verify")
    twins.change(core, "return 2;", "return 3;")
    twins.step("a test fails", {"two"}, "-fae", "verify", code=1)
    twins.step("and fails again", {"two"}, "-fae", "verify", code=1)
    twins.change(core, "return 3;", "return 2;")
    twins.step("repaired", {"two"}, may={"appOne"} | integration)
    twins.step("then no JVM", set(), jvms=0)
    twins.change(core, "return 2;", "int i = Math.abs(2); return i;")
    twins.step("one module only", {"two"}, "-pl", "core", "verify")
    twins.step("then the others", set(), may={"appOne"} | integration)
    twins.change("leaf/src/main/java/leaf/Leaf.java", "return 5;", "int i = Math.abs(5); return i;")
    twins.step("from the last module on", {"leaf"}, "-rf", ":leaf", "verify")
    twins.change(app, "Math.abs(4)", "Math.abs(-4)")
    twins.step("a choice of tests", {"appFour"}, "-Dtest=AppTest#appFour", "-Dsurefire.failIfNoSpecifiedTests=false", "test")
    twins.step("a choice that nobody meets is red, as ever", set(), "-Dtest=NoSuch", "test", code=1)
    twins.step("who skips tests hears nothing", set(), "-DskipTests", "verify", jvms=0, alone=True)
    for project in (twins.own, twins.other):
        project.tests("leaf/src/test/java/leaf/MoreTest.java", test("more", "Leaf.five()", 5))
    twins.step("a new test class", {"more"}, may=integration)
    twins.step("then no JVM", set(), jvms=0)


def doubts(project, everything):
    """Whatever is not clear: all tests run, and a line says so."""
    def step(name, says, *words, **more):
        code, ran, jvms, text = project.mvn(*words, **more)
        check(name, code == 0 and ran == everything and re.search(says, text), text)
    step("no program: everything runs", "rejig: there is no rejig: .*all tests run, nothing is recorded", path=False)
    step("a program that is none", "rejig.exe is /nowhere.*all tests run", "-Drejig.exe=/nowhere", "verify")
    step("a program of another kind", "/bin/true: it cannot record here: all tests run", "-Drejig.exe=/bin/true", "verify")
    step("an option that it does not know", "all tests run, nothing is recorded", "-Drejig.args=--no-such-option", "verify")
    step("switched off", "BUILD SUCCESS", variables={"REJIG_OFF": "1"})
    step("--all", "rejig: recorded 7 tests" if ENGINE == "jupiter" else "rejig: recorded 6 tests", "-Drejig.args=--all", "verify")
    code, ran, jvms, _ = project.mvn()
    check("after --all nothing runs", (code, ran, jvms) == (0, set(), 0), (code, ran, jvms))
    step("other options of the test JVMs", "JVM options or properties differ from the baseline", "-DargLine=-Down.option=kept -Xmx300m", "verify")
    step("and back", "JVM options or properties differ from the baseline")
    (project.folder / ".rejig/matrix.db").write_text("torn")
    step("a store that is damaged", "BUILD SUCCESS")


def as_artefact(project):
    """Not on the PATH: an artefact of a repository, as it is deployed."""
    folder = WORK / f"repository/rejig/rejig/{VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(REJIG, folder / f"rejig-{VERSION}-linux-x86_64.exe")
    os.chmod(folder / f"rejig-{VERSION}-linux-x86_64.exe", 0o644)
    shutil.rmtree(project.folder / ".rejig")
    project.mvn(path=False)
    code, ran, jvms, text = project.mvn(path=False)
    check("a program from a repository", (code, ran, jvms) == (0, set(), 0), text)
    shutil.rmtree(folder)


def unknown_kind(project):
    """Tests of an engine that rejig does not know, from lines of a file: a line more is a test that nobody has seen."""
    project.write("leaf/src/test/resources/cases.txt", "first\n")
    project.write("leaf/src/test/resources/META-INF/services/org.junit.platform.engine.TestEngine", "leaf.Lines\n")
    project.write("leaf/src/test/java/leaf/Lines.java", """package leaf;
import org.junit.platform.engine.*;
import org.junit.platform.engine.support.descriptor.*;
public class Lines implements TestEngine {
  static class Node extends AbstractTestDescriptor {
    Node(UniqueId id, String name) { super(id, name, ClassSource.from("leaf.Lines")); }
    @Override public Type getType() { return Type.TEST; }
  }
  @Override public String getId() { return "lines"; }
  @Override public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
    TestDescriptor root = new EngineDescriptor(id, "lines");
    try (java.io.InputStream in = Lines.class.getResourceAsStream("/cases.txt")) {
      for (String line : new String(in.readAllBytes()).split("\\n")) root.addChild(new Node(id.append("line", line), line));
    } catch (java.io.IOException e) { throw new IllegalStateException(e); }
    return root;
  }
  @Override public void execute(ExecutionRequest request) {
    EngineExecutionListener out = request.getEngineExecutionListener();
    out.executionStarted(request.getRootTestDescriptor());
    for (TestDescriptor one : request.getRootTestDescriptor().getChildren()) {
      out.executionStarted(one);
      System.out.println("RAN:" + one.getDisplayName());
      out.executionFinished(one, TestExecutionResult.successful());
    }
    out.executionFinished(request.getRootTestDescriptor(), TestExecutionResult.successful());
  }
}
""")
    code, ran, _, text = project.mvn()
    check("an engine that nobody knows", code == 0 and "first" in ran, text)
    project.mvn()
    project.write("leaf/src/test/resources/cases.txt", "first\nsecond\n")
    code, ran, _, text = project.mvn()
    check("a test of it that nobody has seen", code == 0 and "second" in ran, text)


def stale_summary(project):
    """What Failsafe said of another build is not the outcome of this one."""
    app = "app/src/main/java/app/App.java"
    project.mvn()
    project.change(app, "return core.Core.one();", "return core.Core.one() + 1;")
    code, ran, _, text = project.mvn("-Dmaven.test.failure.ignore", "verify", variables={"REJIG_OFF": "1"})
    check("integration tests fail without rejig", code == 0 and "itOne" in ran, text)
    project.change(app, "return core.Core.one() + 1;", "return core.Core.one();")
    code, ran, _, text = project.mvn()
    check("with what was there before they are green", code == 0 and not ran, text)


def compiles():
    """Against the interfaces of this Maven, not those that it was built with."""
    home = pathlib.Path(shutil.which(MVN)).resolve().parent.parent
    jars = os.pathsep.join(map(str, sorted((home / "lib").glob("*.jar"))))
    sources = [str(path) for part in ("session", "extension") for path in sorted((pathlib.Path(os.environ["SOURCES"]) / part).rglob("*.java"))]
    done = subprocess.run(["javac", "--release", "8", "-Xlint:-options", "-proc:none", "-cp", jars, "-d", str(WORK / "compiled"), *sources], text=True, capture_output=True)
    check("it compiles against " + MAVEN, done.returncode == 0 and len(sources) > 4, done.stderr)


if MAVEN == "mvn":
    MVN = "mvn"
else:
    with tarfile.open(MAVEN) as archive:
        archive.extractall(WORK / "maven")
    MVN = str(next((WORK / "maven").glob("*/bin/mvn")))
USUAL.mkdir(parents=True, exist_ok=True)
(WORK / "bin").mkdir()
(WORK / "bin/rejig").symlink_to(REJIG)
own = WORK / f"repository/rejig/rejig-maven/{VERSION}"
own.mkdir(parents=True)
for kind in ("jar", "pom"):
    shutil.copy(BUILT / f"rejig-maven.{kind}", own / f"rejig-maven-{VERSION}.{kind}")
for group in USUAL.iterdir():
    if group.name != "rejig":
        (WORK / "repository" / group.name).symlink_to(group)
compiles()
twins = Twins()
lives(twins)
if ENGINE == "jupiter":
    stale_summary(twins.own)
doubts(twins.own, ALL | {"more"})
as_artefact(twins.own)
if ENGINE == "jupiter":
    unknown_kind(twins.own)
print(f"{len(failures)} failed" if failures else "all passed")
shutil.rmtree(WORK, ignore_errors=True)
sys.exit(bool(failures))
