#!/usr/bin/env python3
"""The public outputs of Android phones: every value of their table, as tests/figures counts it with the library's
readers; the trace of each log, which has one state for each record; and the page of `tactus facts`, whose kind is the
table's and whose figures are the table's wherever it has them.

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
FIGURES = os.environ.get("FIGURES", "build/tests/figures/figures")
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
# Logs that are a stack and a few lines: their page is that of the stack.
ONE_STACK = {"studio_old_crash", "time_filtered_crash", "time_acra_only"}
# (kind, figure): the row of the page that says the same, and how.
ON_THE_PAGE = {
    ("meminfo", "processes"): ("processes", "{}"),
    ("meminfo", "total_pss_kB"): ("together", "{:,} kB"),
    ("meminfo", "java_heap_kB"): ("Java heap", "{:,} kB"),
    ("meminfo", "native_heap_kB"): ("native heap", "{:,} kB"),
    ("gfxinfo", "frames"): ("frames", "{}"),
    ("stack", "process"): ("process", "{}"), ("stack", "thread"): ("thread", "{}"),
    ("stack", "exception"): ("exception", "{}"), ("stack", "root_first_frame"): ("thrown at", "{}"),
    ("stack", "frames"): ("frames", "{}"),
    ("tombstone", "pid"): ("pid", "{}"), ("tombstone", "process"): ("process", "{}"),
    ("tombstone", "thread"): ("thread", "{}"), ("tombstone", "threads"): ("threads", "{}"),
    ("tombstone", "abi"): ("ABI", "{}"), ("tombstone", "timestamp"): ("time", "{}"),
    ("anr", "process1"): ("process", "{}"), ("anr", "process_dumps"): ("processes", "{}"),
    ("amstart", "status"): ("status", "{}"), ("amstart", "total_ms"): ("drawn after", "{} ms"),
    ("ps", "rows"): ("processes", "{}"), ("logcat", "records"): ("states", "{}"),
}

if not corpus.is_dir():
    print("skipped: no public corpus beside the project")
    print("0 passed, 0 failed, 1 skipped")
    sys.exit(0)

files = collections.OrderedDict()
with open(corpus / "expected.tsv", newline="") as table:
    for row in list(csv.reader(table, delimiter="\t"))[1:]:
        files.setdefault((row[0], {"themis": "stack"}.get(row[1], row[1])), []).append(row[2:4])


def count_states(file):
    """How many states `trace import` makes of a log; the message where it makes none."""
    done = subprocess.run([TACTUS, "trace", "import", "--year", "2020", file], capture_output=True, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()[1:]]
    return str(sum("end" not in row for row in rows)) if done.returncode == 0 else done.stderr


def document(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else {"kind": done.stderr, "values": {}}


def row_wanted(kind, name, value):
    row, form = ON_THE_PAGE[kind, name]
    return row, form.format(int(value) if ":," in form else value)


passed, failures = 0, []


def compare(what, found, wanted):
    global passed
    passed += found == wanted
    if found != wanted:
        failures.append(f"{what}: expected {wanted!r}, found {found!r}")


for (file, kind), values in files.items():
    figures = document(FIGURES, "--json", str(corpus / file))["values"]
    page = document(TACTUS, "facts", "--json", str(corpus / file))
    shown = "stack" if pathlib.Path(file).stem in ONE_STACK else kind
    compare(f"{file}: the kind", page["kind"], shown)
    for name, wanted in values:
        if name == "records" and kind == "logcat":
            compare(f"{file}: states of the trace", count_states(corpus / file), wanted)
        if shown == kind and (kind, name) in ON_THE_PAGE and wanted not in ("-", "0"):
            row, text = row_wanted(kind, name, wanted)
            compare(f"{file}: '{row}' on the page", str(page["values"].get(row)), text)
        case = (pathlib.Path(file).stem, name)
        if case not in NOT_IN_THE_FILE | ARGUABLE or str(figures.get(name)) == wanted:
            compare(f"{file}: {name}", str(figures.get(name)), wanted)

for failure in failures:
    print(failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
