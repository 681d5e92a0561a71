# SPDX-License-Identifier: Apache-2.0
"""Whatever dies, and whenever: does `rejig run` ever skip a test wrongly afterwards?

chaos.py ROUNDS [SEED]: in each round some classes get other bytes and the run is disturbed: SIGKILL for the test
JVM, for rejig or for both at a random moment, a file size limit for every process, two runs at once, or nothing.
Each test says when it has ended and which version of its class it saw; versions never come back, but that now and
then the last change is undone. A test that is skipped by a run that ends undisturbed must have ended once with the
version of now. The store is read after each round. REJIG, REJIG_AGENT, REJIG_JUNIT_JAR and ARTIFACTS come from ctest.
"""
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

CLASSES = 5
FIRST = 12345
SIPUSH = b"\x11"
API = os.path.join(os.environ["ARTIFACTS"], "junit-platform-console-standalone-1.9.3.jar")
REJIG = os.environ["REJIG"]
JAVAC = ["javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]
COMMAND = ["java", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-jar", API, "-cp", "main:tests", "--scan-classpath",
           "tests", "--disable-banner", "--details=none"]

TEST = """package p;
import org.junit.jupiter.api.Test;
class T%dTest {
  @Test void own() { int v = new C%d().v(); System.out.println("END:own%d:" + v); }
  @Test void next() { int v = new C%d().v(); System.out.println("END:next%d:" + v); }
}
"""


def build(work):
    """main/p/Cn.class of version FIRST, and the tests."""
    src = os.path.join(work, "src", "p")
    os.makedirs(src)
    for n in range(CLASSES):
        with open(os.path.join(src, "C%d.java" % n), "w") as out:
            out.write("package p; public class C%d { public int v() { return %d; } }\n" % (n, FIRST))
    subprocess.run(JAVAC + ["-d", os.path.join(work, "main")] + [os.path.join(src, f) for f in os.listdir(src)],
                   check=True)
    tests = os.path.join(work, "src-tests")
    os.makedirs(tests)
    for n in range(CLASSES):
        m = (n + 1) % CLASSES
        with open(os.path.join(tests, "T%dTest.java" % n), "w") as out:
            out.write(TEST % (n, n, n, m, n))
    subprocess.run(JAVAC + ["-cp", API + ":" + os.path.join(work, "main"), "-d", os.path.join(work, "tests")]
                   + [os.path.join(tests, f) for f in os.listdir(tests)], check=True)


class Chaos:
    def __init__(self, work, seed):
        self.work = work
        self.random = random.Random(seed)
        self.version = [FIRST] * CLASSES
        self.before = [FIRST] * CLASSES
        self.newest = FIRST
        self.ended = {}  # test -> the versions that it ended with
        self.wrong = []
        self.counts = {}
        self.skips = 0
        self.length = 3.0

    def sees(self, test):
        n = int(test[-1])
        return self.version[n if test.startswith("own") else (n + 1) % CLASSES]

    def tests(self):
        return ["%s%d" % (kind, n) for kind in ("own", "next") for n in range(CLASSES)]

    def change(self):
        for n in self.random.sample(range(CLASSES), self.random.choice([0, 1, 1, 2])):
            if self.random.random() < 0.15:
                now = self.before[n]
            else:
                self.newest += 1
                now = self.newest
            path = os.path.join(self.work, "main", "p", "C%d.class" % n)
            with open(path, "rb") as file:
                old = file.read()
            was = SIPUSH + struct.pack(">H", self.version[n])
            if old.count(was) != 1:
                raise AssertionError("version %d is not once in %s" % (self.version[n], path))
            with open(path + ".fresh", "wb") as file:
                file.write(old.replace(was, SIPUSH + struct.pack(">H", now)))
            os.replace(path + ".fresh", path)
            self.before[n] = self.version[n]
            self.version[n] = now

    def start(self, limit=None):
        def prepare():
            os.setsid()
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        # Python ignores SIGXFSZ: with a limit, writes fail as they do on a full disk.
        return subprocess.Popen([REJIG, "run", "-q", "--"] + COMMAND, cwd=self.work, preexec_fn=prepare,
                                restore_signals=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def note_ends(self, out):
        ran = set()
        for line in out.splitlines():
            if "END:" in line:
                test, seen = line[line.index("END:") + 4:].split(":")
                if int(seen) != self.sees(test):
                    raise AssertionError("%s saw %s" % (test, seen))
                self.ended.setdefault(test, set()).add(int(seen))
                ran.add(test)
        return ran

    def finish(self, process):
        out, err = process.communicate()
        return self.note_ends(out), out, err

    def check_skips(self, ran, what):
        for test in self.tests():
            if test in ran:
                continue
            self.skips += 1
            if self.sees(test) not in self.ended.get(test, ()):
                self.wrong.append("%s: %s was skipped and never ended with version %s"
                                  % (what, test, self.sees(test)))

    def jvm_of(self, process):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/stat" % pid) as f:
                    fields = f.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == process.pid:
                return int(pid)
        return None

    def kill(self, process, what):
        time.sleep(self.random.uniform(0, self.length * 1.1))
        if process.poll() is not None:
            return
        if what in ("jvm", "both"):
            jvm = self.jvm_of(process)
            if jvm is not None:
                os.kill(jvm, signal.SIGKILL)
        if what in ("rejig", "both"):
            process.kill()
        if what == "rejig":
            process.wait()
            os.killpg(process.pid, signal.SIGKILL) if self.alive(process.pid) else None

    @staticmethod
    def alive(group):
        try:
            os.killpg(group, 0)
            return True
        except ProcessLookupError:
            return False

    def round(self):
        self.change()
        what = self.random.choice(["jvm", "rejig", "both", "jvm", "rejig", "both", "full disk", "two", "nothing"])
        self.counts[what] = self.counts.get(what, 0) + 1
        if what == "two":
            pair = [self.start(), self.start()]
            done = [self.finish(p) for p in pair]
            for ran, out, err in done:
                self.check_skips(ran, what)
        elif what == "full disk":
            self.finish(self.start(self.random.choice([0, 1000, 20000, 40000, 100000])))
        elif what == "nothing":
            began = time.monotonic()
            ran, out, err = self.finish(self.start())
            self.length = 0.5 * self.length + 0.5 * (time.monotonic() - began)
            self.check_skips(ran, what)
        else:
            process = self.start()
            self.kill(process, what)
            self.finish(process)
        self.read_store(what)
        if self.random.random() < 0.5 and what != "nothing":
            ran, out, err = self.finish(self.start())
            self.check_skips(ran, "after " + what)
            self.read_store("after " + what)

    def read_store(self, what):
        if os.path.exists(os.path.join(self.work, ".rejig/matrix.db")):
            done = subprocess.run([REJIG, "coverage", "stats"], cwd=self.work, capture_output=True, text=True)
            if done.returncode != 0:
                self.wrong.append("%s: the store cannot be read: %s" % (what, done.stderr))


def main():
    rounds = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as work:
        work = os.path.realpath(work)
        build(work)
        chaos = Chaos(work, seed)
        chaos.finish(chaos.start())
        if len(chaos.ended) != 2 * CLASSES:
            sys.exit("the first run ran %s" % sorted(chaos.ended))
        for _ in range(rounds):
            chaos.round()
        ran, out, err = chaos.finish(chaos.start())
        chaos.check_skips(ran, "last")
        ran, out, err = chaos.finish(chaos.start())
        if ran:
            chaos.wrong.append("without a change %s ran: %s%s" % (sorted(ran), out, err))
        left = [f for f in os.listdir(os.path.join(work, ".rejig")) if f.startswith("run-")]
        print("rounds %d, seed %d: %s; skips checked %d; folders of killed runs left %d; wrong %d"
              % (rounds, seed, ", ".join("%s %d" % c for c in sorted(chaos.counts.items())), chaos.skips, len(left),
                 len(chaos.wrong)))
        for line in chaos.wrong:
            print("WRONG " + line)
        sys.exit(1 if chaos.wrong or left or chaos.skips == 0 else 0)


main()
