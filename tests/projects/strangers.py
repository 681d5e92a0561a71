#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Row files that the command itself writes: an empty complete row of a test,
by a process that never asked, replaces nothing and costs the suite its rows.
usage: strangers.py (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR, ARTIFACTS)"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

REJIG = os.environ["REJIG"]
CONSOLE = os.path.join(os.environ["ARTIFACTS"], "junit-platform-console-standalone-1.9.3.jar")
env = {name: value for name, value in os.environ.items()
       if not name.startswith("REJIG_") or name in ("REJIG_AGENT", "REJIG_JUNIT_JAR")}
failures = []
ROWS = pathlib.Path(__file__).resolve().parents[2] / "apps/agent/ROWS.md"

FORGE = '''
import os, struct, sys, zlib
def text(s): return struct.pack(">H", len(s)) + s.encode()
def record(kind, payload):
    head = struct.pack(">IB", len(payload), kind) + payload
    return head + struct.pack(">I", zlib.crc32(head))
kinds = ["m", "inst", "init", "load", "ext", "miss", "refl", "res", "resmiss", "stackapi"]
out = b"rejigrow" + struct.pack(">II", int(sys.argv[1]), 0)
out += record(1, struct.pack(">QII", 1, os.getpid(), os.getppid()) + text("default")
              + struct.pack(">H", len(kinds)) + b"".join(map(text, kinds))
              + struct.pack(">H", 1) + text("user.dir") + text(os.getcwd()))
for scope, test in enumerate(["p.T#a()", "p.T#b()"], 1):
    out += record(5, struct.pack(">IBIQ", scope, 2, 0, 2) + text(test))
    out += record(6, struct.pack(">IIIII", scope, 0, 0, 0, 0))
    out += record(7, struct.pack(">IBBQ", scope, 0, 0, 3))
out += record(11, struct.pack(">Q", 4))
open(os.environ["REJIG_OUT"] + "/1-1-%d.rows" % os.getpid(), "wb").write(out)
'''


def check(name, wanted, got, text=""):
    if wanted != got:
        failures.append(name)
        print(f"FAILED {name}: wanted {wanted!r}, got {got!r} {text}")
    else:
        print("ok", name)


def run(*words):
    done = subprocess.run(words, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return done.stdout


def build(folder, value):
    pathlib.Path("src/p").mkdir(parents=True, exist_ok=True)
    pathlib.Path("src/p/A.java").write_text(f"package p; class A {{ static int f() {{ return {value}; }} }}")
    pathlib.Path("src/p/T.java").write_text(
        "package p; import org.junit.jupiter.api.*; class T { @Test void a() { System.out.println(\"RAN:a\"); Assertions.assertEquals(1, A.f()); }"
        " @Test void b() { System.out.println(\"RAN:b\"); } }")
    subprocess.run(["javac", "-g", "-nowarn", "-proc:none", "-cp", CONSOLE, "-d", folder, "src/p/A.java", "src/p/T.java"], check=True)


def grades():
    rows = [json.loads(line) for line in run(REJIG, "coverage", "export", "--format", "ndjson").splitlines() if '"test"' in line]
    return {row["test"]: (row["grade"], "m:p.A.f()I" in row["atoms"]) for row in rows if row["test"].startswith("p.T#")}


def selected(new):
    answer = json.loads(subprocess.run([REJIG, "select", "main", new, "--coverage", ".rejig/matrix.db", "--lib", CONSOLE, "--format", "json"],
                                       env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    return sorted(test["test"] for test in answer["selected"])


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    pathlib.Path("forge.py").write_text(FORGE)
    build("main", 1)
    build("new", 2)
    tests = ["java", "-cp", f"main:{CONSOLE}", "org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--select-class=p.T"]
    version = re.search(r"u4 version = (\d+)", ROWS.read_text()).group(1)
    forge = [sys.executable, "forge.py", version]
    run(REJIG, "run", "--", *tests)
    check("a true row", ("complete", True), grades()["p.T#a()"])
    check("it selects", ["p.T#a()"], selected("new"))
    said = run(REJIG, "record", "--", *forge)
    check("a stranger is refused", True, "never asked which tests to run" in said, said)
    check("the true row stays, and counts no more", ("foreign", True), grades()["p.T#a()"])
    check("nothing is skipped for it", ["p.T#a()", "p.T#b()"], selected("new"))
    said = run(REJIG, "run", "--", *tests)
    check("the suite runs whole", True, "RAN:a" in said and "RAN:b" in said, said)
    check("and is as it was", (("complete", True), ["p.T#a()"]), (grades()["p.T#a()"], selected("new")))
    # Beside JVMs that ask.
    command = " ".join(f"'{word}'" for word in tests) + "; " + " ".join(f"'{word}'" for word in forge)
    said = run(REJIG, "record", "--", "sh", "-c", command)
    check("a stranger beside a JVM that asks", True, "never asked which tests to run" in said, said)
    check("no row counts", ("partial", True), grades()["p.T#a()"])
    said = run(REJIG, "run", "--", *tests)
    check("all run again", True, "RAN:a" in said and "RAN:b" in said, said)
    said = run(REJIG, "run", "--", *tests)
    check("and then nothing does", False, "RAN:" in said, said)
    # A suite whose JVMs never ask is taken as it comes.
    run(REJIG, "record", "--store", "other/matrix.db", "--", *forge)
    said = run(REJIG, "coverage", "export", "--store", "other/matrix.db", "--format", "ndjson")
    check("a suite that nobody knows", True, "p.T#a()" in said, said)
    os.chdir("/")
if failures:
    print(len(failures), "failed")
    sys.exit(1)
print("all passed")
