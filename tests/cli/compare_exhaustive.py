#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_exhaustive.py REJIG WORK: does rejig diff find the same edges when it leaves no class unread?

WORK is the work folder of the harness program Cases (tests/harness). Every pair of programs in it is compared twice, plain and
with --exhaustive; the answers must be the same to the byte. Of two functions that say the same, one of which went, either may be
the one: then the answers must have as many edges of each rule."""
import collections
import json
import pathlib
import subprocess
import sys


def diff_of(rejig, select):
    """The inputs of a `rejig select` command line, for `rejig diff`."""
    words = [rejig, "diff"]
    skip = {"--coverage", "--format", "--assume", "--suite"}
    at = iter(select[2:])
    for word in at:
        if word in skip:
            next(at)
        else:
            words.append(word)
    return words + ["--format", "ndjson"]


def answer(words, folder):
    done = subprocess.run(words, capture_output=True, cwd=folder)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


EITHER = {"S-727"}


def rules(text):
    lines = [json.loads(line) for line in text.splitlines()]
    return collections.Counter(line["rule"] for line in lines if line.get("type") == "edge")


def main():
    rejig, work = sys.argv[1:]
    pairs = edges = 0
    bad = []
    for file in sorted(pathlib.Path(work).glob("*/rejig.cmd")):
        command = file.read_text().split()
        if command[1] != "select":
            continue
        words = diff_of(rejig, command)
        plain = answer(words, file.parent)
        pairs += 1
        edges += plain.count(b'"type":"edge"')
        full = answer(words + ["--exhaustive"], file.parent)
        same = rules(plain) == rules(full) if file.parent.name in EITHER else plain == full
        if not same:
            bad.append(file.parent.name)
    print(f"{pairs} pairs of programs, {edges} edges, {len(bad)} with others when asked exhaustively {' '.join(bad)}")
    return 1 if bad or pairs < 200 else 0


sys.exit(main())
