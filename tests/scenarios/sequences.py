# SPDX-License-Identifier: Apache-2.0
"""Random programs whose tests live on what others left, edited again and again on one living store.

sequences.py WORK [--programs N] [--revisions N] [--seed S] [--far P]: each program is a few functions and holders of state
(lazy values, memo maps, counters, registries, holders, thread locals, fields of enums, arrays, properties, objects, strategies) that
call each other, and tests that call them and print what they got. Each revision changes something in each program: a constant, a call,
a test. It runs whole without rejig, which is the truth, then by `rejig run`: a test that was skipped must have printed now what it
printed in the revision before, and what ran must print what the truth has. --far: how often a value decides about a call."""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

JUNIT = "junit-platform-console-standalone-1.12.2.jar"
ORDER = ["--config=junit.jupiter.testmethod.order.default=org.junit.jupiter.api.MethodOrderer$MethodName",
         "--config=junit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$ClassName"]
# Of each kind: its class, with @ for what it computes, and what tests and others may call (the last ones only read).
KINDS = {
    "function": ("static int f() { return @; }", ["f()"]),
    "lazy": ("static Integer v; static int get() { if (v == null) v = @; return v; } static int drop() { v = null; return 0; }", ["drop()", "get()"]),
    "memo": ("static final Map<Integer, Integer> M = new HashMap<>(); static int get(int k) { return M.computeIfAbsent(k, x -> x + (@)); }", ["get(1)", "get(2)"]),
    "counter": ("static int n; static int next() { n += @; return n; } static int now() { return n; }", ["next()", "now()"]),
    "lambdas": ("static final List<IntSupplier> L = new ArrayList<>(); static int add() { L.add(() -> @); return L.size(); } "
                "static int sum() { int s = 0; for (IntSupplier i : L) s += i.getAsInt(); return s; }", ["add()", "sum()"]),
    "objects": ("static final List<Part> L = new LinkedList<>(); static class Part { final int x; Part(int x) { this.x = x; } int value() { return x; } } "
                "static int add() { L.add(new Part(@)); return 0; } static int sum() { int s = 0; for (Part p : L) s += p.value(); return s; }", ["add()", "sum()"]),
    "holder": ("static class H { static final int V = @; } static int get() { return H.V; }", ["get()"]),
    "local": ("static final ThreadLocal<Integer> L = ThreadLocal.withInitial(() -> @); static int get() { return L.get(); } static int up() { L.set(L.get() + 1); return 0; }",
              ["up()", "get()"]),
    "constant": ("enum E { A, B; Integer v; } static int set() { E.A.v = @; return 0; } static int now() { return E.A.v == null ? 0 : E.A.v; }", ["set()", "now()"]),
    "array": ("static final int[] A = new int[3]; static int set() { A[1] = @; return 0; } static int now() { return A[1]; }", ["set()", "now()"]),
    "property": ("static int set() { System.setProperty(\"$.p\", \"\" + (@)); return 0; } static int now() { return Integer.getInteger(\"$.p\", 0); }",
                 ["set()", "now()"]),
    "object": ("static final $ B = new $(); int x; static int set() { B.x = @; return 0; } static int now() { return B.x; }", ["set()", "now()"]),
    "strategy": ("interface S { int v(); } static S s = () -> 0; static class One implements S { public int v() { return @; } } "
                 "static int use() { s = new One(); return 0; } static int now() { return s.v(); }", ["use()", "now()"]),
    "value": ("static final ClassValue<Integer> V = new ClassValue<>() { protected Integer computeValue(Class<?> c) { return @; } }; "
              "static int get() { return V.get(String.class); }", ["get()"]),
    "watcher": ("static int seen; interface W { void on(int x); } static final List<W> L = new ArrayList<>(); static int watch() { L.add(x -> seen += x); return 0; } "
                "static int fire() { for (W w : L) w.on(@); return seen; } static int now() { return seen; }", ["watch()", "fire()", "now()"]),
}


class Program:
    """What calls what has a higher index: nothing recurses."""

    def __init__(self, name, rng, far):
        self.name, self.rng, self.far = name, rng, far
        self.nodes = [rng.choice(list(KINDS)) for _ in range(rng.randint(3, 7))] + ["function"]
        self.code = [self.expression(i) for i in range(len(self.nodes))]
        self.tests = {f"t{i}": self.test() for i in range(1, rng.randint(4, 8))}

    def call(self, low):
        i = self.rng.randrange(low, len(self.nodes))
        return f"K{i}.{self.rng.choice(KINDS[self.nodes[i]][1])}"

    def expression(self, i):
        calls = [self.call(i + 1) for _ in range(self.rng.randint(0, 2))] if i + 1 < len(self.nodes) else []
        if calls and self.rng.random() < self.far:
            calls[-1] = f"({self.call(i + 1)} % {self.rng.randint(2, 4)} == 0 ? {calls[-1]} : 0)"
        return [self.rng.randint(1, 9)] + calls

    def test(self):
        return [self.rng.randint(1, 9)] + [self.call(0) for _ in range(self.rng.randint(1, 3))]

    def edit(self):
        what = self.rng.random()
        if what < 0.55:
            self.rng.choice(self.code)[0] += self.rng.randint(1, 5)
        elif what < 0.8:
            i = self.rng.randrange(len(self.nodes))
            self.code[i] = self.expression(i)
        elif what < 0.88:
            self.tests[self.rng.choice(list(self.tests))] = self.test()
        elif what < 0.94:
            self.tests[f"t{self.rng.randint(1, 30)}"] = self.test()
        elif len(self.tests) > 2:
            del self.tests[self.rng.choice(list(self.tests))]

    def write(self, folder):
        folder = folder / self.name
        folder.mkdir(parents=True, exist_ok=True)
        head = f"package {self.name}; import java.util.*; import java.util.function.*;\n"
        for i, kind in enumerate(self.nodes):
            text = KINDS[kind][0].replace("@", " + ".join(map(str, self.code[i]))).replace("\"$", f"\"{self.name}.K{i}").replace("$", f"K{i}")
            (folder / f"K{i}.java").write_text(f"{head}class K{i} {{ {text} }}\n")
        # Half of the tests are in another class.
        for half in (0, 1):
            mine = [(n, t) for n, t in sorted(self.tests.items()) if int(n[1:]) % 2 == half]
            body = "\n".join(f"@Test void {n}() {{ System.out.println(\"OUT {self.name}.T{half}#{n} \" + ({' + 10 * '.join(map(str, t))})); }}" for n, t in mine)
            (folder / f"T{half}.java").write_text(f"{head}import org.junit.jupiter.api.Test; class T{half} {{ {body} }}\n")

    def show(self):
        out = [f"  K{i} {kind}: {' + '.join(map(str, c))}" for i, (kind, c) in enumerate(zip(self.nodes, self.code))]
        return "\n".join(out + [f"  T{int(n[1:]) % 2}.{n}: {' + 10 * '.join(map(str, t))}" for n, t in sorted(self.tests.items())])


class World:
    def __init__(self, options, seed):
        self.work = options.work / f"seed{seed}"
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.rejig, self.jar = os.environ["REJIG"], os.environ["ARTIFACTS"] + "/" + JUNIT
        self.rng = random.Random(seed)
        self.programs = [Program(f"p{i}", self.rng, options.far) for i in range(options.programs)]

    def build(self):
        for folder in ("src", "classes"):
            shutil.rmtree(self.work / folder, ignore_errors=True)
        for p in self.programs:
            p.write(self.work / "src")
        files = [str(f) for f in (self.work / "src").rglob("*.java")]
        (self.work / "files").write_text("\n".join(files))
        subprocess.run(["javac", "-J-XX:TieredStopAtLevel=1", "-nowarn", "-proc:none", "-d", "classes", "-cp", self.jar, "@files"],
                       cwd=self.work, check=True)

    def run(self, rejig):
        command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", f"classes:{self.jar}", "org.junit.platform.console.ConsoleLauncher", "execute",
                   "--details=none", "--disable-banner", "--scan-classpath", "classes", "--include-classname=.*[.]T[01]"] + ORDER
        env = {k: v for k, v in os.environ.items() if not k.startswith("REJIG_") and k != "JAVA_TOOL_OPTIONS"}
        if rejig:
            env.update({k: os.environ[k] for k in ("REJIG_AGENT", "REJIG_JUNIT_JAR") if k in os.environ})
            command = [self.rejig, "run", "-q", "--"] + command
        done = subprocess.run(command, cwd=self.work, env=env, capture_output=True, text=True, timeout=600)
        out = dict(re.findall(r"^OUT (\S+) (-?\d+)$", done.stdout, re.M))
        if not out and not rejig:
            sys.exit(f"{self.work}: no test ran: {done.stdout[-500:]}{done.stderr[-500:]}")
        return out

    def play(self, revisions):
        wrong, ran_in_all, in_all, flips = [], 0, 0, 0
        self.build()
        before = self.run(rejig=False)
        recorded = self.run(rejig=True)
        if recorded != before:
            sys.exit(f"{self.work}: another answer with rejig")
        for revision in range(1, revisions + 1):
            earlier = {p.name: p.show() for p in self.programs}
            for p in self.programs:
                p.edit()
            self.build()
            truth, ran = self.run(rejig=False), self.run(rejig=True)
            in_all, ran_in_all = in_all + len(truth), ran_in_all + len(ran)
            flips += sum(1 for t in truth if before.get(t) != truth[t])
            bad = [f"{t} printed {before.get(t)}, prints {v}, and was skipped" for t, v in sorted(truth.items()) if t not in ran and before.get(t) != v]
            bad += [f"{t} prints {truth.get(t)}, and {v} with rejig" for t, v in sorted(ran.items()) if truth.get(t) != v]
            for line in bad:
                p = next(p for p in self.programs if line.startswith(p.name + "."))
                wrong.append(f"{self.work.name}, revision {revision}: {line}\n before:\n{earlier[p.name]}\n now:\n{p.show()}")
            before = truth
        return wrong, ran_in_all, in_all, flips


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=Path)
    parser.add_argument("--programs", type=int, default=30)
    parser.add_argument("--revisions", type=int, default=10)
    parser.add_argument("--worlds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--far", type=float, default=0.0)
    options = parser.parse_args()
    options.work = options.work.resolve()
    wrong, ran, total, flips = [], 0, 0, 0
    for seed in range(options.seed, options.seed + options.worlds):
        w, r, t, f = World(options, seed).play(options.revisions)
        wrong, ran, total, flips = wrong + w, ran + r, total + t, flips + f
        for line in w:
            print("WRONG " + line, flush=True)
    print(f"{options.worlds * options.programs} sequences of {options.revisions} revisions: {flips} of {total} answers changed, "
          f"{100 * ran / total:.1f} % of the tests ran, {len(wrong)} wrong")
    sys.exit(1 if wrong or flips == 0 else 0)


if __name__ == "__main__":
    main()
