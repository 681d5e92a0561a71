#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workflows run nothing but rejigw, with words that it knows; so does .ci/run.
usage: workflows.py ROOT"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1]).resolve()
script = (root / "rejigw").read_text()
known = set(re.findall(r"^  (\w+)\)", script[script.index("case $command in"):], re.M))
options = set(re.findall(r"\./rejigw test (--[a-z-]+)", subprocess.run([root / "rejigw", "help"], text=True, capture_output=True, check=True).stdout))
failures = []
found = 0
for path in [*sorted((root / ".github/workflows").glob("*.yml")), root / ".ci/run"]:
    text = path.read_text()
    lines = re.findall(r"^\s*-? ?run: (.*)$", text, re.M) if path.suffix == ".yml" else re.findall(r"^exec (.*)$", text, re.M)
    if not lines:
        failures.append(f"{path.name}: runs nothing")
    if "run: |" in text:
        failures.append(f"{path.name}: a script of its own")
    for line in lines:
        found += 1
        words = line.split()
        if words[0] != "./rejigw" or words[1] not in known or not set(words[2:]) <= options:
            failures.append(f"{path.name}: '{line}'")
print(f"{found} lines, {sorted(known)}, {sorted(options)}")
sys.exit("\n".join(failures) if failures else 0)
