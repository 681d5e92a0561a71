#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long do whole processes take, from start to end, and how much memory?

    processes.py ROUNDS < list

A line of the list is a name, a tab and a command; all are run in turn, ROUNDS
times, with their output thrown away. Printed are the smallest wall and CPU times,
the largest memory (mapped files count), and how often the first one's wall time
fits in. A name with `<= N MiB` behind a second tab is held against it."""
import os
import shlex
import subprocess
import sys
import time

rounds = int(sys.argv[1])
rows = []
for line in sys.stdin.read().splitlines():
    name, command, *limit = line.split("\t")
    rows.append(dict(name=name, words=shlex.split(command), wall=[], cpu=[], memory=[],
                     limit=float(limit[0]) if limit else None))
for _ in range(rounds):
    for row in rows:
        start = time.perf_counter()
        run = subprocess.Popen(row["words"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(run.pid, 0)
        row["wall"].append(1000 * (time.perf_counter() - start))
        row["cpu"].append(1000 * (usage.ru_utime + usage.ru_stime))
        row["memory"].append(usage.ru_maxrss / 1024)
        row["status"] = os.waitstatus_to_exitcode(status)
failed = False
for row in rows:
    wall, cpu, memory = min(row["wall"]), min(row["cpu"]), max(row["memory"])
    text = f"  {row['name']:<37} {wall:8.1f} ms {cpu:8.1f} CPU {memory:6.0f} MiB"
    if row is not rows[0]:
        text += f"  {wall / min(rows[0]['wall']):5.1f}x wall {cpu / min(rows[0]['cpu']):5.1f}x CPU"
    if row["limit"] is not None:
        text += f"  (<= {row['limit']:.0f} MiB)"
        failed = failed or memory > row["limit"]
    if row["status"] != 0:
        text += f"  exit {row['status']}"
    print(text)
sys.exit(1 if failed else 0)
