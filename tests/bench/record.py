# SPDX-License-Identifier: Apache-2.0
"""What does the whole of `rejig record` cost? record.py REJIG ARTIFACTS WORK [--rounds N] [--keep FILE] [LIBRARY...]

Whole published test suites, one JVM each: the command alone, `rejig record -- command`, beside the command with JaCoCo's agent. Ways
are interleaved and the smallest CPU and wall times count, as in agent.py. Behind the sums stands where rejig's share went: what the
JVM took more, reading and joining row files, and the commit, as --stats has them. The number of tests that passed and failed must be
the same every time. Prints Markdown."""
import argparse
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import agent

# Beside those of agent.py: the whole of collections4, whose 70,000 tests are the longest join, and a large part of lang3.
SUITES = [s for s in agent.SUITES if s[0] != "commons-collections4"] + [
    ("commons-lang3", "3.13.0", "builders, tuples, numbers, text, reflection", "easymock-4.3 objenesis-3.3",
     ("-n", ".*lang3[.](builder|tuple|mutable|math|text|reflect|concurrent|event)[.].*Test")),
    ("commons-collections4", "4.3", "whole", "easymock-4.3 objenesis-3.3", ()),
]
OWN = ("read rows", "join", "commit")


def phases_of(text):
    """Wall and CPU milliseconds of each phase that --stats=json printed."""
    for line in text.splitlines():
        if line.startswith('{"phases"'):
            return {p["name"]: (p["wall_ms"], p["cpu_ms"]) for p in json.loads(line)["phases"]}
    sys.exit("record.py: rejig printed no phases")


class Bench(agent.Bench):
    def __init__(self, options):
        options.agent = options.rejig
        super().__init__(options)
        self.rejig = options.rejig.resolve()

    def command(self, own, libraries, options, flags=()):
        history = self.jars / "history"
        path = [*own, history / "junit-4.13.2.jar", history / "hamcrest-2.2.jar", *(history / f"{l}.jar" for l in libraries.split())]
        return ["java", *flags, "-jar", history / "junit-platform-console-standalone-1.10.5.jar", "execute", "-cp", ":".join(map(str, path)),
                "--scan-classpath", own[1], "--disable-banner", "--details=none", "--reports-dir", self.work / "reports", *options]

    def suite(self, seen, parts, name, version, libraries, options):
        history = self.jars / "history"
        own = [history / f"{name}-{version}.jar", history / f"{name}-{version}-tests.jar"]
        plain = self.command(own, libraries, options)
        jacoco = self.jars / "jacoco" / "org.jacoco.agent-0.8.12-runtime.jar"
        ways = {
            "plain": plain,
            "record": [self.rejig, "record", "--stats=json", "--internal-root", ":".join(map(str, own)), "--", *plain],
            "JaCoCo": self.command(own, libraries, options, [f"-javaagent:{jacoco}=destfile={self.work}/jacoco.exec"]),
        }
        names = list(ways)
        for turn in range(self.rounds):
            for way in names[turn % len(names):] + names[:turn % len(names)]:
                shutil.rmtree(self.work / "reports", ignore_errors=True)
                shutil.rmtree(self.work / ".rejig", ignore_errors=True)
                code, cpu, wall, text = agent.run(ways[way], self.work / "log", self.work)
                passed, failed = agent.outcomes(self.work / "reports")
                if code not in (0, 1) or passed == 0:
                    sys.exit(f"record.py: {name}, {way}: the runner ended with {code}; see {self.work}/log")
                seen.setdefault(way, agent.Measured()).add(cpu, wall, (passed, failed))
                if way != "record":
                    continue
                phases = phases_of(text)
                own_cpu = phases["record"][1] / 1000
                found = {"JVM": (phases["command"][0] / 1000, cpu - own_cpu), "serve": (0.0, phases["command"][1] / 1000)}
                found.update({p: tuple(t / 1000 for t in phases.get(p, (0.0, 0.0))) for p in OWN})
                for part, (part_wall, part_cpu) in found.items():
                    before = parts.get(part, [part_wall, part_cpu])
                    parts[part] = [min(before[0], part_wall), min(before[1], part_cpu)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rejig", type=Path)
    parser.add_argument("artifacts", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("libraries", nargs="*")
    options = parser.parse_intermixed_args()
    bench = Bench(options)
    kept = json.loads(options.keep.read_text()) if options.keep and options.keep.exists() else {}
    sums = {}
    same = True
    print("| suite | rounds | passed, failed | plain CPU | wall | record CPU | wall | its JVM CPU | wall | read CPU | wall | join CPU | wall | "
          "commit CPU | wall | JaCoCo CPU | wall |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name, version, what, libraries, more in SUITES:
        if options.libraries and name not in options.libraries:
            continue
        known = kept.get(name, {"ways": {}, "parts": {}})
        seen = {way: agent.Measured(*m) for way, m in known["ways"].items()}
        parts = known["parts"]
        bench.suite(seen, parts, name, version, libraries, more)
        if not seen:
            continue
        kept[name] = {"ways": {way: m.kept() for way, m in seen.items()}, "parts": parts}
        if options.keep:
            options.keep.write_text(json.dumps(kept))
        counts = set().union(*(m.counts for m in seen.values()))
        same = same and len(counts) == 1
        plain = seen["plain"]
        own = " | ".join(f"{parts[p][1]:.3f} | {parts[p][0]:.3f}" for p in OWN)
        print(f"| {name} {version}: {what} | {plain.rounds} | {' / '.join(f'{a}, {b}' for a, b in sorted(counts))} | {plain.cpu:.2f} | "
              f"{plain.wall:.2f} | {agent.times(seen['record'], plain)} | {parts['JVM'][1]:.2f} | {parts['JVM'][0]:.2f} | {own} | "
              f"{agent.times(seen['JaCoCo'], plain)} |", flush=True)
        for way, m in seen.items():
            total = sums.setdefault(way, [0.0, 0.0])
            total[0] += m.cpu
            total[1] += m.wall
    if sums:
        cpu, wall = sums["plain"]
        print(f"| sum | | | {cpu:.2f} | {wall:.2f} | " + " | | | | | | | | | ".join(
            f"{c:.2f} ({c / cpu:.2f}) | {w:.2f} ({w / wall:.2f})" for way, (c, w) in sums.items() if way != "plain") + " |")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
