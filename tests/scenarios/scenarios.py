# SPDX-License-Identifier: Apache-2.0
"""Does `rejig run` skip a test whose outcome a change flips? scenarios.py PROGRAMS WORK [--quick] [NAME...]

Small ordinary programs in two versions (README.md has the format). OLD is recorded by `rejig run`, NEW is run whole without
rejig, which is the truth, then by `rejig run`: every test whose outcome differs must have run, and end as in the truth. All tests of a program share one JVM
and one class loader, and programs without options of their own share them, too. Programs that open.txt names are known to break
this; one that no longer does must leave the list. --quick: those without options, and some of the others."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

IMPORTS = " ".join(f"import {name};" for name in (
    "org.junit.jupiter.api.*", "org.junit.jupiter.api.extension.*", "org.junit.jupiter.params.*",
    "org.junit.jupiter.params.provider.*", "static org.junit.jupiter.api.Assertions.*", "java.util.*",
    "java.util.concurrent.*", "java.util.function.*", "java.util.stream.*", "java.lang.reflect.*",
    "java.lang.annotation.*", "java.io.*", "java.nio.file.*", "java.lang.invoke.*"))
JUNIT = "junit-platform-console-standalone-1.12.2.jar"
ORDER = ["--config=junit.jupiter.testmethod.order.default=org.junit.jupiter.api.MethodOrderer$MethodName",
         "--config=junit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$ClassName"]
LANGUAGES = (".java", ".kt", ".groovy")
KOTLINC = ["kotlin-compiler-embeddable-2.1.21.jar", "kotlin-stdlib-2.1.21.jar", "kotlin-script-runtime-2.1.21.jar", "kotlin-reflect-1.6.10.jar",
           "kotlin-daemon-embeddable-2.1.21.jar", "kotlinx-coroutines-core-jvm-1.6.4.jar", "annotations-13.0.jar",
           "trove4j-1.0.20200330.jar"]
GROOVYC = ["groovy-4.0.24.jar"]
# Every sixth of these is enough where time is short.
QUICK = 6


class Program:
    def __init__(self, folder):
        self.folder, self.name = folder, folder.name
        self.package = self.name.replace("-", "_")
        self.options, self.files = {}, []
        lines = None
        for line in (folder / "case.txt").read_text().splitlines():
            if line.startswith(">> "):
                lines = []
                self.files.append((line[3:].strip(), lines))
            elif lines is not None:
                lines.append(line.replace("$P", self.package))
            elif line.startswith("@"):
                key, _, value = line[1:].partition(":")
                self.options[key.strip()] = value.strip().replace("$P", self.package)
        self.files = [(name.replace("$P", self.package), lines) for name, lines in self.files]

    def is_plain(self):
        return not (set(self.options) - {"libs"}) and not (self.folder / "after.sh").exists()

    def side(self, lines, mark):
        """The text of one version; None when the file is not in it."""
        mine = [line[1:] for line in lines if line[:1] in (" ", mark)]
        if not mine and any(line[:1] in "+-" for line in lines):
            return None
        return "\n".join(mine) + "\n"

    def sources(self, mark):
        for name, lines in self.files:
            text = self.side(lines, mark)
            if not name.endswith(LANGUAGES) or text is None:
                continue
            if self.options.get("nopackage") != "yes":
                name = f"{self.package}/{name}"
                if not name.endswith(".java"):
                    text = f"package {self.package}\n{text}"
                elif not re.search(r"^\s*package ", text, re.M) and not name.endswith("module-info.java"):
                    text = f"package {self.package};{text}"
            if name.endswith(".java") and not name.endswith(("package-info.java", "module-info.java")) and self.options.get("noimports") != "yes":
                head = re.match(r"\s*package [^;]*;", text)
                at = head.end() if head else 0
                text = text[:at] + " " + IMPORTS + text[at:]
            yield name, text

    def test_classes(self, mark):
        return [re.sub(r"\.\w+$", "", name).replace("/", ".") for name, _ in self.sources(mark)
                if re.search(r"(^|/)T[0-9]*\.(java|kt|groovy)$", name)]


class Run:
    def __init__(self, programs, work, tools):
        self.programs, self.tools = programs, tools
        self.options = {}
        for p in programs:
            for key, value in p.options.items():
                if key == "libs":
                    value = " ".join(dict.fromkeys((self.options.get("libs", "") + " " + value).split()))
                self.options[key] = value
        self.home = work / (programs[0].name if len(programs) == 1 else "together")
        shutil.rmtree(self.home, ignore_errors=True)
        self.project = self.home / "proj"
        self.project.mkdir(parents=True)
        self.log = open(self.home / "log", "w")

    def option(self, version, key, default=""):
        return self.options.get(version + key, self.options.get(key, default))

    def execute(self, command, cwd, env=None):
        print("$", " ".join(map(str, command)), file=self.log, flush=True)
        merged = {k: v for k, v in os.environ.items() if not k.startswith("REJIG_") and k != "JAVA_TOOL_OPTIONS"}
        merged.update(env or {})
        done = subprocess.run([str(c) for c in command], cwd=cwd, env=merged, stdout=self.log, stderr=subprocess.STDOUT, timeout=600)
        return done.returncode

    def jars(self):
        return [self.tools.artifacts / JUNIT] + [self.tools.artifacts / lib for lib in self.options.get("libs", "").split()]

    def build(self, mark):
        version = "v1" if mark == "-" else "v2"
        sources, classes, fresh = self.home / ("src" + version), self.project / "classes", self.home / ("out" + version)
        fresh.mkdir()
        files = []
        for p in self.programs:
            for name, text in p.sources(mark):
                (sources / name).parent.mkdir(parents=True, exist_ok=True)
                (sources / name).write_text(text)
                files.append(sources / name)
        jdk = self.tools.jdk(self.option(version, "jdk", "17"))
        files = self.compile_kotlin(files, fresh, jdk)
        groovy = [f for f in files if f.suffix == ".groovy"]
        files = [f for f in files if f.suffix == ".java"]
        command = [jdk / "bin/javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-nowarn", "-proc:none", "-d", fresh,
                   "-cp", ":".join(map(str, [fresh] + self.jars()))]
        command += (self.options.get("opts", "") + " " + self.options.get(version + "opts", "")).split()
        if files and self.execute(command + files, self.home) != 0:
            sys.exit(f"{self.home}: javac failed, see the log")
        if groovy:
            path = ":".join(str(self.tools.artifacts / jar) for jar in GROOVYC)
            if self.execute([jdk / "bin/java", "-XX:TieredStopAtLevel=1", "-cp", path, "org.codehaus.groovy.tools.FileSystemCompiler", "-cp",
                             ":".join(map(str, [fresh] + self.jars())), "-d", fresh] + groovy, self.home) != 0:
                sys.exit(f"{self.home}: groovyc failed, see the log")
        if mark == "+":
            self.keep_stale(fresh)
        shutil.rmtree(classes, ignore_errors=True)
        shutil.copytree(fresh, classes)
        for p in self.programs:
            self.lay_files(p, mark)
            if (p.folder / "after.sh").exists():
                env = {"SCENARIO_LIB": str(self.tools.artifacts), "PATH": f"{jdk}/bin:" + os.environ["PATH"], "JAVA_HOME": str(jdk)}
                if self.execute(["bash", p.folder / "after.sh", version], self.project, env) != 0:
                    sys.exit(f"{p.name}: after.sh failed, see {self.home}/log")

    def compile_kotlin(self, files, fresh, jdk):
        """Before javac, which reads its classes; Kotlin's compiler reads the sources of Java. The rest."""
        if not any(f.suffix == ".kt" for f in files):
            return files
        path = ":".join(str(self.tools.artifacts / jar) for jar in KOTLINC)
        if self.execute([jdk / "bin/java", "-XX:TieredStopAtLevel=1", "-cp", path, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect",
                         "-nowarn", "-cp", ":".join(map(str, self.jars())), "-d", fresh] + [f for f in files if f.suffix != ".groovy"], self.home) != 0:
            sys.exit(f"{self.home}: kotlinc failed, see the log")
        return [f for f in files if f.suffix != ".kt"]

    def keep_stale(self, fresh):
        """Classes that were not compiled again."""
        for p in self.programs:
            for name in p.options.get("stale", "").split():
                stem = f"{p.package}/{name[:-5]}"
                for pattern in (stem + ".class", stem + "$*.class"):
                    for old in fresh.glob(pattern):
                        old.unlink()
                    for old in (self.home / "outv1").glob(pattern):
                        shutil.copy(old, fresh / old.relative_to(self.home / "outv1"))

    def lay_files(self, program, mark):
        for name, lines in program.files:
            root = {"res": self.project / "classes", "cwd": self.project}.get(name.split("/")[0])
            if name.endswith(".java") or root is None:
                continue
            file, text = root / name[4:], program.side(lines, mark)
            if text is None:
                file.unlink(missing_ok=True)
            elif not file.exists() or file.read_text() != text:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)

    def java(self, version, reports):
        command = [self.tools.jdk(self.option(version, "jdk", "17")) / "bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
        command += (self.options.get("jvm", "") + " " + self.options.get(version + "jvm", "")).split()
        path = self.option(version, "cp", "classes").split(":") + [str(jar) for jar in self.jars()]
        command += ["-cp", ":".join(path), "org.junit.platform.console.ConsoleLauncher", "execute", "--details=none",
                    "--disable-banner", "--reports-dir", reports] + ORDER
        if "scan" in self.options:
            command += ["--scan-classpath", self.options["scan"],
                        "--include-classname=" + self.options.get("pattern", r"(.+\.)?T[0-9]*$")]
        else:
            command += [f"--select-class={c}" for p in self.programs for c in p.test_classes("-" if version == "v1" else "+")]
        return command + (self.options.get("args", "") + " " + self.options.get(version + "args", "")).split()

    def outcomes(self, version, name, rejig):
        reports = self.home / ("reports-" + name)
        env = dict(pair.split("=", 1) for pair in (self.options.get("env", "") + " " + self.options.get(version + "env", "")).split())
        command = self.java(version, reports)
        if rejig:
            env.update(self.tools.rejig_environment())
            command = [self.tools.rejig, "run"] + self.options.get("rejigopts", "").split() + ["--"] + command
        self.execute(command, self.project, env)
        return read_reports(reports)


def read_reports(folder):
    found = {}
    for file in sorted(folder.glob("TEST-*.xml")):
        for case in xml.parse(file).getroot().iter("testcase"):
            name = re.sub(r"\[.*$", "", f"{case.get('classname')}#{case.get('name')}")
            if case.find("failure") is not None or case.find("error") is not None:
                found[name] = "fails"
            elif case.find("skipped") is not None:
                found.setdefault(name, "skipped")
            else:
                found.setdefault(name, "passes")
    return found


class Tools:
    def __init__(self):
        self.rejig = Path(os.environ["REJIG"])
        self.artifacts = Path(os.environ["ARTIFACTS"])
        self.jdks = {"17": os.environ["JAVA_HOME"], "25": os.environ.get("JDK25_HOME")}

    def jdk(self, release):
        return Path(self.jdks[release])

    def has(self, program):
        return all(self.jdks.get(program.options.get(k, "17")) for k in ("jdk", "v1jdk", "v2jdk"))

    @staticmethod
    def rejig_environment():
        return {k: os.environ[k] for k in ("REJIG_AGENT", "REJIG_JUNIT_JAR") if k in os.environ}


def judge(programs, work, tools):
    """Wrong skips of each program."""
    run = Run(programs, work, tools)
    run.build("-")
    old = run.outcomes("v1", "old", rejig=True)
    run.build("+")
    truth = run.outcomes("v2", "truth", rejig=False)
    ran = run.outcomes("v2", "new", rejig=True)
    verdicts = {}
    for p in programs:
        mine = [t for t in set(old) | set(truth) if len(programs) == 1 or t.startswith(p.package + ".")]
        flips = [t for t in mine if t in truth and old.get(t) != truth[t]]
        missed = sorted(t for t in flips if t not in ran)
        # What must not run, says who wrote the program.
        missed += [f"{t}:ran" for t in (f"{p.package}.{t}()" for t in p.options.get("idle", "").split()) if t in ran]
        # A test without those that it lives on says something else.
        missed += sorted(t + "=" + ran[t] for t in mine if t in ran and t in truth and ran[t] != truth[t])
        more = sorted(t for t in mine if t in ran and t not in flips)
        if not any(t in old for t in mine):
            sys.exit(f"{p.name}: no test ran, see {run.home}/log")
        print(f"{p.name:24} {len(flips)} flip, {len([t for t in mine if t in ran])} of {len(mine)} ran"
              + (f"; WRONG {' '.join(missed)}" if missed else "") + (f"; also {' '.join(more)}" if more else ""), flush=True)
        verdicts[p.name] = missed
    return verdicts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.work = options.work.resolve()
    tools = Tools()
    chosen = [Program(f.parent) for f in sorted(options.programs.resolve().glob("*/case.txt"))
              if not options.names or f.parent.name in options.names]
    there = [p for p in chosen if tools.has(p)]
    together = [p for p in there if p.is_plain()]
    alone = [p for p in there if not p.is_plain()]
    if options.quick:
        alone = alone[::QUICK]
    verdicts = judge(together, options.work, tools) if together else {}
    for p in alone:
        verdicts.update(judge([p], options.work, tools))
    known = [line.split()[0] for line in (options.programs / "open.txt").read_text().splitlines() if line and line[0] != "#"]
    wrong = [name for name, missed in verdicts.items() if missed and name not in known]
    mended = [name for name in known if name in verdicts and not verdicts[name]]
    for name in mended:
        print(f"{name}: nothing is missed any more; take it out of open.txt")
    passed = len(verdicts) - len(wrong) - len(mended)
    print(f"{len(chosen) - len(there)} programs need a JDK that is not here; {len(known)} are known to break the law")
    print(f"{passed} passed, {len(wrong) + len(mended)} failed")
    sys.exit(1 if wrong or mended or not verdicts else 0)


main()
