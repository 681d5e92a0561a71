#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One line of the table: judge.py NAME OLD NEW OLD_REPORTS NEW_REPORTS AGAIN SELECT_JSON AUDIT_JSON.

Outcomes are read from the runner's reports here, not by rejig: a test is a class and a method name, its outcome the results of all
its invocations. A flip is another outcome on NEW, the same in both runs of NEW. Exit 1: a flip that no dangerous edge selects.
"""
import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


def outcomes(folder):
    found = collections.defaultdict(list)
    for report in sorted(pathlib.Path(folder).glob("TEST-*.xml")):
        for case in ElementTree.parse(report).iter("testcase"):
            method = re.match(r"[\w$]+", case.get("name"))
            kinds = {child.tag for child in case} & {"failure", "error", "skipped"}
            found[case.get("classname"), method.group() if method else "*"].append(min(kinds) if kinds else "pass")
    return {test: sorted(results) for test, results in found.items()}


def main():
    name, old, new = sys.argv[1:4]
    before, after, again = (outcomes(folder) for folder in sys.argv[4:7])
    selection = json.loads(pathlib.Path(sys.argv[7]).read_text())
    audit = json.loads(pathlib.Path(sys.argv[8]).read_text())
    selected, by_edge = set(), set()
    for test in selection["selected"]:
        owner, method = test["test"].split("#", 1)
        key = owner, re.match(r"[\w$]*", method).group() or "*"
        selected.add(key)
        if any(why["edge"] for why in test["why"]):
            by_edge.add(key)
    known = [test for test in before if test in after]
    flips = [test for test in known if before[test] != after[test] == again[test]]

    def has(tests, test):
        return test in tests or (test[0], "*") in tests

    missed = [test for test in flips if not has(by_edge, test)]
    unselected = [test for test in flips if not has(selected, test)]
    print(f"{name:21} {old:7} {new:7} {len(known):6} {len(flips):6} {len(missed):6} {len(selected):9} {len(by_edge):7} {len(selection['edges']):7}", flush=True)
    for test in missed:
        print(f"  missed{'' if test in unselected else ' by edges'}: {'#'.join(test)}: {before[test]} -> {after[test]}")
    for selector in audit["selectors"]:
        for miss in selector["hard_misses"]:
            print(f"  audit: {miss}")
    if not known or not before:
        print("  no tests")
    return 1 if missed or not known or any(s["hard_misses"] for s in audit["selectors"]) else 0


sys.exit(main())
