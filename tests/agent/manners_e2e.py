# SPDX-License-Identifier: Apache-2.0
"""What the recorder must not do: change a program, fail a build, skip without leave, need a new C library."""
import os
import re
import shutil
import unittest

from support import AGENT, AGENT_DIR, CONSOLE, HERE, JUNIT4, SAMPLE, TESTNG, RecorderCase, jdk17, jdk25, must, run

OK = "OK (2 tests)"


class Options(RecorderCase):
    def setUp(self):
        super().setUp()
        self.compile("t", JUNIT4, SAMPLE / "quiet")

    def test_off_switch(self):
        done = self.junit4("s.QuietTest", env={"REJIG_OFF": "1"})
        self.assertIn(OK, done.stdout)
        self.assertEqual((done.stderr, self.files()), ("", []))

    def test_unknown_option_switches_off_with_one_line(self):
        done = self.junit4("s.QuietTest", agent=",colour=red")
        self.assertIn(OK, done.stdout)
        self.assertEqual(done.stderr, "rejig-agent: unknown option 'colour'; the recorder is off\n")
        self.assertEqual(self.files(), [])

    def test_no_directory(self):
        done = self.junit4("s.QuietTest", agent=None, options=[f"-agentpath:{AGENT}"])
        self.assertIn(OK, done.stdout)
        self.assertEqual(done.stderr, "rejig-agent: no out= directory; nothing is recorded\n")

    def test_unwritable_directory(self):
        done = self.junit4("s.QuietTest", agent=None,
                           options=[f"-agentpath:{AGENT}=out=/proc/none,internal-root={self.dir}/main:{self.dir}/t"])
        self.assertIn(OK, done.stdout)
        self.assertEqual(done.stderr, "rejig-agent: no row file can be made in /proc/none; nothing is recorded\n")

    def test_everything_by_environment(self):
        done = self.junit4("s.QuietTest", agent=None, options=[f"-agentpath:{AGENT}"],
                           env={"REJIG_OUT": str(self.rows_dir), "REJIG_SUITE": "core/test",
                                "REJIG_INTERNAL_ROOT": f"{self.dir}/main", "REJIG_INTERNAL": "s.Quiet*"})
        self.assertEqual(done.stderr, "")
        self.assertIn("m:s.Counter.next()I", self.matrix()["s.QuietTest#one()"]["atoms"])
        self.assertEqual(self.matrix()["s.QuietTest#one()"]["suite"], "core/test")

    def test_external_glob_wins(self):
        self.junit4("s.QuietTest", agent=",external=s.Counter")
        atoms = self.matrix()["s.QuietTest#one()"]["atoms"]
        self.assertNotIn("m:s.Counter.next()I", atoms)
        self.assertIn("ext:s.Counter", atoms)

    def test_jvm_without_tests_or_program_leaves_no_file(self):
        done = self.java("-version")
        self.assertEqual((done.returncode, self.files()), (0, []))

    def test_class_that_cannot_be_rewritten_is_marked(self):
        big = self.dir / "big" / "s" / "Big.java"
        big.parent.mkdir(parents=True)
        body = "n = -n;\n" * 9361
        big.write_text("package s; public class Big { public static int n; public static int sum() {\n"
                       + body + "return n; } }\n")
        must(jdk17() / "bin" / "javac", "-d", self.dir / "main", big)
        size = re.search(r"(\d+): ireturn", must(jdk17() / "bin" / "javap", "-c", "-cp", self.dir / "main", "s.Big").stdout)
        self.assertGreater(int(size.group(1)), 65535 - 9)
        done = self.junit4("s.BigTest")
        self.assertIn("OK (1 test)", done.stdout)
        self.assertEqual(done.stderr, "rejig-agent: left untouched: s/Big: method-too-large\n")
        self.matrix()
        marked = [c for c in self.header["classes"] if c["name"] == "s.Big"]
        self.assertEqual([(c["origin"], c["reason"]) for c in marked], [("untouched", "method-too-large")])


class Skipping(RecorderCase):
    LIST = "rejig-skip 1\ndefault\ts.QuietTest#one()\nother\ts.QuietTest#two()\nend 2\n"

    def skip_file(self, text):
        path = self.dir / "skip"
        path.write_text(text)
        return {"REJIG_SKIP_FILE": str(path)}

    def ran(self):
        return sorted(t.split("#")[1] for t in self.matrix())

    def test_junit4(self):
        self.compile("t", JUNIT4, SAMPLE / "quiet")
        done = self.junit4("s.QuietTest", env=self.skip_file(self.LIST))
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.ran(), ["two()"])

    def test_junit4_by_property(self):
        self.compile("t", JUNIT4, SAMPLE / "quiet")
        path = self.skip_file(self.LIST)["REJIG_SKIP_FILE"]
        self.junit4("s.QuietTest", options=[f"-DREJIG_SKIP_FILE={path}"])
        self.assertEqual(self.ran(), ["two()"])

    def test_fixtures_of_a_skipped_class_do_not_run(self):
        self.compile("t", JUNIT4, SAMPLE / "quiet")
        all_of_it = "rejig-skip 1\ndefault\ts.QuietTest#one()\ndefault\ts.QuietTest#two()\nend 2\n"
        done = self.junit4("s.QuietTest", "s.BigTest", env=self.skip_file(all_of_it))
        self.assertNotIn("fixture", done.stdout)
        self.assertEqual(self.ran(), ["big()"])

    def test_platform(self):
        self.compile("t", CONSOLE, SAMPLE / "junit5")
        listed = ["s.PlatformTest#one()", "s.PlatformTest#par(int)", "s.PlatformTest#dyn()", "s.PlatformTest#off()",
                  "s.PlatformTest#over(org.junit.jupiter.api.TestInfo)",
                  "s.PlatformTest$In#deep(org.junit.jupiter.api.TestInfo)"]
        text = "rejig-skip 1\n" + "".join(f"default\t{t}\n" for t in listed) + f"end {len(listed)}\n"
        self.console("-c", "s.PlatformTest", env=self.skip_file(text))
        self.assertEqual(self.ran(), ["rep()"])

    def test_testng_keeps_what_others_depend_on(self):
        self.compile("t", TESTNG, SAMPLE / "testng")
        listed = ["one()", "many(int,java.lang.String)", "fails()", "skips()"]
        text = "rejig-skip 1\n" + "".join(f"default\ts.NgTest#{t}\n" for t in listed) + f"end {len(listed)}\n"
        self.ng("s.NgTest", env=self.skip_file(text))
        self.assertEqual(self.ran(), ["one()", "two()"])

    def test_anything_odd_skips_nothing_and_says_so_once(self):
        self.compile("t", JUNIT4, SAMPLE / "quiet")
        odd = {
            "": "first line", "rejig-skip 2\nend 0\n": "first line",
            self.LIST.replace("end 2\n", ""): "last line is missing",
            self.LIST.replace("end 2", "end 3"): "neither an entry nor",
            self.LIST + "default\ts.QuietTest#two()\n": "after the end",
            self.LIST.replace("#one()", ""): "no entry",
        }
        for text, why in odd.items():
            done = self.junit4("s.QuietTest", env=self.skip_file(text))
            self.assertIn(OK, done.stdout, text)
            self.assertRegex(done.stderr, r"\Arejig: nothing is skipped: .*" + why + r".*\n\Z", text)
        done = self.junit4("s.QuietTest", env={"REJIG_SKIP_FILE": str(self.dir / "none")})
        self.assertIn(OK, done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1)


class Neutral(RecorderCase):
    def check(self, home):
        """Reflection sees every class of the program and the runner as it is, and stack traces keep their lines."""
        self.compile("t", JUNIT4, SAMPLE / "neutral")
        names = [f"s.{n}" for n in ("Counter", "Config", "Config$Loud", "Thing", "Thing$Stored", "Shapes", "Shapes$Kind",
                                    "Shapes$Face", "Shapes$Point", "Shapes$Inner")]
        outputs = [self.java("-cp", f"main:t:{JUNIT4}", "s.Reflected", *names, agent=agent, home=home)
                   for agent in (None, "")]
        self.assertEqual(outputs[0].returncode, 0, outputs[0].stderr)
        self.assertIn("serialVersionUID", outputs[0].stdout)
        self.assertIn("Shapes.java:", outputs[0].stdout)
        self.assertEqual(outputs[0].stdout, outputs[1].stdout)
        self.assertEqual(outputs[1].stderr, outputs[0].stderr)
        # The JVM, too, writes to standard output when it has to warn.
        first = self.java("-cp", "t", "s.First", home=home)
        self.assertEqual((first.stdout, first.stderr), ("somewhere\n", outputs[0].stderr))

    def test_jdk_17(self):
        self.check(jdk17())

    def test_jdk_25(self):
        self.check(jdk25())


class Binary(unittest.TestCase):
    def test_symbols_of_old_c_libraries_only(self):
        needed = re.findall(r"GLIBC_([0-9.]+)", must("objdump", "-T", AGENT).stdout)
        self.assertTrue(needed)
        newest = max(tuple(int(n) for n in v.split(".")) for v in needed)
        self.assertLessEqual(newest, (2, 17))

    def test_no_cxx_library(self):
        listed = must("readelf", "-d", AGENT).stdout
        self.assertEqual(set(re.findall(r"NEEDED.*\[(.*)\]", listed)) - {"ld-linux-x86-64.so.2"}, {"libc.so.6"})
        self.assertNotIn("GLIBCXX", must("objdump", "-T", AGENT).stdout)

    def test_only_entry_points_are_exported(self):
        names = [line.split()[-1] for line in must("objdump", "-T", AGENT).stdout.splitlines()
                 if " g " in line and "*UND*" not in line]
        self.assertIn("Agent_OnLoad", names)
        self.assertEqual([n for n in names if n != "Agent_OnLoad" and not n.startswith("Java_java_lang__00024Rejig")], [])

    def test_size(self):
        self.assertLessEqual(AGENT.stat().st_size, 310_000)

    def test_musl_resolves_every_symbol(self):
        loader = "/lib/ld-musl-x86_64.so.1"
        self.assertTrue(os.path.exists(loader), "Debian's package musl is needed")
        done = run(loader, "--list", AGENT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_jar_is_java_8_and_holds_nothing_else(self):
        listed = must(jdk17() / "bin" / "jar", "tf", AGENT_DIR / "rejig-junit.jar").stdout.split()
        self.assertEqual([n for n in listed if not n.startswith(("META-INF/", "rejig/"))], [])
        shown = must(jdk17() / "bin" / "javap", "-v", "-cp", AGENT_DIR / "rejig-junit.jar", "rejig.junit.SkipList").stdout
        self.assertIn("major version: 52", shown)


class Verified(RecorderCase):
    """Every method of the JDK's classes takes the prefix, and the verifier finds nothing."""

    def check(self, home):
        tool = os.environ["REJIG_REWRITE_TOOL"]
        modules = ("java.base", "java.xml", "jdk.compiler")
        pattern = "regex:/(" + "|".join(modules) + ")/.*class"
        must(home / "bin" / "jimage", "extract", "--dir", self.dir / "jdk", "--include", pattern, home / "lib" / "modules")
        patches = []
        for module in modules:
            out = self.dir / "made" / module
            said = must(tool, self.dir / "jdk" / module, out).stdout
            if module == "java.base":
                # Or every class of a hierarchy tells each look-up: slower.
                self.assertIn("lists as known: yes", said)
            (out / "module-info.class").unlink()
            patches += ["--patch-module", f"{module}={out}"]
        base = self.dir / "made" / "java.base"
        for early in ("java/lang", "java/lang/ref"):
            # The JVM runs these before it can link a call to a class that is not its own.
            for cls in (self.dir / "jdk" / "java.base" / early).glob("*.class"):
                shutil.copy(cls, base / early / cls.name)
        must(jdk17() / "bin" / "javac", "--release", "8", "-Xlint:-options", "-d", base, HERE / "java" / "$Rejig.java")
        must(jdk17() / "bin" / "javac", "--release", "17", "-d", self.dir / "link", HERE / "java" / "LinkAll.java")
        done = run(home / "bin" / "java", "-Xshare:off", "-Xverify:all", *patches, "-cp", self.dir / "link", "LinkAll",
                   *(self.dir / "made" / m for m in modules))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual("\n".join(l for l in done.stderr.splitlines() if "Xverify:all" not in l), "")
        self.assertGreater(int(re.search(r"linked (\d+)", done.stdout).group(1)), 9000)

    def test_jdk_17(self):
        self.check(jdk17())

    def test_jdk_25(self):
        self.check(jdk25())


if __name__ == "__main__":
    unittest.main()
