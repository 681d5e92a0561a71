#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What people type by mistake, and what they get: what was meant, or an answer that is no wrong one. Nothing hangs.
usage: mistakes.py REJIG"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

REJIG = os.path.abspath(sys.argv[1])
failures = []
environment = {k: v for k, v in os.environ.items() if k not in ("JAVA_TOOL_OPTIONS", "REJIG_COVERAGE")}


def check(name, good, seen=""):
    if not good:
        failures.append(name)
        print(f"FAILED {name}: {seen!r}"[:2000])


def rejig(*words, code=None, **options):
    done = subprocess.run([REJIG, *words], capture_output=True, text=True, env=environment, timeout=60, stdin=subprocess.DEVNULL, **options)
    if code is not None:
        check(f"exit code of {' '.join(words)}", done.returncode == code, (done.returncode, done.stdout[-300:], done.stderr[-600:]))
    return done


def compiled(folder, files):
    sources = []
    for name, text in files.items():
        path = pathlib.Path(folder + ".src", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        sources.append(str(path))
    subprocess.run(["javac", "-g", "-proc:none", "--release", "17", "-d", folder, *sources], check=True)


def words():
    meant = {
        ("--verison",): "Did you mean '--version'?",
        ("-x", "diff"): "unknown option '-x'",
        ("run", "mvn", "test"): "rejig run -- mvn test",
        ("record", "ant"): "rejig record -- ant",
        ("watch", "sbt", "test"): "rejig watch -- sbt test",
        ("select", "old", "new", "--emit", "surefire"): "there are ant-includes",
        ("select", "old", "new", "--emit", "surefire-exclude=x"): "Did you mean 'surefire-excludes'?",
        ("ide", "vscod"): "Did you mean 'vscode'?",
        ("diff", "old.src", "new"): "these are sources",
        ("diff", "old"): "OLD and NEW are needed",
        ("run", "--strict", "--best-effort", "--", "true"): "exclude each other",
    }
    for line, text in meant.items():
        check(f"{' '.join(line)}: what was meant", text in rejig(*line, code=2).stderr, rejig(*line).stderr)
    for command in ("run", "record", "watch"):
        check(f"{command} --help shows where the command stands", "[OPTIONS] -- CMD..." in rejig(command, "--help", code=0).stdout)
    os.makedirs("proj/target")
    shutil.copytree("old", "proj/target/classes")
    shutil.copytree("old.src", "proj/src")
    check("where the classes are", "Did you mean proj/target/classes?" in rejig("diff", "proj/src", "new", code=2).stderr, rejig("diff", "proj/src", "new").stderr)
    pathlib.Path("settings.toml").write_text('[inputs]\nold = "old"\nnew = "new"\n')
    check("[inputs] serves diff", "E1" in rejig("diff", "--config", "settings.toml", "--by", "class", code=1).stdout)
    one = rejig("explain", "p.ATest#f()", "old", "new", "--coverage", "rows.db", code=0).stdout
    check("explain TEST OLD NEW", one == rejig("explain", "old", "new", "p.ATest#f()", "--coverage", "rows.db", code=0).stdout and "selected" in one, one)
    check("explain by a short name", one == rejig("explain", "old", "new", "ATest", "--coverage", "rows.db", code=0).stdout)
    check("explain: a test that is meant", "Did you mean 'p.ATest#f()'?" in rejig("explain", "old", "new", "p.ATest#g()", "--coverage", "rows.db", code=2).stderr)


def lone_classes():
    """What git difftool hands over: files somewhere, under any name."""
    for side in ("old", "new"):
        os.makedirs(f"git/{side}")
        shutil.copy(f"{side}/p/A.class", f"git/{side}/A.class")
        shutil.copy(f"{side}/p/A.class", f"git/{side}/blob")
    whole = {edge["entity"] for edge in json.loads(rejig("diff", "old", "new", "--format", "json", code=1).stdout)["edges"]}
    for a, b in (("git/old/A.class", "git/new/A.class"), ("git/old/blob", "git/new/blob"), ("old/p", "new/p"), ("git/old", "git/new")):
        done = rejig("diff", a, b, "--format", "json", code=1)
        found = {edge["entity"] for edge in json.loads(done.stdout)["edges"]}
        check(f"diff {a} {b}", "p.A.f()I" in found and found <= whole | {"blob"}, (found, done.stderr))
        check(f"diff {a} {b}: nothing is unreadable", not json.loads(done.stdout)["widened"], done.stdout)
    rejig("diff", "git/old/A.class", "git/old/A.class", code=0)
    shutil.copytree("old", "mixed")
    shutil.copy("new/p/A.class", "mixed/A.class")
    check("a folder in which one class is in its place is what a JVM takes it for",
          {edge["entity"] for edge in json.loads(rejig("diff", "old", "mixed", "--format", "json").stdout)["edges"]} != whole)


def fifos():
    os.mkfifo("pipe")
    os.makedirs("toml")
    os.mkfifo("toml/rejig.toml")
    lines = [("select", "old", "new", "--coverage", "pipe"), ("diff", "pipe", "new"), ("diff", "old", "new", "--config", "pipe"),
             ("dump", "pipe"), ("coverage", "import", "pipe", "--store", "x.db"), ("verify", "--selection", "pipe", "--reports", "pipe"),
             ("diff", "old", "new", "--rename", "pipe"), ("graph", "pipe"), ("audit", "old", "new", "--coverage", "rows.db", "--results", "pipe")]
    for line in lines:
        try:
            rejig(*line)
        except subprocess.TimeoutExpired:
            check(f"{' '.join(line)} ends", False)
    try:
        rejig("select", "../old", "../new", cwd="toml")
    except subprocess.TimeoutExpired:
        check("a rejig.toml that is a FIFO", False)


def closed_pipes():
    for line, code in ((("diff", "old", "new"), 1), (("diff", "old", "new", "--format", "json"), 1), (("select", "old", "new", "--coverage", "rows.db", "--exit-code"), 1)):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([REJIG, *line], stdout=writer, stderr=subprocess.DEVNULL, env=environment, timeout=60)
        os.close(writer)
        check(f"{' '.join(line)} | nobody: the exit code", done.returncode == code, done.returncode)


def completion():
    script = rejig("completion", "bash", code=0).stdout
    pathlib.Path("script").write_text(script)
    pathlib.Path("drive").write_text("""source ./script
reply() { COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _rejig; printf '%s:' "$*"; printf ' %s' "${COMPREPLY[@]}"; echo; }
reply rejig select --emit sure
reply rejig coverage ex
reply rejig baseline d
reply rejig ide vs
reply rejig completion zs
reply rejig select --assume no-re
reply rejig run -- jav
reply rejig explain p.AT
reply rejig explain --not p.AT
""")
    os.makedirs("bin", exist_ok=True)
    if not os.path.exists("bin/rejig"):
        os.symlink(REJIG, "bin/rejig")
    variables = dict(environment, PATH=os.path.abspath("bin") + os.pathsep + environment["PATH"], REJIG_COVERAGE="rows.db")
    said = subprocess.run(["bash", "--norc", "drive"], capture_output=True, text=True, env=variables, timeout=60)
    lines = dict(line.split(": ", 1) if ": " in line else (line.rstrip(":"), "") for line in said.stdout.splitlines())
    check("bash says nothing else", said.stderr == "", said.stderr)
    wanted = {"rejig select --emit sure": "surefire-excludes surefire-includes", "rejig coverage ex": "export", "rejig baseline d": "drop",
              "rejig ide vs": "vscode", "rejig completion zs": "zsh", "rejig select --assume no-re": "no-reflection no-resources",
              "rejig explain p.AT": r"p.ATest#f\(\)", "rejig explain --not p.AT": r"p.ATest#f\(\)"}
    for line, words_ in wanted.items():
        check(f"completion: {line}", lines.get(line) == words_, lines.get(line))
    check("completion: programs behind --", "javac" in lines.get("rejig run -- jav", "").split(), lines.get("rejig run -- jav"))


def main():
    code = "package p; public class A { public static int f() { return %s; } static int g() { return 1; } }"
    compiled("old", {"p/A.java": code % "1", "p/B.java": "package p; class B { int b; }"})
    compiled("new", {"p/A.java": code % "2", "p/B.java": "package p; class B { int b; }"})
    pathlib.Path("rows.ndjson").write_text('{"v":1,"suite":"default","test":"p.ATest#f()","grade":"complete","result":"pass","ms":1,"atoms":["m:p.A.f()I"]}\n')
    rejig("coverage", "import", "rows.ndjson", "--store", "rows.db", code=0)
    for part in (words, lone_classes, fifos, closed_pipes, completion):
        part()


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    main()
    os.chdir("/")
print(f"{len(failures)} failed" if failures else "all passed")
sys.exit(bool(failures))
