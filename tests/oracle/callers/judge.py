# SPDX-License-Identifier: Apache-2.0
"""No outcome of an unchanged caller differs without an edge that a test of it would meet.

usage: judge.py REJIG JDK CLASSES CLASSPATH WORK MOST PAIR...      a PAIR is OLD.jar,NEW.jar

Callers.java makes the callers and asks a JVM. Whose outcome differs is held against `rejig diff`, with the library in the program and
below it: some edge must be met by the row of a test that did nothing but this. What the row says is what the JVM did with OLD: the
method, the classes that were loaded and those that were looked for in vain, what was made and initialized.
"""

import json
import os
import shutil
import subprocess
import sys


def edges_of(rejig, *args):
    run = subprocess.run([rejig, "diff", *args, "--format", "json"], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"rejig diff {' '.join(args)}: exit {run.returncode}: {run.stderr}")
    answer = json.loads(run.stdout)
    # An item is a conjunction of facts.
    return [set(item) for edge in answer["edges"] for item in edge["atoms"]]


def facts_of(answer, below):
    caller, method, _, _, _, loaded, missed = answer
    mine = "callers."
    classes = [c for c in loaded.split(",") if c]
    facts = {f"m:{caller}.{method}()V", f"init:{caller}"}
    facts |= {f"miss:{c}" for c in missed.split(",") if c}
    for c in classes:
        if c.startswith(mine) or not below:
            facts.add(f"load:{c}")
        else:
            facts.add(f"ext:{c}")
    if method in ("made", "below"):
        facts |= {f"init:{c}" for c in classes if c.startswith(mine) or not below}
        facts |= {f"inst:{c}" for c in classes if c.startswith(mine + "S")}
    return facts


def judge(rejig, jdk, classes, classpath, work, most, pair):
    old, new = pair.split(",")
    out = os.path.join(work, os.path.basename(old))
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    java = os.path.join(jdk, "bin", "java")
    # A run of its own: what one library does to the JVM is not another one's.
    said = subprocess.run([java, "-Xss2m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.awt.headless=true", "-cp", f"{classes}:{classpath}",
                           "callers.Callers", old, new, out, most], capture_output=True, text=True, check=False, timeout=1800)
    if said.returncode != 0:
        sys.exit(f"callers of {old}: exit {said.returncode}: {said.stderr or said.stdout}")
    with open(os.path.join(out, "answers"), encoding="utf-8") as file:
        answers = [line.rstrip("\n").split("\t") for line in file]
    mine = os.path.join(out, "classes")
    ways = {
        "in the program": edges_of(rejig, f"{mine}:{old}", f"{mine}:{new}", "--jdk", jdk),
        "as a library": edges_of(rejig, mine, mine, "--old-lib", old, "--new-lib", new, "--jdk", jdk),
    }
    flips = [a for a in answers if a[3] != a[4]]
    missed = 0
    for way, items in ways.items():
        for answer in flips:
            facts = facts_of(answer, way == "as a library")
            if any(item <= facts for item in items):
                continue
            missed += 1
            print(f"MISSED {way}: {answer[0]}.{answer[1]}, which names {answer[2]}: {answer[3]} with {old}, {answer[4]} with {new}")
    print(f"{os.path.basename(old)} {os.path.basename(new)}: {len(answers)} callers, {len(flips)} differ, {missed} without an edge")
    return len(answers), len(flips), missed


def main():
    rejig, jdk, classes, classpath, work, most, *pairs = sys.argv[1:]
    totals = [0, 0, 0]
    for pair in pairs:
        for i, n in enumerate(judge(rejig, jdk, classes, classpath, work, most, pair)):
            totals[i] += n
    print(f"{len(pairs)} pairs: {totals[0]} callers, {totals[1]} differ, {totals[2]} without an edge")
    if totals[1] == 0:
        sys.exit("no outcome differs: nothing was asked")
    sys.exit(1 if totals[2] else 0)


if __name__ == "__main__":
    main()
