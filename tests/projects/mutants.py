# SPDX-License-Identifier: Apache-2.0
"""Does `rejig run` skip a test that fails? Mutants of a real library in a row, each held against a full run.

mutants.py MUTANTS [SEED]: commons-codec 1.16.1 with part of its own published tests. For each mutant a full run
without rejig says how every test ends, then `rejig run` says which it lets run. A skipped test that does not pass in
the full run is a wrong skip. What fails behind the last test of a class (@AfterAll) JUnit reports with every test of
the class: that is the class's, and is wrong when the class does not fail under `rejig run`. Mutants whose full run does
not come to an end in time are left out.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree
import zipfile

ARTIFACTS = os.environ["ARTIFACTS"]
REJIG = os.environ["REJIG"]
PACKAGES = ["org.apache.commons.codec.net", "org.apache.commons.codec.language"]
SECONDS = 180


def jar(name):
    return os.path.join(ARTIFACTS, name)


CONSOLE = jar("junit-platform-console-standalone-1.10.5.jar")
LIBRARIES = [jar("commons-lang3-3.14.0.jar"), jar("hamcrest-core-1.3.jar"), jar("junit-4.13.2.jar")]
MUTATOR = jar("asm-9.9.1.jar") + ":" + jar("asm-tree-9.9.1.jar")


def command(reports):
    out = ["java", "-jar", CONSOLE, "execute", "-cp", ":".join(["main", "tests"] + LIBRARIES), "--disable-banner",
           "--details=none", "--reports-dir", reports, "--exclude-classname", ".*bm.*"]
    return out + [word for p in PACKAGES for word in ("-p", p)]


def outcomes(folder):
    """Every test of the reports: True when it passed. And of the class C that failed as such: C, False."""
    classes = {}
    for path in glob.glob(os.path.join(folder, "TEST-*.xml")):
        for case in tree.parse(path).iter("testcase"):
            texts = {one.text for kind in ("failure", "error") for one in case.findall(kind)}
            name = re.sub(r"\[\d+\].*", "", case.get("name"))
            classes.setdefault(case.get("classname"), []).append((name, texts))
    out = {}
    for cls, tests in classes.items():
        everyones = {text for text in set.intersection(*(texts for _, texts in tests))
                     if not any("." + name.split("(")[0] + "(" in text for name, _ in tests)}
        if everyones:
            out[cls] = False
        for name, texts in tests:
            test = cls + "#" + name
            out[test] = out.get(test, True) and not texts - everyones
    return out


def run(words, work, folder):
    os.makedirs(os.path.join(work, folder), exist_ok=True)  # that it is there is a fact
    for old in os.listdir(os.path.join(work, folder)):
        os.remove(os.path.join(work, folder, old))
    subprocess.run(words, cwd=work, capture_output=True, timeout=SECONDS, check=False)
    return outcomes(os.path.join(work, folder))


def main():
    mutants = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as work:
        zipfile.ZipFile(jar("commons-codec-1.16.1.jar")).extractall(os.path.join(work, "original"))
        zipfile.ZipFile(jar("commons-codec-1.16.1-tests.jar")).extractall(os.path.join(work, "tests"))
        shutil.copytree(os.path.join(work, "original"), os.path.join(work, "main"))
        here = os.path.dirname(os.path.abspath(__file__))
        subprocess.run(["javac", "-cp", MUTATOR, "-d", os.path.join(work, "tool"), os.path.join(here, "Mutate.java")],
                       check=True)
        shutil.rmtree(os.path.join(work, "original", "META-INF"))
        recorded = [REJIG, "run", "-q", "--"]
        everything = run(recorded + command("recorded"), work, "recorded")
        plain = run(command("full"), work, "full")
        if everything != plain or len(plain) < 200:
            sys.exit("with the recorder %d outcomes, without %d" % (len(everything), len(plain)))
        done = failing = ran_in_all = selected_without_need = left_out = 0
        wrong = []
        changed = None
        while done < mutants:
            seed += 1
            fresh = os.path.join(work, "fresh")
            shutil.rmtree(fresh, ignore_errors=True)
            said = subprocess.run(["java", "-cp", MUTATOR + ":" + os.path.join(work, "tool"), "Mutate",
                                   os.path.join(work, "original"), fresh, str(seed)],
                                  check=True, capture_output=True, text=True).stdout.strip()
            if changed:
                shutil.copy(os.path.join(work, "original", changed), os.path.join(work, "main", changed))
            changed = said.split(" ")[0]
            shutil.copy(os.path.join(fresh, changed), os.path.join(work, "main", changed))
            try:
                full = run(command("full"), work, "full")
            except subprocess.TimeoutExpired:
                left_out += 1
                continue
            if len(full) < len(plain):
                left_out += 1
                continue
            ran = run(recorded + command("recorded"), work, "recorded")
            done += 1
            bad = {test for test, passed in full.items() if not passed}
            failing += len(bad)
            ran_in_all += len(ran)
            for test in sorted(bad - set(ran)):
                wrong.append("%s: %s was skipped and fails" % (said, test))
            for test in sorted(ran):
                if ran[test] != full.get(test):
                    wrong.append("%s: %s ends otherwise with rejig" % (said, test))
        print("%d mutants (%d left out), %d tests each: %d fail, %d ran (%.1f %%); wrong %d"
              % (done, left_out, len(plain), failing, ran_in_all, 100.0 * ran_in_all / (done * len(plain)), len(wrong)))
        for line in wrong:
            print("WRONG " + line)
        sys.exit(1 if wrong or failing == 0 else 0)


main()
