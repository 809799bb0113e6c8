#!/usr/bin/env python3
"""Exported WebDriver and WebdriverIO suites, run in Chromium: every flow starts the page anew, every
command succeeds, and the page sees as many clicks as the flow has. What a script of actions names by css, keys and the mouse
lead to the same as in the run itself.

The WebDriver document is run by the few lines below, the WebdriverIO script by node with a stand-in of
WebdriverIO that speaks to the same chromedriver. Skipped where the browser is absent.
"""
import json
import pathlib
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

import browser_testing
from browser_testing import Server, check, free_port, root, run

COUNT = 'window.__clicks = 0; addEventListener("click", () => { window.__clicks++ }, true)'
KEY = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    def __init__(self, work):
        port = free_port()
        self.process = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{port}"
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
                     "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
                     "--disable-background-networking", f"--user-data-dir={work}/profile",
                     "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]
        for _ in range(100):
            try:
                value = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
                    "browserName": "chrome", "goog:chromeOptions": {
                        "binary": "/usr/bin/chromium", "args": arguments, "mobileEmulation": {
                            "deviceMetrics": {"width": 360, "height": 640, "pixelRatio": 2.0, "mobile": True,
                                              "touch": True}}}}}})
                break
            except (ConnectionError, urllib.error.URLError):
                time.sleep(0.1)
        self.session = value["sessionId"]

    def call(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            return json.load(error)["value"]

    def perform(self, command, element):
        """One command of the export; finding waits, as the flow's element may still be on its way."""
        path = command["path"].replace("{session}", self.session).replace("{element}", element)
        body = json.loads(json.dumps(command.get("body")).replace("{element}", element))
        value = self.call(command["method"], path, body)
        for _ in range(100):
            if not (isinstance(value, dict) and value.get("error") == "no such element"):
                break
            time.sleep(0.05)
            value = self.call(command["method"], path, body)
        return value

    def execute(self, script):
        return self.call("POST", f"/session/{self.session}/execute/sync", {"script": script, "args": []})

    def close(self):
        self.call("DELETE", f"/session/{self.session}")
        self.process.terminate()
        self.process.wait()


def run_flow(browser, flow):
    """(what failed or None, clicks that the page saw)"""
    element, counting = "", False
    for command in flow["commands"]:
        if command.get("event") and not counting:
            browser.execute(COUNT)
            counting = True
        value = browser.perform(command, element)
        if isinstance(value, dict) and value.get("error"):
            return f"{command.get('event')}: {value['error']}: {value['message'][:200]}", 0
        if isinstance(value, dict) and KEY in value:
            element = value[KEY]
        time.sleep(command.get("pause", 0))
    return None, browser.execute("return window.__clicks")


def clicks_of(flows):
    """Per flow the clicks behind its last launch, back or home, where the page starts to count."""
    counts = []
    for line in pathlib.Path(flows).read_text().splitlines():
        kinds = [a["kind"] for s in json.loads(line)["steps"] for a in s.get("actions", [])]
        counts.append(None if set(kinds) & {"back", "home", "launch"} else kinds.count("click"))
    return counts


def check_results(name, results, wanted):
    check(len(results) == len(wanted), f"{name}: {len(results)} of {len(wanted)} flows ran")
    for i, ((failed, clicks), count) in enumerate(zip(results, wanted)):
        check(failed is None, f"{name}: flow {i + 1}: {failed}")
        check(failed or count is None or clicks == count, f"{name}: flow {i + 1}: {clicks} clicks, not {count}")


# Tells in its title what it has felt; a field is left when its text was taken, as in many pages.
DIARY = """<!doctype html><meta charset=utf-8><title></title><style>li{width:120px;height:24px}#shy{display:none}#rest:hover #shy{display:inline}</style>
<ul id=list><li>a<li>b<li hidden>never<li>c</ul><input id=field value=old><button id=rest>rest<i id=shy>shy</i></button>
<div id=from>from</div><p id=told></p>
<script>const tell = (what) => { document.title += what + '|'; told.textContent = document.title; localStorage.setItem('diary', document.title) }
told.textContent = document.title = localStorage.getItem('diary') || ''
for (const row of document.querySelectorAll('li')) {
  row.onclick = () => { tell(row.textContent.trim()); list.prepend(row) }
}
rest.ondblclick = () => tell('double')
rest.onmouseenter = () => { if (!document.title.includes('hover')) tell('hover') } // a pointer may be there again after loading
field.onkeydown = (event) => { if (event.key === 'Enter' || event.key === 'ArrowLeft') tell((event.ctrlKey ? 'Control+' : '') + event.key + '=' + field.value) }
field.onblur = () => tell('left')
from.onclick = () => tell('from')
</script>"""
SCRIPT = """action all: do click any css:"li"; click it; hover css:"#rest"; doubleclick css:"#rest"; type css:"#field" "milk"; key Enter; type " x"; key Enter;
  clear; key Enter; type "y"; key Control+ArrowLeft; key Home; type "é"; key Enter; click css:"#from"
action again: do reload; type css:"#field" "new\\\\n"
"""


def flow_of(trace_folder, work):
    """What the run did, as a flow file: the kept run of a violated property."""
    done = run("reproduce", trace_folder, "--device", work["page"], "--tries", "1", "--failures", "1", "--replays", "1", "-o", work["reduced"])
    check(done.returncode == 1, f"reproduce: {done.stdout}{done.stderr}")
    return next(pathlib.Path(work["reduced"]).glob("*/flow.jsonl")).parent


def titles(browser, folder):
    """The page's diary after the WebDriver export and after the WebdriverIO one."""
    suite = json.loads((folder / "flow.webdriver.json").read_text())
    failed, _ = run_flow(browser, suite["flows"][0])
    told = [(failed, browser.execute("return document.title"))]
    if shutil.which("node"):
        done = subprocess.run(["node", str(root / "tests/browser/wdio_stand_in.js"), browser.address, browser.session,
                               str(folder / "flow.spec.js")], capture_output=True, text=True, timeout=300)
        check(done.returncode == 0 and done.stdout, f"node: {done.stderr}")
        result = json.loads(done.stdout.splitlines()[0])
        told.append((result["failed"], result["title"]))
    return told


def test_script(work, browser):
    """A run of guarded actions, reduced, exported, run by others."""
    pathlib.Path(f"{work}/diary").mkdir()
    pathlib.Path(f"{work}/diary/index.html").write_text(DIARY)
    pathlib.Path(f"{work}/d.actions").write_text(SCRIPT)
    pathlib.Path(f"{work}/d.props").write_text('observe shy = visible(css:"#shy")\nobserve held = value(css:"#field")\n'
                                               'observe told = text(css:"#told")\n'
                                               'property never: always not (once all and held == "new")\n')
    server = Server(pathlib.Path(f"{work}/diary"))
    page = f"{server.url}/index.html"
    done = run("run", "--device", page, "--actions", f"{work}/d.actions", "-p", f"{work}/d.props", "--runs", "1", "--steps", "8", "--seed", "5",
               "--stop-on-violation", "-o", f"{work}/diaries")
    check(done.returncode == 1, f"run: {done.stdout}{done.stderr}")
    folder = flow_of(f"{work}/diaries", {"page": page, "reduced": f"{work}/reduced"})
    steps = json.loads((folder / "flow.jsonl").read_text())["steps"]
    check([one["event"] for one in steps] == ["all", "again"], f"{steps}")
    done = run("run", "--device", page, "--flows", str(folder / "flow.jsonl"), "-p", f"{work}/d.props", "-o", f"{work}/replayed")
    states = [json.loads(line) for line in pathlib.Path(f"{work}/replayed/traces/000000.jsonl").read_text().splitlines()]
    wanted = [state["told"] for state in states if state.get("told")][-1]
    check(re.fullmatch(r"([abc]\|)\1hover\|double\|Enter=.*\|Enter=.* x\|Enter=\|Control\+ArrowLeft=y\|Enter=éy\|left\|from\|Enter=new\|", wanted),
          f"the run itself: {wanted}")
    check(not list(folder.glob("*.java")) and not list(folder.glob("*.yaml")), "a page has no exports for phones")
    for failed, told in titles(browser, folder):
        check(failed is None and told == wanted, f"{failed}: {told!r} instead of {wanted!r}")
    server.stop()


def test(work):
    server = Server(root / "examples/web/player")
    page = f"{server.url}/index.html"
    model, flows = f"{work}/player.xml", f"{work}/flows.jsonl"
    done = run("explore", "--device", f"chromium:{page}", "--watch", "0.3", "--fast", "-o", model)
    check(done.returncode == 0, f"explore: {done.stderr}")
    run("flow", "cover", model, "--length", "8", "--goal", "transitions", "--format", "jsonl", "-o", flows)
    wanted = clicks_of(flows)
    check(len(wanted) >= 3, f"only {len(wanted)} flows")
    for name, file in (("webdriver", "suite.json"), ("wdio", "suite.js")):
        done = run("flow", "export", flows, "--to", name, "--url", page, "-o", f"{work}/{file}")
        check(done.returncode == 0 and not done.stderr, f"export {name}: {done.stderr}")
    browser = Browser(work)
    suite = json.loads(pathlib.Path(f"{work}/suite.json").read_text())
    check_results("webdriver", [run_flow(browser, flow) for flow in suite["flows"]], wanted)
    if shutil.which("node"):
        done = subprocess.run(["node", str(root / "tests/browser/wdio_stand_in.js"), browser.address, browser.session,
                               f"{work}/suite.js"], capture_output=True, text=True, timeout=300)
        results = [json.loads(line) for line in done.stdout.splitlines()]
        check_results("wdio", [(r["failed"], r["clicks"]) for r in results], wanted)
    test_script(work, browser)
    browser.close()
    server.stop()


if __name__ == "__main__":
    browser_testing.main(test)
