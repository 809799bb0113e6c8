#!/usr/bin/env python3
"""`tactus reproduce` through the real adb server on built-in phones: a crash is reduced on two phones, one of
which is killed in the middle: the other does its work. Skips when adb is absent.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import check_adb as rig
from check_adb import Phone, adb, check, env, program, root, tactus

CLUSTER = "java.lang.NullPointerException at com.example.tactus.tracker.social.Session.token"


def executions(folder):
    path = pathlib.Path(folder) / "journal.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.startswith('{"try"') and line.endswith("}")]


def record(work):
    """Random runs of the same app inside the process, which are quick."""
    folder = os.path.join(work, "bugs")
    tactus("run", "--device", "sim:examples/apps/tracker.json", "--monkey", "40", "--steps", "40", "-o", folder)
    return folder


def reduce_with_a_death(work, campaign):
    folder = os.path.join(work, "short")
    with Phone("tracker") as stays:
        dies = Phone("tracker")
        search = subprocess.Popen([program, "reproduce", campaign, "--device", f"adb:{dies.serial}", "--device",
                                   f"adb:{stays.serial}", "--cluster", CLUSTER, "-o", folder, "--json"],
                                  env=env, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        waited = time.monotonic()
        while search.poll() is None and time.monotonic() - waited < 300 and not any(
                trial["device"] == f"adb:{dies.serial}" for trial in executions(folder)):
            time.sleep(0.05)
        before = len(executions(folder))
        dies.process.kill()
        dies.process.wait()
        adb("disconnect", dies.serial)
        out, errors = search.communicate(timeout=600)
        dies.process.stdout.close()
        check("a search over adb", search.returncode == 1, f"{search.returncode} {errors}")
        result = json.loads(out or "{}")
        cause = (result.get("causes") or [{}])[0]
        check("something was left to do", 0 < before < len(executions(folder)), before)
        check("the phone that died is named", [row["device"] for row in result.get("lost_devices", [])] ==
              [f"adb:{dies.serial}"], result.get("lost_devices"))
        check("four events", [step["event"].split("_")[0] for step in cause.get("steps", [])] ==
              ["friends", "friend", "more", "follow"], cause.get("steps"))
        check("it fails when replayed", cause.get("replays", {}).get("failed", 0) >= 9, cause.get("replays"))
        check("minimal", cause.get("one_minimal"), cause)
        check("the missing event is confirmed", ("signIn", "confirmed by experiment") in [
            (one["inserted"], one["verdict"]) for one in cause.get("counterfactuals", [])],
            cause.get("counterfactuals"))
        seeds = [trial["seed"] for trial in executions(folder)]
        check("no execution twice", len(seeds) == len(set(seeds)))


def main():
    if not shutil.which("adb"):
        print("skipped: adb is not installed")
        return 77
    try:
        with tempfile.TemporaryDirectory(prefix="tactus-adb-") as work:
            reduce_with_a_death(work, record(work))
    finally:
        adb("kill-server")
    print(f"{rig.passed} passed, {rig.failed} failed")
    return 1 if rig.failed else 0


if __name__ == "__main__":
    sys.exit(main())
