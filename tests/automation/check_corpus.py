#!/usr/bin/env python3
"""Public homes with labelled findings: every true one but a tenth is found, no false one is, every
configuration is read with the number of automations that an independent loader counts, and every exact
finding that is not a proof of absence has a story."""
import csv
import json
import os
import pathlib
import subprocess
import sys

TACTUS = os.environ.get("TACTUS", "build/tactus")
corpus = pathlib.Path(os.environ.get("TACTUS_CORPUS", "../shared/corpus"), "home")
PROOFS = {"impossible-value", "never-fires", "dead-trigger", "dead-branch", "duplicate-id", "redundant",
          "unknown-entity"}

if not corpus.is_dir():
    print("skipped: no public corpus beside the project")
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)

passed, failures = 0, []


def check(ok, text):
    global passed
    passed += bool(ok)
    if not ok:
        failures.append(text)


def rows(name):
    with open(corpus / name, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


found = {}
for row in rows("counts.tsv"):
    home = row["repository"]
    done = subprocess.run([TACTUS, "automation", "check", "--json", str(corpus / "ha" / home)],
                          capture_output=True, text=True)
    check(done.returncode in (0, 1), f"{home}: exit {done.returncode}: {done.stderr[-300:]}")
    document = json.loads(done.stdout) if done.returncode in (0, 1) else {"automations": 0, "findings": []}
    found[home] = document["findings"]
    check(document["automations"] == int(row["automations"]),
          f"{home}: {document['automations']} automations, the independent loader has {row['automations']}")
    for finding in found[home]:
        check(finding["class"] in PROOFS or finding["story"], f"{home}: no story: {finding['message']}")


def is_found(row):
    for finding in found[row["repository"]]:
        places = {(p["file"], str(p["line"])) for p in finding["places"]}
        own = {(row["file"], row["automation_line"]), (row["file"], row["at_line"])} & places
        other = row["with"] == "-" or tuple(row["with"].rsplit(":", 1)) in places
        if finding["class"] == row["class"] and own and other:
            return True
    return False


true_rows = [row for row in rows("expected.tsv") if row["label"] == "true"]
missed = [row for row in true_rows if not is_found(row)]
for row in missed:
    print("not found:", row["class"], row["file"], row["with"], row["reason"])
check(len(missed) * 10 <= len(true_rows), f"{len(missed)} of {len(true_rows)} true findings are not found")
for row in rows("expected.tsv"):
    if row["label"] == "false":
        check(not is_found(row), f"false finding: {row['class']} {row['file']} {row['with']}: {row['reason']}")

for file in sorted((corpus / "tasker").glob("*.xml")):
    done = subprocess.run([TACTUS, "automation", "check", "--json", str(file)], capture_output=True, text=True)
    check(done.returncode in (0, 1), f"{file.name}: exit {done.returncode}: {done.stderr[-300:]}")

for failure in failures:
    print(failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
