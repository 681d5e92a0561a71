#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What people read, and what programs read beside it: the screen of rejig diff, its pager, its other formats, whom a
difference breaks, rules and edges explained, hostile names. usage: people.py REJIG ROOT"""
import html.parser
import json
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import zipfile

REJIG = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
failures = []
environment = {k: v for k, v in os.environ.items()
               if k not in ("NO_COLOR", "FORCE_COLOR", "PAGER", "REJIG_PAGER", "LESS", "JAVA_HOME", "JAVA_TOOL_OPTIONS")}


def check(name, wanted, got):
    if wanted != got:
        failures.append(name)
        print(f"FAILED {name}: wanted {wanted!r}, got {got!r}")


def rejig(*words, **options):
    return subprocess.run([REJIG, *words], capture_output=True, text=True, env=environment, timeout=120, **options)


def compiled(folder, sources, release="17"):
    files = []
    for name, text in sources.items():
        path = pathlib.Path(folder + ".src", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        files.append(str(path))
    subprocess.run(["javac", "-g", "-proc:none", "-nowarn", "--release", release, "-d", folder, *files], check=True)


def edges(*words):
    return json.loads(rejig("diff", *words, "--format", "json").stdout)


OLD = """package p;
import java.util.*;
public class A {
  public String look(String name) { return name.trim(); }
  public void gone(List<String> a, int[] b) { }
  public int count() { return 1; }
  protected void shut() throws java.io.IOException { }
  int inside() { return 1; }
  public enum Color { RED, GREEN }
  public static final int MAX = 10;
  static String text = "a";
}
"""
NEW = """package p;
import java.util.*;
public class A {
  public synchronized String look(String name) {
    if (name == null) throw new IllegalArgumentException("no name");
    try {
      List<String> known = new ArrayList<>();
      known.forEach(one -> System.getProperty(one));
      return java.net.URI.create(name).getScheme();
    } catch (IllegalStateException e) { return "ldap"; }
  }
  public final int count() { return 1; }
  protected void shut() { }
  int inside() { return 2; }
  public int more() { return 1; }
  public enum Color { RED, GREEN, BLUE }
  public static final int MAX = 20;
  static String text = "b";
}
"""


def screen():
    compiled("old", {"p/A.java": OLD})
    compiled("new", {"p/A.java": NEW})
    compiled("long_new", {"p/A.java": OLD.replace("count() { return 1; }", "count() { return 3; }")})
    done = rejig("diff", "old", "new", "--all")
    check("differs", 1, done.returncode)
    text = done.stdout
    flat = re.sub(r"\s+", " ", text)
    order = ["Public API that does something else", "API removed or incompatible", "Initialization and constants",
             "Other code that changed", "API added or relaxed"]
    check("by weight", order, sorted(order, key=text.index))
    for words in ("A.look(String)", "IllegalArgumentException", "catch IllegalStateException", '"ldap"', "URI.getScheme",
                  "− String.trim", "now synchronized", "System.getProperty", "throw IllegalArgumentException"):
        check(f"says {words}", True, words in flat)
    check("sizes", True, re.search(r"\d+ → \d+ instructions", flat) is not None)
    check("what is gone, in Java", True, "− gone(List, int[])" in flat)
    check("what is final now", True, "count(): now final" in flat)
    check("an enum's constants are one cause", True, "+ constant BLUE" in flat)
    check("a constant", True, "MAX was 10, is 20" in flat)
    check("another string", True, 'constant "a" → constant "b"' in flat)
    check("no descriptors", None, re.search(r"\)[VIZ]\b|Ljava/", text))
    check("80 columns", [], [line for line in text.split("\n") if len(line) > 80])
    check("numbers", True, all(f" {e}" in text for e in re.findall(r"E\d+$", text, re.M)))
    check("verbose has descriptors", True, "p.A.look(Ljava/lang/String;)Ljava/lang/String;" in
          re.sub(r"\s+", "", rejig("diff", "old", "new", "--all", "-v").stdout) or
          "p.A.look(Ljava/lang/String;)" in rejig("diff", "old", "new", "--all", "-v").stdout)
    check("the same bytes", text, rejig("diff", "old", "new", "--all", "-j1").stdout)
    check("by way of the walk", text.split("\n")[1], rejig("diff", "old", "new", "--all", "--walk").stdout.split("\n")[1])


def listings():
    for name in ("A.count()", "A.count", "count", "p.A.count()I"):
        done = rejig("diff", "old", "long_new", "--show", name, "--source-root", "long_new.src")
        check(f"--show {name}", (1, True), (done.returncode, "A.count()" in done.stdout))
        lines = done.stdout.splitlines()
        check("side by side", True, any(re.fullmatch(r" +\d+ int 1 +\|  +\d+ int 3", line) for line in lines))
        check("the same in one row", True, any(re.fullmatch(r" +ireturn +ireturn", line) for line in lines))
        check("the source", True, any("return 3; }" in line for line in lines))
        check("80 columns", [], [line for line in lines if len(line) > 80])
    check("--show nothing", 2, rejig("diff", "old", "new", "--show", "nothing").returncode)
    check("--show is text", 2, rejig("diff", "old", "new", "--show", "look", "--format", "json").returncode)
    look = rejig("diff", "old", "new", "--show", "look").stdout
    check("what came", True, " > " in look and "invokevirtual URI.getScheme()" in look)


def breaks():
    answer = edges("old", "new")
    api = answer["counts"]["api"]
    # BLUE, more(); gone(); count() final, shut() without `throws`.
    check("api", {"added": 2, "removed": 1, "changed": 2, "binary": 2, "source": 3}, api)
    members = [e for e in answer["edges"] if e["rule"] == "D16" and e["label"] == "members" and e["entity"] == "p.A"]
    check("members break", [["behaviour", "binary", "source"]], [e["breaks"] for e in members])
    check("a body breaks behaviour", {("behaviour",)},
          {tuple(e["breaks"]) for e in answer["edges"] if e["rule"] == "D1" and ".look(" in e["entity"]})
    check("a removed body breaks its callers", ["behaviour", "binary", "source"],
          next(e["breaks"] for e in answer["edges"] if e["rule"] == "D1" and ".gone(" in e["entity"]))
    check("facets break nobody", True, all(f["breaks"] == [] for f in answer["facets"]))
    check("texts differ", [], [e["id"] for e in answer["edges"] if e["old"] == e["new"]])
    many = "package p; public class M {" + "".join(f" public void m{i}() {{ }}" for i in range(9)) + " }"
    compiled("many", {"p/M.java": many})
    compiled("few", {"p/M.java": "package p; public class M { }"})
    gone = next(e for e in edges("many", "few")["edges"] if e["label"] == "members")
    check("all members", sorted(f"public m{i}()V" for i in range(9)), sorted(gone["removed"]))
    check("and the excerpt", True, gone["old"].endswith("…"))
    # What moved up is still there; what nobody outside could name breaks nobody.
    compiled("up1", {"p/B.java": "package p; public class B extends C { public void f() { } private void x() { } }\nclass C { public void g() { } }"})
    compiled("up2", {"p/B.java": "package p; public class B extends C { }\nclass C { public void g() { } public void f() { } }"})
    check("moved up", (0, 0), (lambda a: (a["binary"], a["removed"]))(edges("up1", "up2")["counts"]["api"]))
    long = '"' + "x" * 80 + '{}"'
    compiled("long1", {"p/L.java": f"package p; public class L {{ String s() {{ return {long.replace('{}', 'a')}; }} int l(int a, int b) {{ return a; }} }}"})
    compiled("long2", {"p/L.java": f"package p; public class L {{ String s() {{ return {long.replace('{}', 'b')}; }} int l(int a, int b) {{ return b; }} }}"})
    pairs = [(e["old"], e["new"]) for e in edges("long1", "long2")["edges"]]
    check("long constants are told apart", True, any(a.endswith('a"') and b.endswith('b"') for a, b in pairs))


def exit_codes():
    compiled("body", {"p/A.java": OLD.replace("return 1; }\n  protected", "return 3; }\n  protected")})
    jar = {}
    for name, folder, manifest in (("j1.jar", "old", "1"), ("j2.jar", "old", "2"), ("j3.jar", "body", "2")):
        with zipfile.ZipFile(name, "w") as out:
            out.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\nImplementation-Version: {manifest}\n\n")
            out.writestr("META-INF/maven/g/a/pom.properties", "version=" + manifest)
            for path in sorted(pathlib.Path(folder).rglob("*.class")):
                out.writestr(str(path.relative_to(folder)), path.read_bytes())
    for pair, wanted in ((("j1.jar", "j2.jar"), (0, 0, 1)), (("j1.jar", "j3.jar"), (1, 0, 1)), (("old", "new"), (1, 1, 1)),
                         (("old", "old"), (0, 0, 0))):
        got = tuple(rejig("diff", *pair, "--exit-code-for", what).returncode for what in ("behaviour", "api", "all"))
        check(f"--exit-code-for {pair}", wanted, got)
        check(f"without {pair}", wanted[2], rejig("diff", *pair).returncode)
    check("no such answer", 2, rejig("diff", "old", "new", "--exit-code-for", "x").returncode)
    check("hidden edges count", 1, rejig("diff", "j1.jar", "j3.jar", "--exit-code-for", "behaviour", "--ignore", "D1").returncode)
    text = rejig("diff", "j1.jar", "j2.jar").stdout
    check("the manifest is one line", True, "artefact: MANIFEST.MF, pom.properties" in text)
    check("classes", (2, 0), (lambda c: (c["classes"], c["changed_classes"]))(edges("j1.jar", "j2.jar")["counts"]))


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.all = [], []

    def handle_starttag(self, tag, attributes):
        self.all.append(tag)
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        check("tags are nested", self.open.pop(), tag)


def formats():
    text = rejig("diff", "old", "new", "--format", "markdown").stdout
    check("markdown", True, text.startswith("### rejig diff\n\n**") and "- `A.look(String)`" in text)
    page = rejig("diff", "old", "new", "--format", "html").stdout
    tags = Tags()
    tags.feed(page)
    check("html is whole", ([], 2), (tags.open, tags.all.count("script")))
    check("html loads nothing", False, "://" in page or " src=" in page)
    sarif = json.loads(rejig("diff", "old", "new", "--format", "sarif", "--source-root", "old.src").stdout)
    run = sarif["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    check("sarif", ("2.1.0", True), (sarif["version"], all(r["ruleId"] in rules for r in run["results"])))
    check("warnings are broken API", {"warning", "note"}, {r["level"] for r in run["results"]})
    check("sarif has places", True, any(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "old.src/p/A.java"
                                        for r in run["results"] if "locations" in r))
    body = "".join(f" public int m{i}() {{ return {{}}; }}\n" for i in range(40))
    compiled("wide1", {"p/W.java": "package p;\npublic class W {\n" + body.replace("{}", "1") + "}\n"})
    compiled("wide2", {"p/W.java": "package p;\npublic class W {\n" + body.replace("{}", "2") + "}\n"})
    lines = rejig("diff", "wide1", "wide2", "--format", "github", "--source-root", "wide1.src").stdout.splitlines()
    check("ten annotations and how many more", (11, "30 more"), (len(lines), re.search(r"\d+ more", lines[-1]).group()))
    check("at real places", True, all("file=wide1.src/p/W.java,line=" in line for line in lines[:10]))
    for form in ("markdown", "html", "sarif"):
        for words in (("diff", "old", "new"), ("select", "old", "new", "--coverage", "none.db")):
            one, two = (rejig(*words, "--format", form, *more) for more in ((), ("-j1",)))
            check(f"{words[0]} {form}", (one.stdout, True), (two.stdout, len(one.stdout) > 50))


def explained():
    rules = json.loads(rejig("explain", "rules", "--format", "json").stdout)["rules"]
    check("rules", [f"D{i}" for i in range(1, len(rules) + 1)], [r["rule"] for r in rules])
    table = rejig("explain", "rules", "--format", "markdown").stdout
    check("SELECTING.md has the table", True, table in pathlib.Path(ROOT, "coverage/SELECTING.md").read_text())
    done = rejig("explain", "D16")
    check("a rule", (0, True), (done.returncode, done.stdout.startswith("D16 shell: what reflection") and "refl:" in done.stdout))
    check("no such rule", (2, True), (lambda d: (d.returncode, "D1 to D" in d.stderr))(rejig("explain", "D99")))
    look = next(e["id"] for e in edges("old", "new")["edges"] if ".look(" in e["entity"])
    for words in ((look, "old", "new"), ("old", "new", look)):
        done = rejig("explain", *words)
        check(f"explain {words}", (0, True, True), (done.returncode, done.stdout.startswith(f"{look} D1 body: p.A.look("),
                                                    "+ " in done.stdout and "m:p.A.look(" in done.stdout))
    check("as data", look, json.loads(rejig("explain", look, "old", "new", "--format", "json").stdout)["id"])
    rejig("diff", "old", "new")
    os.makedirs("elsewhere", exist_ok=True)
    done = rejig("explain", look, cwd="elsewhere")
    check("of the last diff", (0, True), (done.returncode, "p.A.look(" in done.stdout))
    check("no such edge", (2, True), (lambda d: (d.returncode, "E1 to E" in d.stderr))(rejig("explain", "E9999", "old", "new")))
    os.makedirs("project/.rejig", exist_ok=True)
    check("nothing was compared in the project", 2, rejig("explain", look, cwd="project").returncode)
    rejig("diff", "../old", "../new", cwd="project")
    check("now it was", (True, 0), (os.path.exists("project/.rejig/last-diff"), rejig("explain", look, cwd="project").returncode))


def hostile():
    names = ["::stop-commands::x", "a\x1b]0;title\x07b", "c\u009b31md", "e\u202ef", "##[error]x", "  ::warning::y", "<b>&\"'`|", "@all"]
    for version in "12":
        with zipfile.ZipFile(f"h{version}.jar", "w") as out:
            for name in names:
                out.writestr(name, version)
    forms = ("text", "json", "ndjson", "gcc", "github", "dot", "markdown", "html", "sarif")
    for words in (("diff", "h1.jar", "h2.jar"), ("diff", "h1.jar", "h2.jar", "--all"), ("diff", "h1.jar", "h2.jar", "--by", "method"),
                  ("select", "h1.jar", "h2.jar", "--coverage", "none.db")):
        for form in forms if len(words) == 3 or words[0] == "select" else ("text",):
            done = rejig(*words, "--format", form)
            for stream, text in (("out", done.stdout), ("err", done.stderr)):
                bad = [c for c in text if (c < " " and c != "\n") or "\x7f" <= c <= "\x9f" or "\u202a" <= c <= "\u202e"]
                check(f"{words} {form} {stream}: controls", [], bad)
                commands = [line for line in text.splitlines() if line.lstrip().startswith("::") and not
                            (form == "github" and re.match(r"::(notice|warning) (file=[^:]*,|title=)", line))]
                check(f"{words} {form} {stream}: commands", [], commands)
                check(f"{words} {form} {stream}: old commands", False, "##[" in text and form not in ("json", "ndjson", "sarif"))
    # Warnings about entries of an archive.
    with zipfile.ZipFile("h3.jar", "w") as out:
        out.writestr("p/\x1b]0;x\x07A.class", b"\xca\xfe\xba\xbe")
    done = rejig("dump", "h3.jar")
    check("standard error", False, "\x1b" in done.stderr or "\x07" in done.stderr)


def at_terminal(words, rows, columns, more=None):
    master, slave = pty.openpty()
    import fcntl
    import termios
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    child = subprocess.Popen([REJIG, *words], stdin=slave, stdout=slave, stderr=subprocess.DEVNULL,
                             env=dict(environment, TERM="xterm", **(more or {})))
    os.close(slave)
    text = b""
    while True:
        if select.select([master], [], [], 60)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
    os.close(master)
    return child.wait(), text.decode().replace("\r\n", "\n")


def terminal():
    for rows, columns in ((24, 80), (40, 132), (50, 60)):
        code, text = at_terminal(("diff", "wide1", "wide2"), rows, columns)
        bare = re.sub("\x1b\\[[0-9;]*m", "", text)
        check(f"{rows}x{columns}: fits", (1, True, True), (code, bare.count("\n") < rows,
                                                           all(len(line) <= columns for line in bare.split("\n"))))
        check(f"{rows}x{columns}: in colour, and says what is left", (True, True), ("\x1b[1m" in text, "more (--all)" in text))
    pager = {"REJIG_PAGER": "sed 's/^/paged: /'"}
    code, text = at_terminal(("diff", "wide1", "wide2", "--all"), 24, 80, pager)
    check("more than a screen is paged", (1, True), (code, text.startswith("paged: ")))
    check("less is not", False, at_terminal(("diff", "wide1", "wide2"), 24, 80, pager)[1].startswith("paged: "))
    check("PAGER", True, at_terminal(("diff", "wide1", "wide2", "--all"), 24, 80, {"PAGER": pager["REJIG_PAGER"]})[1].startswith("paged: "))
    check("--no-pager", False, "paged: " in at_terminal(("diff", "wide1", "wide2", "--all", "--no-pager"), 24, 80, pager)[1])
    check("a pager that ends early", 1, at_terminal(("diff", "wide1", "wide2", "--all"), 24, 80, {"REJIG_PAGER": "true"})[0])
    check("no pager for a pipe", False, "paged: " in subprocess.run([REJIG, "diff", "wide1", "wide2", "--all"], capture_output=True, text=True,
                                                                    env=dict(environment, **pager)).stdout)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    environment["HOME"] = folder + "/home"
    environment["XDG_STATE_HOME"] = folder + "/state"
    for part in (screen, listings, breaks, exit_codes, formats, explained, hostile, terminal):
        part()
    os.chdir("/")
if failures:
    print(len(failures), "failed")
    sys.exit(1)
print("all passed")
