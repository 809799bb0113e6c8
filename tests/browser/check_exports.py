#!/usr/bin/env python3
"""Exported WebDriver and WebdriverIO suites, run in Chromium: every flow starts the page anew, every
command succeeds, and the page sees as many clicks as the flow has.

The WebDriver document is run by the few lines below, the WebdriverIO script by node with a stand-in of
WebdriverIO that speaks to the same chromedriver. Skipped where the browser is absent.
"""
import json
import pathlib
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
    browser.close()
    server.stop()


if __name__ == "__main__":
    browser_testing.main(test)
