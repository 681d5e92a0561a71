#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""class_text.py JAR FOLDER: one class of JAR, from its middle on, into FOLDER, with a blank of a text that its code loads made '_'."""
import pathlib
import sys
import zipfile

SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def u2(data, at):
    return int.from_bytes(data[at:at + 2], "big")


def pool_of(data):
    """Where each entry of the constant pool is, and where the pool ends."""
    entries, at, i = {}, 10, 1
    while i < u2(data, 8):
        tag = data[at]
        entries[i] = at
        i += 2 if tag in (5, 6) else 1
        at += 3 + u2(data, at + 1) if tag == 1 else 1 + SIZES[tag]
    return entries, at


def is_public(data):
    return u2(data, pool_of(data)[1]) & 1 == 1


def place_in_body(data):
    """Of a blank in a text that code loads; texts of constant fields are others' business."""
    entries, at = pool_of(data)
    texts = {i: u2(data, p + 1) for i, p in entries.items() if data[p] == 8}
    at += 8 + 2 * u2(data, at + 6)
    fields, at = u2(data, at), at + 2
    used = set()
    for _ in range(fields):
        attributes = u2(data, at + 6)
        at += 8
        for _ in range(attributes):
            used.add(u2(data, at + 6))
            at += 6 + int.from_bytes(data[at + 2:at + 6], "big")
    constants = {texts[i] for i in used if i in texts}
    for i in texts.values():
        place = entries[i]
        text = data[place + 3:place + 3 + u2(data, place + 1)]
        if i not in constants and b" " in text:
            return place + 3 + text.index(b" ")
    return 0


def main():
    jar, folder = sys.argv[1:]
    with zipfile.ZipFile(jar) as archive:
        names = sorted(n for n in archive.namelist() if n.endswith(".class") and not n.startswith("META-INF/"))
        for name in names[len(names) // 2:]:
            data = archive.read(name)
            place = place_in_body(data)
            if place:
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data[:place] + b"_" + data[place + 1:])
                print(name)
                return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
