#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: embed.py BUILD REJIG MAKE_STORE SAMPLE: the library as somebody else has it.

Installs it, builds SAMPLE with find_package against the installed tree, and compares every answer of that program with the
command line's, on Java that is compiled here.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, REJIG, MAKE_STORE, SAMPLE = (os.path.abspath(word) for word in sys.argv[1:5])
JDK = os.environ.get("JAVA_HOME") or os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("javac"))))
JAVAC = os.path.join(JDK, "bin", "javac")

OLD = {"p/Shape.java": "package p; public class Shape { public double area() { return 0; } public String name() { return \"shape\"; } }",
       "p/Square.java": "package p; public class Square extends Shape { public int side = 2; }"}
NEW = {"p/Shape.java": OLD["p/Shape.java"].replace('"shape"', '"a shape"'),
       "p/Square.java": "package p; public class Square extends Shape { public int side = 2; public double area() { return side * side; } }"}
ROWS = """row\tdefault\tt.T#area()\tcomplete\tpass\tall\tm:p.Shape.area()D\trecv:p.Square|p.Shape.area()D
row\tdefault\tt.T#name()\tcomplete\tpass\tall\tm:p.Shape.name()Ljava/lang/String;
row\tdefault\tt.T#other()\tcomplete\tpass\tall\tm:p.Square.<init>()V
"""


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=300, **more)


class Embedded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="rejig-embed-")
        os.chdir(cls.folder)
        for version, files in (("old", OLD), ("new", NEW)):
            for name, text in files.items():
                path = os.path.join("src", version, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w") as out:
                    out.write(text)
            done = run(JAVAC, "--release", "17", "-g", "-d", version, *(os.path.join("src", version, name) for name in files))
            assert done.returncode == 0, done.stderr
        done = run(MAKE_STORE, "rows.db", input=ROWS)
        assert done.returncode == 0, done.stderr
        done = run("cmake", "--install", BUILD, "--component", "library", "--prefix", os.path.join(cls.folder, "tree"))
        assert done.returncode == 0, done.stderr
        # Somewhere else than it was installed to: nothing knows its place.
        os.rename("tree", "moved")
        done = run("cmake", "-S", SAMPLE, "-B", "sample", "-DCMAKE_PREFIX_PATH=" + os.path.abspath("moved"))
        assert done.returncode == 0, done.stdout + done.stderr
        done = run("cmake", "--build", "sample")
        assert done.returncode == 0, done.stdout + done.stderr

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        shutil.rmtree(cls.folder)

    def ask(self, question, *options, name="", times=1, threads=1):
        return run("sample/sample", question, name, str(times), str(threads), *options)

    def same(self, code, command, embedded):
        told = run(REJIG, *command, "--format", "json")
        self.assertEqual(told.stdout, embedded.stdout)
        self.assertTrue(embedded.stdout.startswith("{"), embedded.stderr)
        self.assertEqual(code, embedded.returncode)

    def test_diff(self):
        self.same(1, ["diff", "old", "new"], self.ask("diff", "old=old", "new=new"))
        self.same(0, ["diff", "old", "old"], self.ask("diff", "old=old", "new=old"))
        self.same(1, ["diff", "old", "new", "--ignore", "D1"], self.ask("diff", "old=old", "new=new", "ignore=D1"))

    def test_select(self):
        asked = self.ask("select", "old=old", "new=new", "coverage=rows.db")
        self.same(1, ["select", "old", "new", "--coverage", "rows.db"], asked)
        self.assertIn('"unaffected": [\n    {"suite":"default","test":"t.T#other()"}', asked.stdout)
        self.same(0, ["select", "old", "old", "--coverage", "rows.db"], self.ask("select", "old=old", "new=old", "coverage=rows.db"))
        self.same(1, ["select", "old", "new", "--coverage", "rows.db", "--view", "class"],
                  self.ask("select", "old=old", "new=new", "coverage=rows.db", "view=class"))

    def test_doubt_selects_all_and_is_heard(self):
        asked = self.ask("select", "old=old", "new=new", "coverage=none.db")
        self.same(1, ["select", "old", "new", "--coverage", "none.db"], asked)
        self.assertIn('"mode": "all"', asked.stdout)
        self.assertIn("1 all tests, because there is no matrix yet (none.db)", asked.stderr)

    def test_explain(self):
        stored = ["--coverage", "rows.db"]
        options = ["old=old", "new=new", "coverage=rows.db"]
        self.same(0, ["explain", "old", "new", "t.T#area()"] + stored, self.ask("test", *options, name="t.T#area()"))
        self.same(0, ["explain", "old", "new", "--not", "t.T#other()"] + stored, self.ask("skipped", *options, name="t.T#other()"))
        self.same(0, ["explain", "old", "new", "--edge", "E1"] + stored, self.ask("edge", *options, name="E1"))
        self.same(0, ["explain", "old", "new", "--top"] + stored, self.ask("top", *options))

    def test_errors_are_text(self):
        for text, asked in {
                "no such option. Did you mean 'old'?": self.ask("diff", "odl=old"),
                "this option needs a value": self.ask("diff", "old"),
                "this option has no value": self.ask("diff", "rehash=1"),
                "no number": self.ask("diff", "jobs=many"),
                "no such view": self.ask("diff", "view=birds"),
                "new: this option is needed": self.ask("diff", "old=old"),
                "absent: there is no such file": self.ask("diff", "old=old", "new=absent"),
                "no such rule": self.ask("diff", "old=old", "new=new", "ignore=D99"),
                "there are the edges E1 to": self.ask("edge", "old=old", "new=new", "coverage=rows.db", name="E77"),
                "a name is needed": self.ask("test", "old=old", "new=new", "coverage=rows.db"),
                "no such question": self.ask("what", "old=old", "new=new", name="x"),
        }.items():
            with self.subTest(text):
                self.assertEqual((2, ""), (asked.returncode, asked.stdout))
                self.assertIn(text, asked.stderr)

    def test_many_questions_and_threads(self):
        options = ["old=old", "new=new", "coverage=rows.db"]
        one = self.ask("select", *options)
        for jobs in "1", "4":
            self.assertEqual(one.stdout, self.ask("select", *options, "jobs=" + jobs, times=5, threads=4).stdout)
        self.assertEqual(self.ask("diff", *options[:2]).stdout, self.ask("diff", *options[:2], times=5, threads=4).stdout)

    def test_what_was_asked_is_given_back(self):
        """A hundred answers more take no more memory: nothing is kept for the end of the process."""
        def peak(times):
            done = run("/usr/bin/env", "python3", "-c", """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)""", "sample/sample", "diff", "", str(times), "1", "old=old", "new=new",
                       "jdk=" + JDK, "jobs=1")
            return int(done.stdout)
        few, many = peak(3), peak(60)
        self.assertLess(many, few * 1.3 + 2048, "kB: %d after 3, %d after 60" % (few, many))

    def test_nothing_else_is_visible(self):
        library = next(os.path.join(path, name) for path, _, names in os.walk("moved") for name in names if name == "librejig.so")
        listed = run("nm", "-D", "--defined-only", library).stdout.split("\n")
        names = {line.split()[2] for line in listed if line}
        self.assertEqual({"rejig_version", "rejig_open", "rejig_listen", "rejig_diff", "rejig_select", "rejig_explain", "rejig_free", "rejig_close"}, names)
        with open(os.path.join("moved", "include", "rejig.h")) as file:
            header = file.read()
        for name in names:
            self.assertIn("%s(" % name, header)

    def test_pkg_config(self):
        env = dict(os.environ, PKG_CONFIG_PATH=next(path for path, _, names in os.walk("moved") if "rejig.pc" in names))
        flags = run("pkg-config", "--cflags", "--libs", "rejig", env=env)
        self.assertEqual(0, flags.returncode, flags.stderr)
        done = run("cc", os.path.join(SAMPLE, "sample.c"), "-o", "by-hand", *flags.stdout.split(), "-lpthread")
        self.assertEqual(0, done.returncode, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
