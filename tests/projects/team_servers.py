#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A team over real servers on this machine: nginx as Debian has it, with its
WebDAV module, an S3 server, and a proxy that does everything wrong that a network
does. What ran, what was skipped on which proof, and that nothing was missed is
printed. usage: team_servers.py nginx|proxy|s3 [ROUNDS] (REJIG, REJIG_AGENT,
REJIG_JUNIT_JAR, ARTIFACTS; s3: VERSITYGW)"""
import http.client
import http.server
import os
import pathlib
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from team_base import Machine, Repository, check, constant, finish, test_class

NAMES = [f"T{i}" for i in range(6)]
EVERY = {f"{name}.{test}" for name in NAMES for test in "ab"}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(port, process):
    for _ in range(600):
        if process.poll() is not None:
            raise SystemExit(f"a server ended: {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit("a server does not answer")


class Nginx:
    def __init__(self, work):
        self.root = pathlib.Path(work) / "www"
        self.root.mkdir()
        self.port = free_port()
        user = "user root;" if os.geteuid() == 0 else ""
        pathlib.Path(f"{work}/nginx.conf").write_text(f"""
{user} daemon off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/nginx.log;
events {{}}
http {{ access_log off; client_body_temp_path {work}/body; proxy_temp_path {work}/p; fastcgi_temp_path {work}/f; uwsgi_temp_path {work}/u;
  scgi_temp_path {work}/s; client_max_body_size 1g;
  server {{ listen 127.0.0.1:{self.port}; root {self.root};
    location / {{ dav_methods PUT DELETE; create_full_put_path on; autoindex on; }} }} }}
""")
        binary = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen([binary, "-c", f"{work}/nginx.conf", "-p", work])
        wait_for(self.port, self.process)

    def url(self):
        return f"http://127.0.0.1:{self.port}/team"

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=30)


class Bucket:
    KEYS = {"AWS_ACCESS_KEY_ID": "team", "AWS_SECRET_ACCESS_KEY": "a-secret-of-a-team", "AWS_REGION": "us-east-1"}

    def __init__(self, work):
        self.root = pathlib.Path(work) / "buckets"
        (self.root / "team").mkdir(parents=True)
        (pathlib.Path(work) / "meta").mkdir()
        self.port = free_port()
        self.process = subprocess.Popen(
            [os.environ["VERSITYGW"], "--port", f"127.0.0.1:{self.port}", "--access", self.KEYS["AWS_ACCESS_KEY_ID"], "--secret",
             self.KEYS["AWS_SECRET_ACCESS_KEY"], "--quiet", "posix", "--sidecar", f"{work}/meta", str(self.root)],
            stdout=subprocess.DEVNULL)
        wait_for(self.port, self.process)

    def env(self, **more):
        return {**self.KEYS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}", **more}

    def url(self):
        return "s3://team/some/prefix"

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=30)


class FaultProxy:
    """Between a machine and a server; `dice` decides about each request."""

    def __init__(self, port, dice):
        self.seen = {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.forward("GET", None)

            def do_PUT(self):
                self.forward("PUT", self.rfile.read(int(self.headers.get("Content-Length", 0))))

            def forward(self, method, body):
                link = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
                link.request(method, self.path, body)
                answer = link.getresponse()
                status, data = answer.status, answer.read()
                link.close()
                before = outer.seen.setdefault(self.path, data)
                kind = dice() if method == "GET" else "right"
                if kind == "reset":
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.close_connection = True
                    return
                if kind == "torn":
                    self.answer(status, data[:len(data) // 2], len(data))
                    self.close_connection = True
                    return
                if kind == "hang":
                    outer.stop.wait(20)
                    self.close_connection = True
                    return
                if kind == "slow":
                    time.sleep(0.3)
                elif kind == "evicted":
                    status, data = 404, b""
                elif kind == "5xx":
                    status, data = random.choice([500, 502, 503]), b"no"
                elif kind == "login":
                    status, data = 200, b"<html>please log in</html>"
                elif kind == "wrong" and data:
                    place = random.randrange(len(data))
                    data = data[:place] + bytes([data[place] ^ 8]) + data[place + 1:]
                elif kind == "stale":
                    data = before
                elif kind == "elsewhere" and outer.seen:
                    data = random.choice(list(outer.seen.values()))
                elif kind == "redirect":
                    self.send_response(302)
                    self.send_header("Location", random.choice([self.path, "/team/v1/head/main", "/nowhere", "file:///etc/passwd", "http://127.0.0.1:1/"]))
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.answer(status, data, len(data))

            def answer(self, status, data, size):
                self.send_response(status)
                self.send_header("Content-Length", str(size))
                self.send_header("Date", "Thu, 01 Jan 1970 00:00:00 GMT")
                self.end_headers()
                self.wfile.write(data)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.stop = threading.Event()
        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/team"

    def end(self):
        self.stop.set()
        self.server.shutdown()


def settings(url):
    return f'[remote]\nurl = "{url}"\n'


def sources():
    out = {"p.A": constant("A", 1)}
    for i, name in enumerate(NAMES):
        out[f"p.C{i}"] = constant(f"C{i}", i)
        out[f"p.{name}"] = test_class(name, a=f"C{i}.v() == {i}", b="A.v() == 1")
    return out


def play(work, url, env=None, pulls=5):
    """A nightly on main, pull requests on fresh machines in shards, a merge queue, a revert, an attacker."""
    repo = Repository(work)
    env = env or {}
    table = []

    def machine(commit, name="m", more=""):
        return Machine(work, name, repo.path, settings(url) + more, env=env).checkout(commit)

    def note(what, ran, missed):
        table.append((what, len(ran), len(EVERY) - len(ran), len(missed)))
        check(f"{what}: nothing is missed", set(), missed)

    base = repo.commit(sources())
    ran, text = machine(base).run("--publish")
    check("the nightly runs everything", EVERY, ran, text)
    check("and is published", True, "published default" in text, text)
    pull_requests = []
    for i in range(pulls):
        repo.git("checkout", "-q", "-b", f"pr{i}", "main")
        broken = i == 3
        head = repo.commit({f"p.C{i}": constant(f"C{i}", 77 if broken else f'Integer.parseInt("{i}")')})
        wrong = machine(head).truth()[1]
        together, failed = set(), False
        for shard in (1, 2):
            one = machine(head, f"shard{shard}")
            ran, text = one.run("--shard", f"{shard}/2", "--publish")
            check(f"pull request {i}: shards share no test", set(), ran & together, text)
            together |= ran
            failed |= one.code != 0
        note(f"pull request {i}", together, wrong - together)
        check(f"pull request {i} runs what it can affect", {f"T{i}.a"}, together, text)
        check(f"pull request {i} fails if the truth does", bool(wrong), failed)
        code, text = one.rejig("verify", "--remote")
        check(f"pull request {i}: the shards' union is the selection", 0, code, text)
        if not broken:
            pull_requests.append(f"pr{i}")
    repo.git("checkout", "-q", "main")
    for name in pull_requests:
        repo.git("merge", "-q", "--no-ff", "-m", name, name)
    queue = machine(repo.head())
    wrong = queue.truth()[1]
    ran, text = queue.run("--publish")
    note("merge queue", ran, wrong - ran)
    check("the merge queue has a proof for each", True, len(ran) <= 2, text)
    repo.git("revert", "--no-edit", "-m", "1", "HEAD")
    revert = machine(repo.head())
    ran, text = revert.run("--publish")
    note("revert", ran, revert.truth()[1] - ran)
    # Somebody who may write, but has no key.
    code, text = revert.rejig("remote", "key")
    open_key = text.split('keys = ["')[1].split('"')[0]
    ran, text = machine(repo.head(), "attacker", more=f'keys = ["{open_key}"]\n').run()
    check("attacker: what nobody signed proves nothing", EVERY, ran, text)
    code, text = revert.rejig("remote", "status", "--format", "json")
    check("status", (0, True), (code, '"runs"' in text), text)
    code, text = revert.rejig("remote", "verify")
    check("verify", 0, code, text)
    code, text = revert.rejig("remote", "prune", "--days", "0")
    check("prune", 0, code, text)
    code, text = revert.rejig("remote", "status")
    check("nothing is left", True, "0 commits, 0 runs, 0 segments" in text, text)
    print("\nwhat             ran  skipped  missed")
    for row in table:
        print("%-16s %3d  %7d  %6d" % row)


def over_nginx(work):
    server = Nginx(work)
    try:
        play(work, server.url())
    finally:
        server.end()


def over_s3(work):
    server = Bucket(work)
    try:
        play(work, server.url(), server.env())
        wrong = Machine(work, "stranger", f"{work}/origin", settings(server.url()), env=server.env(AWS_SECRET_ACCESS_KEY="another"))
        ran, text = wrong.run("--publish")
        check("another secret: nothing is taken, nothing is given", (EVERY, True), (ran, "not published" in text), text)
    finally:
        server.end()


def over_proxy(work, rounds):
    server = Nginx(work)
    dice = random.Random(5)
    kinds = ["reset", "torn", "hang", "slow", "evicted", "5xx", "login", "wrong", "stale", "elsewhere", "redirect"]
    rate = [0.0]
    proxy = FaultProxy(server.port, lambda: dice.choice(kinds) if dice.random() < rate[0] else "right")
    try:
        repo = Repository(work)
        base = repo.commit(sources())
        Machine(work, "nightly", repo.path, settings(server.url())).run("--publish")
        saved = 0
        for i in range(rounds):
            value = [77, f"Math.abs({i % 6})", f'Integer.parseInt("{i % 6}")'][i % 3]
            repo.git("checkout", "-q", "-B", "work", base)
            head = repo.commit({f"p.C{i % 6}": constant(f"C{i % 6}", value)})
            machine = Machine(work, "m", repo.path, settings(proxy.url())).checkout(head)
            rate[0] = [0.0, 0.1, 0.3, 0.6][i % 4]
            wrong = machine.truth()[1]
            began = time.monotonic()
            ran, text = machine.run("--remote-timeout", "2s", "--publish")
            check(f"round {i}: nothing is missed", set(), (wrong | {f"T{i % 6}.a"}) - ran, text)
            check(f"round {i}: it does not hang", True, time.monotonic() - began < 60, text)
            saved += len(EVERY - ran)
        check("some of it was of use", True, saved > 0)
    finally:
        proxy.end()
        server.end()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1] == "nginx":
            over_nginx(folder)
        elif sys.argv[1] == "s3":
            over_s3(folder)
        else:
            over_proxy(folder, int(sys.argv[2]) if len(sys.argv) > 2 else 8)
    finish()
