# SPDX-License-Identifier: Apache-2.0
"""What the recorder's end-to-end tests share: where things are, how to compile and run, how to read rows."""
import atexit
import functools
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLE = HERE / "sample"
AGENT_DIR = Path(os.environ["REJIG_AGENT_DIR"])
AGENT = AGENT_DIR / "librejig-agent.so"
ARTIFACTS = Path(os.environ["REJIG_ARTIFACTS"])
JUNIT4 = f"{ARTIFACTS}/junit-4.13.2.jar:{ARTIFACTS}/hamcrest-core-1.3.jar"
JUNIT412 = f"{ARTIFACTS}/junit-4.12.jar:{ARTIFACTS}/hamcrest-core-1.3.jar"
CONSOLE = f"{ARTIFACTS}/junit-platform-console-standalone-1.9.3.jar"
TESTNG = ":".join(f"{ARTIFACTS}/{j}.jar" for j in
                  ("testng-7.5.1", "jcommander-1.82", "slf4j-api-1.7.36", "jquery-3.6.1"))


def jdk17():
    return Path(shutil.which("javac")).resolve().parent.parent


def jdk25():
    home = os.environ.get("JDK25_HOME")
    if home:
        return Path(home)
    for sibling in sorted(jdk17().parent.iterdir()):
        release = sibling / "release"
        if release.is_file() and 'JAVA_VERSION="25' in release.read_text():
            return sibling
    if os.environ.get("REJIG_NO_JDK25"):
        raise unittest.SkipTest("this machine has no JDK 25")
    raise AssertionError("no JDK 25: set JDK25_HOME")


def run(*command, env=None, cwd=None):
    full = dict(os.environ)
    for name in [n for n in full if n.startswith("REJIG_")] + ["JAVA_TOOL_OPTIONS"]:
        full.pop(name, None)
    full.update(env or {})
    return subprocess.run([str(c) for c in command], env=full, cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=300)


def must(*command, **options):
    done = run(*command, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


@functools.cache
def row_dump():
    """The class path of the compiled second reader."""
    where = tempfile.mkdtemp(prefix="rejig-rowdump-")
    atexit.register(shutil.rmtree, where)
    must(jdk17() / "bin" / "javac", "-d", where, *(HERE / "java" / f"{name}.java" for name in ("RowDump", "RowShape", "RowFile")))
    return where


class RecorderCase(unittest.TestCase):
    """A temporary directory with the sample program compiled into main/ and the tests into t/."""

    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="rejig-agent-"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.rows_dir = self.dir / "rows"
        self.rows_dir.mkdir()
        (self.dir / "input.txt").write_text("x")
        self.compile("main", "", SAMPLE / "main")
        shutil.copytree(SAMPLE / "res", self.dir / "main", dirs_exist_ok=True)

    def compile(self, to, class_path, source):
        files = sorted(str(f) for f in source.rglob("*.java"))
        # For so few classes a compiler need not compile itself.
        must(jdk17() / "bin" / "javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-nowarn", "-XDenableSunApiLintControl", "-Xlint:-options",
             "-d", self.dir / to, "-cp", f"{self.dir}/main:{class_path}", *files)

    def java(self, *arguments, home=None, agent="", options=(), env=None):
        """Runs java with the agent unless `agent` is None; `agent` is appended to its options."""
        flags = list(options)
        if agent is not None:
            flags.append(f"-agentpath:{AGENT}=out={self.rows_dir},internal-root={self.dir}/main:{self.dir}/t{agent}")
        return run((home or jdk17()) / "bin" / "java", "-Xverify:all", *flags, *arguments, env=env, cwd=self.dir)

    def junit4(self, *classes, junit=JUNIT4, **options):
        return self.java("-cp", f"main:t:{junit}", "org.junit.runner.JUnitCore", *classes, **options)

    def console(self, *arguments, class_path="", **options):
        return self.java("-jar", CONSOLE, "--details=tree", "--disable-banner", "--disable-ansi-colors",
                         "-cp", f"main:t:{class_path}", *arguments, **options)

    def ng(self, *classes, **options):
        return self.java("-cp", f"main:t:{TESTNG}", "org.testng.TestNG", "-usedefaultlisteners", "false",
                         "-testclass", ",".join(classes), **options)

    def files(self):
        return sorted(self.rows_dir.glob("*.rows"))

    def dump(self, *flags):
        return must(jdk17() / "bin" / "java", "-XX:TieredStopAtLevel=1", "-cp", row_dump(), "RowDump", *flags, *self.files()).stdout

    def matrix(self):
        lines = [json.loads(line) for line in self.dump().splitlines()]
        self.assertEqual(lines[0]["type"], "matrix")
        self.header = lines[0]
        return {line["test"]: line for line in lines if "test" in line}

    def methods(self, row):
        """Entered methods of the program, without those of test classes."""
        return sorted(a[2:] for a in row["atoms"] if a.startswith("m:") and "Test" not in a.split("(")[0])
