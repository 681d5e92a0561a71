#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: json_holds.py PATTERN < JSON or NDJSON: exit 0 if some value in it matches.

A pattern that is an object matches one that has its members, whatever else it has and in whatever order; a list matches one
of the same length; anything else is equal to itself.
"""
import json
import sys


def matches(pattern, value):
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(key in value and matches(one, value[key]) for key, one in pattern.items())
    if isinstance(pattern, list):
        return isinstance(value, list) and len(value) == len(pattern) and all(map(matches, pattern, value))
    return type(pattern) is type(value) and pattern == value


def somewhere(pattern, value):
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return matches(pattern, value) or any(somewhere(pattern, one) for one in inside)


def values_of(text):
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


sys.exit(0 if any(somewhere(json.loads(sys.argv[1]), value) for value in values_of(sys.stdin.read())) else 1)
