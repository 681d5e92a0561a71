#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same_atoms.py ONE OTHER: do two answers of `rejig diff --format ndjson` select the same tests, whatever the rows?

Edges may be grouped in other ways. Each conjunction of atoms that one answer has must be in the other one, or a part of it, which
selects at least as much."""
import json
import sys


def conjunctions(path):
    out = set()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            one = json.loads(line)
            if one.get("type") == "edge":
                out.update(frozenset(atoms) for atoms in one["atoms"])
    return out


def with_implied(atoms):
    """A test that entered a method on a receiver entered the method."""
    return atoms | {"m:" + atom.split("|", 1)[1] for atom in atoms if atom.startswith("recv:")}


def main():
    one, other = (conjunctions(path) for path in sys.argv[1:])
    lacking = [(name, sorted(atoms))
               for name, asked, given in ((sys.argv[2], one, other), (sys.argv[1], other, one))
               for atoms in asked if not any(part <= with_implied(atoms) for part in given)]
    for name, atoms in sorted(lacking)[:20]:
        print(f"{name} lacks {' & '.join(atoms)}")
    print(f"{len(one)} and {len(other)} conjunctions, {len(one & other)} in both, {len(lacking)} lacking")
    return 1 if lacking or not one else 0


sys.exit(main())
