# SPDX-License-Identifier: Apache-2.0
"""The same entries in reverse order, packed otherwise: rezip.py IN OUT"""
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as source, zipfile.ZipFile(sys.argv[2], "w") as target:
    entries = [entry for entry in source.infolist() if not entry.is_dir()]
    for number, entry in enumerate(reversed(entries)):
        how = zipfile.ZIP_STORED if number % 2 else zipfile.ZIP_DEFLATED
        name = zipfile.ZipInfo(entry.filename, (2001, 2, 3, 4, 5, 6))
        target.writestr(name, source.read(entry), how, 1 if how else None)
