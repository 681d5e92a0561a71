#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""STARTS-5, "the in-memory dependency graph grows out of available memory": memory.py REJIG

A chain of 20,000 classes has 200 million pairs in its transitive closure. Its last method changes: the test that calls the first one must be selected, the other
not, in every view, and no process may need more than LIMIT.
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

CLASSES = 20000
LIMIT_MB = 256


class Pool:
    def __init__(self):
        self.items, self.index = [], {}

    def add(self, *item):
        if item not in self.index:
            self.items.append(item)
            self.index[item] = len(self.items)
        return self.index[item]

    def utf8(self, text):
        return self.add(1, text)

    def cls(self, name):
        return self.add(7, self.utf8(name))

    def method(self, owner, name, descriptor):
        return self.add(10, self.cls(owner), self.add(12, self.utf8(name), self.utf8(descriptor)))

    def bytes(self):
        out = struct.pack(">H", len(self.items) + 1)
        for tag, *rest in self.items:
            if tag == 1:
                out += struct.pack(">BH", 1, len(rest[0])) + rest[0].encode()
            else:
                out += struct.pack(">B" + "H" * len(rest), tag, *rest)
        return out


def method(pool, access, name, descriptor, code, locals_=0, test=False):
    body = struct.pack(">HHI", 1, locals_, len(code)) + code + struct.pack(">HH", 0, 0)
    attributes = [struct.pack(">HI", pool.utf8("Code"), len(body)) + body]
    if test:
        mark = struct.pack(">HHH", 1, pool.utf8("Lorg/junit/Test;"), 0)
        attributes.append(struct.pack(">HI", pool.utf8("RuntimeVisibleAnnotations"), len(mark)) + mark)
    return struct.pack(">HHHH", access, pool.utf8(name), pool.utf8(descriptor), len(attributes)) + b"".join(attributes)


def class_file(name, make):
    pool = Pool()
    this, above = pool.cls(name), pool.cls("java/lang/Object")
    methods = make(pool)
    return (b"\xca\xfe\xba\xbe" + struct.pack(">HH", 0, 50) + pool.bytes() + struct.pack(">HHHHHH", 0x21, this, above, 0, 0, len(methods)) + b"".join(methods)
            + struct.pack(">H", 0))


def link(i, last):
    def make(pool):
        if i + 1 < CLASSES:
            code = b"\xb8" + struct.pack(">H", pool.method(f"c/C{i + 1}", "f", "()I")) + b"\xac"
        else:
            code = bytes([0x03 + last, 0xAC])  # iconst_LAST, ireturn
        return [method(pool, 9, "f", "()I", code)]
    return class_file(f"c/C{i}", make)


def test(name, first):
    def make(pool):
        new = b"\x2a\xb7" + struct.pack(">H", pool.method("java/lang/Object", "<init>", "()V")) + b"\xb1"
        call = b"\xb8" + struct.pack(">H", pool.method(first, "f", "()I")) + b"\x57\xb1"
        return [method(pool, 1, "<init>", "()V", new, 1), method(pool, 1, "t", "()V", call, 1, True)]
    return class_file(f"t/{name}", make)


def other():
    return class_file("c/Other", lambda pool: [method(pool, 9, "f", "()I", b"\x03\xac")])


def jar(path, last):
    with zipfile.ZipFile(path, "w") as out:
        for i in range(CLASSES):
            out.writestr(f"c/C{i}.class", link(i, last))
        out.writestr("c/Other.class", other())
        out.writestr("t/FarTest.class", test("FarTest", "c/C0"))
        out.writestr("t/NearTest.class", test("NearTest", "c/Other"))


def row(name, atoms):
    words = ",".join(f'"{atom}"' for atom in atoms)
    return f'{{"v":1,"suite":"default","test":"t.{name}#t()","grade":"complete","result":"pass","ms":1,"atoms":[{words}]}}\n'


def run(*command):
    """Its output; the most memory that it or a child of it had."""
    done = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    text = done.stdout.read()
    _, status, used = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    assert done.returncode == 0, f"{command}: exit code {done.returncode}"
    most = used.ru_maxrss // 1024
    assert most < LIMIT_MB, f"{command}: {most} MB"
    return text, most


def main():
    rejig = os.path.abspath(sys.argv[1])
    # Without the platform nobody knows what java.lang.Object calls.
    jdk = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("javac"))))
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        jar("old.jar", 1)
        jar("new.jar", 2)
        with open("rows", "w", encoding="utf-8") as out:
            chain = [f"{kind}:c.C{i}{name}" for i in range(CLASSES) for kind, name in (("load", ""), ("init", ""), ("m", ".f()I"))]
            out.write(row("FarTest", ["load:t.FarTest", "m:t.FarTest.<init>()V", "m:t.FarTest.t()V"] + chain))
            out.write(row("NearTest", ["load:t.NearTest", "m:t.NearTest.<init>()V", "m:t.NearTest.t()V", "load:c.Other", "init:c.Other", "m:c.Other.f()I"]))
        run(rejig, "-q", "coverage", "import", "rows", "--store", "m.db")
        for view in ("method", "edge", "class", "hybrid", "static"):
            text, most = run(rejig, "-q", "select", "old.jar", "new.jar", "--jdk", jdk, "--coverage", "m.db", "--view", view, "--format", "ids")
            ids = [line for line in text.splitlines() if not line.startswith("#")]
            assert ids == ["t.FarTest#t()"] and not text.startswith("# all"), f"{view}: {text[:300]}"
            print(f"view {view}: t.FarTest#t() of 2, {most} MB")


main()
