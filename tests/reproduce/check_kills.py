#!/usr/bin/env python3
"""A search that is killed at random moments, half with SIGKILL and half with SIGTERM, and started again: the
journal only grows, no execution is in it twice, and in the end it holds what the journal of an undisturbed
search holds, and the result is the same. A journal whose last line was cut is continued, and so is one that
ends between executions that were asked for together.

TACTUS_KILLS says how many kills there are (default 6; `make sweep` takes 50)."""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent.parent)
TACTUS = os.environ["TACTUS"]
KILLS = int(os.environ.get("TACTUS_KILLS", "6"))
APP = f"sim:{ROOT}/examples/apps/tracker.json"
passed, failures = 0, []


def check(good, what):
    global passed
    passed += bool(good)
    if not good:
        failures.append(what)
        print(f"FAILED {what}")


def executions(folder):
    path = folder / "journal.jsonl"
    text = path.read_text() if path.exists() else ""
    whole = text[:text.rfind("\n") + 1]
    return [line for line in whole.splitlines() if line.startswith('{"try"')]


def command(campaign, folder, *words):
    return [TACTUS, "reproduce", str(campaign), "--device", APP, "-o", str(folder), "--json", *words]


def undisturbed(campaign, folder):
    done = subprocess.run(command(campaign, folder), capture_output=True, text=True, timeout=300)
    check(done.returncode == 1, f"the undisturbed search ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def disturbed(campaign, folder, kills, chance, longest):
    known = []
    while True:
        process = subprocess.Popen(command(campaign, folder), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            out, err = process.communicate(timeout=chance.uniform(0.02, longest) if kills else 300)
            check(process.returncode == 1, f"the search ended with {process.returncode}: {err}")
            return json.loads(out), kills
        except subprocess.TimeoutExpired:
            how = signal.SIGKILL if chance.random() < 0.5 else signal.SIGTERM
            process.send_signal(how)
            process.communicate(timeout=60)
        kills -= 1
        now = executions(folder)
        check(now[:len(known)] == known, f"executions were lost by signal {how}")
        known = now


def same(one, other, what):
    for document in (one, other):
        for key in ("folder", "command"):
            document.pop(key)
        for cause in document["causes"]:
            for key in ("flow", "exports", "properties", "replay"):
                cause.pop(key)
    check(one == other, f"{what}: the results differ")


def main():
    chance = random.Random(7)
    with tempfile.TemporaryDirectory(prefix="tactus-kills-") as work:
        work = pathlib.Path(work)
        campaign = work / "bugs"
        subprocess.run([TACTUS, "run", "--device", APP, "--monkey", "60", "--steps", "50", "-o", str(campaign)],
                       stdout=subprocess.DEVNULL, timeout=300, check=False)
        begun = time.monotonic()
        wanted = undisturbed(campaign, work / "calm")
        longest = max(0.2, 0.8 * (time.monotonic() - begun))  # moments all over it, on any machine
        plain = executions(work / "calm")
        kills, searches = KILLS, 0
        while kills > 0:
            searches += 1
            folder = work / f"search-{searches}"
            found, kills = disturbed(campaign, folder, kills, chance, longest)
            lines = executions(folder)
            seeds = [json.loads(line)["seed"] for line in lines]
            check(len(seeds) == len(set(seeds)), "an execution was repeated")
            check(lines == plain, f"search {searches}: other executions than those of the undisturbed one")
            same(dict(found, causes=[dict(c) for c in found["causes"]]),
                 dict(wanted, causes=[dict(c) for c in wanted["causes"]]), f"search {searches}")
        # cut in the middle of every hundredth byte of the last kilobyte
        journal = (work / "calm" / "journal.jsonl").read_bytes()
        for cut in range(100, 1000, 300):
            folder = work / f"cut-{cut}"
            folder.mkdir()
            (folder / "journal.jsonl").write_bytes(journal[:-cut])
            found = undisturbed(campaign, folder)
            check(executions(folder) == plain, f"a journal cut by {cut} bytes was not continued")
            check(found["executions"] == len(plain), "the executions are miscounted")
        # where one of two tries was made
        lines = journal.splitlines(keepends=True)
        halves = [i for i, line in enumerate(lines) if b'"end":"fail"' in line and b'"left":1}' in line]
        check(len(halves) > 4, f"only {len(halves)} candidates were blocked")
        for half in halves[::max(1, len(halves) // 4)]:
            folder = work / f"half-{half}"
            folder.mkdir()
            (folder / "journal.jsonl").write_bytes(b"".join(lines[:half + 1]))
            undisturbed(campaign, folder)
            check(executions(folder) == plain, f"a batch that line {half + 1} begins was not completed")
        # many workers: other orders, the same causes
        done = subprocess.run(command(campaign, work / "many", "--parallel", "3"), capture_output=True,
                              text=True, timeout=300)
        many = json.loads(done.stdout)
        check([(c["cluster"], [s["event"] for s in c["steps"]]) for c in many["causes"]] ==
              [(c["cluster"], [s["event"] for s in c["steps"]]) for c in wanted["causes"]],
              "three workers find something else")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
