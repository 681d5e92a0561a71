#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--log-file: every message as a line of JSON, those that -q hides too, at once; nothing hangs.
usage: log_file.py REJIG"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

rejig = os.path.abspath(sys.argv[1])
failures = []


def check(name, right, text=""):
    if not right:
        failures.append(name)
    print("ok" if right else "FAILED", name, "" if right else text)


def lines(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    def run(*words):
        return subprocess.run([rejig, *words], text=True, capture_output=True, timeout=60, env={**os.environ, "REJIG_OFF": ""})
    bad = "no\x1b]0;such\u202efile"
    done = run("diff", bad, "x", "--log-file", "log")
    log = lines("log")
    check("an error", done.returncode == 2 and [entry["level"] for entry in log] == ["error"] and log[0]["command"] == "diff", log)
    check("the terminal gets it escaped", "\x1b" not in done.stderr and "\u202e" not in done.stderr, done.stderr)
    check("the file gets no raw control", "\x1b" not in pathlib.Path("log").read_text())
    os.mkdir("empty")
    loud = run("diff", "empty", "empty", "--log-file", "log")
    quiet = run("diff", "empty", "empty", "-q", "--log-file", "log")
    log = lines("log")
    warnings = [entry for entry in log if entry["level"] == "warning"]
    check("what -q hides", "warning" in loud.stderr and quiet.stderr == "" and len(warnings) == 2 * loud.stderr.count("warning"), (loud.stderr, quiet.stderr, log))
    check("it is appended to", len(log) == 1 + len(warnings), log)
    done = run("diff", "empty", "empty", "--log-file", "nowhere/log")
    check("a file that cannot be written", done.returncode == 2 and "nowhere/log" in done.stderr, done.stderr)
    os.mkfifo("pipe")
    done = run("diff", "empty", "empty", "--log-file", "pipe")
    check("a pipe that nobody reads", done.returncode == 2 and "pipe" in done.stderr, done.stderr)
    # Killed in the middle of a run: what was said is there.
    killed = subprocess.Popen([rejig, "run", "--log-file", "killed", "--", "sh", "-c", "echo $$; sleep 30"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env={**os.environ, "REJIG_AGENT": "/none", "REJIG_OFF": ""}, text=True)
    child = int(killed.stdout.readline())
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    os.kill(child, signal.SIGKILL)
    check("nothing is lost by a kill", any(entry["level"] == "error" for entry in lines("killed")), lines("killed"))
    os.chdir("/")
sys.exit(f"{len(failures)} failed: {failures}" if failures else 0)
