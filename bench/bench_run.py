#!/usr/bin/env python3
"""Execution on the built-in phone: flows per second on one core, exploration per state, and the report
of 10,000 runs.

The peer of execution is the floor below which no campaign that keeps a file per run can go: writing
the same number of files of the same bytes with a rename each, measured in the same run.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
tactus = os.path.join(root, "build/tactus")
app = "sim:" + os.path.join(root, "examples/apps/player.json")


def run(*words):
    """Processor seconds (these machines are shared), wall seconds, standard output."""
    before, start = os.times(), time.monotonic()
    done = subprocess.run([tactus, *words], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{words}: exit {done.returncode}")
    after, wall = os.times(), time.monotonic() - start
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, wall, done.stdout


def file_floor(folder, source):
    names = sorted(os.listdir(source))
    contents = [open(os.path.join(source, name), "rb").read() for name in names]
    os.mkdir(folder)
    before = os.times()
    for name, content in zip(names, contents):
        path = os.path.join(folder, name)
        with open(path + ".tmp", "wb") as file:
            file.write(content)
        os.rename(path + ".tmp", path)
    after = os.times()
    return after.user + after.system - before.user - before.system


# In memory where that is possible: what a disk does with 10,000 new files is not what is measured.
memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
with tempfile.TemporaryDirectory(prefix="tactus-bench-", dir=memory) as work:
    model, flows = os.path.join(work, "player.xml"), os.path.join(work, "flows.jsonl")
    cpu, wall, text = run("explore", "--device", app, "-o", model, "--json")
    states = json.loads(text)["states"]
    print(f"explore    {states} states: {cpu * 1e3:.0f} ms of processor time, {cpu / states * 1e3:.2f} ms a state")
    run("flow", "list", model, "--length", "4", "--format", "jsonl", "-o", flows)
    count = sum(1 for _ in open(flows))
    repeat = -(-10000 // count)
    folder = os.path.join(work, "runs")
    cpu, wall, text = run("run", "--device", app, "--model", model, "--flows", flows, "--repeat",
                        str(repeat), "--think", "0.001", "-o", folder, "--json")
    runs = json.loads(text)["runs"]
    floor = file_floor(os.path.join(work, "floor"), os.path.join(folder, "traces"))
    print(f"run        {runs} flows of up to 4 events: {runs / cpu:,.0f} a processor second "
          f"({runs / wall:,.0f} a wall second); writing their files alone costs {floor:.2f} s of "
          f"{cpu:.2f} s, ratio {cpu / floor:.1f}")
    page = os.path.join(work, "report.html")
    cpu, wall, _ = run("report", folder, "-o", page)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"report     of {runs} runs in {wall:.2f} s ({cpu:.2f} s of processor time), {os.path.getsize(page) / 1e6:.1f} MB, "
          f"peak memory {peak:.0f} MB")
