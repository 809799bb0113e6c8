#!/usr/bin/env python3
"""Faults at every call: the N-th write, rename, fsync, allocation or commit fails, or the process is
killed at it, for a campaign, an exploration, an import and a report; and memory runs out in a
reader. Whatever N is: the command ends with an exit code of its own (or by the kill), no half file is in place, no temporary file is left
but by a kill, and the same command given again ends as if nothing had been.

`make test` takes some N of each, TACTUS_FAULTS=all (make sweep) takes every one. `check_faults.py
campaign malloc 2900 3300` takes every one of these."""
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent)
TACTUS = os.environ["TACTUS"]
FAULTS = os.environ["TACTUS_FAULT_LIBRARY"]
EVERY = os.environ.get("TACTUS_FAULTS") == "all"
APP = f"sim:{ROOT}/examples/apps/notes.json"
SAMPLES = {"write": 14, "rename": 14, "fsync": 8, "commit": 8, "malloc": 22}
failures = []


def tactus(words, cwd, fault=None, count=None):
    environment = dict(os.environ)
    if fault:
        environment.update(LD_PRELOAD=FAULTS, TACTUS_FAULT=fault)
    if count:
        environment["TACTUS_FAULT_COUNT"] = str(count)
    done = subprocess.run([TACTUS, *words], cwd=cwd, env=environment, capture_output=True,
                          timeout=120)
    return done.returncode, done.stderr.decode("utf-8", "replace")


def check(good, what):
    if not good:
        failures.append(what)
        print(f"FAILED {what}")


def rows(folder):
    index = sqlite3.connect(folder / "runs" / "index.sqlite")
    found = index.execute("SELECT * FROM run ORDER BY id").fetchall()
    index.close()
    return found


class Job:
    """A command, what it needs, and what it leaves: compared with an undisturbed one."""

    def __init__(self, name, words, needs, result):
        self.name, self.words, self.needs, self.result = name, words, needs, result

    def fresh(self, scratch):
        folder = scratch / "work"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.needs, folder)
        return folder


def numbers(count, kind):
    if len(sys.argv) > 4:
        return range(int(sys.argv[3]), min(int(sys.argv[4]), count) + 1)
    if EVERY or count <= SAMPLES[kind]:
        return range(1, count + 1)
    step = count / SAMPLES[kind]
    return sorted({1, count} | {int(1 + i * step) for i in range(SAMPLES[kind])})


def disturb(job, kind, how, number, scratch, wanted):
    folder = job.fresh(scratch)
    name = f"{job.name}, {how} at {kind} {number}"
    code, errors = tactus(job.words, folder, f"{kind}:{number}:{how}")
    if how == "kill":
        check(code in (-9, 0, 1, 3, 4), f"{name}: ended with {code}: {errors[-300:]}")
    else:
        check(code in (0, 1, 3, 4), f"{name}: ended with {code}: {errors[-300:]}")
        left = [path.name for path in folder.rglob(".tactus-*")]
        check(not left, f"{name}: temporary files are left: {left}")
        check(code != 4 or "tactus: " in errors, f"{name}: says nothing")
    if code in (0, 1, 3):
        check(job.result(folder) == wanted, f"{name}: said it went well, but the result differs")
    code, errors = tactus(job.words, folder)
    check(code in (0, 1, 3), f"{name}: the second time it ended with {code}: {errors[-300:]}")
    check(job.result(folder) == wanted, f"{name}: the second time the result differs")


def sweep(job, kinds, scratch):
    folder = job.fresh(scratch)
    code, errors = tactus(job.words, folder)
    check(code in (0, 1, 3), f"{job.name}: undisturbed it ended with {code}: {errors[-300:]}")
    wanted, tried = job.result(folder), 0
    for kind in kinds if len(sys.argv) < 3 else [sys.argv[2]]:
        count_file = scratch / "count"
        count_file.unlink(missing_ok=True)
        tactus(job.words, job.fresh(scratch), f"{kind}:0:fail", count_file)
        count = int(count_file.read_text()) if count_file.exists() else 0
        check(count > 0 or kind in ("fsync", "commit"), f"{job.name}: no {kind} was counted")
        for number in numbers(count, kind):
            for how in ("fail", "kill") if kind != "malloc" else ("fail",):
                disturb(job, kind, how, number, scratch, wanted)
                tried += 1
        if len(failures) > 20:
            break
    return tried


def main():
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        empty, log, runs = scratch / "empty", scratch / "log", scratch / "ran"
        for folder in (empty, log, runs):
            folder.mkdir()
        (log / "a.csv").write_text("t,event,energy\n" + "".join(
            f"{i},e{i % 3},{i * 0.5}\n" for i in range(200)))
        campaign = ["run", "--device", APP, "--monkey", "4", "--steps", "3", "--durable", "-o",
                    "runs"]
        tactus(campaign, runs)
        jobs = [
            (Job("campaign", campaign, empty, rows), ("write", "rename", "fsync", "commit",
                                                      "malloc")),
            (Job("exploration", ["explore", "--device", APP, "--depth", "2", "-o", "m.xml"], empty,
                 lambda folder: (folder / "m.xml").read_bytes()), ("write", "rename", "malloc")),
            (Job("import", ["trace", "import", "a.csv", "-o", "t.jsonl"], log,
                 lambda folder: (folder / "t.jsonl").read_bytes()), ("write", "rename", "malloc")),
            (Job("report", ["report", "runs", "-o", "r.html"], runs,
                 lambda folder: (folder / "r.html").stat().st_size), ("write", "rename",
                                                                     "malloc")),
            # libyaml has an allocator of its own, and a file that was left out is another answer
            (Job("automation", ["automation", "show", f"{ROOT}/examples/home", "-o", "out"], empty,
                 lambda folder: (folder / "out").read_bytes()), ("malloc",)),
        ]
        tried = sum(sweep(job, kinds, scratch) for job, kinds in jobs
                    if job.name in sys.argv[1:2] or len(sys.argv) < 2)
    print(f"{tried} faults, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
