#!/usr/bin/env python3
"""Mined properties on the runs they came from: a property is violated by exactly as many failing runs as the
miner says its pattern is in. Random runs with and without planted causes, in both forms of run files."""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TACTUS = os.environ.get("TACTUS", "build/tactus")
passed, failures = 0, []


def make(seed):
    """60 runs over small alphabets; in odd sets a planted sequence decides."""
    chance = random.Random(seed)
    runs = []
    for _ in range(60):
        tokens = []
        for _ in range(chance.randrange(3, 14)):
            tokens += [f"s{chance.randrange(4)}", f"e{chance.randrange(5)}"]
        if chance.random() < 0.5:
            tokens.append(f"s{chance.randrange(4)}")
        text = " ".join(tokens)
        fails = "s1 e2 s3 e1" in text if seed % 2 else chance.random() < 0.3
        runs.append((fails, tokens))
    return runs


def written(runs, path, form):
    with open(path, "w") as out:
        for index, (fails, tokens) in enumerate(runs):
            if form == "text":
                print(int(fails), *tokens, file=out)
            else:
                events = [{"state" if token[0] == "s" else "input": token} for token in tokens]
                print(json.dumps({"name": f"r{index}", "label": str(int(fails)), "events": events}), file=out)


for seed in range(24):
    with tempfile.TemporaryDirectory() as scratch:
        form = "text" if seed % 4 < 2 else "json"
        path = pathlib.Path(scratch, "set.runs" if form == "text" else "set.jsonl")
        properties = pathlib.Path(scratch, "mined.props")
        runs = make(seed)
        written(runs, path, form)
        mined = subprocess.run([TACTUS, "mine", "--all", "--limit", "6", "--json", "--support", "0.2",
                                "--min-occurrences", "2", "--emit-properties", properties, path],
                               capture_output=True, text=True)
        if mined.returncode not in (0, 3) or not properties.exists():
            failures.append(f"seed {seed}: mine: exit {mined.returncode}: {mined.stderr}")
            continue
        # The comment before a property is the sentence of its pattern.
        said = dict((name, sentence) for sentence, name in
                    re.findall(r"(?m)^# (.*)\nproperty (\w+):", properties.read_text()))
        if not said:
            continue
        checked = subprocess.run([TACTUS, "check", "--json", "-p", properties, path], capture_output=True, text=True)
        if checked.returncode not in (0, 1):
            failures.append(f"seed {seed}: check: exit {checked.returncode}: {checked.stderr}")
            continue
        traces = json.loads(checked.stdout)["traces"]
        if len(traces) != len(runs):
            failures.append(f"seed {seed}: {len(traces)} runs checked of {len(runs)}")
            continue
        names = [p["name"] for p in traces[0]["properties"]]
        for index, name in enumerate(names):
            bad = [not t["properties"][index]["verdict"].endswith("true") for t in traces]
            failing = sum(b for b, (fails, _) in zip(bad, runs) if fails)
            share = int(re.search(r"in (\d+) % of the failing runs", said[name])[1])
            if abs(100 * failing / sum(fails for fails, _ in runs) - share) <= 0.5:
                passed += 1
            else:
                failures.append(f"seed {seed}: {name}: {failing} failing runs violate it: {said[name]}")
for text in failures:
    print("FAILED", text)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(bool(failures) or passed < 40)
