#!/usr/bin/env python3
"""A phone that is lost in the middle of a guarded action or of a flow: in one of its steps, in a look, between two of
them; through the real adb and through Appium's stand-in. The run is neither passed nor failed nor crashed, what was
recorded before stays, the message says which action and step it was and why, the exit code is 4, and the same command
goes on when the phone is back.

Skips where adb is absent.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from three_phones import Appium, Phones, check, closing, patience, root, tactus  # noqa: E402
from browser_testing import free_port  # noqa: E402

APP = "tests/android/gestures.json"
PACKAGE = "com.example.gestures"
RUNS = 3
# Calls at which the phone dies: in the steps of an action, and in the looks before and after them.
CALLS = {"actions": (52, 60, 64, 69, 70), "flows": (62,)}


def node(name):
    return f"//node[@resource-id='{PACKAGE}:id/{name}']"


def what_to_do(work, kind):
    """The words of a campaign of actions, or of flows of the same steps."""
    if kind == "actions":
        (work / "p.props").write_text(f"observe clicks = number({node('clicks')})\nproperty few: always clicks <= 100\n")
        (work / "p.actions").write_text(f"action all: do click {node('plain')}; type {node('field')} \"milk\"; "
                                        f"click {node('button')}\n")
        return ["--actions", str(work / "p.actions"), "--runs", str(RUNS), "--steps", "3", "-p", str(work / "p.props")]
    steps = [{"kind": "click", "xpath": node("plain")}, {"kind": "text", "xpath": node("field"), "value": "milk"},
             {"kind": "click", "xpath": node("button")}]
    start = {"device": "phone", "application": "g", "package": PACKAGE, "states": ["A/B/S0"]}
    flow = {"kind": "truncated", "model": "m", "start": [start],
            "steps": [{"event": f"e{i}", "device": "phone", "kind": "user", "actions": [action], "states": ["A/B/S0"]}
                      for i, action in enumerate(steps * 3)]}
    (work / "flows.jsonl").write_text((json.dumps(flow) + "\n") * RUNS)
    return ["--flows", str(work / "flows.jsonl")]


# Where a run was, as messages say it; before its first step and behind its last there is no such place.
PLACE = {"actions": r"tactus: run \d+: (action \d, 'all', (step [123]|the look after it)|before action \d): ",
         "flows": r"tactus: run \d+: step \d, 'e\d': "}


def judge_loss(name, kind, done, folder, place_wanted):
    """After the loss: what was done is there, whole, and nothing else; returns how many runs."""
    told = json.loads(done.stdout or "{}")
    traces = sorted(pathlib.Path(folder).glob("traces/*.jsonl"))
    check(done.returncode == 4, f"{name}: exit code {done.returncode}: {done.stdout}{done.stderr}")
    check(told.get("fail") == told.get("crash") == 0 and told.get("pass") == told.get("runs") == len(traces) < RUNS
          and told.get("missing") == RUNS - len(traces), f"{name}: {done.stdout}")
    check(not place_wanted or re.match(PLACE[kind], done.stderr), f"{name}: no place: {done.stderr}")
    lost = told.get("lost_devices", [])
    check(not lost or lost[0]["message"] in done.stderr, f"{name}: {lost}, {done.stderr}")
    for trace in traces:
        check(json.loads(trace.read_text().splitlines()[-1])["end"]["meta"]["verdict"] == "pass", f"{name}: {trace}")
    return len(traces)


def judge_return(name, done, before):
    told = json.loads(done.stdout or "{}")
    check(done.returncode == 0 and told.get("pass") == RUNS and told.get("missing") == 0,
          f"{name}: the same command, {before} runs done: {done.returncode}: {done.stdout}{done.stderr}")


class Lonely:
    """A phone at a port of its own that dies at a call and comes back there."""

    def __init__(self):
        self.env, self.port = dict(os.environ, ANDROID_ADB_SERVER_PORT=str(free_port())), free_port()
        self.process = None

    def start(self, *options):
        self.stop()
        self.process = subprocess.Popen([tactus, "phone", "--adb", str(self.port), *options, f"sim:{APP}"], cwd=root,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.process.stdout.readline()
        self.adb("connect", f"127.0.0.1:{self.port}")

    def adb(self, *words):
        subprocess.run(["adb", *words], env=self.env, capture_output=True, timeout=patience(30))

    def command(self, words, folder):
        return [tactus, "run", "--device", f"adb:127.0.0.1:{self.port}", "--app", PACKAGE, *words, "-o", str(folder),
                "--json"]

    def run(self, words, folder):
        return subprocess.run(self.command(words, folder), env=self.env, capture_output=True, text=True, cwd=root,
                              timeout=patience(300))

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()


def adb(work):
    phone, places = Lonely(), set()
    try:
        for kind, calls in CALLS.items():
            words = what_to_do(work, kind)
            for call in calls:
                name, folder = f"adb, {kind}, dies at call {call}", work / f"{kind}-{call}"
                phone.start("--faults", f"die@{call}")
                done = phone.run(words, folder)
                before = judge_loss(name, kind, done, folder, True)
                places |= set(re.findall(r"(step \d|the look after it|before action)", done.stderr))
                phone.start()
                judge_return(name, phone.run(words, folder), before)
    finally:
        phone.stop()
        phone.adb("kill-server")
    check({"step 1", "step 2", "step 3", "the look after it", "before action"} <= places, f"it was lost at {places} only")


def clicks_of(trace):
    return [state["clicks"] for state in map(json.loads, trace.read_text().splitlines()) if "clicks" in state]


def server(work):
    """The adb server is killed while actions are under way: nothing is done twice, and nothing counts that was not done."""
    phone, words, folder, runs = Lonely(), what_to_do(work, "actions"), work / "server", 30
    words[words.index("--runs") + 1] = str(runs)
    try:
        phone.start()
        under_way = subprocess.Popen(phone.command(words, folder), env=phone.env, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True, cwd=root)
        killed = 0
        for wanted in (1, 5, 9):
            while under_way.poll() is None and len(list(folder.glob("traces/*.jsonl"))) < wanted:
                time.sleep(0.02)
            killed += under_way.poll() is None
            phone.adb("kill-server")
        out, errors = under_way.communicate(timeout=patience(300))
        told = json.loads(out or "{}")
        check(killed == 3, "the campaign was over before")
        check(under_way.returncode in (0, 4) and told["fail"] == told["crash"] == 0 and
              told["pass"] + told["missing"] == runs, f"server: {under_way.returncode}: {out}{errors}")
        done = phone.run(words, folder)
        check(done.returncode == 0 and json.loads(done.stdout)["pass"] == runs, f"server: {done.stdout}{done.stderr}")
        for trace in folder.glob("traces/*.jsonl"):
            check(clicks_of(trace) == [0, 1, 2, 3], f"{trace.name}: {clicks_of(trace)}")
    finally:
        phone.stop()
        phone.adb("kill-server")


def appium(work):
    for kind, breaks in (("actions", ("dead", "forgets", "garbage", "drop")), ("flows", ("dead", "garbage"))):
        words = what_to_do(work, kind)
        for number, how in enumerate(breaks):
            name, folder = f"Appium, {kind}, {how}", work / f"appium-{kind}-{how}"
            with Appium(str(work), "gestures", ".MainActivity", file=APP, package=PACKAGE) as server:
                phones = Phones.__new__(Phones)
                phones.devices, phones.appium = {"appium": server.device}, server
                server.server.breaks = (40 + 7 * number, how)
                done = phones.run("appium", *words, "-o", str(folder), "--json")
                before = judge_loss(name, kind, done, folder, True)
                server.server.breaks = (0, None)
                judge_return(name, phones.run("appium", *words, "-o", str(folder), "--json"), before)


def main():
    if not shutil.which("adb"):
        print("  skipped: adb is not installed\n0 passed, 0 failed, 1 skipped")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for part in sys.argv[1:] or ("adb", "server", "appium"):
            globals()[part](pathlib.Path(folder))
    return closing()


sys.exit(main())
