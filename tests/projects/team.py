#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What one machine ran, another need not: fresh machines with a remote in a
folder, on real JVMs. Merge queues, reverts, branches, two developers. Every
test that the truth (a run without rejig) fails runs.
usage: team.py [PART...] (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR, ARTIFACTS)"""
import json
import os
import pathlib
import shutil
import socket
import sys
import tempfile

from team_base import CONSOLE, Machine, Repository, check, constant, finish, sh, test_class

BASE = {"p.A": constant("A", 1), "p.B": constant("B", 2), "p.C": constant("C", 3),
        "p.TA": test_class("TA", a="A.v() == 1"), "p.TB": test_class("TB", b="B.v() == 2"),
        "p.TC": test_class("TC", c="C.v() == 3", both="A.v() + C.v() == 4")}
ALL = {"TA.a", "TB.b", "TC.c", "TC.both"}


def settings(work, more=""):
    return f'[remote]\nurl = "file:{work}/remote"\n{more}'


def fresh(work, repo, commit, name="m", **options):
    return Machine(work, name, repo.path, settings(work), **options).checkout(commit)


def team(work):
    os.makedirs(f"{work}/remote")
    repo = Repository(work)
    base = repo.commit(BASE)
    ran, text = fresh(work, repo, base, "nightly").run("--publish")
    check("the nightly runs everything", ALL, ran, text)
    check("and says that it is published", True, f"published default as {base[:12]}" in text, text)

    # A pull request on a machine that has nothing.
    repo.git("checkout", "-q", "-b", "pr1")
    pr1 = repo.commit({"p.A": constant("A", 'Integer.parseInt("1")')})
    machine = fresh(work, repo, pr1)
    ran, text = machine.run("--publish")
    check("a pull request runs what it can affect", {"TA.a", "TC.both"}, ran, text)
    ran, text = machine.run()
    check("and its next run nothing", set(), ran, text)
    shown = machine.rejig("coverage", "export", "--format", "ndjson")[1]
    check("rows of others are rows of this store", 4, sum(1 for line in shown.splitlines() if json.loads(line).get("result") == "pass"), shown)

    # Nothing is pulled when nobody is there, or too slowly.
    away = Machine(work, "away", repo.path, '[remote]\nurl = "file:/nowhere/at/all"\n').checkout(pr1)
    ran, text = away.run()
    check("a remote that is not there: everything", ALL, ran, text)
    offline = fresh(work, repo, pr1, "offline")
    ran, text = offline.run("--offline")
    check("--offline: everything", ALL, ran, text)

    # Another pull request, from main.
    repo.git("checkout", "-q", "-b", "pr2", "main")
    pr2 = repo.commit({"p.B": constant("B", 'Integer.parseInt("2")')})
    ran, text = fresh(work, repo, pr2).run("--publish")
    check("another pull request", {"TB.b"}, ran, text)

    # The merge queue: both together. Each test has a proof of its own.
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "pr1", "pr1")
    first = repo.head()
    ran, text = fresh(work, repo, first).run("--publish")
    check("the merge of one: the pull request's own run is the proof", set(), ran, text)
    repo.git("merge", "-q", "--no-ff", "-m", "pr2", "pr2")
    queue = repo.head()
    machine = fresh(work, repo, queue)
    ran, text = machine.run("--publish")
    check("the merge of both runs nothing", set(), ran, text)
    check("what is right", (ALL, set()), machine.truth())

    # A revert: main as it was has a proof.
    repo.git("revert", "--no-edit", "-m", "1", queue)
    ran, text = fresh(work, repo, repo.head()).run("--publish")
    check("a revert runs nothing", set(), ran, text)

    # A break is seen, on every machine, and stays seen until it is repaired.
    broken = repo.commit({"p.C": constant("C", 4)})
    machine = fresh(work, repo, broken)
    wanted = machine.truth()[1]
    ran, text = machine.run("--publish")
    check("a break", ({"TC.c", "TC.both"}, {"TC.c", "TC.both"}), (wanted, ran), text)
    ran, text = fresh(work, repo, broken, "other").run()
    check("a break runs again elsewhere", {"TC.c", "TC.both"}, ran, text)
    repo.git("revert", "--no-edit", broken)
    ran, text = fresh(work, repo, repo.head()).run("--publish")
    check("repaired by a revert", set(), ran, text)

    # A clone without history knows its parents, and what the forge says.
    repo.commit({"p.B": constant("B", "Math.abs(2)")})
    ran, text = Machine(work, "shallow", repo.path, settings(work), depth=1).run()
    check("a shallow clone", {"TB.b"}, ran, text)
    check("its history is one commit", "1", sh("git", "rev-list", "--count", "HEAD", cwd=f"{work}/shallow").strip())

    # Two developers, one store each, with changes of their own.
    one, two = (Machine(work, name, repo.path, settings(work)) for name in ("one", "two"))
    (one.home / "src/p/A.java").write_text("package p;\n" + constant("A", 7))
    ran, text = one.run("--publish")
    check("changed files are not published", (True, True), ("not published" in text, {"TA.a", "TC.both"} <= ran), text)
    ran, text = two.run()
    check("nobody else sees them", {"TB.b"}, ran, text)

    # Another option of the JVM is another setting: no proof.
    strange = Machine(work, "strange", repo.path, settings(work), env={"JAVA_TOOL_OPTIONS": "-Dsome.option=1"})
    ran, text = strange.run()
    check("another option: everything", ALL, ran, text)

    # Damage, of every kind, costs time only.
    objects = sorted(pathlib.Path(f"{work}/remote/v1/obj").iterdir())
    code, text = one.rejig("remote", "verify")
    check("verify finds nothing", 0, code, text)
    for one_object in objects:
        text = bytearray(one_object.read_bytes())
        text[len(text) // 2] ^= 1
        one_object.write_bytes(text)
    code, text = one.rejig("remote", "verify")
    check("verify finds damage", 1, code, text)
    ran, text = Machine(work, "hurt", repo.path, settings(work)).run()
    check("wrong bytes: everything", ALL, ran, text)
    code, text = one.rejig("remote", "status")
    check("status", 0, code, text)
    code, text = one.rejig("remote", "prune", "--days", "0")
    check("prune", (0, []), (code, list(pathlib.Path(f"{work}/remote/v1/run").glob("*"))), text)


def state(work):
    """What a skipped test leaves is known to one run, who needs it to another."""
    os.makedirs(f"{work}/remote")
    repo = Repository(work)
    holder = "public class H { public static String kept; public static String get() { return kept; } public static void fill() { kept = \"x\"; } }"
    # Alphabetical order of classes: T1Fills before T2Reads.
    reads = 'H.get() == null || H.get().equals("x")'
    base = repo.commit({"p.H": holder, "p.N": constant("N", 1), "p.T2Reads": test_class("T2Reads", r=reads + " && N.v() > 0"),
                        "p.T3Other": test_class("T3Other", o="N.v() < 100")})
    ran, text = fresh(work, repo, base).run("--publish")
    check("state: the base", {"T2Reads.r", "T3Other.o"}, ran, text)
    repo.git("checkout", "-q", "-b", "fills")
    fills = repo.commit({"p.T1Fills": "class T1Fills { @Test void f() { System.out.println(\"RAN:T1Fills.f\"); H.fill(); System.out.println(\"PASSED:T1Fills.f\"); } }"})
    fresh(work, repo, fills).run("--publish")
    # On main the reader now fails if, and only if, somebody filled.
    repo.git("checkout", "-q", "main")
    changed = repo.commit({"p.T2Reads": test_class("T2Reads", r="H.get() == null && N.v() > 0")})
    fresh(work, repo, changed).run("--publish")
    repo.git("merge", "-q", "--no-ff", "-m", "both", "fills")
    machine = fresh(work, repo, repo.head())
    wrong = machine.truth()[1]
    ran, text = machine.run()
    check("state: the merge breaks the reader", {"T2Reads.r"}, wrong)
    check("state: the reader runs, with what fills", True, {"T1Fills.f", "T2Reads.r"} <= ran, text)
    check("state: and fails as in the truth", 1, machine.code, text)

    # The same code failed in one run and passed in another, and nobody can see why: it runs.
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        knock = (f'public class Door {{ public static boolean open() {{ try (java.net.Socket s = new java.net.Socket("127.0.0.1", {door.getsockname()[1]})) '
                 "{ return true; } catch (java.io.IOException e) { return false; } } }")
        repo.git("checkout", "-q", "-b", "flaky", base)
        flaky = repo.commit({"p.Door": knock, "p.T3Other": test_class("T3Other", o="Door.open()")})
        ran, text = fresh(work, repo, flaky).run("--publish")
        check("flaky: it passes", True, "PASSED:T3Other.o" in text, text)
    again = repo.commit({}, "nothing")
    ran, text = fresh(work, repo, again).run("--all", "--publish")
    check("flaky: it fails", (True, False), ("T3Other.o" in ran, "PASSED:T3Other.o" in text), text)
    third = repo.commit({"p.N": constant("N", 3)}, "another")
    ran, text = fresh(work, repo, third).run()
    check("what failed with this very code runs, whoever saw it pass", {"T3Other.o"}, ran & {"T3Other.o"}, text)


def shards(work):
    os.makedirs(f"{work}/remote")
    repo = Repository(work)
    names = [f"T{i}" for i in range(9)]
    base = repo.commit({"p.A": constant("A", 1), **{f"p.{name}": test_class(name, a="A.v() == 1", b="true") for name in names}})
    every = {f"{name}.{test}" for name in names for test in "ab"}
    # The first run of all, divided: nobody knows anything.
    parts, reports = [], f"{work}/reports"
    os.makedirs(reports)
    for i in (1, 2, 3):
        machine = fresh(work, repo, base, f"s{i}")
        ran, text = machine.run("--shard", f"{i}/3", "--publish")
        parts.append(ran)
        shutil.copy(machine.home / ".rejig/shard.txt", f"{reports}/{i}.txt")
    check("three shards run everything", every, set().union(*parts), text)
    check("and nothing twice", len(every), sum(map(len, parts)), text)
    check("each has something", True, all(parts), parts)
    code, text = machine.rejig("verify", "--shards", reports)
    check("the union is the selection", (0, "18 of 18"), (code, text[:8]), text)
    code, text = machine.rejig("verify", "--remote")
    check("so says what they published", 0, code, text)
    os.rename(f"{reports}/2.txt", f"{work}/2.txt")
    code, text = machine.rejig("verify", "--shards", reports)
    check("a shard that is not there is a gap", 1, code, text)

    # A change, with a plan that is made once.
    change = repo.commit({"p.A": constant("A", 'Integer.parseInt("1")')})
    planner = fresh(work, repo, change, "planner").compile()
    objects = [path for path in pathlib.Path(f"{work}/remote/v1/obj").iterdir()]
    check("three segments", 3, len(objects))
    parts = []
    for i in (1, 2):
        machine = fresh(work, repo, change, f"c{i}")
        ran, text = machine.run("--shard", f"{i}/2", "--publish")
        parts.append(ran)
    check("two shards run what is selected", {f"{name}.a" for name in names}, parts[0] | parts[1], text)
    check("and nothing twice there", set(), parts[0] & parts[1], text)
    # Half of a run is no run: the one before is asked.
    next_one = repo.commit({}, "nothing")
    ran, text = fresh(work, repo, next_one).run()
    check("the whole run proves all", set(), ran, text)
    for entry in pathlib.Path(f"{work}/remote/v1/run/{change}").glob("*/*/2-of-2"):
        entry.unlink()
    ran, text = fresh(work, repo, next_one).run()
    check("half of a run proves nothing", {f"{name}.a" for name in names}, ran, text)
    # Plans.
    code, text = machine.rejig("plan", "classes", "--suite", "default", "--shards", "2", "--as-listed", "--lib", CONSOLE, "-o", "plan.json")
    check("plan", 0, code, text)
    plan = json.loads((machine.home / "plan.json").read_text())
    check("a plan says what it is", ("rejig.plan/1", [1, 2]), (plan["schema"], [shard["index"] for shard in plan["shards"]]))
    for form in ("github-matrix", "gitlab", "buildkite", "jenkins", "k8s-indexed-job"):
        code, text = machine.rejig("plan", "classes", "--suite", "default", "--shards", "2", "--as-listed", "--lib", CONSOLE, "--format", form, "-q")
        check(f"plan for {form}", (0, True), (code, "2" in text), text)
    # A plan for another number of machines: everything.
    ran, text = machine.run("--shard", "1/3", "--plan", "plan.json", "--all")
    check("--shard with --all is refused, and everything runs", every, ran, text)
    for word in ("0/2", "3/2", "x", "1/2/3", "-1/2"):
        ran, text = machine.run("--shard", word)
        check(f"--shard {word}: everything", (True, every), ("--shard is I/N" in text, ran), text)
    (machine.home / "plan.json").write_text("{")
    other = repo.commit({"p.A": constant("A", "Math.abs(1)")})
    ran, text = machine.checkout(other).run("--shard", "1/2", "--plan", "plan.json")
    check("a plan that nobody can read: everything", every, ran, text)
    del planner


def trust(work):
    os.makedirs(f"{work}/remote")
    repo = Repository(work)
    base = repo.commit(BASE)
    _, text = Machine(work, "keys", repo.path).rejig("remote", "key")
    secret = text.split("REJIG_SIGNING_KEY=")[1].split("\n")[0]
    open_key = text.split('keys = ["')[1].split('"')[0]
    with_key = settings(work, f'keys = ["{open_key}"]\n')
    Machine(work, "attacker", repo.path, with_key).checkout(base).run("--publish")
    ran, text = Machine(work, "reader", repo.path, with_key).run()
    check("what nobody signed proves nothing", ALL, ran, text)
    check("and that is said", True, "nobody signed it" in text, text)
    Machine(work, "protected", repo.path, with_key, env={"REJIG_SIGNING_KEY": secret}).run("--publish")
    ran, text = Machine(work, "reader", repo.path, with_key).run()
    check("what a protected job signed does", set(), ran, text)
    # A signed entry elsewhere, and one with another segment.
    for entry in pathlib.Path(f"{work}/remote/v1/run").glob("*/*/*/1-of-1"):
        entry.write_text(entry.read_text().replace("rows 4", "rows 5"))
    ran, text = Machine(work, "reader", repo.path, with_key).run()
    check("an entry that somebody touched proves nothing", ALL, ran, text)


def shadow(work):
    repo = Repository(work)
    repo.commit(BASE)
    machine = Machine(work, "m", repo.path)
    machine.run()
    (machine.home / "src/p/A.java").write_text("package p;\n" + constant("A", 'Integer.parseInt("1")'))
    ran, text = machine.run("--shadow")
    check("shadow: everything runs", ALL, ran, text)
    check("shadow: and is judged", True, "shadow: would have skipped 2 of 4, missed 0; in 1 run 2, missed 0" in text, text)
    ran, text = machine.run("--shadow")
    check("shadow: runs add up", True, "in 2 runs 6, missed 0" in text, text)


if __name__ == "__main__":
    for part in (team, state, shards, trust, shadow):
        if len(sys.argv) > 1 and part.__name__ not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            part(folder)
    finish()
