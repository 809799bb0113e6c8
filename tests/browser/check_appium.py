#!/usr/bin/env python3
"""Native apps through Appium: the built-in phone behind a stand-in that speaks Appium's endpoints.

What Tactus extracts, runs and sees crash through it is what it sees on the phone itself. Skips when adb is absent.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.dirname(sys.path[0]))
import appium_stand_in  # noqa: E402
import browser_testing  # noqa: E402
import side_by_side  # noqa: E402
from browser_testing import check, free_port, patience, root, tactus  # noqa: E402


def run(*words, limit=200):
    return subprocess.run([tactus, *words], capture_output=True, text=True, timeout=limit, cwd=root)


class Appium:
    """`tactus phone` with an app, connected to a private adb server, behind the stand-in."""

    def __init__(self, work, app, activity, file=None, package=None, options=()):
        self.env = dict(os.environ, ANDROID_ADB_SERVER_PORT=str(free_port()))
        self.phone = subprocess.Popen([tactus, "phone", "--adb", "0", *options, f"sim:{file or f'examples/apps/{app}.json'}"],
                                      cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.serial = re.search(r"127\.0\.0\.1:\d+", self.phone.stdout.readline()).group()
        for _ in range(50):
            self.adb("connect", self.serial)
            if f"{self.serial}\tdevice" in self.adb("devices"):
                break
            time.sleep(0.1)
        self.server = appium_stand_in.start(int(self.env["ANDROID_ADB_SERVER_PORT"]), self.serial)
        self.package = package or f"com.example.tactus.{app}"
        capabilities = pathlib.Path(work) / f"{app}.capabilities.json"
        capabilities.write_text(json.dumps({"platformName": "Android", "appium:automationName": "UiAutomator2",
                                            "appium:appPackage": self.package, "appium:appActivity": activity}))
        self.device = ["--device", f"webdriver+http://127.0.0.1:{self.server.server_port}",
                       "--capabilities", str(capabilities)]

    def adb(self, *words):
        return subprocess.run(["adb", *words], env=self.env, capture_output=True, text=True, timeout=30,
                              stdin=subprocess.DEVNULL).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.adb("kill-server")
        self.phone.send_signal(signal.SIGINT)
        try:
            self.phone.wait(10)
        except subprocess.TimeoutExpired:
            self.phone.kill()
            self.phone.wait()
        self.phone.stdout.close()


def notes(work):
    node = "//node[@resource-id='com.example.tactus.notes:id/%s']"
    options = ["--text", node % "title" + "=Milk", "--text", node % "content" + "=Two litres", "--text",
               node % "query" + "=milk", "--text", node % "tag" + "=home", "--ignore", node % "share",
               "--ignore", node % "account", "--ignore", node % "color", "--watch", "0.3"]
    direct = f"{work}/direct.xml"
    done = run("explore", "--device", "sim:examples/apps/notes.json", *options, "-o", direct, "--json")
    there = json.loads(done.stdout)
    with Appium(work, "notes", ".MainActivity") as appium:
        done = run("explore", *appium.device, *options, "-o", f"{work}/through.xml", "--json")
        check(done.returncode == 0, f"explore: {done.stderr}")
        here = json.loads(done.stdout or "{}")
        check((here.get("states"), here.get("transitions")) == (there["states"], there["transitions"]),
              f"states and transitions through Appium: {here}, on the phone: {there}")
        done = run("model", "diff", direct, f"{work}/through.xml")
        check(done.returncode == 0, f"the model through Appium differs: {done.stdout[:2000]}")
        check(not appium.server.sessions and len(appium.server.ended) == 1, "sessions are left open or wasted")
        run("flow", "cover", direct, "--length", "6", "--goal", "states", "--format", "jsonl", "-o", f"{work}/f.jsonl")
        flows = pathlib.Path(f"{work}/f.jsonl").read_text().splitlines()[:3]
        pathlib.Path(f"{work}/f.jsonl").write_text("\n".join(flows) + "\n")
        done = run("run", *appium.device, "--model", direct, "--flows", f"{work}/f.jsonl", "--think", "0.05",
                   "-o", f"{work}/runs", "--json")
        summary = json.loads(done.stdout or "{}")
        check(summary.get("pass") == len(flows) > 0, f"flows through Appium: {done.stdout}{done.stderr}")
        trace = pathlib.Path(f"{work}/runs/traces/000000.jsonl").read_text()
        check("responseTime" in trace and "rxData" not in trace, "probes through Appium")
        done = run("explore", *appium.device, "--network", "100,300,300", "-o", f"{work}/no.xml")
        check(done.returncode == 2 and "network" in done.stderr, f"a network through Appium: {done.stderr}")


def crash(work):
    """The planted crash is seen in the device's log, with its stack."""
    with Appium(work, "tracker", ".HomeActivity") as appium:
        done = run("run", *appium.device, "--monkey", "8", "--steps", "12", "--seed", "3", "-o", f"{work}/crash",
                   "--json")
        summary = json.loads(done.stdout or "{}")
        check(summary.get("crash", 0) > 0, f"no crash through Appium: {done.stdout}{done.stderr}")
        for entry in summary.get("crashes", []):
            trace = pathlib.Path(f"{work}/crash/traces/{entry['example']:06}.jsonl").read_text()
            check("at com.example.tactus.tracker" in trace.splitlines()[-1], f"no stack: {trace.splitlines()[-1]}")


def gone(work):
    """A server that ends in the middle of a campaign is an error that names the step."""
    with Appium(work, "notes", ".MainActivity") as appium:
        process = subprocess.Popen([tactus, "explore", *appium.device, "--deadline", "2", "-o", f"{work}/gone.xml"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=root)
        until = time.monotonic() + patience(20)
        while len(appium.server.calls) < 60 and time.monotonic() < until:
            time.sleep(0.05)
        appium.server.mute = True
        start = time.monotonic()
        message = process.communicate(timeout=patience(200))[1]
        check(process.returncode == 4 and "no answer" in message, f"a server that stops answering: {message}")
        check(time.monotonic() - start < patience(15), f"it took {time.monotonic() - start:.0f} s to notice")
        start = time.monotonic()
        done = run("explore", *appium.device, "-o", f"{work}/gone.xml")
        check(done.returncode == 4 and "no answer" in done.stderr and time.monotonic() - start < patience(15),
              f"a server that never answers: {done.stderr} after {time.monotonic() - start:.0f} s")


def main():
    if not shutil.which("adb"):
        print("  skipped: adb is not installed\n0 passed, 0 failed, 1 skipped")
        return 77
    if len(sys.argv) < 2:
        return side_by_side.run(__file__, (("notes",), ("crash",), ("gone",)))
    with tempfile.TemporaryDirectory(prefix="tactus-appium-") as work:
        for part in sys.argv[1:]:
            globals()[part](work)
    return browser_testing.closing()


if __name__ == "__main__":
    sys.exit(main())
