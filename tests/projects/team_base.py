# SPDX-License-Identifier: Apache-2.0
"""A team in folders: a repository, machines (clones of it in folders of their
own, each with nothing but its files), and a remote that they share. Tests say
RAN:name, so what ran is what the JVM says."""
import os
import pathlib
import re
import shutil
import subprocess

REJIG = os.environ["REJIG"]
CONSOLE = os.path.join(os.environ["ARTIFACTS"], "junit-platform-console-standalone-1.9.3.jar")
ENV = {name: value for name, value in os.environ.items()
       if name in ("REJIG_AGENT", "REJIG_JUNIT_JAR") or not name.startswith(("REJIG_", "GITHUB_", "CI_", "GIT_", "AWS_", "http_proxy", "BUILDKITE"))}
ENV.update(GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t", GIT_COMMITTER_NAME="t", GIT_COMMITTER_EMAIL="t@t", GIT_CONFIG_NOSYSTEM="1",
           GIT_CONFIG_GLOBAL="/dev/null", NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")
failures = []


def check(name, wanted, got, text=""):
    if wanted != got:
        failures.append(name)
        print(f"FAILED {name}: wanted {wanted!r}, got {got!r}\n{text}", flush=True)
    else:
        print("ok", name, flush=True)


def sh(*words, cwd=None, env=None, good=True):
    done = subprocess.run([str(word) for word in words], cwd=cwd, env={**ENV, **(env or {})}, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300)
    if good and done.returncode != 0:
        raise SystemExit(f"{words}: {done.returncode}\n{done.stdout}")
    return done.stdout


class Machine:
    """Nothing is here but a clone, a JDK and rejig."""

    def __init__(self, work, name, origin, settings="", depth=None, env=None):
        self.home = pathlib.Path(work) / name
        shutil.rmtree(self.home, ignore_errors=True)
        words = ["git", "clone", "-q", f"file://{origin}", self.home]
        if depth:
            words[2:2] = ["--depth", str(depth)]
        sh(*words)
        self.settings, self.env = settings, env or {}
        if settings:
            (self.home / "rejig.toml").write_text(settings)
        self.code = 0

    def checkout(self, commit):
        sh("git", "fetch", "-q", "origin", cwd=self.home)
        sh("git", "checkout", "-q", "--detach", commit, cwd=self.home)
        return self

    def compile(self):
        shutil.rmtree(self.home / "classes", ignore_errors=True)
        sh("javac", "-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-proc:none", "-cp", CONSOLE, "-d", "classes",
           *sorted(str(path.relative_to(self.home)) for path in self.home.glob("src/**/*.java")), cwd=self.home)
        return self

    def tests(self):
        return ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", f"classes:{CONSOLE}", "org.junit.platform.console.ConsoleLauncher",
                "--disable-banner", "--details=none", *(f"--select-class=p.{name}" for name in self.classes())]

    def classes(self):
        """In the order in which they run."""
        return sorted(path.stem for path in self.home.glob("src/p/T*.java"))

    def run(self, *options, env=None):
        """(tests that ran, everything that was printed)"""
        self.compile()
        done = subprocess.run([REJIG, "run", *options, "--", *self.tests()], cwd=self.home, env={**ENV, **self.env, **(env or {})}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        self.code = done.returncode
        return set(re.findall(r"RAN:(\S+)", done.stdout)), done.stdout

    def truth(self):
        """(tests that ran, those that failed) without rejig."""
        self.compile()
        done = subprocess.run(self.tests(), cwd=self.home, env={**ENV, **self.env}, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        ran = set(re.findall(r"RAN:(\S+)", done.stdout))
        return ran, ran - set(re.findall(r"PASSED:(\S+)", done.stdout))

    def rejig(self, *words, env=None):
        done = subprocess.run([REJIG, *map(str, words)], cwd=self.home, env={**ENV, **self.env, **(env or {})}, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=300)
        return done.returncode, done.stdout


class Repository:
    def __init__(self, work):
        self.path = pathlib.Path(work) / "origin"
        sh("git", "init", "-q", "-b", "main", self.path)

    def commit(self, sources, message="change", gone=()):
        for name, text in sources.items():
            path = self.path / "src" / f"{name.replace('.', '/')}.java"
            path.parent.mkdir(parents=True, exist_ok=True)
            package, _, _ = name.rpartition(".")
            path.write_text(f"package {package};\nimport org.junit.jupiter.api.*;\n{text}\n")
        for name in gone:
            (self.path / "src" / f"{name.replace('.', '/')}.java").unlink()
        (self.path / ".gitignore").write_text("classes/\n.rejig/\nrejig.toml\n")
        sh("git", "add", "-A", cwd=self.path)
        sh("git", "commit", "-q", "--allow-empty", "-m", message, cwd=self.path)
        return self.head()

    def git(self, *words):
        return sh("git", *words, cwd=self.path).strip()

    def head(self):
        return self.git("rev-parse", "HEAD")


def constant(name, value, extra=""):
    return f"public class {name} {{ public static int v() {{ return {value}; }} {extra} }}"


def test_class(name, **bodies):
    """Each body is an expression that must be true."""
    methods = "".join(
        f' @Test void {method}() {{ System.out.println("RAN:{name}.{method}"); Assertions.assertTrue({body}); System.out.println("PASSED:{name}.{method}"); }}'
        for method, body in bodies.items())
    return f"class {name} {{{methods} }}"


def finish():
    if failures:
        print(len(failures), "failed:", ", ".join(failures))
        raise SystemExit(1)
    print("all passed")
