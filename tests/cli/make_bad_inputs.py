#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_bad_inputs.py DIR: archives and classes that nobody should have to meet."""
import os
import struct
import sys
import zlib
import zipfile

out = sys.argv[1]
os.makedirs(out, exist_ok=True)


def path(name):
    return os.path.join(out, name)


def write(name, data):
    with open(path(name), "wb") as f:
        f.write(data)


# A class file of the parts that matter here.
class Pool:
    def __init__(self):
        self.entries = []

    def add(self, data):
        self.entries.append(data)
        return len(self.entries)

    def utf8(self, text):
        raw = text.encode()
        return self.add(struct.pack(">BH", 1, len(raw)) + raw)

    def cls(self, name):
        return self.add(struct.pack(">BH", 7, self.utf8(name)))

    def bytes(self):
        return struct.pack(">H", len(self.entries) + 1) + b"".join(self.entries)


def class_file(pool, this, parent, attributes, major=61):
    count = len(attributes)
    return (struct.pack(">IHH", 0xCAFEBABE, 0, major) + pool.bytes() +
            struct.pack(">HHHHHH", 0x21, this, parent, 0, 0, 0) +
            struct.pack(">H", count) + b"".join(attributes))


def plain(name):
    pool = Pool()
    return class_file(pool, pool.cls(name), pool.cls("java/lang/Object"), [])


def nested_annotations(depth):
    pool = Pool()
    this, parent = pool.cls("a/Nested"), pool.cls("java/lang/Object")
    kind = pool.utf8("La/N;")
    value = pool.utf8("v")
    name = pool.utf8("RuntimeVisibleAnnotations")
    step = struct.pack(">HHHc", kind, 1, value, b"@")
    body = struct.pack(">H", 1) + step * depth + struct.pack(">HH", kind, 0)
    attribute = struct.pack(">HI", name, len(body)) + body
    return class_file(pool, this, parent, [attribute])


def cyclic_condy():
    pool = Pool()
    this, parent = pool.cls("a/Cyclic"), pool.cls("java/lang/Object")
    owner = pool.cls("a/Boot")
    of_boot = pool.add(struct.pack(">BHH", 12, pool.utf8("boot"), pool.utf8(
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
        "Ljava/lang/Class;Ljava/lang/Object;)Ljava/lang/Object;")))
    method = pool.add(struct.pack(">BHH", 10, owner, of_boot))
    handle = pool.add(struct.pack(">BBH", 15, 6, method))
    type_ = pool.add(struct.pack(">BHH", 12, pool.utf8("c"),
                                 pool.utf8("Ljava/lang/Object;")))
    constant = pool.add(struct.pack(">BHH", 17, 0, type_))
    name = pool.utf8("BootstrapMethods")
    body = struct.pack(">HHHH", 1, handle, 1, constant)
    return class_file(pool, this, parent,
                      [struct.pack(">HI", name, len(body)) + body])


def jar(name, entries):
    with zipfile.ZipFile(path(name), "w", zipfile.ZIP_DEFLATED) as z:
        for entry, data in entries:
            info = zipfile.ZipInfo(entry, (2020, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(info, data)


def local(name, method, flags, crc, stored, size, zip64=False):
    raw = name.encode()
    extra = struct.pack("<HHQQ", 1, 16, size, stored) if zip64 else b""
    big = 0xFFFFFFFF
    return struct.pack("<IHHHHHIIIHH", 0x04034B50, 45 if zip64 else 20, flags,
                       method, 0, 33, crc, big if zip64 else stored,
                       big if zip64 else size, len(raw), len(extra)) + raw + extra


def central(name, method, flags, crc, stored, size, at, zip64=False):
    raw = name.encode()
    extra = struct.pack("<HHQQQ", 1, 24, size, stored, at) if zip64 else b""
    big = 0xFFFFFFFF
    return struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45 if zip64 else 20,
                       flags, method, 0, 33, crc, big if zip64 else stored,
                       big if zip64 else size, len(raw), len(extra), 0, 0, 0, 0,
                       big if zip64 else at) + raw + extra


def end(count, size, at):
    return struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, size, at, 0)


good = plain("a/Good")
jar("good.jar", [("a/Good.class", good)])
write("truncated.jar", open(path("good.jar"), "rb").read()[:-30])
write("empty.jar", b"")
write("text.jar", b"This is no archive, it is a sentence.\n")
os.makedirs(path("no-classes"), exist_ok=True)
write("no-classes/readme.txt", b"nothing here\n")
jar("half.jar", [("a/Half.class", good[:40]), ("a/Good.class", good)])
jar("nested.jar", [("a/Nested.class", nested_annotations(65535))])
jar("cyclic.jar", [("a/Cyclic.class", cyclic_condy())])
jar("dotdot.jar", [("../../x.class", plain("x")), ("a/Good.class", good)])

# Two entries of one name.
entries = [("a/Good.class", good), ("a/Good.class", plain("a/Other"))]
body, rows = b"", b""
for name, data in entries:
    crc = zlib.crc32(data)
    rows += central(name, 0, 0, crc, len(data), len(data), len(body))
    body += local(name, 0, 0, crc, len(data), len(data)) + data
write("twice.jar", body + rows + end(2, len(rows), len(body)))

# Encrypted by the old method: flag bit 0 and 12 bytes before the data.
data = bytes(12) + good
crc = zlib.crc32(good)
head = local("a/Good.class", 0, 1, crc, len(data), len(good)) + data
rows = central("a/Good.class", 0, 1, crc, len(data), len(good), 0)
write("encrypted.jar", head + rows + end(1, len(rows), len(head)))

# Ten gigabytes of nothing from about ten megabytes: one block, over and over.
deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
zeros = bytes(1 << 20)
block = deflate.compress(zeros) + deflate.flush(zlib.Z_FULL_FLUSH)
times = 10 * 1024
last = b"\x03\x00"
stored = len(block) * times + len(last)
size = len(zeros) * times
with open(path("bomb.jar"), "wb") as f:
    head = local("a/Bomb.class", 8, 0, 0, stored, size, zip64=True)
    f.write(head)
    for _ in range(times):
        f.write(block)
    f.write(last)
    at = f.tell()
    rows = central("a/Bomb.class", 8, 0, 0, stored, size, 0, zip64=True)
    f.write(rows)
    # ZIP64: the record, its locator, the old end.
    f.write(struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, 1, 1,
                        len(rows), at))
    f.write(struct.pack("<IIQI", 0x07064B50, 0, at + len(rows), 1))
    f.write(end(0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF))

# Five gigabytes, most of it a hole, the class behind it.
with open(path("sparse.jar"), "wb") as f:
    crc = zlib.crc32(good)
    hole = 5 << 30
    f.write(local("hole.bin", 0, 0, 0, hole, hole, zip64=True))
    rows = central("hole.bin", 0, 0, 0, hole, hole, 0, zip64=True)
    f.seek(hole, os.SEEK_CUR)
    at = f.tell()
    f.write(local("a/Good.class", 0, 0, crc, len(good), len(good)) + good)
    rows += central("a/Good.class", 0, 0, crc, len(good), len(good), at, zip64=True)
    at = f.tell()
    f.write(rows)
    f.write(struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, 2, 2,
                        len(rows), at))
    f.write(struct.pack("<IIQI", 0x07064B50, 0, at + len(rows), 1))
    f.write(end(0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF))
