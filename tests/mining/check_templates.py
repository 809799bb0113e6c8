#!/usr/bin/env python3
"""Templates against brute force: on random sets of runs every assignment of names is evaluated by plain
recursion over the formula; the program must list the same ones with the same counts. usage: [SETS]"""
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

TACTUS = os.environ.get("TACTUS", "build/tactus")
SETS = int(sys.argv[1]) if len(sys.argv) > 1 else 300
passed, failures = 0, []
UNARY, BINARY = ["not", "X", "F", "G"], ["and", "or", "->", "<->", "U", "W"]


def formula(chance, names, depth):
    kind = chance.random()
    if depth == 0 or kind < 0.25:
        return chance.choice(names)
    if kind < 0.6:
        return (chance.choice(UNARY), formula(chance, names, depth - 1))
    return (chance.choice(BINARY), formula(chance, names, depth - 1), formula(chance, names, depth - 1))


def text(f):
    if isinstance(f, str):
        return f
    return f"{f[0]} ({text(f[1])})" if len(f) == 2 else f"(({text(f[1])}) {f[0]} ({text(f[2])}))"


def holds(f, run, i, names):
    """At position i of a finite run, by the definition."""
    if isinstance(f, str):
        return i < len(run) and run[i] == names.get(f, f)
    a = lambda k: holds(f[1], run, k, names)
    b = lambda k: holds(f[2], run, k, names)
    rest = range(i, len(run))
    return {"not": lambda: not a(i), "X": lambda: i + 1 < len(run) and a(i + 1),
            "F": lambda: any(a(k) for k in rest), "G": lambda: all(a(k) for k in rest),
            "and": lambda: a(i) and b(i), "or": lambda: a(i) or b(i), "->": lambda: not a(i) or b(i),
            "<->": lambda: a(i) == b(i),
            "U": lambda: any(b(k) and all(a(j) for j in range(i, k)) for k in rest),
            "W": lambda: all(a(k) for k in rest) or any(b(k) and all(a(j) for j in range(i, k)) for k in rest),
            }[f[0]]()


def placeholders(f):
    if isinstance(f, str):
        return {f} & {"p", "q"}
    return set().union(*(placeholders(part) for part in f[1:]))


def one(seed):
    chance = random.Random(seed)
    runs = []
    for _ in range(chance.randrange(4, 12)):
        run = []
        for _ in range(chance.randrange(1, 4)):
            run += [f"s{chance.randrange(3)}", f"e{chance.randrange(3)}"]
        if chance.random() < 0.5:
            run.append(f"s{chance.randrange(3)}")
        runs.append(run)
    fails = [chance.random() < 0.5 for _ in runs]
    if all(fails) or not any(fails):
        fails[0] = not fails[0]
    f = formula(chance, ["p", "q", "s0", "e1"], 3)
    known = {token for run in runs for token in run}
    if not {"s0", "e1"} <= known or not placeholders(f):
        return None
    failing = [run for run, bad in zip(runs, fails) if bad]
    passing = [run[:len(failing[k % len(failing)])] for k, run in
               enumerate(run for run, bad in zip(runs, fails) if not bad)]
    known = sorted({token for run in failing + passing for token in run})
    expected = {}
    for chosen in itertools.product(known, repeat=len(placeholders(f))):
        names = dict(zip(sorted(placeholders(f)), chosen))
        truth = tuple(holds(f, run, 0, names) for run in failing + passing)
        if any(truth) and not all(truth):
            expected[truth] = (sum(truth[:len(failing)]), sum(truth[len(failing):]))
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch, "set.runs")
        path.write_text("".join(f"{int(bad)} {' '.join(run)}\n" for run, bad in zip(runs, fails)))
        done = subprocess.run([TACTUS, "mine", "--template", text(f), "--all", "--json", path],
                              capture_output=True, text=True)
    if done.returncode not in (0, 3):
        return f"seed {seed}: {text(f)}: exit {done.returncode}: {done.stderr}"
    cluster = json.loads(done.stdout)["templates"][0]["clusters"][0]
    found = sorted((i["failing"], i["passing"]) for i in cluster["instances"])
    if found != sorted(expected.values()):
        return f"seed {seed}: {text(f)}: found {found}, expected {sorted(expected.values())}"
    return ""


for seed in range(10 * SETS):
    outcome = one(seed)
    if outcome is None:
        continue
    passed += not outcome
    if outcome:
        failures.append(outcome)
    if passed + len(failures) == SETS:
        break
for line in failures[:10]:
    print("FAILED", line)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(bool(failures) or passed < SETS)
