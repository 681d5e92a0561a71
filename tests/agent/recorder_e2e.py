# SPDX-License-Identifier: Apache-2.0
"""Rows of real JVMs: which test did what, per runner and JDK, and what happens when a JVM dies."""
import re
import unittest

from support import CONSOLE, JUNIT4, JUNIT412, SAMPLE, TESTNG, AGENT, RecorderCase, jdk17, jdk25, must, run

NEXT = "s.Counter.next()I"
PEEK = "s.Counter.peek()I"
NEW = "s.Counter.<init>()V"
OPEN = "s.Fixtures.open()V"
CLOSE = "s.Fixtures.close()V"
RESET = "s.Fixtures.reset()V"
CONFIG = ["s.Config$Loud.<init>()V", "s.Config.<clinit>()V", "s.Config.make()Ls/Counter;", NEW]


class JUnit4(RecorderCase):
    def setUp(self):
        super().setUp()
        self.compile("t", JUNIT4, SAMPLE / "junit4")

    def check(self, rows):
        fixtures = [NEW, OPEN, CLOSE, RESET]
        expected = {"next": [NEXT], "peek": [PEEK], "first": CONFIG, "second": CONFIG, "fails": [NEXT],
                    "aborts": [], "worksElsewhere": [NEXT]}
        self.assertEqual(set(rows), {f"s.CounterTest#{t}()" for t in expected})
        for test, own in expected.items():
            row = rows[f"s.CounterTest#{test}()"]
            self.assertEqual(self.methods(row), sorted(set(fixtures + own)), test)
            self.assertEqual("init:s.Config" in row["atoms"], own == CONFIG, test)
            self.assertEqual("inst:s.Config$Loud" in row["atoms"], own == CONFIG, test)
            self.assertIn("inst:s.Counter", row["atoms"])
            self.assertEqual(row["grade"], "partial" if test == "aborts" else "complete", test)
            self.assertEqual(row["result"], {"fails": "fail", "aborts": "skip"}.get(test, "pass"), test)

    def test_junit_4_13(self):
        done = self.junit4("s.CounterTest")
        self.assertEqual(done.stderr, "")
        self.check(self.matrix())

    def test_junit_4_12_has_no_class_events(self):
        self.assertEqual(self.junit4("s.CounterTest", junit=JUNIT412).stderr, "")
        self.check(self.matrix())

    def test_jdk_25(self):
        self.assertEqual(self.junit4("s.CounterTest", home=jdk25()).stderr, "")
        self.check(self.matrix())

    def test_vintage(self):
        self.console("-c", "s.CounterTest", class_path=JUNIT4)
        self.check(self.matrix())

    def test_classes_have_digests_and_sources(self):
        self.junit4("s.CounterTest")
        self.matrix()
        classes = {c["name"]: c for c in self.header["classes"]}
        for name, origin in {"s.Counter": "internal", "org.junit.Assert": "external"}.items():
            self.assertEqual(classes[name]["origin"], origin)
            self.assertRegex(classes[name]["source"], r"^file:/")
        digest = must("sha256sum", self.dir / "main/s/Counter.class").stdout.split()[0]
        self.assertEqual(classes["s.Counter"]["digest"], "sha256:" + digest)
        self.assertIn("ext:org.junit.Assert", self.matrix()["s.CounterTest#next()"]["atoms"])


class Platform(RecorderCase):
    def setUp(self):
        super().setUp()
        self.compile("t", CONSOLE, SAMPLE / "junit5")

    def check(self, home):
        self.console("-c", "s.PlatformTest", home=home)
        rows = self.matrix()
        fixtures = [OPEN, CLOSE]
        expected = {
            "s.PlatformTest#one()": [NEW, NEXT],
            "s.PlatformTest#over(org.junit.jupiter.api.TestInfo)": [NEW, PEEK],
            "s.PlatformTest#par(int)": [NEW, NEXT],
            "s.PlatformTest#rep()": CONFIG,
            "s.PlatformTest#dyn()": [NEW, PEEK],
            "s.PlatformTest#off()": [],
            "s.PlatformTest$In#deep(org.junit.jupiter.api.TestInfo)": CONFIG + [RESET],
        }
        self.assertEqual(set(rows), set(expected))
        for test, own in expected.items():
            self.assertEqual(self.methods(rows[test]), sorted(set(fixtures + own)), test)
        self.assertEqual(rows["s.PlatformTest#off()"]["grade"], "partial")
        self.assertEqual({r["grade"] for t, r in rows.items() if "off" not in t}, {"complete"})

    def test_jdk_17(self):
        self.check(jdk17())

    def test_jdk_25(self):
        self.check(jdk25())


class TestNG(RecorderCase):
    def setUp(self):
        super().setUp()
        self.compile("t", TESTNG, SAMPLE / "testng")

    def test_methods_and_fixtures(self):
        self.ng("s.NgTest")
        rows = self.matrix()
        fixtures = [OPEN, CLOSE, RESET]
        expected = {"one()": [NEW, NEXT], "two()": [NEW, PEEK], "many(int,java.lang.String)": CONFIG,
                    "fails()": [], "skips()": []}
        self.assertEqual(set(rows), {"s.NgTest#" + t for t in expected})
        for test, own in expected.items():
            self.assertEqual(self.methods(rows["s.NgTest#" + test]), sorted(set(fixtures + own)), test)
        self.assertEqual({t.split("#")[1] for t, r in rows.items() if r["result"] == "pass"},
                         {"one()", "two()", "many(int,java.lang.String)"})


class Facts(RecorderCase):
    EXPECTED = {
        "forName": ["init:s.Thing$Unused", "load:s.Thing$Unused"],
        "missingClass": ["miss:s.NotThere"],
        "loadClass": ["load:s.Thing"],
        "reflects": ["refl:s.Thing"],
        "anonymousName": ["refl:s.FactsTest$1"],
        "modifiers": ["refl:s.Shapes|kind"],
        "manifest": ["res:META-INF/MANIFEST.MF"],
        "members": ["refl:s.Thing"],
        "annotations": ["refl:s.Thing"],
        "readsField": ["refl:s.Thing"],
        "creates": ["inst:s.Thing$Reflected", "init:s.Thing$Reflected"],
        "handle": ["inst:s.Thing$Handled"],
        "deserializes": ["inst:s.Thing$Stored", "refl:s.Thing$Stored"],
        "allocates": ["inst:s.Thing$Unborn"],
        "clones": ["inst:s.Thing", "inst:s.Thing$Unused"],
        "resource": ["res:data/there.txt"],
        "resourceMissing": ["resmiss:s/absent.txt"],
        "resourceOfLoader": ["res:data/there.txt"],
        "service": ["resmiss:META-INF/services/java.lang.Runnable"],
        "fileExists": ["resmiss:{dir}/no/such/file"],
        "fileNio": ["resmiss:{dir}/no/such/path"],
        "fileRead": ["res:{dir}/input.txt"],
        "stackTrace": ["stackapi"],
        "stackOfThread": ["stackapi"],
        "stackPrinted": ["stackapi"],
        "nullMessage": ["stackapi"],
    }

    def check(self, home):
        self.compile("t", JUNIT4, SAMPLE / "junit4")
        done = self.junit4("s.FactsTest", home=home)
        self.assertEqual(done.returncode, 0, done.stdout)
        rows = self.matrix()
        plain = set(rows["s.FactsTest#plain()"]["atoms"])
        for test, atoms in self.EXPECTED.items():
            row = rows[f"s.FactsTest#{test}()"]["atoms"]
            for atom in atoms:
                atom = atom.format(dir=self.dir)
                self.assertIn(atom, row, test)
                # A handle may make instances in any later test.
                if not atom.startswith("load:") and atom not in ("inst:s.Thing", "inst:s.Thing$Handled"):
                    self.assertNotIn(atom, plain, test)
        self.assertNotIn("inst:s.Thing$Stored", rows["s.FactsTest#creates()"]["atoms"])
        self.assertNotIn("init:s.Thing$Unused", plain)
        self.assertEqual(rows["s.FactsTest#child()"]["grade"], "partial")
        self.assertEqual(rows["s.FactsTest#plain()"]["grade"], "complete")
        for kind in ("m", "inst", "init", "load", "ext", "miss", "refl", "res", "resmiss", "stackapi"):
            self.assertIn(kind, self.header["facts"])

    def test_jdk_17(self):
        self.check(jdk17())

    def test_jdk_25(self):
        self.check(jdk25())


class Looks(RecorderCase):
    """Every way to look at the file system, on both JDKs: kinds of facts as in ROWS.md, `-` when nothing was there."""
    FILE, NATIVE, ATTRIBUTES, EXISTS, REAL, ENTRY = 7, 11, 13, 14, 21, 22
    EXPECTED = {
        "listsNio": [(FILE, "look")], "listsFiltered": [(FILE, "look")], "listsFiles": [(FILE, "look")],
        "listsResource": [(FILE, "{dir}/main/data"), (EXISTS, "{dir}/main/data/there.txt")],
        "visits": [(FILE, "look"), (ATTRIBUTES, "look/a.txt")],
        "canonicalPath": [(REAL, "look/link")], "realPath": [(REAL, "{dir}/look/link")],
        "sameFile": [(REAL, "look/link"), (REAL, "look/a.txt")],
        "readsLink": [(ATTRIBUTES, "look/link")],
        "executable": [(ATTRIBUTES, "look/a.txt")], "executableFile": [(ATTRIBUTES, "look/a.txt")],
        "thereNio": [(EXISTS, "look/a.txt")],
        "createsFile": [(EXISTS, "-look.new1")], "createsNio": [(FILE, "-look.new2")],
        "makesFolder": [(EXISTS, "-look.new3")], "makesFolderNio": [(EXISTS, "-look.new4")],
        "makesFolders": [(EXISTS, "*-look.new5"), (EXISTS, "*-look.new5/x")],
        "renames": [(FILE, "-look.gone"), (FILE, "-look.new6")],
        "moves": [(FILE, "-look.new7"), (FILE, "-look.new8")],
        "readsThroughLink": [(FILE, "look/link"), (FILE, "{dir}/look/a.txt")],
        "copies": [(FILE, "look/a.txt")],
        "deletes": [(EXISTS, "-look.gone")], "deletesNio": [(ATTRIBUTES, "-look.gone")],
        "links": [(EXISTS, "-look.new10")],
        "writesInto": [(EXISTS, "look/b")], "appends": [(EXISTS, "look/b")],
        "archiveEntry": [(ENTRY, "{dir}/look.jar!/data/there.txt")],
        "archiveEntryAgain": [(ENTRY, "{dir}/look.jar!/data/there.txt")],
        "archiveListed": [(ENTRY, "{dir}/look.jar!/")],
        "archiveFileSystem": [(FILE, "look.jar")],
        "classFile": [(FILE, "main/s/Thing.class")],
        "classFileOfLoader": [(FILE, "^{dir}/main/s/Thing.class")],
        "classFileOfOwnLoader": [(FILE, "^main/s/Thing.class")],
        "library": [(NATIVE, "{dir}/look/none.so")], "libraryByName": [(NATIVE, "lookfor")],
    }

    def facts(self):
        out, at = {}, None
        for line in self.dump("--raw").splitlines():
            scope = re.match(r"scope \d+ kind 2 .* id s\.LooksTest#(\w+)\(", line)
            if scope:
                at = out.setdefault(scope.group(1), set())
            elif not line.startswith(" "):
                at = out.setdefault("", set())
            fact = re.match(r"  f Fact\[kind=(\d+), byRunner=(\w+), text=(.*), absent=(\w+), byLoader=(\w+)\]", line)
            if fact:
                kind, mine, text, absent, loader = fact.groups()
                flags = "*" * (mine == "true") + "^" * (loader == "true") + "-" * (absent == "true")
                at.add((int(kind), flags + text))
        return out

    def check(self, home, *more):
        self.compile("t", JUNIT4, SAMPLE / "looks")
        look = self.dir / "look"
        look.mkdir()
        (look / "a.txt").write_text("x")
        (look / "b").mkdir()
        (look / "link").symlink_to("a.txt")
        must(jdk17() / "bin" / "jar", "cf", self.dir / "look.jar", "-C", self.dir / "main", "data")
        done = self.junit4("s.LooksTest", home=home)
        facts = self.facts()
        for test, wanted in self.EXPECTED.items():
            for kind, text in wanted:
                with self.subTest(test):
                    self.assertIn((kind, text.format(dir=self.dir)), facts[test])
        self.assertTrue(any(k == 15 and t.startswith("*=") for k, t in facts["environment"]))
        self.assertTrue(any(k == 15 and t.startswith("*=") for k, t in facts["environmentOfProc"]))
        # What the JVM reads to define a class is no fact, nor what stands beside the file that was asked for.
        self.assertEqual({f for f in facts["plain"] if f[0] in (7, 13, 14, 21)}, set())
        self.assertNotIn((self.ATTRIBUTES, f"{self.dir}/main/data/there.txt"), facts["listsResource"])
        return done, facts

    def test_jdk_17(self):
        done, _ = self.check(jdk17())
        self.assertIn("Failures: 1", done.stdout)  # accessFlags is not there

    def test_jdk_25(self):
        done, facts = self.check(jdk25())
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn((1, "s.Thing"), facts["accessFlags"])


class Agents(RecorderCase):
    """What another agent read before the program, and what it did to loaded classes."""

    def check(self, home):
        self.compile("agent", "", SAMPLE / "agent")
        self.compile("t", f"{JUNIT4}:{self.dir}/agent", SAMPLE / "agents")
        (self.dir / "agent.conf").write_text("on")
        (self.dir / "agents").mkdir()
        (self.dir / "agents" / "one").touch()
        (self.dir / "manifest").write_text("Premain-Class: a.Premain\nCan-Retransform-Classes: true\n")
        must(jdk17() / "bin" / "jar", "cfm", self.dir / "agent.jar", self.dir / "manifest", "-C", self.dir / "agent", "a")
        # As `rejig run` does: agents of the command line come later.
        first = f"-agentpath:{AGENT}=out={self.rows_dir},internal-root={self.dir}/main:{self.dir}/t"
        done = self.junit4("s.AgentsTest", home=home, agent=None, env={"JAVA_TOOL_OPTIONS": first},
                           options=[f"-javaagent:{self.dir}/agent.jar"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        session = self.dump("--raw").split("scope 1 ")[0]
        for fact in ("kind=7, byRunner=false, text=agent.conf", "kind=7, byRunner=false, text=agents,",
                     "kind=6, byRunner=false, text=data/there.txt"):
            self.assertIn(fact, session)
        rows = self.matrix()
        # A class that an agent looked at is told as before, and not when it has other bytes.
        self.assertEqual(self.methods(rows["s.AgentsTest#b()"]), [NEW, PEEK])
        self.assertLessEqual({NEW, NEXT, PEEK}, set(self.methods(rows["s.AgentsTest#c()"])))
        self.assertLessEqual({NEW, NEXT, PEEK}, set(self.methods(rows["s.AgentsTest#d()"])))

    def test_jdk_17(self):
        self.check(jdk17())

    def test_jdk_25(self):
        self.check(jdk25())


class Cached(RecorderCase):
    EXPECTED = {
        "valueOf": ["init:s.Cached$Color", "m:s.Cached$Color.values()[Ls/Cached$Color;"],
        "proxy": ["refl:s.Cached$Face"],
        "bean": ["refl:s.Cached$Bean"],
        "bundle": ["miss:s.texts", "miss:s.texts_de_DE", "resmiss:s/texts.properties", "resmiss:s/texts_de_DE.properties"],
        "inherited": ["refl:s.Cached$Derived", "refl:s.Cached$Base"],
        "fieldType": ["load:s.Cached$Held", "refl:s.Cached$Held|kind"],
        "providers": ["resmiss:META-INF/services/java.nio.file.spi.FileSystemProvider"],
        "notInitialized": ["load:s.Cached$Quiet"],
        "invoked": ["init:s.Cached$Called"],
    }

    def check(self, home):
        self.compile("t", JUNIT4, SAMPLE / "junit4")
        done = self.junit4("s.CachedTest", home=home)
        self.assertEqual(done.returncode, 0, done.stdout)
        rows = {t.split("#")[1][:-2]: set(r["atoms"]) for t, r in self.matrix().items()}
        for what, atoms in self.EXPECTED.items():
            for atom in atoms:
                self.assertIn(atom, rows["first_" + what], what)
                self.assertIn(atom, rows["second_" + what], what)
                if what != "providers":  # JUnit may have asked for them
                    self.assertNotIn(atom, rows["plain"], what)
            self.assertNotIn("init:s.Cached$Quiet", rows["second_" + what])
            # JUnit looks at the class for every test; only one test does so itself.
            self.assertNotIn("refl:s.CachedTest", rows["second_" + what])
        self.assertIn("refl:s.CachedTest", rows["ownMembers"])

    def test_jdk_17(self):
        self.check(jdk17())

    def test_jdk_25(self):
        self.check(jdk25())


class JUnit3(RecorderCase):
    """That JUnit itself lists the methods of a test class for each of its tests is no fact of the test."""

    def setUp(self):
        super().setUp()
        self.compile("t", JUNIT4, SAMPLE / "junit3")

    def check(self, java):
        self.assertEqual(self.junit4("s.OldTest", home=java).returncode, 0)
        rows = self.matrix()
        for test, lists in (("testNothing", False), ("testLists", True)):
            self.assertEqual("refl:s.OldTest" in rows[f"s.OldTest#{test}()"]["atoms"], lists, test)

    def test_who_lists(self):
        self.check(None)

    def test_who_lists_on_25(self):
        self.check(jdk25())

    def test_a_name_that_lists(self):
        self.assertEqual(self.junit4("s.NamedTest").returncode, 0)
        self.assertIn("refl:s.NamedTest", self.matrix()["s.NamedTest#testNothing()"]["atoms"])


class Provided(RecorderCase):
    """What a provider of parameters makes before the first test serves every test: it is everybody's work."""

    def test_a_singleton_of_a_provider(self):
        self.compile("t", JUNIT4, SAMPLE / "junit4")
        done = self.junit4("s.ProvidedTest", "s.UsesLazyTest")
        self.assertEqual(done.returncode, 0, done.stdout)
        rows = self.matrix()
        for test in ("s.ProvidedTest#has()", "s.UsesLazyTest#uses()"):
            self.assertIn("m:s.Cached$Lazy.<init>()V", rows[test]["atoms"], test)
        self.assertNotIn("m:s.ProvidedTest.data()Ljava/lang/Iterable;", rows["s.UsesLazyTest#uses()"]["atoms"])


class Shared(RecorderCase):
    """What a framework keeps is the work of everybody whom it is handed out to."""

    def rows(self, root):
        self.compile("lib", "", SAMPLE / "shared-lib")
        self.compile("t", f"{self.dir}/lib:{JUNIT4}", SAMPLE / "shared")
        done = self.java("-cp", f"main:t:lib:{JUNIT4}", "org.junit.runner.JUnitCore", "s.SharedTest", agent=root)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done, {t.split("#")[1][:-2]: r["atoms"] for t, r in self.matrix().items()}

    def test_context(self):
        done, rows = self.rows("")
        self.assertEqual(done.stderr, "")
        self.assertEqual([t for t in sorted(rows) if "m:s.Context.<init>()V" in rows[t]], ["b_makes", "c_uses"])
        self.assertIn("ext:org.springframework.test.context.cache.DefaultContextCache", rows["c_uses"])

    def test_a_program_that_is_hooked_itself(self):
        """Its class has no room for a prefix: who meets it may have entered all of it."""
        done, rows = self.rows(",internal=org.springframework.*")
        self.assertEqual(done.stderr,
                         "rejig-agent: left untouched: org/springframework/test/context/cache/DefaultContextCache: hooked\n")
        self.assertIn("m:s.Context.<init>()V", rows["c_uses"])
        marked = [c for c in self.header["classes"] if c["name"] == "org.springframework.test.context.cache.DefaultContextCache"]
        self.assertEqual([(c["origin"], c["reason"]) for c in marked], [("untouched", "hooked")])


class Receivers(RecorderCase):
    """The class of `this`: exact, told once, and of what was made at run time the class that it extends."""

    def check(self, home):
        self.compile("t", JUNIT4, SAMPLE / "receivers")
        done = self.junit4("s.ReceiversTest", agent=",receivers=1", home=home)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stderr, "")
        rows = {t.split("#")[1][:-2]: sorted(a[5:] for a in r["atoms"] if a.startswith("recv:") and "Test" not in a)
                for t, r in self.matrix().items()}
        who, half, leaf = "s.Animals$Base.who()I", "s.Animals$Face.half()I", "s.Animals$Leaf.leaf()I"
        expected = {
            "base": ["s.Animals$Base|" + who],
            "derived": ["s.Animals$Derived|" + who],
            "both": ["s.Animals$Base|" + who, "s.Animals$Derived|" + who],
            "lambda": [],
            "defaultMethod": ["s.Animals$Derived|s.Animals$Derived.whole()I", "s.Animals$Derived|" + half],
            "finalClass": ["s.Animals$Leaf|" + leaf],
            "initializer": ["s.Animals$Derived|" + who],
            "initializerAgain": ["s.Animals$Derived|" + who],
            "plain": [],
        }
        self.assertEqual(rows, expected)
        self.assertIn("recv", self.header["facts"])

    def test_jdk_17(self):
        self.check(jdk17())

    def test_jdk_25(self):
        self.check(jdk25())

    def test_not_asked_for(self):
        self.compile("t", JUNIT4, SAMPLE / "receivers")
        self.junit4("s.ReceiversTest")
        self.assertFalse([a for r in self.matrix().values() for a in r["atoms"] if a.startswith("recv:")])
        self.assertNotIn("recv", self.header["facts"])


class Threads(RecorderCase):
    """Whatever thread does the work, virtual ones too, it is the open test's; and in an initializer the initializer's."""

    def check(self, home):
        self.compile("t", JUNIT4, SAMPLE / "threads")
        done = self.junit4("s.ThreadsTest", home=home)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stderr, "")
        rows = {t.split("#")[1][:-2]: {a.split(".")[-1][:-3] for a in self.methods(r) if a.startswith("s.Work.") and a.endswith("()I")}
                for t, r in self.matrix().items()}
        expected = {t: {t} for t in ("plain", "pool", "fork", "timer", "light")}
        # Who uses the class has done what made it; whose initializer threw has done that.
        expected.update({"a_starts": {"initial", "nested"}, "b_uses": {"initial", "nested"}, "c_inner": {"nested"},
                         "d_broken": {"failing"}, "e_nothing": set()})
        self.assertEqual(rows, expected)

    def test_jdk_17(self):
        self.check(jdk17())

    def test_jdk_25(self):
        self.check(jdk25())


class Death(RecorderCase):
    def setUp(self):
        super().setUp()
        self.compile("t", JUNIT4, SAMPLE / "death")

    def test_kill_loses_the_running_test_only(self):
        done = self.junit4("s.KilledTest")
        self.assertEqual(done.returncode, -9)
        rows = self.matrix()
        self.assertEqual({t.split("#")[1]: r["grade"] for t, r in rows.items()},
                         {"a1()": "complete", "a2()": "complete", "b_killed()": "partial"})
        self.assertEqual(rows["s.KilledTest#b_killed()"]["result"], "fail")
        self.assertIn("m:" + NEXT, rows["s.KilledTest#a1()"]["atoms"])
        self.assertIn("m:" + OPEN, rows["s.KilledTest#a2()"]["atoms"])

    def test_kill_between_tests_leaves_the_class_partial(self):
        done = self.junit4("s.KilledAfterTest")
        self.assertEqual(done.returncode, -9)
        self.assertEqual({r["grade"] for r in self.matrix().values()}, {"partial"})

    def test_torn_tail_keeps_what_stands_before(self):
        self.junit4("s.KilledTest")
        file = self.files()[0]
        whole = file.read_bytes()
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 0x40
        damaged = [whole[:-cut] for cut in (1, 60, 250, 700, 2000, len(whole) - 16)] + [bytes(flipped)]
        seen = set()
        for content in damaged:
            file.write_bytes(content)
            rows = self.matrix().values()
            # Complete rows stand only beside the one that was running; else the class may have died in its fixtures.
            if "complete" in {r["grade"] for r in rows}:
                self.assertEqual([r["result"] for r in rows].count("fail"), 1)
            self.assertLess([r["grade"] for r in rows].count("complete"), 2)
            seen.add(len(rows))
        self.assertGreater(len(seen), 1)


class Parallel(RecorderCase):
    def test_overlapping_tests_are_shared(self):
        self.compile("t", CONSOLE, SAMPLE / "parallel")
        done = self.console("-c", "s.FirstTest", "-c", "s.SecondTest",
                            options=["-Djunit.jupiter.execution.parallel.enabled=true",
                                     "-Djunit.jupiter.execution.parallel.mode.classes.default=concurrent",
                                     "-Djunit.jupiter.execution.parallel.config.strategy=fixed",
                                     "-Djunit.jupiter.execution.parallel.config.fixed.parallelism=2"])
        self.assertEqual(done.returncode, 0, done.stdout)
        rows = self.matrix()
        for test in ("s.FirstTest#meets()", "s.SecondTest#meets()"):
            self.assertEqual(rows[test]["grade"], "shared")
            for method in (NEXT, PEEK):
                self.assertIn("m:" + method, rows[test]["atoms"])


class Modules(RecorderCase):
    def check(self, home):
        self.compile("mods/m", "", SAMPLE / "module")
        done = self.java("-p", "mods", "-m", "m/m.Main", agent=f":{self.dir}/mods", home=home)
        self.assertEqual((done.stdout, done.stderr), ("named true\n", ""))
        raw = self.dump("--raw")
        self.assertRegex(raw, r"m m/Main\.greet")
        for text in ("module-info.class", "**/"):
            self.assertIn(f"kind=6, byRunner=false, text={text},", raw)
        # The JVM's own reading of the class file.
        self.assertNotIn("Main.class", raw)

    def test_jdk_17(self):
        self.check(jdk17())

    def test_jdk_25(self):
        self.check(jdk25())


class Children(RecorderCase):
    def test_child_jvm_records_into_the_test(self):
        self.compile("t", JUNIT4, SAMPLE / "child")
        options = f"-agentpath:{AGENT}=out={self.rows_dir},internal-root={self.dir}/main:{self.dir}/t"
        self.junit4("s.ChildTest", agent=None, env={"JAVA_TOOL_OPTIONS": options})
        self.assertEqual(len(self.files()), 2)
        rows = self.matrix()
        row = rows["s.ChildTest#spawns()"]
        self.assertIn("m:" + PEEK, row["atoms"])
        self.assertEqual(row["grade"], "complete")
        self.assertNotIn("m:" + PEEK, rows["s.ChildTest#stays()"]["atoms"])


if __name__ == "__main__":
    unittest.main()
