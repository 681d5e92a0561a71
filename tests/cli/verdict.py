#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The verdict on its way out: what is lost is doubt, a closed pipe, an ignored
signal or a hostile file changes no exit code, and a list that cannot say "all"
is no list. usage: verdict.py REJIG MAKE_STORE"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

REJIG, MAKE_STORE = (os.path.abspath(word) for word in sys.argv[1:3])
failures = []
environment = {name: value for name, value in os.environ.items()
               if not name.startswith("REJIG_") and name != "JAVA_HOME"}
environment["LC_ALL"] = "C.UTF-8"


def check(name, wanted, got):
    if wanted != got:
        failures.append(name)
        print(f"FAILED {name}: wanted {wanted!r}, got {got!r}")


def run(*words, **options):
    options.setdefault("timeout", 60)
    options.setdefault("env", environment)
    return subprocess.run([str(word) for word in words], stdout=options.pop("stdout", subprocess.PIPE),
                          stderr=subprocess.PIPE, text=True, **options)


def select(*words):
    return run(REJIG, "select", *words)


def answer(*words):
    return json.loads(select(*words, "--format", "json").stdout)


def store(name, *rows):
    lines = ["\t".join(["row", suite, test, "complete", "pass", "all", *atoms]) for suite, test, *atoms in rows]
    subprocess.run([MAKE_STORE, name], input="\n".join(lines) + "\n", text=True, check=True)


def compiled(folder, sources, path=""):
    for name, text in sources.items():
        file = pathlib.Path("src", folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    files = [str(pathlib.Path("src", folder, name)) for name in sources]
    subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-g", "-proc:none", "--release", "17", "-cp", path or ".",
                    "-d", folder, *files], check=True)


def test_class(package, name, *methods):
    body = "".join(f" @org.junit.jupiter.api.Test void {method}() {{}}" for method in methods)
    return {f"{package}/{name}.java": f"package {package};\nclass {name} {{{body} }}\n"}


def lost_suites():
    api = {"org/junit/jupiter/api/Test.java":
           "package org.junit.jupiter.api;\nimport java.lang.annotation.*;\n"
           "@Retention(RetentionPolicy.RUNTIME) public @interface Test {}\n"}
    compiled("api", api)
    compiled("main", {"p/A.java": "package p;\npublic class A { public int f() { return 1; } }\n"})
    compiled("main2", {"p/A.java": "package p;\npublic class A { public int f() { return 2; } }\n"})
    compiled("tests", test_class("p", "T", "a", "b"), "api")
    compiled("renamed", test_class("p", "T2", "a", "b"), "api")
    compiled("fewer", test_class("p", "T", "a"), "api")
    compiled("others", test_class("q", "U", "c"), "api")
    store("one.db", ("default", "p.T#a()", "m:p.A.f()I"), ("default", "p.T#b()", "m:p.A.f()I"))
    one = ("--coverage", "one.db")

    lost = answer("main:tests", "main", *one)
    check("a lost suite is everything", "all", lost["mode"])
    check("a lost suite is selected", ["p.T#a()", "p.T#b()"], [test["test"] for test in lost["selected"]])
    check("nothing of a lost suite is gone", 0, lost["counts"]["gone"])
    check("a lost suite is said", True, any("none of the tests of suite default" in text for text in lost.get("reasons", [])))
    check("a lost suite, --exit-code", 1, select("main:tests", "main", *one, "--exit-code").returncode)
    check("a lost suite, --strict", 3, select("main:tests", "main", *one, "--strict").returncode)
    check("a lost suite, skip list", "rejig-skip 1\nend 0\n", select("main:tests", "main", *one, "--emit", "skip-list").stdout)
    check("a lost suite with a change", 2, answer("main:tests", "main2", *one)["counts"]["selected"])

    fewer = answer("main:tests", "main:fewer", *one)
    check("one test is gone", (1, 0, "none"),
          (fewer["counts"]["gone"], fewer["counts"]["selected"], fewer["mode"]))
    renamed = answer("main:tests", "main:renamed", *one)
    check("renamed tests are new ones", (2, ["p.T2#a()", "p.T2#b()"]),
          (renamed["counts"]["gone"], [test["test"] for test in renamed["selected"]]))

    store("two.db", ("default", "p.T#a()", "m:p.A.f()I"), ("default", "p.T#b()", "m:p.A.f()I"), ("other", "q.U#c()"))
    two = answer("main:tests:others", "main:others", "--coverage", "two.db")
    check("one suite of two is lost", ("some", ["p.T#a()", "p.T#b()"], ["q.U#c()"]),
          (two["mode"], [test["test"] for test in two["selected"]], [test["test"] for test in two["unaffected"]]))
    both = answer("main:tests:others", "main", "--coverage", "two.db")
    check("both suites are lost", ("all", 3), (both["mode"], both["counts"]["selected"]))


LISTS = ("console-args", "idea-run", "junit4-list", "testng-xml")


def all_of_nothing():
    pathlib.Path("damaged.db").write_bytes(b"SQLite format 3\0" + bytes(5000))
    for name in ("none.db", "damaged.db"):
        words = ("main", "main2", "--coverage", name)
        check(f"{name}: all of nothing", ("all", 0),
              (answer(*words)["mode"], answer(*words)["counts"]["selected"]))
        check(f"{name}: --exit-code", 1, select(*words, "--exit-code").returncode)
        check(f"{name}: --strict", 3, select(*words, "--strict").returncode)
        check(f"{name}: both", 3, select(*words, "--strict", "--exit-code").returncode)
        for kind in LISTS:
            pathlib.Path("list").unlink(missing_ok=True)
            done = select(*words, "--emit", f"{kind}=list")
            check(f"{name}: {kind} cannot say all", (2, False), (done.returncode, os.path.exists("list")))
            check(f"{name}: {kind} says why", True, "cannot say that everything is selected" in done.stderr)
        for kind, wanted in (("surefire-includes", ""), ("ant-includes", "**/*.class\n"), ("bazel-targets", "//...\n"),
                             ("skip-list", "rejig-skip 1\nend 0\n")):
            done = select(*words, "--emit", kind)
            check(f"{name}: {kind} says all", (0, wanted), (done.returncode, done.stdout))
        for kind in ("surefire-excludes", "sbt", "gradle-init", "junit-xml"):
            done = select(*words, "--emit", kind)
            check(f"{name}: {kind} skips nothing", (0, False), (done.returncode, "p/T" in done.stdout))
    # Of several files none is written when one cannot be.
    done = select("main", "main2", "--coverage", "none.db", "--emit", "skip-list=first", "--emit", "junit4-list=second")
    check("no half of it", (2, False), (done.returncode, os.path.exists("first")))
    # Selected, but not to be named: an empty list would skip it.
    store("gone.db", ("default", "x.Gone#x()", "m:p.A.f()I"))
    for kind in LISTS:
        wanted = 0 if kind == "idea-run" else 2
        check(f"{kind} of what NEW is not known to have", wanted,
              select("main", "main2", "--coverage", "gone.db", "--emit", kind).returncode)
    check("all, with tests", (0, "p.T\n"),
          (lambda done: (done.returncode, done.stdout))(select("main:tests", "main:tests", "--coverage", "none.db",
                                                               "--emit", "junit4-list")))


def into_closed_pipe(*words, **options):
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        return run(*words, stdout=write_end, **options).returncode
    finally:
        os.close(write_end)


def closed_pipes():
    body = "".join(f" public int method_with_a_rather_long_name_{i}() {{ return {{}}; }}\n" for i in range(2000))
    compiled("long1", {"p/L.java": "package p;\npublic class L {\n" + body.replace("{}", "1") + "}\n"})
    compiled("long2", {"p/L.java": "package p;\npublic class L {\n" + body.replace("{}", "2") + "}\n"})
    formats = ("text", "json", "ndjson", "gcc", "github", "dot")
    for form in formats:
        check(f"diff --format {form}", 1, into_closed_pipe(REJIG, "diff", "long1", "long2", "--format", form))
        check(f"diff --format {form}, no difference", 0, into_closed_pipe(REJIG, "diff", "long1", "long1", "--format", form))
    one = ("--coverage", "one.db", "--exit-code")
    check("select --exit-code", 1, into_closed_pipe(REJIG, "select", "main:tests", "main2:tests", *one))
    check("select --exit-code, nothing", 0, into_closed_pipe(REJIG, "select", "main:tests", "main:tests", *one))
    check("select --strict", 3, into_closed_pipe(REJIG, "select", "main", "main2", "--coverage", "none.db", "--strict"))
    check("explain of nobody", run(REJIG, "explain", "x.Y#z()", "main", "main2", "--coverage", "one.db").returncode,
          into_closed_pipe(REJIG, "explain", "x.Y#z()", "main", "main2", "--coverage", "one.db"))
    for words in (("dump", "long1"), ("graph", "long1"), ("coverage", "show", "--store", "one.db"), ("check",), ("diff", "--help"), ("--version",)):
        check(" ".join(words), run(REJIG, *words).returncode, into_closed_pipe(REJIG, *words))
    check("-o into a pipe", 1, into_closed_pipe(REJIG, "diff", "long1", "long2", "-o", "/dev/stdout"))
    check("an error stays one", 2, into_closed_pipe(REJIG, "diff", "long1", "nowhere"))


def parents():
    ignored = {"none": (), "CHLD": (signal.SIGCHLD,), "PIPE": (signal.SIGPIPE,),
               "some": (signal.SIGCHLD, signal.SIGPIPE, signal.SIGINT)}

    def below(which, *words, **options):
        def ignore():
            for one in ignored[which]:
                signal.signal(one, signal.SIG_IGN)
        return run(*words, preexec_fn=ignore, restore_signals=which == "none", **options)

    for off in ("1", "0"):
        outer = dict(environment, REJIG_OFF=off)
        for which in ignored:
            name = f"REJIG_OFF={off}, {which} ignored"
            for code in (0, 7, 255):
                check(f"{name}: exit {code}", code,
                      below(which, REJIG, "run", "--", "sh", "-c", f"exit {code}", env=outer).returncode)
            check(f"{name}: a killed command", 128 + signal.SIGKILL,
                  below(which, REJIG, "run", "--", "sh", "-c", "kill -9 $$", env=outer).returncode)
            words = ("grep", "SigIgn", "/proc/self/status")
            check(f"{name}: signals as alone", below(which, *words).stdout,
                  below(which, REJIG, "run", "--", *words, env=outer).stdout)


def hostile_files():
    os.mkdir("hostile")
    os.chdir("hostile")
    texts = [b"[\0", b"\0", b"[a\x01b]", b"a = \"\x7f\"", b"# \x02\n", b"[select]\nsuite = \"\x00\"\n", b"[\xff\xfe", b"[[", b"[a.\0",
             b"[[.", b"[=", b"a = 1979-05-27T[", b"a = [\xe2\x80\xa8]", b"[\\a]\nb = 1"]
    for text in texts:
        pathlib.Path("rejig.toml").write_bytes(text)
        pathlib.Path("ran").unlink(missing_ok=True)
        check(f"select with {text!r}", 2, select("../main", "../main2", "--coverage", "../one.db").returncode)
        run(REJIG, "run", "--", "touch", "ran")
        check(f"the command runs with {text!r}", True, os.path.exists("ran"))
    os.remove("rejig.toml")
    os.mkfifo("fifo")
    quick = {"timeout": 30}
    check("a pipe for a store", "all", json.loads(
        run(REJIG, "select", "../main", "../main2", "--coverage", "fifo", "--format", "json", **quick).stdout)["mode"])
    check("a pipe for a configuration", 2, run(REJIG, "select", "../main", "../main2", "--config", "fifo", **quick).returncode)
    check("a pipe for a list of names", 2, run(REJIG, "diff", "../main", "../main2", "--rename", "fifo", **quick).returncode)
    for words in (("coverage", "import", "fifo"), ("coverage", "stats", "--store", "fifo"), ("coverage", "merge", "fifo", "--store", "x.db"),
                  ("audit", "../main", "../main2", "--coverage", "../one.db", "--results", "fifo"), ("dump", "fifo"), ("diff", "fifo", "fifo")):
        check(" ".join(words), True, run(REJIG, *words, **quick).returncode == 2)
    done = run("sh", "-c", "printf '%s\\n' '{\"v\":1,\"suite\":\"s\",\"test\":\"a.T#b()\",\"grade\":\"complete\",\"result\":\"pass\",\"ms\":1,\"atoms\":[]}' "
               "> fifo & exec \"$0\" coverage import fifo --format ndjson --store imported.db", REJIG, **quick)
    check("an import of a pipe that somebody writes to", 0, done.returncode)
    os.remove("fifo")
    os.mkfifo("rejig.toml")
    check("rejig.toml is a pipe", 2, run(REJIG, "select", "../main", "../main2", **quick).returncode)
    check("and the command runs", "ran\n", run(REJIG, "run", "--", "echo", "ran", **quick).stdout)
    os.remove("rejig.toml")
    os.chdir("..")


def other_owners():
    narrowing = "[select]\nassume = [\"no-reflection\"]\n\n[[resources]]\nfiles = \"**\"\nselect = \"inert\"\n"
    os.makedirs("shared/mine")
    for folder in ("main", "main2"):
        compiled(f"shared/{folder}", {"p/A.java": "package p;\npublic class A {}\n"})
    pathlib.Path("shared/main2/r.txt").write_text("new")
    pathlib.Path("shared/main/r.txt").write_text("old")
    store("shared/s.db", ("default", "t.T#a()", "res:r.txt"))
    pathlib.Path("shared/rejig.toml").write_text(narrowing)
    words = ("select", "../main", "../main2", "--coverage", "../s.db", "--format", "json")
    done = run(REJIG, *words, cwd="shared/mine")
    narrow = json.loads(done.stdout)
    check("a file above is followed", 0, narrow["counts"]["selected"])
    check("and is named in the answer", True, any("../rejig.toml" in text and "no-reflection" in text for text in narrow["assumptions"])
          and any("../rejig.toml" in text and "'**'" in text for text in narrow["assumptions"]))
    check("and on standard error", True, "narrowed by ../rejig.toml: assume no-reflection" in done.stderr
          and "../rejig.toml says that '**' selects nobody" in done.stderr)
    if os.geteuid() != 0:
        print("not root: files of other owners cannot be made here")
        return
    nobody = 65534
    os.chown("shared/rejig.toml", nobody, nobody)
    done = run(REJIG, *words, cwd="shared/mine")
    check("a file of somebody else is not followed", 1, json.loads(done.stdout)["counts"]["selected"])
    check("and that is said", True, "belongs to another user and is not followed" in done.stderr)
    os.chown("shared/rejig.toml", 0, 0)
    os.chown("shared", nobody, nobody)
    check("a folder of somebody else ends the search", 1,
          json.loads(run(REJIG, *words, cwd="shared/mine").stdout)["counts"]["selected"])
    os.chown("shared/rejig.toml", nobody, nobody)
    os.chown("shared/mine", nobody, nobody)
    check("a project that is all somebody else's is his", 0,
          json.loads(run(REJIG, *words, cwd="shared/mine").stdout)["counts"]["selected"])


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    environment["HOME"] = folder + "/home"
    environment["XDG_CONFIG_HOME"] = folder + "/xdg"
    for part in (lost_suites, all_of_nothing, closed_pipes, parents, hostile_files, other_owners):
        part()
    os.chdir("/")
if failures:
    print(len(failures), "failed")
    sys.exit(1)
print("all passed")
