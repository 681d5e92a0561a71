#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rejig self-check says what works on a machine: a JDK that does, one that has no compiler, no recorder, no runner.
usage: self_check.py (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR, ARTIFACTS)"""
import os
import pathlib
import subprocess
import sys
import tempfile

REJIG, JARS = os.environ["REJIG"], os.environ["ARTIFACTS"]
RUNNER = f"{JARS}/junit-4.13.2.jar:{JARS}/hamcrest-core-1.3.jar"
failures = []


def check(name, wanted, words, texts, **variables):
    done = subprocess.run([REJIG, "self-check", *words], env={**os.environ, **variables}, text=True, capture_output=True, timeout=300)
    missing = [text for text in texts if text not in done.stdout + done.stderr]
    if done.returncode != wanted or missing:
        failures.append(name)
        print(f"FAILED {name}: exit {done.returncode}, wanted {wanted}; missing {missing}\n{done.stdout}{done.stderr}")
    else:
        print("ok", name)


with tempfile.TemporaryDirectory() as work:
    home = os.environ["JAVA_HOME"]
    check("this JDK", 0, ["--jdk", home, "--runner", RUNNER], ["ok: recorded 2 tests", "Everything works here."])
    check("without a locale, as in a container", 0, ["--jdk", home, "--runner", RUNNER], ["Everything works here."], LC_ALL="POSIX", LANG="POSIX")
    runtime = pathlib.Path(work, "runtime")
    (runtime / "bin").mkdir(parents=True)
    (runtime / "release").write_text('JAVA_VERSION="17.0.1"\n')
    os.symlink(f"{home}/bin/java", runtime / "bin/java")
    check("no compiler", 0, ["--jdk", str(runtime), "--runner", RUNNER], ["not tried: it has no compiler", "no JDK was tried"])
    broken = pathlib.Path(work, "broken")
    (broken / "bin").mkdir(parents=True)
    (broken / "release").write_text('JAVA_VERSION="99"\n')
    for program in ("java", "javac"):
        (broken / "bin" / program).write_text("#!/bin/sh\nexit 3\n")
        (broken / "bin" / program).chmod(0o755)
    check("a JDK that does not work", 1, ["--jdk", str(broken), "--runner", RUNNER], ["FAILED", "Something does not work here"])
    check("no recorder", 1, ["--jdk", home, "--runner", RUNNER], ["recorder"], REJIG_AGENT=work + "/none.so")
    check("no runner", 0, ["--jdk", home], ["not tried: JUnit 4 is neither"], HOME=work, REJIG_RUNNER="", GRADLE_USER_HOME=work)
sys.exit(f"{len(failures)} failed: {failures}" if failures else 0)
