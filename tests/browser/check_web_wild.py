#!/usr/bin/env python3
"""Pages that misbehave, and what is measured of them.

Traffic: a page asks for bodies, for what is redirected, missing or cached, and for pages that do not come. A plain
WebDriver script clicks the same buttons and adds up the Network events of its own performance log by the simplest rule;
Tactus must say the same number.

Random runs: a page leads out of the app in every way it can (links, windows, forms, downloads, dialogs, a frame of another
origin). The other origin tells every input that it is given: there must be none, and every run must end.

With TACTUS_SWEEP=1 over many seeds. Skipped where there is no browser.
"""
import http.client
import http.server
import json
import os
import subprocess
import threading
import time

import browser_testing
from browser_testing import answer, check, click, free_port, patience, run, together, write_flow

SEEDS = range(1, 21) if os.environ.get("TACTUS_SWEEP") == "1" else [3]
STEPS = 40 if os.environ.get("TACTUS_SWEEP") == "1" else 18
ICON = '<link rel=icon href="data:,">'
TRAFFIC = {
    "body": "fetch('/data?30000').then((r) => r.text())",
    "missing": "fetch('/nothing').then((r) => r.text())",
    "redirected": "fetch('/moved').then((r) => r.text())",
    "cached": "fetch('/cached').then((r) => r.text())",
    "inline": "fetch('data:text/plain,' + 'x'.repeat(5000)).then((r) => r.text())",
    "dead": "location.href = 'http://127.0.0.1:DEAD/gone'",
    "empty": "location.href = '/empty'",
}
ORDER = ["body", "missing", "redirected", "cached", "cached", "inline", "empty", "body", "dead"]
WAYS = {
    "link": "<a id=link href='OTHER/page'>Link</a>",
    "blank": "<a id=blank target=_blank href='OTHER/page'>Blank</a>",
    "post": "<form method=post action='OTHER/page'><button id=post>Post</button></form>",
    "down": "<a id=down href='/download'>Down</a>",
    "mail": "<a id=mail href='mailto:a@b.c'>Mail</a>",
    "opens": "<button id=opens onclick=\"window.open('OTHER/page')\">Opens</button>",
    "goes": "<button id=goes onclick=\"location='OTHER/page'\">Goes</button>",
    "later": "<button id=later onclick=\"setTimeout(() => { location='OTHER/page' }, 400)\">Later</button>",
    "asks": "<button id=asks onclick=\"alert(1); confirm(2); prompt(3)\">Asks</button>",
    "stays": "<button id=stays onclick=\"onbeforeunload = (e) => { e.preventDefault(); return 'no' }\">Stays</button>",
    "prints": "<button id=prints onclick='print()'>Prints</button>",
    "full": "<button id=full onclick='document.documentElement.requestFullscreen().catch(() => 0)'>Full</button>",
    "shuts": "<button id=shuts onclick='window.close()'>Shuts</button>",
    "back": "<button id=backs onclick='history.go(-3)'>Backs</button>",
    "frame": "<iframe src='OTHER/page' width=200 height=60></iframe>",
    "field": "<input id=field>",
}
# Tells every trusted input, and from which page.
TELL = """<script>for (const type of ['pointerdown', 'keydown', 'click'])
addEventListener(type, (e) => { if (e.isTrusted) navigator.sendBeacon('/told') }, true)</script>"""


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def send(self, status, body, kind="text/plain", **headers):
        self.send_response_only(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass  # who asked has left

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/told":
            self.server.told += 1
        self.send(200, self.server.page.encode(), "text/html")

    def do_GET(self):
        path, _, query = self.path.partition("?")
        store = {"Cache_Control": "no-store"}
        if path == "/data":
            self.send(200, b"x" * int(query), **store)
        elif path == "/moved":
            self.send(302, b"moved", Location="/data?7000", **store)
        elif path == "/nothing":
            self.send(404, b"n" * 700, **store)
        elif path == "/cached":
            self.send(200, b"c" * 9000, Cache_Control="max-age=600")
        elif path == "/empty":
            self.send_response_only(204)
            self.end_headers()
        elif path == "/download":
            self.send(200, b"d" * 3000, "application/octet-stream", Content_Disposition="attachment; filename=d.bin")
        else:
            self.send(200, self.server.page.encode(), "text/html", **store)


def serve(page):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    server.page, server.told, server.daemon_threads = page, 0, True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    return server


class Plain:
    """WebDriver by hand: a browser, clicks, and the Network events of its performance log."""

    def __init__(self, work):
        self.port, self.session = free_port(), ""
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        until = time.monotonic() + patience(30)
        while time.monotonic() < until:
            try:
                self.call("GET", "/status")
                break
            except OSError:
                time.sleep(0.1)
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
                     "--disable-background-networking", f"--user-data-dir={work}/plain"]
        self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "pageLoadStrategy": "none", "goog:loggingPrefs": {"performance": "ALL"},
            "goog:chromeOptions": {"binary": "/usr/bin/chromium", "args": arguments}}}})["sessionId"]
        self.sums, self.bodies, self.http, self.failed, self.seen = {}, {}, set(), set(), 0

    def call(self, method, path, body=None):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience(60))
        where = f"/session/{self.session}{path}" if self.session else path
        link.request(method, where, json.dumps(body or {}) if method == "POST" else None)
        value = json.loads(link.getresponse().read())["value"]
        link.close()
        return value

    def script(self, text):
        return self.call("POST", "/execute/sync", {"script": text, "args": []})

    def count(self):
        """Bytes so far: of a finished request what the protocol says at its end, of a failed one the parts that came."""
        for entry in self.call("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            it, name = message["params"], message["method"]
            key = it.get("requestId")
            if key in self.failed and name != "Network.requestWillBeSent":
                continue  # what the browser shows instead comes under the same number
            if name == "Network.requestWillBeSent":
                self.seen += 1
                if "redirectResponse" in it:
                    self.sums[key + "/" + it["redirectResponse"]["url"]] = it["redirectResponse"]["encodedDataLength"]
                    self.http.add(key + "/" + it["redirectResponse"]["url"])
                    self.sums.pop(key, None)
                if it["request"]["url"].startswith("http"):
                    self.http.add(key)
                    self.failed.discard(key)
            elif name == "Network.dataReceived":
                self.sums[key] = self.sums.get(key, 0) + it["encodedDataLength"]
                self.bodies[key] = self.bodies.get(key, 0) + it["dataLength"]
            elif name == "Network.loadingFailed":
                self.failed.add(key)
                self.sums[key] = self.sums.get(key) or self.bodies.get(key, 0)
            elif name == "Network.loadingFinished":
                self.sums[key] = it["encodedDataLength"]
        return sum(value for key, value in self.sums.items() if key in self.http)

    def rest(self):
        """Until nothing more comes."""
        before, since = (-1, -1), time.monotonic()
        while time.monotonic() - since < 1.0:
            now = (self.count(), self.seen)
            if now != before:
                before, since = now, time.monotonic()
            time.sleep(0.1)
        return before[0]

    def close(self):
        try:
            self.call("DELETE", "")
        except OSError:
            pass
        self.driver.kill()
        self.driver.wait()


def traffic(work):
    dead = free_port()
    buttons = "".join(f"<button id={name} onclick=\"{text.replace('DEAD', str(dead))}\">{name}</button> " for name, text in TRAFFIC.items())
    server = serve(f"<!doctype html><title>t</title>{ICON}<body>{buttons}")
    plain = Plain(work)
    plain.call("POST", "/url", {"url": server.url + "/"})
    start = plain.rest()
    for name in ORDER:
        plain.script(f"document.getElementById('{name}').click()")
        plain.rest()
    counted = plain.rest() - start
    plain.close()
    flow = write_flow(f"{work}/traffic.jsonl", [click(name) for name in ORDER])
    done = run("run", "--device", server.url + "/", "--flows", flow, "--think", "0.3", "--deadline", "5", "-o", f"{work}/traffic", "--json")
    lines = [json.loads(line) for line in open(f"{work}/traffic/traces/000000.jsonl")]
    measured = max(line.get("rxData", 0) for line in lines)
    print(f"  received: the plain script counts {counted:.0f} bytes, Tactus {measured:.0f}")
    check(answer(done).get("pass") == 1, f"traffic: {done.stdout}{done.stderr}")
    check(counted > 70000 and measured == counted, f"rxData is {measured}, the protocol counts {counted}")
    server.shutdown()


def wild(work):
    other = serve(f"<!doctype html><title>o</title>{TELL}<body><button id=there>There</button><a href='/page'>Again</a>")
    page = "".join(WAYS.values()).replace("OTHER", other.url)
    app = serve(f"<!doctype html><title>w</title>{TELL}<meta name=viewport content='width=device-width'><body>{page}")
    for seed in SEEDS:
        other.told = app.told = 0
        start = time.monotonic()
        try:
            done = run("run", "--device", app.url + "/", "--monkey", "2", "--steps", str(STEPS), "--think", "0.02", "--deadline", "3",
                       "--seed", str(seed), "-o", f"{work}/wild{seed}", "--json", timeout=240)
        except subprocess.TimeoutExpired:
            check(False, f"seed {seed}: the run did not end")
            continue
        summary = answer(done)
        print(f"  seed {seed}: {app.told} inputs in the app, {other.told} outside, {time.monotonic() - start:.0f} s")
        check(summary.get("runs") == 2 and summary.get("missing") == 0, f"seed {seed}: {done.stdout[-600:]}{done.stderr[-600:]}")
        check(other.told == 0, f"seed {seed}: {other.told} inputs went to another origin")
        check(app.told > STEPS / 2, f"seed {seed}: only {app.told} inputs came to the app")
    other.shutdown()
    app.shutdown()


def test(work):
    together((traffic, work), (wild, work))


browser_testing.main(test)
