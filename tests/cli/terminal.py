#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a person at a terminal sees: colours, suggestions, a progress line after
a second; and what a pipe does not see. usage: terminal.py REJIG"""
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
import zipfile

rejig = sys.argv[1]
failures = []
plain = {k: v for k, v in os.environ.items()
         if k not in ("NO_COLOR", "FORCE_COLOR", "TERM", "JAVA_HOME")}
RED = "\033[1;31m"


def check(name, condition, seen=""):
    if not condition:
        failures.append(name)
        print(f"FAILED: {name}: {seen!r}", file=sys.stderr)


def drained(fd):
    """What has been written to the terminal."""
    text = b""
    while select.select([fd], [], [], 0)[0]:
        try:
            piece = os.read(fd, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        text += piece
    return text


def at_terminal(args, env, slow=False):
    """Exit code, standard output and what the terminal showed. With `slow`
    standard output is a pipe that is emptied only when a progress line has
    appeared, a little at a time before."""
    master, slave = pty.openpty()
    run = subprocess.Popen([rejig, *args], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=slave, env=env)
    os.close(slave)
    shown, out, started, first = b"", b"", time.monotonic(), None
    while True:
        waiting = [master, run.stdout] if not slow or first else [master]
        ready = select.select(waiting, [], [], 0.05)[0]
        if master in ready:
            more = drained(master)
            if b"\r" in more and first is None:
                first = time.monotonic() - started
            shown += more
        if slow and first is None:
            out += os.read(run.stdout.fileno(), 2048)
        elif run.stdout in ready:
            piece = os.read(run.stdout.fileno(), 65536)
            if not piece:
                break
            out += piece
        check_time = time.monotonic() - started
        if check_time > 120:
            run.kill()
            check("ends within two minutes", False, shown)
            break
    code = run.wait()
    shown += drained(master)
    os.close(master)
    return code, out, shown.decode(), first


def through_pipes(args, env):
    run = subprocess.run([rejig, *args], stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, env=env)
    return run.returncode, run.stdout, run.stderr


# Suggestions.
for args, words in (
        (["dmup", "x"], "unknown command 'dmup'. Did you mean 'dump'?"),
        (["dump", "--formt", "x"],
         "unknown option '--formt'. Did you mean '--format'?"),
        (["dump", "--color", "nevr", "x"], "Did you mean 'never'?"),
        (["dump", "--only", "clas", "x"],
         "--only: unknown line type 'clas'. Did you mean 'class'?")):
    code, out, err = through_pipes(args, plain)
    check(" ".join(args), code == 2 and out == "" and words in err, err)
code, _, err = through_pipes(["quite-something-else"], plain)
check("nothing is near", code == 2 and "Did you mean" not in err, err)

# Colours: what was asked for, else NO_COLOR, FORCE_COLOR, TERM, the stream.
missing = ["dump", "no-such.jar"]
term = dict(plain, TERM="xterm")
for name, args, env, wanted in (
        ("a terminal", missing, term, True),
        ("a dumb terminal", missing, dict(plain, TERM="dumb"), False),
        ("no TERM", missing, plain, False),
        ("NO_COLOR", missing, dict(term, NO_COLOR="1"), False),
        ("an empty NO_COLOR", missing, dict(term, NO_COLOR=""), True),
        ("never", missing + ["--color", "never"], term, False),
        ("always", missing + ["--color", "always"],
         dict(term, NO_COLOR="1"), True)):
    code, _, shown, _ = at_terminal(args, env)
    check(f"colours at {name}: exit", code == 2, code)
    check(f"colours at {name}: message", "no-such.jar: cannot open" in shown,
          shown)
    check(f"colours at {name}", (RED in shown) == wanted, shown)
for name, args, env, wanted in (
        ("a pipe", missing, term, False),
        ("a pipe, FORCE_COLOR", missing, dict(term, FORCE_COLOR="1"), True),
        ("a pipe, always", ["--color=always"] + missing, term, True)):
    _, _, err = through_pipes(args, env)
    check(f"colours through {name}", (RED in err) == wanted, err)

# Progress: a line after a second, rewritten, gone at the end.
with tempfile.TemporaryDirectory() as folder:
    jar = os.path.join(folder, "many.jar")
    with zipfile.ZipFile(jar, "w") as archive:
        for i in range(30000):
            archive.writestr(f"some/folder/file-{i:06}.txt", b"")
    dump = ["dump", "--format", "ndjson", jar]
    quick = through_pipes(dump, term)
    check("a pipe sees no progress", quick[0] == 0 and quick[2] == "", quick[2])
    lines = quick[1].count("\n")
    check("a line an entry", lines == 30000, lines)

    code, out, shown, first = at_terminal(dump, term, slow=True)
    check("the slow one ends well", code == 0, code)
    check("the answer is the same", out.decode() == quick[1], len(out))
    check("progress shows", re.search(r"entries read: \d+ of 30000", shown),
          shown)
    check("not before a second", first is not None and first >= 0.9, first)
    check("it is wiped away", shown.endswith("\r\x1b[K"), shown)
    code, _, shown, _ = at_terminal(dump + ["--quiet"], term)
    check("--quiet shows none", code == 0 and shown == "", shown)

print("all passed" if not failures else f"{len(failures)} failed")
sys.exit(1 if failures else 0)
