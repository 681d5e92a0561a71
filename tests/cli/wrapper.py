#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wrapper that projects copy (apps/package/wrapper/rejigw): fetches what is pinned, once, checks it, and runs nothing else.
usage: wrapper.py REJIG ROOT"""
import hashlib
import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading

rejig, root = sys.argv[1:]
WRAPPER = pathlib.Path(root) / "apps/package/wrapper/rejigw"
failures = []
work = tempfile.mkdtemp()
os.chdir(work)
asked = []


class Server(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        asked.append(self.path)
        super().do_GET()

    def log_message(self, *words):
        pass


os.mkdir("www")
os.makedirs("tree/rejig-1.0/bin")
shutil.copy(rejig, "tree/rejig-1.0/bin/rejig")
with tarfile.open("www/rejig-1.0.tar.gz", "w:gz") as archive:
    archive.add("tree/rejig-1.0", "rejig-1.0")
digest = hashlib.sha256(pathlib.Path("www/rejig-1.0.tar.gz").read_bytes()).hexdigest()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *words: Server(*words, directory=os.path.join(work, "www")))
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_address[1]}/rejig-1.0.tar.gz"
os.mkdir("project")
shutil.copy(WRAPPER, "project/rejigw")
os.chmod("project/rejigw", 0o755)


def run(name, shell, home, wanted, text="", **properties):
    values = {"version": "1.0", "url": url, "sha256": digest, **properties}
    pathlib.Path("project/rejig.properties").write_text("".join(f"{key}={value}\n" for key, value in values.items()))
    env = {**os.environ, "REJIG_WRAPPER_HOME": os.path.join(work, home)}
    done = subprocess.run([*shell, "project/rejigw", "--version"], env=env, text=True, capture_output=True, timeout=60)
    if done.returncode != wanted or text not in done.stdout + done.stderr:
        failures.append(name)
        print(f"FAILED {name}: exit {done.returncode}, wanted {wanted} and {text!r}\n{done.stdout}{done.stderr}")
    else:
        print("ok", name)


for shell in (["sh"], ["busybox", "sh"]):
    home = "home-" + shell[0]
    run(f"{shell[0]}: fetched", shell, home, 0, "rejig 0.")
    before = len(asked)
    run(f"{shell[0]}: there already", shell, home, 0, "rejig 0.")
    if len(asked) != before:
        failures.append("fetched twice")
        print("FAILED fetched twice", asked)
run("a file", ["sh"], "home-file", 0, "rejig 0.", url=f"file://{work}/www/rejig-1.0.tar.gz")
run("another archive", ["sh"], "home-other", 2, "the archive is another one", sha256="0" * 64)
run("another archive is not run later", ["sh"], "home-other", 2, "the archive is another one", sha256="0" * 64)
run("no digest", ["sh"], "home-none", 2, "sha256 is not", sha256="")
run("a short digest", ["sh"], "home-none", 2, "not 64", sha256="abc")
run("a version that is a path", ["sh"], "home-none", 2, "version is not a version", version="../../x")
run("nobody there", ["sh"], "home-none", 2, "cannot be fetched", url=url + ".none")
left = [str(path) for path in pathlib.Path(".").glob("home-*/.fetch*")]
if left:
    failures.append("left overs")
    print("FAILED left over", left)
# Two builds at once.
env = {**os.environ, "REJIG_WRAPPER_HOME": os.path.join(work, "home-race")}
pathlib.Path("project/rejig.properties").write_text(f"version=1.0\nurl={url}\nsha256={digest}\n")
both = [subprocess.Popen(["sh", "project/rejigw", "--version"], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(4)]
for one in both:
    out, _ = one.communicate(timeout=60)
    if one.returncode != 0 or "rejig 0." not in out:
        failures.append("at once")
        print("FAILED at once", one.returncode, out)
server.shutdown()
os.chdir("/")
shutil.rmtree(work)
sys.exit(f"{len(failures)} failed: {failures}" if failures else 0)
