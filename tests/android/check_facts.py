#!/usr/bin/env python3
"""Every value of the public outputs of Android phones, as `tactus facts` reads them; and the trace of
each log, which has one state for each record.

Values that rest on knowledge from outside the file (which packages an app's code has) are in a list of
their own, with the reason; they may not become more."""
import collections
import csv
import json
import os
import pathlib
import subprocess
import sys

TACTUS = os.environ.get("TACTUS", "build/tactus")
corpus = pathlib.Path(os.environ.get("TACTUS_CORPUS", "../shared/corpus"), "android")
# The file does not say which packages are the app's.
NOT_IN_THE_FILE = {
    ("AmazeFileManager-3304", "app_prefix"), ("AmazeFileManager-3304", "first_app_frame"),
    ("AnkiDroid-10840", "app_prefix"),
    ("Markor-264", "app_prefix"), ("commons-1391", "app_prefix"), ("commons-2123", "app_prefix"),
    ("nextcloud-4026", "app_prefix"), ("nextcloud-5173", "app_prefix"),
}
# The first lines of the stack have no header, the lines before it have: we say the tag of those.
ARGUABLE = {("and-bible-697", "layout_tag")}

if not corpus.is_dir():
    print("skipped: no public corpus beside the project")
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)

files = collections.OrderedDict()
with open(corpus / "expected.tsv", newline="") as table:
    for row in list(csv.reader(table, delimiter="\t"))[1:]:
        files.setdefault(row[0], []).append(row[2:4])



def count_states(file):
    """How many states `trace import` makes of a log; the message where it makes none."""
    done = subprocess.run([TACTUS, "trace", "import", "--year", "2020", file], capture_output=True, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()[1:]]
    return str(sum("end" not in row for row in rows)) if done.returncode == 0 else done.stderr


passed, failures = 0, []
for file, values in files.items():
    done = subprocess.run([TACTUS, "facts", "--json", str(corpus / file)], capture_output=True, text=True)
    found = json.loads(done.stdout).get("values", {}) if done.returncode == 0 else {}
    for name, wanted in values:
        if name == "records":
            states = count_states(corpus / file)
            passed += states == wanted
            if states != wanted:
                failures.append(f"{file}: {wanted} records, {states} states of the trace")
        case = (pathlib.Path(file).stem, name)
        if str(found.get(name)) == wanted:
            passed += 1
        elif case not in NOT_IN_THE_FILE | ARGUABLE:
            failures.append(f"{file}: {name}: expected {wanted!r}, found {found.get(name)!r}")

for failure in failures:
    print(failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
