#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What holds up when an input finds a hole all the same: position-independent, no stack that is run, all relocations
read-only before main, stack protector, checked calls of the C library, landing pads. Read from the files by readelf and objdump.
usage: hardening.py [--static] FILE…; without --static first a program that has none of it must be found out"""
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

CANARY = rb"\x64[\x48\x4c][\x8b\x2b\x33].\x25\x28\x00\x00\x00"  # mov, sub or xor of %fs:0x28
X86 = platform.machine() == "x86_64"


def said(*words):
    return subprocess.run(words, check=True, text=True, capture_output=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout


def faults(name, static=False):
    """Names of what is missing. The recorder has no checked calls (musl has none of these functions) but says, for each byte
    of itself, that it can run with landing pads and a shadow stack: one library that does not takes both from the whole JVM."""
    path = pathlib.Path(name)
    headers, dynamic = said("readelf", "-hlW", path), said("readelf", "-dW", path)
    notes = said("readelf", "-nW", path)
    symbols = said("readelf", "-sW", path)
    agent = "librejig-agent" in str(path)
    program = re.search(r"Type:\s+(\w+)", headers)[1] == "DYN"
    found = {
        "not position-independent": not program or "TEXTREL" in dynamic,
        "its stack can be run": not re.search(r"GNU_STACK .* RW +0x", headers),
        "pages that are written and run": bool(re.search(r"^ +LOAD .* RWE ", headers, re.M)),
        "relocations stay writable": "GNU_RELRO" not in headers,
        "bound lazily": not re.search(r"BIND_NOW|Flags:.*\bNOW\b", dynamic),
        "looks for libraries where it was built": bool(re.search(r"\((RPATH|RUNPATH)\)", dynamic)),
        # The library of C++ brings some dozens of both with it.
        "no stack protector": "__stack_chk_fail" not in symbols or (X86 and len(re.findall(CANARY, path.read_bytes(), re.S)) < (50 if agent else 1000)),
        "no checked calls": not agent and not re.search(r"__(memcpy|strcpy|snprintf)_chk\b", symbols),
    }
    if agent:
        found["needs what musl has not"] = bool(re.search(r"__(mem|str|v?s?n?printf|read|poll)\w*_chk\b", symbols))
    if X86 and agent:
        found["no mark of landing pads and shadow stack"] = not re.search(r"x86 feature: IBT, SHSTK", notes)
    elif X86:
        entry = re.search(r"^ *\d+: ([0-9a-f]+) +\d+ FUNC +\w+ +\w+ +\d+ (main|rejig_\w+)$", symbols, re.M)
        code = said("objdump", "-d", "--no-show-raw-insn", f"--start-address=0x{entry[1]}", f"--stop-address={int(entry[1], 16) + 8}", path) if entry else ""
        found["no landing pads"] = "endbr64" not in code
    if static:
        found["linked with libraries"] = "(NEEDED)" in dynamic or "INTERP" in headers
    return {name for name, bad in found.items() if bad}


def main():
    static = "--static" in sys.argv
    files = [word for word in sys.argv[1:] if word != "--static"]
    wrong = []
    if not static:
        with tempfile.TemporaryDirectory() as work:
            source, bad = pathlib.Path(work, "bad.cc"), pathlib.Path(work, "bad")
            source.write_text('#include <cstring>\nint main(int n, char** a) { char b[9]; std::strcpy(b, a[n - 1]); return b[0]; }\n')
            subprocess.run(["c++", "-O2", "-no-pie", "-fno-stack-protector", "-U_FORTIFY_SOURCE", "-fcf-protection=none" if X86 else "-O2",
                            "-Wl,-z,execstack,-z,lazy,-z,norelro,-rpath,/nowhere", "-o", bad, source], check=True)
            seen = faults(bad)
            expected = {"not position-independent", "its stack can be run", "relocations stay writable", "bound lazily",
                        "looks for libraries where it was built", "no stack protector", "no checked calls"} | ({"no landing pads"} if X86 else set())
            if seen != expected:
                wrong.append(f"a program without any of it: seen {sorted(seen)}, not {sorted(expected - seen)}")
    for path in files:
        seen = faults(path, static)
        print(path, "FAILED: " + ", ".join(sorted(seen)) if seen else "ok")
        wrong += seen
    sys.exit("\n".join(wrong) if wrong or not files else 0)


main()
