#!/usr/bin/env python3
"""Bugs planted in a todo list, in a real browser: random runs find them, `tactus reproduce` reduces each
to the events that it takes, replays it, and the flow that it writes crashes the page again. One of them
in `make test`, both with TACTUS_SWEEP=1 (make sweep).

Needs Debian's chromium and chromium-driver; skipped where they are absent.
"""
import json
import os
import shutil
import sys
import tempfile

import browser_testing
from browser_testing import Server, answer, check, root, run

# What has to be among the events, and the last one. Something can be done by its box or with all others, and
# one filter is as good as another for the second bug.
BUGS = {"clear": (["add", "showActive"], "clearCompleted"), "toggle": (["add", "toggleAll"], "toggleAll")}

# Random runs: enough that some crash by each bug.
MONKEYS = "10" if os.environ.get("TACTUS_SWEEP") else "5"


def reduce(work, url, bug):
    device = f"chromium:{url}/index.html?bug={bug}"
    campaign, folder = f"{work}/{bug}", f"{work}/{bug}-short"
    done = run("run", "--device", device, "--monkey", MONKEYS, "--steps", "25", "--fast", "--seed", "5",
               "-o", campaign, "--json", timeout=600)
    crashed = answer(done).get("crash", 0)
    check(crashed > 0, f"{bug}: no random run crashed: {done.stderr}")
    done = run("reproduce", campaign, "--device", device, "--fast", "--replays", "4", "-o", folder, "--json", timeout=900)
    causes = answer(done).get("causes", [])
    check(done.returncode == 1 and len(causes) == 1, f"{bug}: {done.returncode} {done.stdout} {done.stderr}")
    if not causes or not causes[0].get("reproduced"):
        return
    cause = causes[0]
    events = [step["event"] for step in cause["steps"]]
    wanted, last = BUGS[bug]
    print(f"{bug}: {cause['steps_before']} events to {len(events)} in {cause['executions']} executions: {cause['text']}")
    check(set(wanted) <= set(events) and events[-1] == last, f"{bug}: {events}")
    check(len(events) == 4, f"{bug}: {len(events)} events")
    check(cause["one_minimal"] and cause["replays"]["failed"] >= 3, f"{bug}: {json.dumps(cause)}")
    done = run("run", "--device", device, "--fast", "--flows", cause["flow"], "-o", f"{work}/{bug}-again", "--json")
    check(answer(done).get("crash") == 1, f"{bug}: the flow does not crash the page: {done.stdout}")


def main():
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        print("skipped: chromium and chromium-driver are not installed")
        return 77
    server = Server(root / "tests/browser/todo")
    with tempfile.TemporaryDirectory(prefix="tactus-todo-") as work:
        for bug in BUGS if os.environ.get("TACTUS_SWEEP") else ["clear"]:
            reduce(work, server.url, bug)
    server.stop()
    print(f"{browser_testing.passed} passed, {len(browser_testing.failures)} failed")
    return 1 if browser_testing.failures else 0


sys.exit(main())
