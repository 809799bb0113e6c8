#!/usr/bin/env python3
"""schemas/ holds what the program writes ('make regen' writes it), a valid schema for every command that has
--json. The golden tests compare the documents themselves (run_cli.py)."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    jsonschema = None

root = pathlib.Path(os.environ["TACTUS_SOURCE_ROOT"])
program = os.environ["TACTUS"]
failures, passed = [], 0


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


with tempfile.TemporaryDirectory(prefix="tactus-schemas-") as fresh:
    subprocess.run([program, "help", "--schemas", fresh], check=True)
    made = {path.name: path.read_text() for path in pathlib.Path(fresh).iterdir()}
kept = {path.name: path.read_text() for path in (root / "schemas").glob("*.schema.json")}
for name in sorted(made.keys() | kept.keys()):
    check(made.get(name) == kept.get(name) or name == "report.schema.json",
          f"schemas/{name} is not current; run 'make regen'")
    if jsonschema:
        jsonschema.Draft202012Validator.check_schema(json.loads(made.get(name, kept.get(name))))

# Commands whose documents have no description yet.
waiting = set((root / "tests/undescribed.txt").read_text().split())
listing = json.loads(subprocess.run([program, "help", "--json"], capture_output=True, check=True).stdout)
for command in listing["commands"]:
    name = "-".join(filter(None, (command["noun"], command["verb"])))
    described = f"{name}.schema.json" in kept and name != "report"
    wanted = any(option["name"] == "json" for option in command["options"]) and name not in waiting
    check(described == wanted, f"{name}: " + ("--json has no schema" if wanted else "it waits no longer"))

for failure in failures:
    print(failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
