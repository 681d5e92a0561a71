#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real answers against the schemas that are installed, and spoilt ones against them, too.
usage: json_schemas.py REJIG SCHEMAS ANSWER…: folders or files of JSON answers are made here."""
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

REJIG, SCHEMAS = (os.path.abspath(p) for p in sys.argv[1:3])
environment = {k: v for k, v in os.environ.items() if k != "JAVA_TOOL_OPTIONS"}
failures = []


def wrong(value, schema, where="$"):
    """What does not hold, of the words that the schemas use (draft 2020-12)."""
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
    unknown = set(schema) - {"$schema", "title", "type", "properties", "required", "items", "enum", "const", "pattern", "minimum"}
    if unknown:
        return [f"{where}: the schema says {unknown}, which nobody checks"]
    if "const" in schema and value != schema["const"]:
        return [f"{where} is not {schema['const']!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where} is {value!r}"]
    if "type" in schema:
        kind = kinds[schema["type"]]
        if not isinstance(value, kind) or kind is int and isinstance(value, bool):
            return [f"{where} is no {schema['type']}"]
    out = []
    if "minimum" in schema and value < schema["minimum"]:
        out.append(f"{where} is {value}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        out.append(f"{where} is {value!r}")
    for name in schema.get("required", []):
        if name not in value:
            out.append(f"{where} has no {name}")
    for name, part in schema.get("properties", {}).items():
        if name in value:
            out += wrong(value[name], part, f"{where}.{name}")
    if "items" in schema:
        for i, one in enumerate(value):
            out += wrong(one, schema["items"], f"{where}[{i}]")
    return out


def check(name, good, seen=""):
    if not good:
        failures.append(name)
        print(f"FAILED {name}: {seen!r}"[:2000])


def compiled(folder, text, classes=""):
    source = pathlib.Path(folder + ".src/p/T.java")
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    subprocess.run(["javac", "-proc:none", "--release", "17", "-cp", classes or ".", "-d", folder, str(source)], check=True)


def answers():
    """By name, what each command says."""
    code = "package p; public class T { public static int f() { return %s; } %s static int g() { return f(); } }"
    compiled("old", code % ("1", "public void gone() { }"))
    compiled("new", code % ("2", ""))
    pathlib.Path("rows.ndjson").write_text(
        '{"v":1,"suite":"default","test":"p.Test#f()","grade":"complete","result":"pass","ms":1,"atoms":["m:p.T.f()I"]}\n'
        '{"v":1,"suite":"default","test":"p.Test#g()","grade":"complete","result":"pass","ms":1,"atoms":["m:p.T.h()I"]}\n')
    subprocess.run([REJIG, "coverage", "import", "rows.ndjson", "--store", "rows.db"], check=True, env=environment, timeout=120)
    pathlib.Path("ids").write_text("p.Test#f()\n")
    pathlib.Path("TEST-x.xml").write_text('<testsuite name="x"><testcase classname="p.Test" name="g()"/></testsuite>')
    lines = {
        "diff": ["diff", "old", "new"],
        "select": ["select", "old", "new", "--coverage", "rows.db"],
        "select-all": ["select", "old", "new", "--coverage", "none.db"],
        "explain": ["explain", "old", "new", "*", "--not", "p.Test#g()", "--edge", "E1", "--top", "--coverage", "rows.db"],
        "verify": ["verify", "--selection", "ids", "--reports", "TEST-x.xml", "--store", "rows.db"],
        "audit": ["audit", "old", "new", "--coverage", "rows.db", "--results", "TEST-x.xml"],
        "upgrade": ["upgrade", "new", "old", "new"],
    }
    for name, words in lines.items():
        done = subprocess.run([REJIG, *words, "--format", "json"], capture_output=True, text=True, env=environment, timeout=120)
        check(f"{name}: an answer", done.returncode in (0, 1) and done.stdout, done.stderr)
        if done.stdout:
            yield name, json.loads(done.stdout)


def schema_of(answer):
    path = pathlib.Path(SCHEMAS, answer["schema"].replace("/", "-") + ".json")
    return json.loads(path.read_text()) if path.exists() else None


def spoilt(answer):
    """The same without a member, or with another kind of value, at every place near the top."""
    for name in answer:
        other = copy.deepcopy(answer)
        del other[name]
        yield f"without {name}", name, other
        other = copy.deepcopy(answer)
        other[name] = 1.5
        yield f"{name} is a number", name, other


def main():
    used = set()
    for name, answer in answers():
        schema = schema_of(answer)
        check(f"{name}: {answer.get('schema')} is described", schema is not None, answer.get("schema"))
        if schema is None:
            continue
        used.add(answer["schema"])
        found = wrong(answer, schema)
        check(f"{name}: as described", not found, found[:5])
        for how, member, other in spoilt(answer):
            if member in schema["required"] and "without" in how or schema["properties"].get(member) and "is a number" in how:
                check(f"{name} {how}: is seen", bool(wrong(other, schema)))
    print(f"{len(used)} forms: {sorted(used)}")
    check("every form that a run needs no JVM for", used >= {"rejig.diff/1", "rejig.select/1", "rejig.explain/1", "rejig.verify/1", "rejig.audit/1", "rejig.upgrade/1"}, used)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main()
        os.chdir("/")
    print(f"{len(failures)} failed" if failures else "all passed")
    sys.exit(bool(failures))
