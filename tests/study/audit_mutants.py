#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hard misses of a study of variants once more, by rejig audit from the raw reports: audit_mutants.py REJIG STUDY.toml JARS FOLDER.

Prints a table by program and view; exit 1 when audit and the study do not say the same of some variant.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tomllib

VIEWS = ("method", "edge", "class", "hybrid", "static")


def done(folder, program, version):
    place = folder / f"{program}-{version}"
    words = (place / "done").read_text().split()
    return place / words[3], words[2] != "0"


def studied(folder, program, first, version):
    hard = {}
    for line in (folder / f"{program}-{first}-{version}.figures").read_text().splitlines():
        field = line.split("\t")
        if field[0] == "view":
            hard[field[1]] = int(field[5])
    return hard


def main():
    rejig, study, jars, folder = sys.argv[1], tomllib.loads(pathlib.Path(sys.argv[2]).read_text()), pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    differing = 0
    print("| program | view | variants | hard misses by audit | by the study |\n|---|---|---|---|---|")
    for program in study["program"]:
        def path(names):
            return ":".join(str(jars / name) for name in names)

        first, *variants = program["version"]
        base, _ = done(folder, program["name"], first["name"])
        sums = collections.Counter()
        for variant in variants:
            run, ended = done(folder, program["name"], variant["name"])
            if ended:
                continue
            command = [rejig, "-q", "audit", path(first["jars"] + first["tests"]), path(variant["jars"] + variant["tests"]), "--lib", path(program["lib"]),
                       "--coverage", base / "rows.db", "--format", "json", "--results", run / "plain/reports"]
            again = [folder for folder in run.glob("again/*/reports") if folder.is_dir()]
            if again:
                command += ["--results-again", max(again, key=lambda folder: int(folder.parent.name))]
            for view in VIEWS:
                command += ["--view", view]
            answer = subprocess.run(command, cwd=base / "recorded", stdout=subprocess.PIPE, check=False)
            if answer.returncode > 1:
                sys.exit(f"{variant['name']}: audit ended with {answer.returncode}")
            theirs = {one["name"]: len(one["hard_misses"]) for one in json.loads(answer.stdout)["selectors"]}
            ours = studied(folder, program["name"], first["name"], variant["name"])
            sums["variants"] += 1
            for view in VIEWS:
                sums["audit", view] += theirs[view]
                sums["study", view] += ours[view]
                if theirs[view] != ours[view]:
                    differing += 1
                    print(f"different: {program['name']} {variant['name']} {view}: {theirs[view]}, {ours[view]}", file=sys.stderr)
        for view in VIEWS:
            print(f"| {program['name']} | {view} | {sums['variants']} | {sums['audit', view]} | {sums['study', view]} |", flush=True)
    return 1 if differing else 0


sys.exit(main())
