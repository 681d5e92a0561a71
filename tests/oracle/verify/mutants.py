#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Classes with random bytes of their methods changed: does a JVM verify what
traversal/verify calls sound, and nothing else?

usage: mutants.py VERIFY_CLASSES LINK_JAVA WORK ROUNDS SEED JDK_HOME... -- JAR...

Each round changes one class in each few of a jar and asks every JVM and
verify_classes about them in the same world. A class that a JVM refuses to verify
and that is called ok is a failure. A class that the JVM takes and that is refused
is counted, and is a failure when there are many: such a class would be an edge
too many, of a class that did change.
"""
import os, random, struct, subprocess, sys, zipfile

def members(data):
    """Places of (access flags, code, frames) of each method."""
    def u2(at): return struct.unpack_from(">H", data, at)[0]
    def u4(at): return struct.unpack_from(">I", data, at)[0]
    at, n, names = 10, u2(8), {}
    i = 1
    while i < n:
        tag = data[at]
        if tag == 1:
            names[i] = data[at + 3:at + 3 + u2(at + 1)]
            at += 3 + u2(at + 1)
        else:
            at += {3: 5, 4: 5, 5: 9, 6: 9, 7: 3, 8: 3, 9: 5, 10: 5, 11: 5, 12: 5, 15: 4, 16: 3, 17: 5, 18: 5, 19: 3, 20: 3}[tag]
            if tag in (5, 6):
                i += 1
        i += 1
    at += 6
    at += 2 + 2 * u2(at)
    out = []
    for is_method in (False, True):
        count, at = u2(at), at + 2
        for _ in range(count):
            flags, code, frames = at, None, None
            attributes, at = u2(at + 6), at + 8
            for _ in range(attributes):
                if names.get(u2(at)) == b"Code":
                    length = u4(at + 10)
                    code = (at + 14, length)
                    k = at + 14 + length
                    k += 2 + 8 * u2(k)
                    inner, k = u2(k), k + 2
                    for _ in range(inner):
                        if names.get(u2(k)) == b"StackMapTable":
                            frames = (k + 6, u4(k + 2))
                        k += 6 + u4(k + 2)
                at += 6 + u4(at + 2)
            if is_method and code:
                out.append((flags, code, frames))
    return out

def mutate(data, dice):
    found = members(data)
    if not found:
        return None
    data = bytearray(data)
    for _ in range(1 if dice.random() < .8 else 2):
        flags, code, frames = dice.choice(found)
        kind = dice.random()
        if kind < .12:
            data[flags + 1] ^= 8  # static or not
        elif kind < .3 and frames and frames[1]:
            data[frames[0] + dice.randrange(frames[1])] = dice.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, dice.randrange(256)))
        else:
            at = code[0] + dice.randrange(code[1])
            how = dice.random()
            if how < .4:
                data[at] = (data[at] + dice.choice((-1, 1, 4, -4))) & 255
            elif how < .8:
                data[at] = dice.randrange(202)
            else:
                data[at] = dice.choice((0, 0xb1, 0xb0, 0xac, 0x57, 0x59, 0x2a, 0x4b, 0x5f, 0xc0))
    return bytes(data)

def main():
    verify, link, work, rounds, seed = sys.argv[1:6]
    split = sys.argv.index("--")
    homes, jars = sys.argv[6:split], sys.argv[split + 1:]
    os.makedirs(work, exist_ok=True)
    subprocess.check_call([os.path.join(homes[0], "bin/javac"), "--release", "17", "-d", work, link])
    dice = random.Random(int(seed))
    asked = refused = over = doubts = 0
    bad = []
    for round in range(int(rounds)):
        jar = jars[round % len(jars)]
        root = os.path.join(work, "round")
        subprocess.check_call(["rm", "-rf", root])
        names = []
        with zipfile.ZipFile(jar) as z:
            for name in z.namelist():
                if not name.endswith(".class") or "META-INF" in name or "module-info" in name or dice.random() > .25:
                    continue
                data = z.read(name)
                if len(data) < 100 or struct.unpack_from(">H", data, 6)[0] < 51 or struct.unpack_from(">H", data, 6)[0] > 61:
                    continue
                data = mutate(data, dice)
                if data is None:
                    continue
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as f:
                    f.write(data)
                names.append(name[:-6])
        if not names:
            continue
        with open(os.path.join(work, "names"), "w") as f:
            f.write("\n".join(names) + "\n")
        for home in homes:
            ours = dict()
            for line in subprocess.run([verify, home, root + ":" + jar], stdout=subprocess.PIPE, text=True).stdout.splitlines():
                word, _, rest = line.partition(" ")
                ours[rest.partition(":")[0]] = line
            said = subprocess.run([os.path.join(home, "bin/java"), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", work, "Link", root + ":" + jar,
                                   os.path.join(work, "names")], stdout=subprocess.PIPE, text=True, check=True).stdout
            for line in said.splitlines():
                word, _, rest = line.partition(" ")
                name = rest.partition(":")[0]
                mine = ours.get(name, "none")
                asked += 1
                if word == "verify":
                    refused += 1
                    if mine.startswith(("ok", "none")):
                        bad.append(f"{os.path.basename(jar)} round {round}, {home}: {line} -- {mine}")
                        keep = os.path.join(work, "bad", str(len(bad)))
                        os.makedirs(keep, exist_ok=True)
                        subprocess.call(["cp", os.path.join(root, name + ".class"), keep])
                elif word == "ok":
                    doubts += mine.startswith("unknown")
                    if mine.startswith("refused"):
                        over += 1
                        if over <= 5:
                            print("refused and taken:", mine)
    print(f"{asked} answers, {refused} refused by a JVM, {len(bad)} of them called sound; "
          f"{over} taken and refused here, {doubts} taken and in doubt")
    for line in bad[:20]:
        print(line)
    sys.exit(1 if bad or refused < asked / 20 or over > asked / 200 else 0)

main()
