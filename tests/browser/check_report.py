#!/usr/bin/env python3
"""Opens the demo's report in headless Chromium, narrow and wide: every section is drawn, nothing is
written to the console, nothing is loaded from outside. Screenshots stay in the build folder. Then,
through chromedriver, what a reader does: opens a run, points at a curve, walks by keyboard, prints."""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

sections = ["findings", "properties", "model", "runs", "causes", "protocol", "rules", "provenance"]
flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--enable-logging=stderr", "--virtual-time-budget=5000",
         "--host-resolver-rules=MAP * ~NOTFOUND"]


def open_page(page, width, work, *more):
    done = subprocess.run(["chromium", *flags, f"--user-data-dir={work}/profile{width}",
                           f"--window-size={width},3000", *more, f"file://{page}"],
                          capture_output=True, text=True, timeout=120)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


class Reader:
    """A browser on the page, driven by W3C WebDriver."""

    def __init__(self, work, *more):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                break
        self.base = f"http://127.0.0.1:{found.group(1)}/session"
        arguments = [*flags[:8], *more, "--window-size=1200,900", f"--user-data-dir={work}/reader"]
        options = {"binary": shutil.which("chromium"), "args": arguments}
        made = self.call("", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
        self.base += "/" + made["sessionId"]

    def call(self, path, data=None, method=None):
        request = urllib.request.Request(self.base + path, method=method, headers={
            "Content-Type": "application/json"}, data=None if data is None else
            json.dumps(data).encode())
        return json.load(urllib.request.urlopen(request, timeout=60))["value"]

    def do(self, script):
        return self.call("/execute/sync", {"script": script, "args": []})

    def point(self, x, y):
        self.call("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "x": int(x), "y": int(y)}]}]})

    def press(self, key):
        self.call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def close(self):
        try:
            self.call("", method="DELETE")
        finally:
            self.driver.terminate()
            self.driver.wait(20)


def wait_for(condition, seconds=5):
    end = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return value


def read_page(page, work):
    """(good, message) for each thing a reader does."""
    reader = Reader(work)
    try:
        reader.call("/url", {"url": f"file://{page}"})
        named = "return document.querySelector('.named').textContent"
        box = reader.do("const c = document.querySelector('.u-over'); c.scrollIntoView({block: "
                        "'center'}); const b = c.getBoundingClientRect(); "
                        "return [b.left, b.top, b.width, b.height]")
        yield reader.do(named) == "", "a run stands out before anything was pointed at"
        reader.point(box[0] + box[2] * 0.3, box[1] + box[3] * 0.55)
        pointed = ""
        for part in range(20):  # somewhere there is a curve
            reader.point(box[0] + box[2] * 0.3, box[1] + box[3] * part / 20)
            pointed = reader.do(named)
            if pointed:
                break
        yield re.match(r"run \d+, \w+: (over by|room) ", pointed), \
            f"pointing at a curve names no run: {pointed!r}"
        reader.point(5, 5)
        yield wait_for(lambda: reader.do(named) == ""), "the run still stands out"
        reader.do("document.querySelector('#properties details').open = true; "
                  "document.querySelector('#properties details td button').focus()")
        yield wait_for(lambda: reader.do(named).startswith("run ")), \
            "a run with the focus does not stand out"
        reader.do("document.querySelector('#runs td button').focus()")
        reader.press("\ue007")  # Enter
        heads = "return [...document.querySelectorAll('.timeline th')].map(h => h.textContent)"
        yield wait_for(lambda: {"event", "screen", "energy, J"} <= set(reader.do(heads))), \
            f"the timeline has {reader.do(heads)}"
        yield reader.do("return document.activeElement.className") == "timeline", \
            "the timeline does not get the focus"
        facts = reader.do("return document.querySelector('#provenance').textContent")
        for word in ("tactus run", "seed", "durations", "not covered", "written by", "limits"):
            yield word in facts, f"how it was obtained does not say: {word}"
        wide = reader.do("return document.documentElement.scrollWidth - innerWidth")
        yield wide <= 0, f"the page is {wide} pixels wider than the window"
        pdf = base64.b64decode(reader.call("/print", {}))
        yield pdf.startswith(b"%PDF") and len(pdf) > 50000, "it does not print"
    finally:
        reader.close()


def main():
    if not shutil.which("chromium"):
        print("  skipped: chromium is not installed\n0 passed, 0 failed, 1 skipped")
        return 77
    program = os.path.abspath(os.environ["TACTUS"])
    shots = pathlib.Path(program).parent / "screenshots"
    shots.mkdir(exist_ok=True)
    passed, failures = 0, []
    with tempfile.TemporaryDirectory(prefix="tactus-browser-") as work:
        subprocess.run([program, "demo", "tour"], cwd=work, check=True, stdout=subprocess.DEVNULL)
        page = f"{work}/tour/report.html"
        html = pathlib.Path(page).read_text()
        checks = [(not re.search(r"https?://", html), "the report names an address outside")]
        for width in (400, 1400):
            dom, console = open_page(page, width, work, "--dump-dom")
            open_page(page, width, work, f"--screenshot={shots}/report-{width}.png")
            checks.append((not console, f"{width}: the console says {console[:2]}"))
            for section in sections:
                checks.append((f'<section id="{section}"' in dom, f"{width}: no section {section}"))
            checks.append(("<canvas" in dom, f"{width}: no chart"))
            checks.append((dom.count("data:image/svg+xml") >= 3, f"{width}: drawings are missing"))
            shot = shots / f"report-{width}.png"
            checks.append((shot.exists() and shot.stat().st_size > 20000, f"{width}: empty picture"))
        if shutil.which("chromedriver"):
            checks += list(read_page(page, work))
    for good, message in checks:
        passed += bool(good)
        if not good:
            failures.append(message)
            print("FAILED " + message)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
