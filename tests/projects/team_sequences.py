#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs with state that tests share (tests/scenarios/sequences.py), in random histories: each commit takes its programs from one or two
earlier ones, edited or not, as branches, merges and reverts do, and runs on a machine that has nothing, with a remote in a folder. A test that was
skipped must print what it printed in one of the runs that were asked, and what ran must print what a whole run without rejig prints.
usage: team_sequences.py COMMITS [SEED] [PROGRAMS] (REJIG, REJIG_AGENT, REJIG_JUNIT_JAR, ARTIFACTS)"""
import copy
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scenarios"))
import sequences  # noqa: E402

# By which a forge says which commits are near.
NEAR = ["GITHUB_SHA", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", "CI_MERGE_REQUEST_DIFF_BASE_SHA", "CI_MERGE_REQUEST_TARGET_BRANCH_SHA",
        "CI_COMMIT_BEFORE_SHA", "BUILDKITE_COMMIT"]


class Team(sequences.World):
    def __init__(self, work, seed, programs):
        super().__init__(types.SimpleNamespace(work=pathlib.Path(work), programs=programs, far=0.2), seed)
        self.jar = os.environ["ARTIFACTS"] + "/junit-platform-console-standalone-1.13.4.jar"
        self.remote = self.work / "remote"
        self.remote.mkdir()

    def run_as(self, commit, near, options=()):
        shutil.rmtree(self.work / ".rejig", ignore_errors=True)
        command = [self.rejig, "run", "--publish", "--commit", commit, *options, "--",
                   "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", f"classes:{self.jar}", "org.junit.platform.console.ConsoleLauncher", "execute",
                   "--details=none", "--disable-banner", "--scan-classpath", "classes", "--include-classname=.*[.]T[01]"] + sequences.ORDER
        env = {k: v for k, v in os.environ.items() if not k.startswith(("REJIG_", "GIT", "CI_", "BUILDKITE")) and k != "JAVA_TOOL_OPTIONS"}
        env.update({k: os.environ[k] for k in ("REJIG_AGENT", "REJIG_JUNIT_JAR")})
        env.update(dict(zip(NEAR, near)), REJIG_REMOTE=f"file:{self.remote}", GIT_CEILING_DIRECTORIES=str(self.work.parent))
        done = subprocess.run(command, cwd=self.work, env=env, capture_output=True, text=True, timeout=600)
        if "published" not in done.stderr:
            sys.exit(f"{self.work}: not published: {done.stderr[-1500:]}")
        return dict(re.findall(r"^OUT (\S+) (-?\d+)$", done.stdout, re.M)), done.stderr

    def play(self, commits):
        versions, wrong, ran_in_all, in_all, flips = [], [], 0, 0, 0
        for number in range(commits):
            near = []
            if versions:
                first, second = (self.rng.randrange(max(0, len(versions) - 8), len(versions)) for _ in range(2))
                near = [first] if self.rng.random() < 0.4 else [first, second]
                self.programs = [copy.deepcopy(versions[self.rng.choice(near)][0][i]) for i in range(len(self.programs))]
                for p in self.programs:
                    p.rng = self.rng
                    if self.rng.random() < 0.4:
                        p.edit()
                near += self.rng.sample(range(len(versions)), min(2, len(versions)))
            commit = hashlib.sha1(f"{self.work.name} {number}".encode()).hexdigest()
            self.build()
            truth = self.run(rejig=False)
            ran, said = self.run_as(commit, [versions[v][2] for v in near])
            in_all, ran_in_all = in_all + len(truth), ran_in_all + len(ran)
            for test, value in sorted(truth.items()):
                known = {versions[v][1].get(test) for v in near}
                flips += value not in known
                if test not in ran and value not in known:
                    wrong.append(f"commit {number}: {test} printed {known}, prints {value}, and was skipped; of {near}\n{said}")
            for test, value in sorted(ran.items()):
                if truth.get(test) != value:
                    wrong.append(f"commit {number}: {test} prints {truth.get(test)}, and {value} with rejig; of {near}\n{said}")
            versions.append((copy.deepcopy(self.programs), truth, commit))
        return wrong, ran_in_all, in_all, flips


def main():
    commits, seed, programs = (int(sys.argv[i]) if len(sys.argv) > i else default for i, default in ((1, 8), (2, 1), (3, 12)))
    with tempfile.TemporaryDirectory() as work:
        team = Team(work, seed, programs)
        wrong, ran, total, flips = team.play(commits)
    for line in wrong:
        print("WRONG", line)
    print(f"seed {seed}: {commits} commits of {programs} programs: {flips} of {total} answers were new, {100 * ran / total:.1f} % of the tests ran, {len(wrong)} wrong")
    sys.exit(1 if wrong or flips == 0 or ran == total else 0)


if __name__ == "__main__":
    main()
