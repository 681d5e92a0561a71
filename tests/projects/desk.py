#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The desk: select and explain after a run without any argument, watch on a terminal of its own, init, ide, doctor, and a
run that cannot record. usage: desk.py (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR, ARTIFACTS)"""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

REJIG = os.environ["REJIG"]
CONSOLE = os.path.join(os.environ["ARTIFACTS"], "junit-platform-console-standalone-1.9.3.jar")
env = {name: value for name, value in os.environ.items()
       if not name.startswith("REJIG_") or name in ("REJIG_AGENT", "REJIG_JUNIT_JAR")}
env["HOME"] = tempfile.mkdtemp()
failures = []
TESTS = ["java", "-jar", CONSOLE, "-cp", "target/classes:target/test-classes", "--scan-classpath", "target/test-classes",
         "--disable-banner", "--details", "none"]


def check(name, good, seen=""):
    if not good:
        failures.append(name)
    print("ok" if good else "FAILED", name, "" if good else repr(seen))


def run(*words, code=0, **options):
    done = subprocess.run(words, env=options.pop("env", env), text=True, capture_output=True, timeout=300,
                          stdin=subprocess.DEVNULL, **options)
    if code is not None and done.returncode != code:
        check(f"{' '.join(words[1:4])}: exit {code}", False, (done.returncode, done.stdout, done.stderr))
    return done


def rejig(*words, **options):
    return run(REJIG, *words, **options)


def sources(body="a + b"):
    for name, text in {
        "src/main/java/p/Calc.java": "package p;\npublic class Calc {\n  public int add(int a, int b) { return %s; }\n"
                                     "  public int mul(int a, int b) { return a * b; }\n}\n" % body,
        "src/test/java/p/CalcTest.java":
            "package p;\nimport org.junit.jupiter.api.*;\nclass CalcTest {\n"
            "  @Test void add() { System.out.println(\"RAN:add\"); Assertions.assertEquals(3, new Calc().add(1, 2)); }\n"
            "  @Test void mul() { System.out.println(\"RAN:mul\"); Assertions.assertEquals(6, new Calc().mul(2, 3)); }\n}\n",
    }.items():
        path = pathlib.Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


COMPILE = ["sh", "-c", "javac -g -proc:none -nowarn -d target/classes src/main/java/p/*.java && javac -g -proc:none -nowarn "
           f"-cp target/classes:{CONSOLE} -d target/test-classes src/test/java/p/*.java"]


def build(body="a + b"):
    sources(body)
    run(*COMPILE)


def ran(text):
    return sorted(set(re.findall(r"RAN:(\w+)", text)))


def begin():
    os.chdir(tempfile.mkdtemp())


def without_arguments():
    begin()
    build()
    check("select before any run says what to do", "rejig select OLD NEW" in rejig("select", code=2).stderr)
    check("doctor before any run", "there is no matrix yet" in rejig("doctor").stdout)
    check("everything runs once", ran(rejig("run", "--", *TESTS).stdout) == ["add", "mul"])
    check("git does not see what is recorded", pathlib.Path(".rejig/.gitignore").read_text() == "*\n")
    check("doctor: nothing stands in the way", "the next run will run what a change can affect" in rejig("doctor").stdout)
    check("select: nothing changed", rejig("select", "--format", "ids").stdout == "")
    build("b + a")
    done = rejig("select", "--exit-code", "--format", "json", code=1)
    answer = json.loads(done.stdout)
    check("select knows the class path", [one["test"] for one in answer["selected"]] == ["p.CalcTest#add()"], done.stdout)
    plan = json.loads(rejig("plan", "--shards", "2").stdout)
    check("plan knows it, too", [c for s in plan["shards"] for one in s["suites"] for c in one["classes"]] == ["p.CalcTest"], plan)
    check("and says what it cannot see", any("class path" in one for one in answer["assumptions"]), answer["assumptions"])
    check("explain is of the run that was", "p.CalcTest#add(): selected" in rejig("explain", "add").stdout)
    check("with its reason", "no baseline yet" in rejig("explain", "add").stdout)
    check("explain --now is of what lies here", "m:p.Calc.add(II)I: in its row" in rejig("explain", "--now", "add").stdout)
    check("only that runs", ran(rejig("run", "--", *TESTS).stdout) == ["add"])
    told = rejig("explain", "CalcTest")
    check("explain after the run: why", "E1 D1 p.Calc.add(II)I" in told.stdout and "m:p.Calc.add(II)I: in its row" in told.stdout, told.stdout)
    check("explain after the run: who was left out", "p.CalcTest#mul(): unaffected" in told.stdout, told.stdout)
    check("explain --not after the run", "its row lacks m:p.Calc.add(II)I" in rejig("explain", "--not", "CalcTest#mul").stdout)
    check("explain --edge after the run", "selects 1 test" in rejig("explain", "--edge", "E1").stdout)
    check("select after the run: nothing", rejig("select", "--format", "ids").stdout == "")
    check("what was probably meant", "Did you mean" in rejig("explain", "p.CalcTest#ad()", code=2).stderr)
    shutil.move("target", "elsewhere")
    check("a root that is gone is doubt", "is it compiled?" in rejig("select", code=2).stderr)
    shutil.move("elsewhere", "target")
    shutil.rmtree("target/classes")
    everything = rejig("select", "--format", "ids", "--exit-code", code=1).stdout
    check("one of the roots is gone: everything", everything.startswith("# all: target") or "# all: " in everything, everything)
    check("doctor says so", "is it compiled?" in rejig("doctor").stdout)
    build("b + a")
    other = dict(env, TZ="Asia/Tokyo")
    told = rejig("doctor", env=other).stdout
    check("doctor compares the zone", "everything, because" in told and "time zone" in told, told)
    rows = sorted(pathlib.Path(".rejig/baseline").rglob("class-path"))
    rows[0].write_text("nonsense")
    check("a baseline that cannot be read", "cannot be read" in rejig("select", code=2).stderr)
    pathlib.Path("rejig.toml").write_text("[selct]\n")
    told = rejig("doctor", code=2).stdout
    check("doctor on settings", "mend that line" in told, told)


def a_build_stays_green():
    begin()
    build()
    pathlib.Path("rejig.toml").write_text("[selct]\n")
    done = rejig("run", "--", *TESTS)
    check("a run that cannot record is as good as the command", ran(done.stdout) == ["add", "mul"] and "nothing is recorded" in done.stderr, done.stderr)
    check("but --strict tells", ran(rejig("run", "--strict", "--", *TESTS, code=2).stdout) == ["add", "mul"])
    rejig("run", "--", "sh", "-c", "exit 3", code=3)
    rejig("run", "--strict", "--best-effort", "--", "true", code=2)
    rejig("run", code=2)


class Terminal:
    """`rejig watch` with a keyboard."""

    def __init__(self, *words):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen([REJIG, "watch", *words], stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True)
        os.close(slave)
        self.text = ""

    def until(self, pattern, name, seconds=120):
        ends = time.monotonic() + seconds
        while not re.search(pattern, self.text):
            if time.monotonic() > ends or self.process.poll() is not None and not select.select([self.master], [], [], 0)[0]:
                check(name, False, self.text)
                return ""
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    break
        check(name, True)
        text, self.text = self.text, ""
        return text

    def key(self, key):
        os.write(self.master, key.encode())

    def end(self):
        try:
            code = self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "it goes on"
        os.close(self.master)
        return code


def watch():
    begin()
    sources()
    pathlib.Path("log").mkdir()
    line = " ".join(COMPILE[2:]) + " && echo x >> log/tests.log && " + " ".join(TESTS)
    terminal = Terminal("--debounce", "50", "--", "sh", "-c", line)
    done = r"rejig: (passed|failed)[^\n]*q quits"
    text = terminal.until(done, "watch runs at once")
    check("the first time everything", ran(text) == ["add", "mul"], text)
    # What the command wrote itself (a log in a watched folder) runs it once more, then it is known.
    text = terminal.until(r"no longer watched[^$]*" + done, "what the command writes is found out")
    sources("b + a")
    text = terminal.until(done, "a saved file runs")
    check("what it affects", ran(text) == ["add"], text)
    terminal.key("\n")
    check("enter runs what is affected: nothing", ran(terminal.until(done, "enter runs")) == [])
    terminal.key("a")
    check("a runs everything", ran(terminal.until(done, "a runs")) == ["add", "mul"])
    sources("a - b")
    text = terminal.until(done, "a change that breaks")
    check("is told", "failed, exit code 1" in text and ran(text) == ["add"], text)
    terminal.key("r")
    check("what failed runs again", ran(terminal.until(done, "r runs")) == ["add"])
    pathlib.Path("src/main/java/q").mkdir()
    pathlib.Path("src/main/java/q/New.java").write_text("package q; class New { }\n")
    terminal.until(done, "a file in a new folder runs")
    pathlib.Path("target/classes/other.txt").write_text("an output\n")
    pathlib.Path("src/main/java/p/.Calc.java.swp").write_text("an editor's\n")
    check("outputs and editors' files do not", not select.select([terminal.master], [], [], 1.5)[0])
    terminal.key("q")
    check("q quits", terminal.end() == 0)
    terminal = Terminal("--", "sleep", "60")
    terminal.key("q")
    begun = time.monotonic()
    check("q ends what runs", terminal.end() == 0 and time.monotonic() - begun < 30)
    terminal = Terminal("--", "sleep", "60")
    time.sleep(0.5)
    terminal.process.send_signal(signal.SIGINT)
    check("an interrupt ends it", terminal.end() == 130)
    rejig("watch", code=2)
    rejig("watch", "--watch", "nowhere", "--", "true", code=2)


BUILDS = {
    "Maven": ({"pom.xml": "<project/>"}, "mvn test"),
    "Maven with its wrapper": ({"pom.xml": "<project/>", "mvnw": ""}, "./mvnw test"),
    "Gradle": ({"build.gradle.kts": ""}, "gradle test"),
    "Gradle with its wrapper": ({"settings.gradle": "", "gradlew": ""}, "./gradlew test"),
    "sbt": ({"build.sbt": "Test / fork := true"}, "sbt test"),
    "Ant": ({"build.xml": '<project><target name="compile"/><target depends="compile" name="run-tests"/></project>'}, "ant run-tests"),
    "nothing known": ({}, "CMD"),
}


def init():
    for name, (files, command) in BUILDS.items():
        begin()
        for path, text in files.items():
            pathlib.Path(path).write_text(text)
        done = rejig("init")
        check(f"init: {name}", f"rejig run -- {command}\n" in done.stdout and "rejig select\n" in done.stdout, done.stdout)
        check(f"init: {name}: the settings are read", rejig("select", code=2).stderr.startswith("rejig: error: .rejig"), "")
        check(f"init: {name}: every line of them, too", settings_hold(), "")
        check(f"init: {name}: .gitignore", pathlib.Path(".rejig/.gitignore").read_text().endswith("\n*\n"))
        pathlib.Path("rejig.toml").write_text("# mine\n")
        again = rejig("init").stdout
        check(f"init: {name}: nothing is written over", "left as it is" in again and pathlib.Path("rejig.toml").read_text() == "# mine\n", again)
    begin()
    pathlib.Path("pom.xml").write_text("<project><forkCount> 0 </forkCount></project>")
    check("init: what selection cannot work with", "forkCount 0" in rejig("init").stderr)
    check("doctor: the same", "let Surefire fork one" in rejig("doctor").stdout)


def settings_hold():
    """Whoever takes the # away has settings that are read."""
    text = pathlib.Path("rejig.toml").read_text()
    lines = [re.sub(r"^# (?=\w+[\w-]* = |\[)", "", line) for line in text.split("\n")]
    pathlib.Path("all.toml").write_text("\n".join(lines))
    told = rejig("select", "--config", "all.toml", code=2).stderr
    return "NEW is needed" in told and "all.toml" not in told


def ide():
    begin()
    build()
    rejig("run", "--", *TESTS)
    build("b + a")
    rejig("ide", "emacs", code=2)
    rejig("ide", "vscode", code=2)
    pathlib.Path("pom.xml").write_text("<project/>")
    for name in ("idea", "vscode", "eclipse", "vim"):
        told = rejig("ide", name).stdout
        check(f"ide {name}: says what it wrote", "wrote " in told, told)
        check(f"ide {name}: the same again", "wrote " not in rejig("ide", name).stdout)
    tasks = json.loads(pathlib.Path(".vscode/tasks.json").read_text())
    by_label = {task["label"]: task for task in tasks["tasks"]}
    check("VS Code: the run", by_label["rejig: affected tests"]["command"] == "rejig run -- mvn test", by_label)
    ask = by_label["rejig: which tests, and why"]
    lines = run("sh", "-c", ask["command"].replace("rejig ", REJIG + " ", 1)).stdout.splitlines()
    pattern = ask["problemMatcher"]["pattern"]
    for line in lines:
        found = re.match(pattern["regexp"], line)
        check("VS Code: the matcher takes the line", found and os.path.isfile(found.group(pattern["file"])), line)
    check("VS Code: there are such lines, at the change and at the test", len(lines) == 2 and "Calc.java:3:" in lines[0] and "CalcTest.java:" in lines[1], lines)
    for path in (".idea/runConfigurations/rejig_affected_tests.xml", ".idea/runConfigurations/rejig_on_save.xml"):
        root = xml.etree.ElementTree.parse(path).getroot()
        values = {one.get("name"): one.get("value") for one in root.iter("option")}
        check("IntelliJ: a shell script configuration", root.tag == "component" and root.find("configuration").get("type") == "ShConfigurationType")
        check("IntelliJ: what runs", values["SCRIPT_TEXT"].startswith("rejig ") and values["SCRIPT_TEXT"].endswith("-- mvn test"), values)
    tool = xml.etree.ElementTree.parse(".rejig/ide/tools/rejig.xml").getroot()
    values = {one.get("name"): one.get("value") for one in tool.iter("option")}
    lines = run("sh", "-c", REJIG + " " + values["PARAMETERS"]).stdout.splitlines()
    macros = values["REGEXP"]
    for macro, group in (("$FILE_PATH$", r"(?P<file>.+?)"), ("$LINE$", r"(?P<line>\d+)"), ("$COLUMN$", r"\d+")):
        macros = macros.replace(macro, group)
    check("IntelliJ: the filter takes the lines", len(lines) == 2 and all(os.path.isfile(re.match(macros, line)["file"]) for line in lines), lines)
    for path in ("rejig.launch", "rejig-select.launch"):
        root = xml.etree.ElementTree.parse(path).getroot()
        keys = {one.get("key").rpartition(".")[2]: one.get("value") for one in root.iter("stringAttribute")}
        check("Eclipse: a program", root.get("type") == "org.eclipse.ui.externaltools.ProgramLaunchConfigurationType" and keys["ATTR_LOCATION"] == "${system_path:rejig}", keys)
        check("Eclipse: what it does", keys["ATTR_TOOL_ARGUMENTS"].split()[0] in ("run", "select"), keys)
    script = pathlib.Path(".vim/compiler/rejig.vim").read_text()
    made = re.search(r"^CompilerSet makeprg=(.*)$", script, re.M).group(1).replace("\\ ", " ")
    check("vim: makeprg", run("sh", "-c", made.replace("rejig ", REJIG + " ", 1)).stdout.splitlines() == lines, made)
    forms = re.search(r"^CompilerSet errorformat=(.*)$", script, re.M).group(1).replace("\\ ", " ").split(",")
    taken = [re.compile(form.replace("%f", "(.+?)").replace("%l", r"(\d+)").replace("%c", r"\d+").replace("%t", ".").replace("%m", ".*")) for form in forms[:3]]
    check("vim: errorformat takes the lines", all(any(one.fullmatch(line) for one in taken) for line in lines), forms)
    pathlib.Path(".vscode/tasks.json").write_text("{}\n")
    done = rejig("ide", "vscode")
    check("ide: somebody's own file is left, what is missing shown", pathlib.Path(".vscode/tasks.json").read_text() == "{}\n" and '"problemMatcher"' in done.stdout, done.stdout)


for part in [globals()[name] for name in sys.argv[1:]] or [without_arguments, a_build_stays_green, watch, init, ide]:
    part()
print(f"{len(failures)} failed" if failures else "all passed")
sys.exit(bool(failures))
