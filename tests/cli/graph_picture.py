#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rejig graph OLD NEW METHOD: both graphs side by side, with the dangerous edges of `rejig diff` and no others.
usage: graph_picture.py REJIG"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

REJIG = os.path.abspath(sys.argv[1])
failures = []
environment = {k: v for k, v in os.environ.items() if k != "JAVA_TOOL_OPTIONS"}


def check(name, wanted, got):
    if wanted != got:
        failures.append(name)
        print(f"FAILED {name}: wanted {wanted!r}, got {got!r}"[:3000])


def rejig(*words, code=0):
    done = subprocess.run([REJIG, *words], capture_output=True, text=True, env=environment, timeout=180)
    if code is not None and done.returncode != code:
        check(f"exit code of {words}", code, (done.returncode, done.stderr))
    return done.stdout if code == 0 else done.stderr


def compiled(folder, text):
    source = pathlib.Path(folder + ".src/p/A.java")
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    subprocess.run(["javac", "-g", "-proc:none", "--release", "17", "-d", folder, str(source)], check=True)


HEAD = "package p;\nclass Shape { int area() { return 0; } }\nclass Square extends Shape { int side; SQUARE }\nclass A {\n"
OLD = HEAD.replace("SQUARE", "int area() { return side * side; }") + """  static int sum(Shape[] all) {
    int n = 0;
    for (Shape each : all) {
      if (each == null) continue;
      n += each.area();
    }
    return n;
  }
  static int same(int x) { return x + 1; }
  static String read(String name) {
    try { return name.trim(); } catch (RuntimeException e) { return "none"; }
  }
}
"""
NEW = OLD.replace("if (each == null) continue;", "if (each == null) return -1;").replace('"none"', '"nothing"').replace(
    "int area() { return side * side; }", "")


def text_of(node):
    return "".join(node.itertext())


def main():
    compiled("old", OLD)
    compiled("new", NEW)
    done = subprocess.run([REJIG, "diff", "old", "new", "--format", "json"], capture_output=True, text=True, env=environment, timeout=180)
    edges = json.loads(done.stdout)["edges"]
    ids = {edge["id"]: edge["rule"] for edge in edges}
    of_sum = {edge["id"] for edge in edges if edge["entity"] == "p.A.sum([Lp/Shape;)I"}

    text = rejig("graph", "old", "new", "A.sum(Shape[])")
    red = re.findall(r"dangerous: (E\d+) (D\d+)", text)
    check("red edges are edges of rejig diff, with their rules", True, bool(red) and all(ids[edge] == rule for edge, rule in red))
    check("the changed body is red", True, any(edge in of_sum and rule == "D1" for edge, rule in red))
    gone = next(edge["id"] for edge in edges if edge["entity"] == "p.Square.area()I")
    check("the call that runs something else is red", 2, text.count(f"Square runs Square.area();  dangerous: {gone} D1") + text.count(
        f"Square runs Shape.area();  dangerous: {gone} D1"))
    check("both versions", (1, 1), (text.count("OLD A.sum(Shape[])"), text.count("NEW A.sum(Shape[])")))
    check("every edge of the method is told", True, all(re.search(rf"^{edge} ", text, re.M) for edge in of_sum))
    check("Java names", True, "Shape.area()" in text and "Lp/Shape" not in text)
    same = rejig("graph", "old", "new", "p.A.same(I)I")
    check("an unchanged method has no red edge", [], re.findall("dangerous", same))
    check("and every node is matched", [], re.findall(r"^[!~] ", same, re.M))

    svg = xml.etree.ElementTree.fromstring(rejig("graph", "old", "new", "A.sum(Shape[])", "--format", "svg"))
    space = "{http://www.w3.org/2000/svg}"
    check("an SVG", space + "svg", svg.tag)
    rules = [node for node in svg.iter(space + "text") if node.get("class") == "rule"]
    check("each red edge has its rule", True, bool(rules) and all(re.fullmatch(r"E\d+ D\d+", text_of(node)) for node in rules))
    reds = [node for node in svg.iter(space + "path") if "danger" in node.get("class", "").split()]
    check("as many red lines, and one of the legend", len(rules) + 1, len(reds))
    boxes = [node for node in svg.iter(space + "path") if "box" in node.get("class", "").split()]
    kinds = {node.get("class").split()[1] for node in boxes}
    check("kinds have shapes", True, {"end", "run", "call", "return", "dispatch"} <= kinds)
    outlines = {}
    for node in boxes:
        shape = re.sub(r"-?\d+", "0", node.get("d"))
        outlines.setdefault(node.get("class").split()[1], set()).add(shape)
    check("kinds are told by more than colour", True, outlines["run"].isdisjoint(outlines["call"]) and outlines["run"].isdisjoint(outlines["dispatch"]))
    check("lines of the source", True, any(re.fullmatch(r"L\d+", text_of(node)) for node in svg.iter(space + "text")))
    aligned(svg, space)
    check("the same bytes", rejig("graph", "old", "new", "A.sum(Shape[])", "--format", "svg"), rejig("graph", "old", "new", "A.sum(Shape[])", "--format", "svg"))
    catching = rejig("graph", "old", "new", "read", "--format", "svg")
    check("a short name; handlers", True, 'class="box catch"' in catching and "exception" in catching)
    page = rejig("graph", "old", "new", "sum", "--format", "html")
    check("a page that loads nothing", True, page.startswith("<!DOCTYPE html>") and "<script" not in page and "src=" not in page)
    dot = rejig("graph", "old", "new", "sum", "--format", "dot")
    check("dot: clusters and red edges", (2, True), (dot.count("subgraph cluster_"), "color=red" in dot))
    one = xml.etree.ElementTree.fromstring(rejig("graph", "old", "p.A.sum", "--format", "svg"))
    check("one version in the same style", False, any("danger" in node.get("class", "").split() for node in one.iter(space + "path")))
    compiled("gone", OLD.replace("static int same(int x) { return x + 1; }", ""))
    check("a method that is gone", True, "not in this version" in rejig("graph", "old", "gone", "same", "--format", "svg"))
    check("no such method", True, "no such class or method" in rejig("graph", "old", "new", "nobody", code=2))
    check("no such form", True, "svg" in rejig("graph", "old", "new", "sum", "--format", "graphml", code=2))
    body = "".join(f"    if (x == {i}) n += x * {i};\n" for i in range(60))
    compiled("long1", "package p;\nclass A { static int f(int x) {\n    int n = 0;\n" + body + "    return n;\n} }\n")
    compiled("long2", "package p;\nclass A { static int f(int x) {\n    int n = 0;\n" + body.replace("x * 30", "x * 31") + "    return n;\n} }\n")
    long = xml.etree.ElementTree.fromstring(rejig("graph", "long1", "long2", "f", "--format", "svg"))
    check("more than 100 nodes", True, len([node for node in long.iter(space + "g") if "node" in node.get("class", "").split()]) > 200)
    aligned(long, space)


def aligned(svg, space):
    """What the walk matched stands at the same height on both sides."""
    sides = [[], []]
    width = int(svg.get("width"))
    for group in svg.iter(space + "g"):
        if "node" not in (group.get("class") or "").split() or "other" in group.get("class").split():
            continue
        box = next(node for node in group.iter(space + "path") if "box" in node.get("class").split())
        x, y = re.match(r"M(\d+) (\d+)", box.get("d")).groups()
        sides[int(x) > width / 2].append((int(y), text_of(next(group.iter(space + "title"))).split("\n", 1)[-1]))
    check("matched nodes are aligned", sides[0], sides[1])
    check("there are some", True, len(sides[0]) > 3)


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    main()
    os.chdir("/")
print(f"{len(failures)} failed" if failures else "all passed")
sys.exit(bool(failures))
