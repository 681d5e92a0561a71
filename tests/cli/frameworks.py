#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each annotation of classfile/words/frameworks.def on a method that comes, itself
and composed (under a name that ends in Test): a fixture wakes the tests of its
class, what runs for other classes all of them, a test nobody.
usage: frameworks.py REJIG MAKE_STORE"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REJIG, MAKE_STORE = (os.path.abspath(word) for word in sys.argv[1:3])
TABLE = pathlib.Path(__file__).resolve().parents[2] / "classfile/words/frameworks.def"
failures = []


def check(name, wanted, got):
    if wanted != got:
        failures.append(name)
        print(f"FAILED {name}: wanted {wanted!r}, got {got!r}")


def write(folder, name, text):
    file = pathlib.Path(folder, name + ".java")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def javac(folder, source, path="."):
    files = [str(file) for file in pathlib.Path(source).rglob("*.java")]
    subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-g", "-nowarn", "-proc:none", "--release", "17", "-cp", path, "-d", folder, *files], check=True)


KEEP = "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) "


def stubs(types):
    nested = {}
    for one in types:
        outer, _, inner = one.partition("$")
        nested.setdefault(outer, []).extend([inner] if inner else [])
    for outer, inners in nested.items():
        package, _, name = outer.rpartition("/")
        inside = " ".join(f"{KEEP} @interface {inner} {{}}" for inner in inners)
        write("stubs", outer, f"package {package.replace('/', '.')};\n{'public class' if inners else KEEP + 'public @interface'} {name} {{ {inside.replace(KEEP, KEEP + 'public ')} }}\n")


def test_class(name, before="", member=""):
    return f"package p;\n{before} class {name} {{ @org.junit.jupiter.api.Test void a() {{}} {member} }}\n"


def selected(new):
    done = subprocess.run([REJIG, "select", "old", new, "--coverage", "m.db", "--lib", "api", "--format", "json"],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    answer = json.loads(done.stdout)
    return answer["mode"], sorted(test["test"] for test in answer["selected"])


def run():
    entries = []
    for type_, framework, role, reach, composed in re.findall(
            r'^REJIG_ANNOTATION\("([^"]+)", "([^"]+)", (\w+), (\w+), (\w+)\)', TABLE.read_text(), re.M):
        entries.append((type_ + "en/Given" if type_.endswith("/") else type_, role, reach, composed == "true"))
    check("the table is read", True, len(entries) > 50)
    stubs([entry[0] for entry in entries])
    for supertype in re.findall(r'^REJIG_ABOVE\("([^"]+)"', TABLE.read_text(), re.M):
        package, _, name = supertype.rpartition("/")
        write("stubs", supertype, f"package {package.replace('/', '.')}; public class {name} {{}}\n")
    javac("api", "stubs")
    for i, (type_, role, reach, composed) in enumerate(entries):
        name = "@" + type_.replace("/", ".").replace("$", ".")
        write("olds", f"p/T{i}", test_class(f"T{i}"))
        write("news", f"p/T{i}", test_class(f"T{i}", member=f"{name} public void come() {{}}"))
        write("oncs", f"p/T{i}", test_class(f"T{i}", before=name))
        for folder in ("olds", "composed"):
            write(folder, f"p/Meta{i}Test", f"package p; {KEEP} {name} @interface Meta{i}Test {{}}\n")
        write("composed", f"p/T{i}", test_class(f"T{i}", member=f"@Meta{i}Test public void come() {{}}"))
    javac("old", "olds", "api")
    javac("new", "news", "api")
    javac("onclass", "oncs", "api")
    javac("meta", "composed", "api")
    count = len(entries)
    subprocess.run([MAKE_STORE, "m.db"], text=True, check=True,
                   input="".join(f"row\tdefault\tp.T{i}#a()\tcomplete\tpass\tall\n" for i in range(count)))
    all_tests = sorted(f"p.T{i}#a()" for i in range(count))

    def variant(i, source):
        shutil.rmtree("now", ignore_errors=True)
        shutil.copytree("old", "now")
        shutil.copy(f"{source}/p/T{i}.class", f"now/p/T{i}.class")
        return selected("now")

    check("the same", ("none", []), selected("old"))
    for i, (type_, role, reach, composed) in enumerate(entries):
        neighbours = [f"p.T{i}#a()"]
        fresh = [f"p.T{i}#come()"]
        for source in ("new", "meta") if composed else ("new",):
            mode, got = variant(i, source)
            name = f"{type_} {'composed' if source == 'meta' else 'itself'}"
            if reach in ("kGroup", "kSuite"):
                check(name, ("all", all_tests), (mode, got))
            elif role == "kTest" and type_.endswith("Testable"):
                check(name, True, set(got) <= set(fresh))
            elif role == "kTest":
                check(name, ("some", fresh), (mode, got))
            else:
                check(name, ("some", neighbours), (mode, got))
        if reach in ("kGroup", "kSuite"):
            check(f"{type_} on the class", ("all", all_tests), variant(i, "onclass"))
    write("above", "p/Above", "package p; class Above extends io.kotest.core.config.AbstractProjectConfig {}\n")
    javac("abovec", "above", "api")
    shutil.rmtree("now", ignore_errors=True)
    shutil.copytree("old", "now")
    shutil.copy("abovec/p/Above.class", "now/p/Above.class")
    check("a project's configuration comes", ("all", all_tests), selected("now"))


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    run()
    os.chdir("/")
if failures:
    print(len(failures), "failed")
    sys.exit(1)
print("all passed")
