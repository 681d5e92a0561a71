# SPDX-License-Identifier: Apache-2.0
"""A real browser without a screen: chromium through its driver, by the WebDriver protocol and nothing else."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


class Browser:
    def __init__(self, width=1280, height=900, dark=False):
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        driver = shutil.which("chromedriver")
        if not chromium or not driver:
            raise SystemExit("chromium and its driver are needed (Debian: chromium, chromium-driver)")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.profile = tempfile.mkdtemp()
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen([driver, f"--port={port}", "--log-level=OFF"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--window-size={width},{height}", f"--user-data-dir={self.profile}"]
        if dark:
            arguments.append("--force-prefers-color-scheme=dark")
            arguments.append("--blink-settings=preferredColorScheme=0")
        self.wait_for_driver()
        answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": chromium, "args": arguments}}}})
        self.session = "/session/" + answer["sessionId"]

    def wait_for_driver(self):
        ends = time.monotonic() + 60
        while True:
            try:
                if self.ask("GET", "/status", None).get("ready"):
                    return
            except (urllib.error.URLError, ConnectionError):
                if time.monotonic() > ends:
                    raise
                time.sleep(0.1)

    def ask(self, method, path, body):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:2000]) from None

    def open(self, path, hash_text=""):
        """A file; returns when the page says that it is ready, with the seconds that took."""
        begun = time.monotonic()
        self.ask("POST", self.session + "/url", {"url": "about:blank"})
        begun = time.monotonic()
        self.ask("POST", self.session + "/url", {"url": "file://" + os.path.abspath(path) + hash_text})
        while self.run("return document.documentElement.dataset.ready") != "yes":
            if time.monotonic() - begun > 60:
                raise RuntimeError(f"{path} is not ready: {self.log()}")
            time.sleep(0.02)
        return time.monotonic() - begun

    def run(self, script, *arguments):
        return self.ask("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def key(self, *keys):
        actions = [step for key in keys for step in ({"type": "keyDown", "value": key}, {"type": "keyUp", "value": key})]
        self.ask("POST", self.session + "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        element = self.ask("POST", self.session + "/element", {"using": "css selector", "value": selector})
        self.ask("POST", self.session + "/element/" + next(iter(element.values())) + "/click", {})

    def emulate(self, scheme):
        self.ask("POST", self.session + "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]}})

    def picture(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.ask("GET", self.session + "/screenshot", None)))

    def log(self):
        return [one["message"] for one in self.ask("POST", self.session + "/se/log", {"type": "browser"}) if one["level"] == "SEVERE"]

    def close(self):
        try:
            if self.session:
                self.ask("DELETE", self.session, None)
        finally:
            self.process.terminate()
            self.process.wait(timeout=30)
            shutil.rmtree(self.profile, ignore_errors=True)
