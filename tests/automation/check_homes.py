#!/usr/bin/env python3
"""Small homes of our own: each automation has exactly the findings that the comment behind its id names."""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

TACTUS = os.environ.get("TACTUS", "build/tactus")
passed, failures = 0, []
for home in sorted(pathlib.Path(__file__).with_name("homes").glob("*.yaml")):
    expected = collections.Counter()
    for name, classes in re.findall(r"(?m)^- id: (\w+)(?:  # (.*))?$", home.read_text()):
        expected.update((name, word) for word in (classes or "").split())
    done = subprocess.run([TACTUS, "automation", "check", "--json", str(home)], capture_output=True, text=True)
    found = collections.Counter((f["places"][0]["id"], f["class"]) for f in json.loads(done.stdout)["findings"])
    for key in expected | found:
        if expected[key] == found[key]:
            passed += 1
        else:
            failures.append(f"{home.name}: {key}: {expected[key]} expected, {found[key]} found")
    if done.returncode != (1 if expected else 0):
        failures.append(f"{home.name}: exit {done.returncode}")
    passed += 1
for text in failures:
    print("FAILED", text)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(bool(failures))
