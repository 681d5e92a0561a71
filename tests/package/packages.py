#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `./rejigw package` made is what it says, and each package works by the tool that it is for: lintian, rpm, Maven, pip, buildah.
usage: packages.py PACKAGES BUILD ROOT PART…  (BUILD: the static build that it was made of)"""
import csv
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

PACKAGES, BUILD, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
MOST = 13_000_000
VERSION = re.search(r"^project\(rejig VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
NAME = f"rejig-{VERSION}-linux-x86_64"
failures = []


def check(name, good, seen=""):
    if not good:
        failures.append(name)
    print("ok" if good else "FAILED", name, "" if good else str(seen)[-3000:], flush=True)


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900, check=False,
                          **{"env": {**os.environ, "LC_ALL": "C.UTF-8"}, **more})
    return done.returncode, done.stdout


def works(name, *words, **more):
    code, text = run(*words, "--version", **more)
    check(name, code == 0 and text.startswith(f"rejig {VERSION}\n"), text)


def one(pattern):
    found = sorted(PACKAGES.glob(pattern))
    check(f"one file {pattern}", len(found) == 1, found)
    return found[0]


def program(work):
    stripped = PACKAGES / NAME
    check(f"at most {MOST} bytes ({stripped.stat().st_size})", stripped.stat().st_size <= MOST)
    code, text = run(sys.executable, "-B", ROOT / "tests/cli/hardening.py", "--static", BUILD / "apps/rejig/rejig")
    check("hardened, and links nothing", code == 0, text)
    _, text = run("readelf", "-SlWdn", stripped)
    check("stripped", ".symtab" not in text and ".debug" not in text, text)
    check("no library, no interpreter", "(NEEDED)" not in text and "INTERP" not in text, text)
    identity = re.search(r"Build ID: ([0-9a-f]{40})", text)[1]
    works("it runs", stripped, env={})
    # Its symbols, apart: where a debugger looks.
    with tarfile.open(one(f"{NAME}-debug.tar.gz")) as archive:
        archive.extractall(work / "debug")
    symbols = work / f"debug/.build-id/{identity[:2]}/{identity[2:]}.debug"
    check("symbols by the build id", symbols.is_file(), sorted(work.glob("debug/*/*")))
    _, text = run("nm", symbols)
    address = re.search(r"^([0-9a-f]+) T main$", text, re.M)
    _, text = run("addr2line", "-e", symbols, "0x" + address[1])
    check("which know lines, and no folder of this machine", re.search(r"(^|/)apps/rejig/main\.cc:\d+$", text.strip()) and str(ROOT) not in text, text)


def archive(work):
    code, text = run("sha256sum", "--strict", "-c", "SHA256SUMS", cwd=PACKAGES)
    listed = {line.split("  ", 1)[1] for line in (PACKAGES / "SHA256SUMS").read_text().splitlines()}
    there = {str(path.relative_to(PACKAGES)) for path in PACKAGES.rglob("*") if path.is_file()} - {"SHA256SUMS"}
    check("SHA256SUMS is right, and has every file", code == 0 and listed == there, text + str(listed ^ there))
    for path in [*PACKAGES.rglob("*"), BUILD / "apps/rejig/rejig"]:
        if path.is_file():
            check(f"no folder of this machine in {path.name}", str(ROOT).encode() not in path.read_bytes())
    with tarfile.open(one(f"{NAME}.tar.gz")) as tar:
        members = tar.getmembers()
        check("nobody owns anything", {(m.uid, m.gid, m.uname, m.gname) for m in members} <= {(0, 0, "", ""), (0, 0, "root", "root")}, members[:3])
        check("one time", len({m.mtime for m in members}) == 1)
        check("sorted names", [m.name for m in members] == sorted((m.name for m in members), key=lambda name: name.encode()))
        check("modes", {m.mode for m in members} == {0o755, 0o644}, {(m.name, oct(m.mode)) for m in members if m.mode not in (0o755, 0o644)})
        tar.extractall(work)
    tree = work / NAME
    works("bin/rejig", tree / "bin/rejig")
    wanted = ["lib/librejig-agent.so", "share/java/rejig-junit.jar", "share/man/man1/rejig.1", "share/doc/rejig/LICENSE", "share/rejig/wrapper/rejigw",
              "share/rejig/ci/gitlab.yml", "share/bash-completion/completions/rejig"]
    check("what belongs to it", all((tree / name).is_file() for name in wanted), [name for name in wanted if not (tree / name).is_file()])
    # The list of parts has what the linker was given, each with its licence.
    parts = json.loads((tree / "share/doc/rejig/rejig.cdx.json").read_text())
    check("CycloneDX", parts["bomFormat"] == "CycloneDX" and parts["specVersion"] == "1.5" and parts["metadata"]["component"]["version"] == VERSION, parts)
    names = {part["name"]: part for part in parts["components"]}
    check("each part has a version", all(re.fullmatch(r"\d+(\.\d+)+", part["version"]) for part in names.values()), names)
    licences = {path.stem for path in (tree / "share/doc/rejig/licences").iterdir()}
    check("and the text of its licence", licences == set(names), licences ^ set(names))
    ninja = (BUILD / "build.ninja").read_text()
    link = ninja[ninja.index("\nbuild apps/rejig/rejig:"):]
    libraries = set(re.findall(r"(?:/|^|\s)(?:-l|lib)(\w+?)(?:\.a)?(?=\s|$)", re.search(r"LINK_LIBRARIES = (.*)", link)[1]))
    called = {"sqlite3": "SQLite", "xxhash": "xxHash", "deflate": "libdeflate", "sodium": "libsodium"}
    libraries = {called.get(name, name) for name in libraries if not name.startswith("rejig")}
    check("what the linker was given is in the list", {"SQLite", "zstd", "expat"} <= libraries <= set(names), libraries - set(names))


def system(work):
    deb = one("rejig_*_amd64.deb")
    code, text = run("lintian", "--allow-root", "--fail-on", "error,warning", "--display-level", ">=warning", deb)
    check("lintian has nothing to say", code == 0 and not re.search(r"^[EW]:", text, re.M), text)
    run("dpkg-deb", "-x", deb, work / "deb")
    works("the .deb's program", work / "deb/usr/bin/rejig")
    rpm, root = one("rejig-*.x86_64.rpm"), work / "rpm"
    root.mkdir()
    code, text = run("rpm", "-K", "--nosignature", rpm)
    check("rpm finds its digests right", code == 0, text)
    code, text = run("rpm", "--root", root, "--dbpath", "/var/lib/rpm", "-i", "--nodeps", rpm)
    check("rpm installs it", code == 0, text)
    works("the .rpm's program", root / "usr/bin/rejig")
    for name, tree in (("deb", work / "deb"), ("rpm", root)):
        found = {str(path.relative_to(tree / "usr")) for path in (tree / "usr").rglob("*") if path.is_file()}
        check(f"{name}: private folders, compressed pages", {"lib/rejig/librejig-agent.so", "share/rejig/java/rejig-junit.jar", "share/man/man1/rejig.1.gz"} <= found, found)
        code, text = run(tree / "usr/bin/rejig", "doctor", cwd=work, env={"HOME": str(work / "home")})
        check(f"{name}: the recorder is taken from there", f"{tree}/usr/lib/rejig/librejig-agent.so" in text and f"{tree}/usr/share/rejig/java/rejig-junit.jar" in text, text)


def maven(work):
    repository = (work / "repository").as_uri()
    code, text = run("sh", PACKAGES / "maven/deploy", repository)
    check("deployed", code == 0, text)
    items = "".join(f"<artifactItem><groupId>rejig</groupId><artifactId>rejig</artifactId><version>{VERSION}</version><type>{kind}</type>"
                    f"<classifier>{classifier}</classifier></artifactItem>" for kind, classifier in
                    (("exe", "linux-x86_64"), ("so", "linux-x86_64"), ("jar", "junit"), ("jar", "check")))
    (work / "pom.xml").write_text(f"""<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
      <groupId>t</groupId><artifactId>t</artifactId><version>1</version><packaging>pom</packaging>
      <repositories><repository><id>rejig</id><url>{repository}</url></repository></repositories>
      <build><plugins><plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.6.1</version>
        <configuration><artifactItems>{items}</artifactItems><outputDirectory>{work}/out</outputDirectory></configuration></plugin></plugins></build></project>""")
    # Its own local repository for what is tested: what an earlier run left elsewhere is not asked.
    code, text = run("mvn", "-B", "-ntp", f"-Dmaven.repo.local={work}/local", "-f", work / "pom.xml", "dependency:copy")
    check("Maven resolves all four", code == 0 and len(list((work / "out").iterdir())) == 4, text)
    exe = work / f"out/rejig-{VERSION}-linux-x86_64.exe"
    check("with the bytes that were deployed", exe.read_bytes() == (PACKAGES / NAME).read_bytes())
    exe.chmod(0o755)
    works("and the program runs", exe)


def wheel(work):
    file = one("rejig-*.whl")
    with zipfile.ZipFile(file) as archive:
        rows = {row[0]: row for row in csv.reader(archive.read(f"rejig-{VERSION}.dist-info/RECORD").decode().splitlines())}
        check("RECORD has every file", set(rows) == set(archive.namelist()), rows)
        tags = re.findall(r"^Tag: (.*)$", archive.read(f"rejig-{VERSION}.dist-info/WHEEL").decode(), re.M)
        check("the tags are those of its name", {f"py3-none-{system}" for system in file.stem.rsplit("-", 1)[1].split(".")} == set(tags), tags)
    code, text = run(sys.executable, "-m", "venv", work / "venv")
    check("a virtual environment (python3-venv)", code == 0, text)
    code, text = run(work / "venv/bin/pip", "install", "--no-index", "--disable-pip-version-check", file)
    check("pip installs it, from nowhere else", code == 0, text)
    works("on the path", "rejig", env={"PATH": f"{work}/venv/bin", "HOME": str(work)})
    code, text = run(work / "venv/bin/pip", "uninstall", "-y", "rejig")
    check("and takes it away again", code == 0 and not (work / "venv/bin/rejig").exists(), text)


def wrapper(work):
    pathlib.Path(work, "project").mkdir()
    shutil.copy(PACKAGES / "rejigw", work / "project")
    (work / "project/rejig.properties").write_text((PACKAGES / "rejig.properties").read_text().replace("url=", f"url={PACKAGES}/{NAME}.tar.gz", 1))
    for shell in (["dash"], ["busybox", "sh"]):
        works(f"the wrapper pins this tarball ({shell[0]})", *shell, work / "project/rejigw", env={**os.environ, "REJIG_WRAPPER_HOME": str(work / shell[0])})


def image(work):
    """The Dockerfile and the feature, built by buildah on an image that has a shell and nothing else."""
    base = work / "base"
    for folder in ("bin", "tmp", "opt", "usr/local/bin", "root"):
        (base / folder).mkdir(parents=True)
    shutil.copy(shutil.which("busybox"), base / "bin/busybox")
    for tool in subprocess.run([base / "bin/busybox", "--list"], text=True, capture_output=True, check=True).stdout.split():
        if tool != "busybox":
            os.symlink("busybox", base / "bin" / tool)
    buildah = ["buildah", "--root", work / "store", "--runroot", work / "run"]
    env = {**os.environ, "BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs"}

    def must(name, *words):
        code, text = run(*buildah, *words, env=env)
        check(name, code == 0, text)
        return text.strip().splitlines()[-1] if text.strip() else ""
    made = must("an image to begin with", "from", "--quiet", "scratch")
    must("its files", "add", "--quiet", made, base, "/")
    must("kept", "commit", "--quiet", made, "base")
    # The line of README.md, by another builder.
    line = re.search(r"^    docker build (.*) \.$", (ROOT / "README.md").read_text(), re.M)[1].split()
    must("the Dockerfile", "bud", "--build-arg", "BASE=localhost/base", *line, PACKAGES)
    made = must("a container of it", "from", "--quiet", "rejig")
    code, text = run(*buildah, "run", made, "rejig", "--version", env=env)
    check("in which rejig runs", code == 0 and text.startswith(f"rejig {VERSION}"), text)
    _, text = run(*buildah, "inspect", "--format", "{{.OCIv1.Config.Entrypoint}}", "rejig", env=env)
    check("as its entry point", text.strip() == "[rejig]", text)

    (work / "feature").mkdir()
    with tarfile.open(one("devcontainer-feature-rejig-*.tgz")) as archive:
        archive.extractall(work / "feature")
    said = json.loads((work / "feature/devcontainer-feature.json").read_text())
    check("the feature's description", said["id"] == "rejig" and said["version"] == VERSION and set(said["options"]) == {"url", "version", "sha256"}, said)
    digest = hashlib.sha256((PACKAGES / f"{NAME}.tar.gz").read_bytes()).hexdigest()
    other = {"url": "/feature/rejig.tar.gz", "version": "9.9", "sha256": digest}
    for name, options in (("what is in it", {}), ("another archive", other), ("a wrong digest", {**other, "sha256": "0" * 64})):
        # As the specification says: the folder is copied, options are variables in capitals, install.sh runs as root.
        asked = {**{key: one["default"] for key, one in said["options"].items()}, **options}
        (work / "Dockerfile").write_text("FROM localhost/base\nCOPY feature /feature\nRUN cd /feature && " +
                                         " ".join(f"{key.upper()}='{value}'" for key, value in asked.items()) + " ./install.sh\n")
        code, text = run(*buildah, "bud", "-t", "feature", "-f", work / "Dockerfile", work, env=env)
        if options.get("sha256") == "0" * 64:
            check(f"the feature with {name} installs nothing", code != 0 and "the archive is another one" in text, text)
            continue
        check(f"the feature with {name}", code == 0, text)
        made = must("a container of it", "from", "--quiet", "feature")
        code, text = run(*buildah, "run", "--user", "1000:1000", made, "rejig", "--version", env=env)
        check("in which somebody who is not root runs rejig", code == 0 and text.startswith(f"rejig {VERSION}"), text)


def main():
    for part in (program, archive, system, maven, wheel, wrapper, image):
        if part.__name__ in sys.argv[4:] or len(sys.argv) == 4:
            print(f"-- {part.__name__}", flush=True)
            work = pathlib.Path(tempfile.mkdtemp())
            part(work)
            shutil.rmtree(work, ignore_errors=True)
    sys.exit(f"{len(failures)} failed: {failures}" if failures else 0)


main()
