#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_wheel.py PROGRAM VERSION MACHINE LICENSE OUT: the program as a wheel. It links nothing, so every Linux of that machine will do."""
import base64
import hashlib
import os
import pathlib
import sys
import time
import zipfile

program, version, machine, licence, out = sys.argv[1:]
tags = [f"py3-none-{system}_{machine}" for system in ("manylinux2014", "musllinux_1_1")]
name = f"rejig-{version}-py3-none-manylinux2014_{machine}.musllinux_1_1_{machine}.whl"
info = f"rejig-{version}.dist-info"
files = {
    f"rejig-{version}.data/scripts/rejig": (pathlib.Path(program).read_bytes(), 0o755),
    f"{info}/METADATA": (f"""Metadata-Version: 2.1
Name: rejig
Version: {version}
Summary: Regression test selection for the JVM
License: Apache-2.0
Requires-Python: >=3.7

Tells which tests of a JVM program a change can affect, and runs only these.
""".encode(), 0o644),
    f"{info}/WHEEL": (("Wheel-Version: 1.0\nGenerator: rejig\nRoot-Is-Purelib: false\n" + "".join(f"Tag: {tag}\n" for tag in tags)).encode(), 0o644),
    f"{info}/licenses/LICENSE": (pathlib.Path(licence).read_bytes(), 0o644),
}
record = ""
for path, (content, _) in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record += f"{path},sha256={digest},{len(content)}\n"
files[f"{info}/RECORD"] = ((record + f"{info}/RECORD,,\n").encode(), 0o644)
# A zip knows no time before 1980.
when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]
with zipfile.ZipFile(os.path.join(out, name), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
    for path, (content, mode) in files.items():
        entry = zipfile.ZipInfo(path, when)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        wheel.writestr(entry, content, compresslevel=9)
