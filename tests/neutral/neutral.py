# SPDX-License-Identifier: Apache-2.0
"""A program is the same with the recorder beside it: neutral.py ARTIFACTS WORK quick|full|LIBRARY...

Whole test suites of real libraries, with and without the agent, alone and with JaCoCo's and Mockito's agents loaded in front of
it and behind it: the same tests in the same order with the same outcome and message. A test that two plain runs do not agree
about is left out, and counted. Then all that reflection tells about every class, with and without. Prints the table of
README.md. REJIG_AGENT comes from ctest."""
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

HERE = Path(__file__).resolve().parent
FETCH = HERE.parent / "support" / "fetch_artifacts"
AGENT = os.environ["REJIG_AGENT"]
UNSTABLE = re.compile(r"@[0-9a-f]{4,}|0x[0-9a-f]+|\$\$Lambda\S*|MockitoMock\$\d+|\d+ ?ms\b|/tmp/\S+|junit\d{8,}|\$Proxy\d+"
                      r"|org/openjdk/jmh/[\w/$]+")
# Benchmarks whose library is not there: which of its classes is missed first depends on where the JVM keeps names.
MISSED = re.compile(r"org/openjdk/jmh/[\w/$]+")


def fail(text):
    sys.exit("neutral: " + text)


class Library:
    def __init__(self, line, artifacts, work):
        self.name, version, *libraries = line.split()
        self.without = [word for l in libraries if l[0] == "!" for word in ("--exclude-classname", l[1:])]
        libraries = [l for l in libraries if l[0] != "!"]
        jars = artifacts / "history"
        self.own = [jars / f"{self.name}-{version}.jar", jars / f"{self.name}-{version}-tests.jar"]
        self.path = self.own + [jars / "junit-4.13.2.jar", jars / "hamcrest-2.2.jar"] + [jars / f"{l}.jar" for l in libraries]
        self.console = jars / "junit-platform-console-standalone-1.10.5.jar"
        self.dir = work / self.name
        shutil.rmtree(self.dir, ignore_errors=True)
        self.dir.mkdir(parents=True)
        inline = self.dir / "inline" / "mockito-extensions"
        inline.mkdir(parents=True)
        (inline / "org.mockito.plugins.MockMaker").write_text("mock-maker-inline\n")
        self.beside = {
            "JaCoCo": (f"-javaagent:{artifacts}/jacoco/org.jacoco.agent-0.8.12-runtime.jar=destfile={self.dir}/jacoco.exec", []),
            "Mockito": (f"-javaagent:{jars}/byte-buddy-agent-1.12.19.jar", [self.dir / "inline"]),
        }

    def agent(self, rows):
        (self.dir / rows).mkdir()
        return f"-agentpath:{AGENT}=out={self.dir / rows},internal-root={':'.join(map(str, self.own))}"

    def java(self, log, arguments):
        env = {k: v for k, v in os.environ.items() if not k.startswith("REJIG_") and k != "JAVA_TOOL_OPTIONS"}
        with open(self.dir / (log + ".log"), "w") as out:
            return subprocess.run(["java", *map(str, arguments)], cwd=self.dir, env=env, stdout=out, stderr=subprocess.STDOUT,
                                  check=False).returncode

    def run(self, name, flags, more=()):
        """The tests in order: engine, class, name, outcome, first line of the message."""
        path = ":".join(map(str, [*self.path, *more]))
        code = self.java(name, [*flags, "-jar", self.console, "execute", "-cp", path, "--scan-classpath", self.own[1], *self.without,
                                "--disable-banner", "--details=none", "--reports-dir", self.dir / name])
        reports = sorted((self.dir / name).glob("TEST-*.xml"))
        if code not in (0, 1) or not reports:
            fail(f"{self.name}: {name}: the runner ended with {code}; see {self.dir / name}.log")
        out = []
        for report in reports:
            for case in xml.parse(report).getroot().iter("testcase"):
                troubles = [c for c in case if c.tag in ("failure", "error", "skipped")]
                message = (troubles[0].get("message") or troubles[0].get("type") or troubles[0].text or "") if troubles else ""
                out.append((report.name, case.get("classname"), UNSTABLE.sub("#", case.get("name")),
                            troubles[0].tag if troubles else "pass", UNSTABLE.sub("#", message.split("\n")[0])))
        return out

    def reflection(self, name, flags, classes):
        self.java(name, [*flags, "-cp", ":".join(map(str, [classes, *self.path, self.console])), "ReflectionDump", *self.own])
        return MISSED.sub("#", (self.dir / (name + ".log")).read_text()).splitlines()


def differences(a, b, unstable):
    a = [t for t in a if t[:3] not in unstable]
    b = [t for t in b if t[:3] not in unstable]
    if a == b:
        return []
    found = [f"{x} / {y}" for x, y in zip(a, b) if x != y]
    return found or [f"{len(a)} tests / {len(b)}"]


def one(library, classes):
    plain = library.run("plain", [])
    again = library.run("again", [])
    first, second = dict((t[:3], t) for t in plain), dict((t[:3], t) for t in again)
    unstable = {k for k in first.keys() | second.keys() if first.get(k) != second.get(k)}
    failures = {"agent": differences(plain, library.run("agent", [library.agent("rows")]), unstable)}
    for beside, (flag, more) in library.beside.items():
        base = library.run(beside, [flag], more)
        failures[f"behind {beside}"] = differences(
            base, library.run(f"{beside}-agent", [flag, library.agent(f"rows-{beside}-1")], more), unstable)
        failures[f"before {beside}"] = differences(
            base, library.run(f"agent-{beside}", [library.agent(f"rows-{beside}-2"), flag], more), unstable)
    shapes = library.reflection("shapes", [], classes)
    shapes_too = library.reflection("shapes-agent", [library.agent("rows-shapes")], classes)
    failures["reflection"] = [f"{x} / {y}" for x, y in zip(shapes, shapes_too) if x != y]
    if len(shapes) != len(shapes_too) or not re.fullmatch(r"\d+ classes", shapes[-1]):
        failures["reflection"].append(f"{len(shapes)} lines / {len(shapes_too)}")
    bad = sum(1 for t in plain if t[3] in ("failure", "error"))
    print(f"| {library.name} | {len(plain)} | {bad} | {len(unstable)} | "
          + " | ".join(str(len(f)) for f in failures.values()) + f" | {shapes[-1].split()[0]} |", flush=True)
    for what, found in failures.items():
        for difference in found[:5]:
            print(f"  {library.name}, {what}: {difference}", file=sys.stderr)
    return not any(failures.values()) and len(plain) > len(unstable)


def main():
    artifacts, work, names = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3:]
    work.mkdir(parents=True, exist_ok=True)
    work = work.resolve()
    for wanted in ("history", "jacoco"):
        subprocess.run([FETCH, wanted, artifacts / wanted], check=True)
    classes = work / "classes"
    subprocess.run(["javac", "-d", classes, HERE / "ReflectionDump.java"], check=True)
    lines = [l for l in (HERE / "libraries.txt").read_text().splitlines() if l and not l.startswith("#")]
    if names == ["quick"]:
        names = [lines[0].split()[0]]
    print("| suite | tests | failing | unstable | agent | behind JaCoCo | before JaCoCo | behind Mockito | before Mockito | "
          "reflection | classes |\n|---|---|---|---|---|---|---|---|---|---|---|")
    fine = True
    for line in lines:
        if names == ["full"] or line.split()[0] in names:
            fine = one(Library(line, artifacts, work), classes) and fine
    sys.exit(0 if fine else 1)


main()
