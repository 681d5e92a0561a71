#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_views.py REJIG WORK... [--all] [--every N] [VIEW=PERCENT...]: the views of rejig select, held against each other and against the JVM.

WORK is the work folder of the harness program Cases or Evolve (tests/harness): for every program in it the command line, the
rows with all facts (f) and with methods only (m), and what the tests of both versions did. Printed: every test that view method
selects and another view does not, with the rule that says why; every test whose outcome flips and that a view does not select.
Rows of methods only are asked for every fourth program, with --all for each. --every takes each N-th program.
VIEW=PERCENT: of the tests whose outcome stays, with rows of all facts, that view may select no more.
Exit 1 when a view does not select a flip that view method selects, when an exception has no rule, or when a view selects too many."""
import collections
import json
import pathlib
import subprocess
import sys

VIEWS = ("method", "edge", "class", "hybrid", "static")


def select(command, store, view):
    words = command[:]
    words[words.index("--coverage") + 1] = str(store)
    words[words.index("--format") + 1] = "json"
    done = subprocess.run(words + ["--view", view], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def outcomes(path):
    out, test = {}, None
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith("T "):
            test = line[2:]
        elif line.startswith("O ") and test is not None:
            out[test] = line[2:]
    return out


def main():
    words = sys.argv[2:]
    step = 1
    if "--every" in words:
        at = words.index("--every")
        step = int(words[at + 1])
        del words[at:at + 2]
    rejig, folders = sys.argv[1], [a for a in words if a != "--all" and "=" not in a]
    limits = {a.split("=")[0]: float(a.split("=")[1]) for a in words if "=" in a}
    every = 1 if "--all" in words else 4
    count, bad, programs = collections.Counter(), 0, 0
    for file in sorted(f for folder in folders for f in pathlib.Path(folder).glob("*/rejig.cmd"))[::step]:
        case = file.parent
        command = file.read_text().split()
        command[0] = rejig
        if "--format" not in command or "--coverage" not in command or command[1] != "select":
            continue
        programs += 1
        flips = set()
        if (case / "old.run").exists() and (case / "new.run").exists():
            before, after = outcomes(case / "old.run"), outcomes(case / "new.run")
            flips = {t for t in before if t in after and before[t] != after[t]}
        for facts in ("f", "m"):
            store = case / f"matrix-{facts}.db"
            if not store.exists() or (facts == "m" and programs % every != 0):
                continue
            method = select(command, store, "method")
            chosen = {t["test"]: t["why"] for t in method["selected"]}
            count[facts, "tests"] += method["counts"]["known"]
            count[facts, "flips"] += len(flips)
            for view in VIEWS:
                selected = {t["test"] for t in select(command, store, view)["selected"]} if view != "method" else set(chosen)
                count[facts, view] += len(selected)
                count[facts, view + " over"] += len(selected - flips)
                for test in sorted(set(chosen) - selected):
                    rules = sorted({w["rule"] for w in chosen[test]})
                    count[facts, view + " exceptions"] += 1
                    bad += not rules
                    print(f"{case.name} {facts}: method selects {test} ({', '.join(rules) or 'no rule'}), {view} does not"
                          f"{'; its outcome flips' if test in flips else ''}")
                    bad += test in flips
                for test in sorted(flips - selected):
                    count[facts, view + " missed"] += 1
                    print(f"{case.name} {facts}: {test} flips, view {view} does not select it")
    print(f"{programs} programs")
    for facts in ("f", "m"):
        print(f"rows {facts}: {count[facts, 'tests']} tests, {count[facts, 'flips']} flips")
        for view in VIEWS:
            print(f"  {view}: selected {count[facts, view]}, missed {count[facts, view + ' missed']}, "
                  f"selected without a flip {count[facts, view + ' over']}, exceptions {count[facts, view + ' exceptions']}")
    for view, most in limits.items():
        over = 100 * count["f", view + " over"] / max(1, count["f", "tests"] - count["f", "flips"])
        if over > most:
            bad += 1
            print(f"view {view} selects {over:.1f} % of the tests whose outcome stays, more than {most} %")
    return 1 if bad or programs == 0 else 0


sys.exit(main())
