# SPDX-License-Identifier: Apache-2.0
"""What does the recorder cost? agent.py AGENT ARTIFACTS WORK [--rounds N] [--keep FILE] [--startup] [LIBRARY...]

Whole published test suites of real libraries, one JVM each: plain, with the recorder, with the recorder and receivers, beside
JaCoCo's agent. The ways are interleaved in every round and the smallest CPU and wall times of all rounds count; the number of tests that
passed and failed stands beside them and must be the same every time. --keep FILE adds to the rounds of earlier calls.
--startup: 5,000 classes are loaded, rewritten and not. Prints Markdown."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FETCH = HERE.parent / "support" / "fetch_artifacts"
LOADED = 5000
# library, version, what is special about it, what its tests need, options of the console launcher
MOCKITO = "mockito-core-4.11.0 byte-buddy-1.12.19 byte-buddy-agent-1.12.19 objenesis-3.3"
SUITES = [
    ("commons-cli", "1.5.0", "small, start-up counts", "", ()),
    ("commons-csv", "1.9.0", "parsing, characters", "commons-io-2.11.0 commons-lang3-3.12.0 " + MOCKITO,
     ("--exclude-classname", ".*PerformanceTest.*")),
    ("commons-validator", "1.7", "regular expressions, XML",
     "commons-beanutils-1.9.3 commons-digester-2.1 commons-logging-1.2 commons-collections-3.2.2", ()),
    ("commons-dbutils", "1.7", "mocks, reflection", MOCKITO, ()),
    ("commons-codec", "1.16.0", "hashing, inner loops (without Beider-Morse)", "commons-io-2.11.0 commons-lang3-3.12.0 " + MOCKITO,
     ("--exclude-classname", ".*[.]bm[.].*|.*(Base32|Base64|BaseN).*")),
    ("commons-collections4", "4.3", "polymorphic containers (list, set, bag, multiset, queue, iterators, trie)",
     "easymock-4.3 objenesis-3.3", ("-n", ".*collections4[.](list|set|bag|multiset|queue|iterators|trie)[.].*Test")),
    ("commons-math3", "3.6", "numeric kernels (linear, complex, fraction, polynomials)", "",
     ("-n", ".*math3[.](linear|complex|fraction|analysis[.]polynomials)[.].*Test")),
]


class Measured:
    """The smallest of what was seen."""

    def __init__(self, cpu=float("inf"), wall=float("inf"), rounds=0, counts=()):
        self.cpu, self.wall, self.rounds = cpu, wall, rounds
        self.counts = {tuple(c) for c in counts}

    def add(self, cpu, wall, counts):
        self.cpu, self.wall, self.rounds = min(self.cpu, cpu), min(self.wall, wall), self.rounds + 1
        self.counts.add(counts)

    def kept(self):
        return [self.cpu, self.wall, self.rounds, sorted(self.counts)]


def run(command, log, cwd):
    env = {k: v for k, v in os.environ.items() if not k.startswith("REJIG_") and k != "JAVA_TOOL_OPTIONS"}
    with open(log, "w") as out:
        started = time.monotonic()
        child = subprocess.Popen([str(c) for c in command], cwd=cwd, env=env, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - started
        child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime + usage.ru_stime, wall, Path(log).read_text(errors="replace")


def outcomes(reports):
    """How many tests passed, how many did not (a suite may close standard output: reports only)."""
    cases = [case for report in reports.glob("TEST-*.xml") for case in xml.parse(report).getroot().iter("testcase")]
    bad = sum(1 for case in cases if any(c.tag in ("failure", "error") for c in case))
    return sum(1 for case in cases if not any(c.tag in ("failure", "error", "skipped") for c in case)), bad


def outcomes_by_name(reports):
    """Did each test pass, in all its invocations?"""
    found = {}
    for report in reports.glob("TEST-*.xml"):
        for case in xml.parse(report).getroot().iter("testcase"):
            test = case.get("classname") + "#" + re.sub(r"\[.*", "", case.get("name"))
            found[test] = found.get(test, True) and not any(c.tag in ("failure", "error") for c in case)
    return found


class Bench:
    def __init__(self, options):
        self.agent, self.jars = options.agent.resolve(), options.artifacts.resolve()
        self.work, self.rounds = options.work, options.rounds
        self.work.mkdir(parents=True, exist_ok=True)
        self.work = self.work.resolve()
        for wanted in ("history", "jacoco"):
            subprocess.run([FETCH, wanted, self.jars / wanted], check=True)

    def ways(self, own):
        """Name and flags of each way to start the JVM; rows go to a fresh folder."""
        rows = self.work / "rows"
        shutil.rmtree(rows, ignore_errors=True)
        rows.mkdir()
        option = f"-agentpath:{self.agent}=out={rows},internal-root={own}"
        jacoco = self.jars / "jacoco" / "org.jacoco.agent-0.8.12-runtime.jar"
        return {
            "plain": [],
            "recorder": [option],
            "receivers": [option + ",receivers=1"],
            "JaCoCo": [f"-javaagent:{jacoco}=destfile={self.work}/jacoco.exec"],
        }

    def suite(self, seen, name, version, libraries, options):
        history = self.jars / "history"
        own = [history / f"{name}-{version}.jar", history / f"{name}-{version}-tests.jar"]
        path = [*own, history / "junit-4.13.2.jar", history / "hamcrest-2.2.jar", *(history / f"{l}.jar" for l in libraries.split())]
        arguments = ["-jar", history / "junit-platform-console-standalone-1.10.5.jar", "execute", "-cp", ":".join(map(str, path)),
                     "--scan-classpath", own[1], "--disable-banner", "--details=none", "--reports-dir", self.work / "reports",
                     *options]
        ways = list(self.ways("x"))
        for turn in range(self.rounds):
            # Each way is once the first of a round: who comes behind whom makes a difference.
            for way in ways[turn % len(ways):] + ways[:turn % len(ways)]:
                flags = self.ways(":".join(map(str, own)))[way]
                shutil.rmtree(self.work / "reports", ignore_errors=True)
                code, cpu, wall, _ = run(["java", *flags, *arguments], self.work / "log", self.work)
                passed, failed = outcomes(self.work / "reports")
                if code not in (0, 1) or passed == 0:
                    sys.exit(f"agent.py: {name}, {way}: the runner ended with {code}; see {self.work}/log")
                seen.setdefault(way, Measured()).add(cpu, wall, (passed, failed))

    def start_up(self):
        subprocess.run([FETCH, "bench", self.jars / "bench"], check=True)
        path = str(self.jars / "bench" / "kotlin-compiler-embeddable-2.1.21.jar")
        with zipfile.ZipFile(path) as zipped:
            names = [n[:-6].replace("/", ".") for n in zipped.namelist() if n.endswith(".class") and not n.startswith("META-INF")]
        (self.work / "names").write_text("\n".join(names) + "\n")
        subprocess.run(["javac", "-d", self.work, HERE / "LoadClasses.java"], check=True)
        seen = {}
        for _ in range(self.rounds):
            for way in ("plain", "recorder", "receivers"):
                flags = self.ways(path)[way]
                code, cpu, wall, text = run(["java", *flags, "-cp", f"{self.work}:{path}", "LoadClasses", self.work / "names", LOADED],
                                            self.work / "log", self.work)
                if code != 0:
                    sys.exit(f"agent.py: start-up, {way}: ended with {code}; see {self.work}/log")
                seen.setdefault(way, Measured()).add(cpu, wall, (text.strip().split("\n")[-1],))
        print(f"| {LOADED} classes | CPU | wall | more CPU | more wall | |\n|---|---|---|---|---|---|")
        for way, m in seen.items():
            print(f"| {way} | {m.cpu * 1000:.0f} ms | {m.wall * 1000:.0f} ms | {(m.cpu - seen['plain'].cpu) * 1000:.0f} ms | "
                  f"{(m.wall - seen['plain'].wall) * 1000:.0f} ms | {' / '.join(c for c, in sorted(m.counts))} |")


def times(of, plain):
    return f"{of.cpu:.2f} ({of.cpu / plain.cpu:.2f}) | {of.wall:.2f} ({of.wall / plain.wall:.2f})"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agent", type=Path)
    parser.add_argument("artifacts", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--startup", action="store_true")
    parser.add_argument("libraries", nargs="*")
    options = parser.parse_intermixed_args()
    bench = Bench(options)
    if options.startup:
        return bench.start_up()
    kept = json.loads(options.keep.read_text()) if options.keep and options.keep.exists() else {}
    sums = {}
    same = True
    print("| suite | rounds | passed, failed | plain CPU | wall | recorder CPU | wall | receivers CPU | wall | JaCoCo CPU | wall |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|")
    for name, version, what, libraries, more in SUITES:
        if options.libraries and name not in options.libraries:
            continue
        seen = {way: Measured(*m) for way, m in kept.get(name, {}).items()}
        bench.suite(seen, name, version, libraries, more)
        kept[name] = {way: m.kept() for way, m in seen.items()}
        if options.keep:
            options.keep.write_text(json.dumps(kept))
        if not seen:
            continue
        plain = seen["plain"]
        counts = set().union(*(m.counts for m in seen.values()))
        same = same and len(counts) == 1
        print(f"| {name} {version}: {what} | {plain.rounds} | {' / '.join(f'{a}, {b}' for a, b in sorted(counts))} | {plain.cpu:.2f} | "
              f"{plain.wall:.2f} | " + " | ".join(times(m, plain) for way, m in seen.items() if way != "plain") + " |", flush=True)
        for way, m in seen.items():
            total = sums.setdefault(way, [0.0, 0.0])
            total[0] += m.cpu
            total[1] += m.wall
    if sums:
        cpu, wall = sums["plain"]
        print(f"| sum | | | {cpu:.2f} | {wall:.2f} | " + " | ".join(
            f"{c:.2f} ({c / cpu:.2f}) | {w:.2f} ({w / wall:.2f})" for way, (c, w) in sums.items() if way != "plain") + " |")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
