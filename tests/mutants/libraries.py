# SPDX-License-Identifier: Apache-2.0
"""Does `rejig run` skip a test that a mutant of a real library breaks? libraries.py REJIG ARTIFACTS WORK [--mutants N] [--seed S] [LIBRARY...]

Whole published suites in one JVM, as users run them, so that tests live on what others left. The original is recorded once; for each
mutant of one class (tests/projects/Mutate.java) the whole suite runs without rejig in two orders of the test classes, which is the
truth, then by `rejig run` from the store of the original. A test that passed in both orders of the original twice and fails in one of
the mutant's must have run, and what ran must end as in the truth. Prints Markdown; a wrong skip ends it with 1."""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "bench"))
sys.path.insert(0, str(HERE.parent / "projects"))
import agent

SECONDS = 240
# Whole suites: library, version, what its tests need, options of the launcher.
SUITES = [(name, version, needs, ()) for name, version, _, needs, _ in agent.SUITES] + [
    ("commons-lang3", "3.13.0", "easymock-4.3 objenesis-3.3", ("--exclude-classname", ".*(Time|Thread|StopWatch|Concurrent|Timed).*")),
    ("commons-text", "1.10.0", "assertj-core-3.24.2 commons-lang3-3.12.0 commons-io-2.11.0 commons-rng-simple-1.4 commons-rng-client-api-1.4 commons-rng-core-1.4 " + agent.MOCKITO, ()),
    ("commons-beanutils", "1.9.3", "commons-logging-1.2 commons-collections-3.2.2 commons-collections-testframework-3.2.1", ()),
    ("commons-io", "2.14.0", "commons-lang3-3.12.0 " + agent.MOCKITO, ("-n", ".*io[.](comparator|filefilter|input|output|serialization|function)[.].*Test")),
]
# What their builds give the test JVM.
OPEN = {"commons-lang3": [f"--add-opens=java.base/{p}=ALL-UNNAMED" for p in
                          ("java.lang", "java.lang.reflect", "java.util", "java.util.concurrent", "java.time", "java.time.chrono")]}
# Too long for many mutants as a whole.
PARTS = {
    "commons-collections4": ("-n", ".*collections4[.](list|set|bag|multiset|queue|iterators|functors)[.].*Test"),
    "commons-math3": ("-n", ".*math3[.](complex|fraction|analysis[.]polynomials|util)[.].*Test"),
    "commons-codec": ("--exclude-classname", ".*[.]bm[.].*|.*(Base32|Base64|BaseN).*"),
    "commons-csv": ("--exclude-classname", ".*PerformanceTest.*"),
}


class Suite:
    def __init__(self, options, name, version, needs, flags):
        self.rejig, self.jars = options.rejig.resolve(), options.artifacts.resolve() / "history"
        self.work = options.work.resolve() / name
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.flags, self.jvm = PARTS.get(name, flags), OPEN.get(name, [])
        for jar, folder in ((f"{name}-{version}.jar", "original"), (f"{name}-{version}-tests.jar", "tests")):
            zipfile.ZipFile(self.jars / jar).extractall(self.work / folder)
        shutil.rmtree(self.work / "original/META-INF/versions", ignore_errors=True)
        shutil.copytree(self.work / "original", self.work / "main")
        self.libraries = [self.jars / "junit-4.13.2.jar", self.jars / "hamcrest-2.2.jar", *(self.jars / f"{n}.jar" for n in needs.split())]

    def command(self, order):
        path = ":".join(["main", "tests"] + [str(jar) for jar in self.libraries])
        out = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *self.jvm, "-jar", self.jars / "junit-platform-console-standalone-1.10.5.jar", "execute", "-cp", path,
               "--disable-banner", "--details=none", "--reports-dir", "reports", *self.flags]
        if order is None:
            return out + ["--scan-classpath", "tests"]
        classes = sorted(str(f.relative_to(self.work / "tests"))[:-6].replace("/", ".") for f in (self.work / "tests").rglob("*.class"))
        wanted = re.compile(self.flags[1]) if self.flags[:1] == ("-n",) else re.compile(r"^(Test.*|.+[.$]Test.*|.*Tests?)$")
        classes = [c for c in classes if "$" not in c and wanted.match(c)]
        random.Random(order).shuffle(classes)
        return out + [f"--select-class={c}" for c in classes]

    def run(self, order=None, rejig=False):
        """How each test ended: the worst of its invocations."""
        shutil.rmtree(self.work / "reports", ignore_errors=True)
        words = ([self.rejig, "run", "-q", "--"] if rejig else []) + self.command(order)
        env = {k: v for k, v in os.environ.items() if not k.startswith("REJIG_SUITE") and k != "JAVA_TOOL_OPTIONS"}
        with open(self.work / "log", "w") as log:
            subprocess.run([str(w) for w in words], cwd=self.work, env=env, stdout=log, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        return agent.outcomes_by_name(self.work / "reports")

    def mutate(self, tool, mutator, seed):
        fresh = self.work / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        said = subprocess.run(["java", "-XX:TieredStopAtLevel=1", "-cp", f"{mutator}:{tool}", "Mutate", self.work / "original", fresh, str(seed)],
                              check=True, capture_output=True, text=True).stdout.strip()
        changed = said.split(" ")[0]
        shutil.copy(fresh / changed, self.work / "main" / changed)
        return said, changed

    def restore(self, changed):
        shutil.copy(self.work / "original" / changed, self.work / "main" / changed)
        shutil.rmtree(self.work / ".rejig")
        shutil.copytree(self.work / "recorded", self.work / ".rejig", symlinks=True)


def judge(suite, name, options, tool, mutator):
    recorded = suite.run(rejig=True)
    shutil.copytree(suite.work / ".rejig", suite.work / "recorded", symlinks=True)
    plain = {order: [suite.run(order), suite.run(order)] for order in (None, options.seed)}
    if len(recorded) < 100 or len(plain[None][0]) != len(recorded):
        sys.exit(f"{name}: {len(plain[None][0])} tests alone and {len(recorded)} with rejig; see {suite.work}/log")
    steady = {order: {t for t in first if first[t] and second.get(t)} for order, (first, second) in plain.items()}
    done = left_out = failing = ran_in_all = 0
    wrong = []
    seed = options.seed * 1000
    while done < options.mutants:
        seed += 1
        said, changed = suite.mutate(tool, mutator, seed)
        try:
            truth = {order: suite.run(order) for order in plain}
            if any(len(truth[order]) < len(plain[order][0]) for order in plain):
                raise subprocess.TimeoutExpired("the suite did not come to its end", 0)
            ran = suite.run(rejig=True)
        except subprocess.TimeoutExpired:
            left_out += 1
            suite.restore(changed)
            continue
        suite.restore(changed)
        done += 1
        ran_in_all += len(ran)
        failing += sum(1 for t in steady[None] if not truth[None].get(t, True))
        for order in plain:
            for test in sorted(steady[order]):
                if not truth[order].get(test, True) and test not in ran and test in steady[None]:
                    wrong.append(f"{said}: {test} was skipped and fails" + (" in another order" if order else ""))
        wrong += [f"{said}: {t} ends otherwise with rejig" for t in sorted(ran) if t in steady[None] and ran[t] != truth[None].get(t, ran[t])]
    tests = len(recorded)
    print(f"| {name} | {tests} | {done} ({left_out}) | {100 * failing / (done * tests):.2f} % | {100 * ran_in_all / (done * tests):.2f} % | {len(wrong)} |", flush=True)
    for line in wrong:
        print("WRONG " + line, flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rejig", type=Path)
    parser.add_argument("artifacts", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("libraries", nargs="*")
    options = parser.parse_intermixed_args()
    options.work.mkdir(parents=True, exist_ok=True)
    for wanted in ("history", "agent"):
        subprocess.run([agent.FETCH, wanted, options.artifacts / wanted], check=True)
    mutator = ":".join(str(options.artifacts.resolve() / "agent" / f"{jar}-9.9.1.jar") for jar in ("asm", "asm-tree"))
    tool = options.work.resolve() / "tool"
    subprocess.run(["javac", "-cp", mutator, "-d", tool, HERE.parent / "projects/Mutate.java"], check=True)
    print("| library | tests | mutants (left out) | fail | ran | wrong |\n|---|---|---|---|---|---|", flush=True)
    wrong = []
    for name, version, needs, flags in SUITES:
        if not options.libraries or name in options.libraries:
            wrong += judge(Suite(options, name, version, needs, flags), name, options, tool, mutator)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
