#!/usr/bin/env python3
"""Campaigns in real time with three workers that are killed at random moments, half of them with
SIGKILL and half with SIGTERM: nothing that was finished is lost, at most the runs that were under way
are done again, and in the end the rows are those of an undisturbed campaign but for measured times.
A worker that is stopped (SIGSTOP) does not stop the campaign.

TACTUS_KILLS says how many kills there are (default 4; `make sweep` takes 50)."""
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from patience import patience  # noqa: E402

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent)
TACTUS = os.environ["TACTUS"]
WORKERS, RUNS = 3, 18
KILLS = int(os.environ.get("TACTUS_KILLS", "4"))
failures = []


def command(folder):
    return [TACTUS, "run", "--device", f"sim:{ROOT}/examples/apps/notes.json", "--monkey",
            str(RUNS), "--steps", "3", "--realtime", "--think", "0.05", "--parallel",
            str(WORKERS), "-o", str(folder)]


def start(folder):
    return subprocess.Popen(command(folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def rows(folder, columns="id,kind,name,flow,scenario,repeat,seed,verdict,message,exception,trace,"
                         "steps,details"):
    if not (folder / "index.sqlite").exists():
        return []
    index = sqlite3.connect(folder / "index.sqlite")
    try:
        return index.execute(f"SELECT {columns} FROM run ORDER BY id").fetchall()
    except sqlite3.OperationalError:  # killed before the tables were there
        return []
    finally:
        index.close()


def check(good, what):
    if not good:
        failures.append(what)
        print(f"FAILED {what}")


def disturbed(folder, kills, chance, longest):
    """One campaign, killed until the kills are used up or it is through; returns what is left."""
    known = set()
    while True:
        process = start(folder)
        how = signal.SIGKILL if chance.random() < 0.5 else signal.SIGTERM
        try:
            process.communicate(timeout=chance.uniform(0.02, longest) if kills else None)
            check(process.returncode == 0, f"a campaign ended with {process.returncode}")
            return kills
        except subprocess.TimeoutExpired:
            process.send_signal(how)
            process.communicate(timeout=30)
        kills -= 1
        now = {row[0] for row in rows(folder)}
        traces = {int(path.stem) for path in (folder / "traces").glob("*.jsonl")}
        check(known <= now, f"rows {sorted(known - now)} were lost by signal {how}")
        check(now <= traces, f"rows {sorted(now - traces)} have no trace")
        check(len(traces - now) <= WORKERS,
              f"{len(traces - now)} runs were finished but have no row after signal {how}")
        known = now


def stopped_worker(folder):
    process = start(folder)
    time.sleep(0.7)
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    if children:
        os.kill(int(children[0]), signal.SIGSTOP)
    try:
        process.communicate(timeout=patience(60))
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        check(False, "a stopped worker makes the campaign wait for ever")
    check(len(rows(folder)) == RUNS, f"{len(rows(folder))} rows after a worker was stopped")


def main():
    seed = int(os.environ.get("TACTUS_SEED", "15"))
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        calm = scratch / "calm"
        begun = time.monotonic()
        done = start(calm)
        done.communicate(timeout=120)
        longest = max(1.2, 0.8 * (time.monotonic() - begun))  # moments all over it, on any machine
        wanted = rows(calm)
        check(len(wanted) == RUNS, f"the undisturbed campaign has {len(wanted)} rows")
        kills, campaigns = KILLS, 0
        while kills > 0:
            folder = scratch / f"campaign{campaigns}"
            campaigns += 1
            kills = disturbed(folder, kills, chance, longest)
            check(rows(folder) == wanted, f"rows differ from an undisturbed campaign (seed {seed})")
            left = [p.name for p in folder.rglob(".tactus-*")]
            check(not left, f"temporary files are left: {left}")
        stopped_worker(scratch / "stopped")
    print(f"{KILLS} kills in {campaigns} campaigns, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
