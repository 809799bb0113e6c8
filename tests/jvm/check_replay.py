#!/usr/bin/env python3
"""Java programs with a defect that a good run does not show: recorded, predicted, replayed until it shows; and their
fixed siblings, on which nothing is confirmed. Programs with windows run on a screen of their own."""
import concurrent.futures
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import pipeline_files

from programs import Screen, Workshop, check, finish, need_jdk, root, tactus

need_jdk()
rules = root / "rules/jdk.txt"
PROGRAMS = {"Executor": "RejectedExecutionException", "LateReader": "Stream closed",
            "TwiceScheduled": "Task already scheduled", "Visitors": "ConcurrentModificationException"}
# With windows; their rules are silent: the call is the effect. How many clicks the good run has.
WINDOWS = {"LoadTwice": ("SwingWorker).execute()", 2), "LateDialog": ("Dialog).setVisible(true)", 1)}


def java(w, program, *args):
    return ["--", "java", "-cp", w.folder, program, *args]


def by_hand(w, program, expected):
    """Every command of the loop on its own."""
    command = java(w, program)
    for _ in range(5):
        done = w.run(tactus, "protocol", "record", "--rules", rules, "--json", "-o", "hand.jsonl", *command)
        check(done.returncode == 0, f"{program}: record: {done.stderr}")
        if not json.loads(done.stdout)["recordings"][0]["failures"]:
            break
    done = w.run(tactus, "protocol", "validate", "--rules-list", rules, "hand.jsonl")
    check(done.returncode == 0, f"{program}: the rules do not admit the recording: {done.stdout}")
    done = w.run(tactus, "protocol", "verify", "--rules-list", rules, "--json", "hand.jsonl")
    check(json.loads(done.stdout)["verdict"] == "UNSAFE", f"{program}: not predicted")
    (w.folder / "hand.json").write_text(done.stdout)
    done = w.run(tactus, "protocol", "replay", "--witness", "hand.json", "--json", "--junit", "hand.xml", "--sarif",
                 "hand.sarif", "hand.jsonl", *command)
    document = json.loads(done.stdout)
    check(done.returncode == 1 and document["result"] == "CONFIRMED", f"{program}: {document}")
    check(expected in json.dumps(document["exception"]), f"{program}: {document['exception']}")
    errors, bad, _ = pipeline_files.junit_errors((w.folder / "hand.xml").read_text())
    more, results = pipeline_files.sarif_errors((w.folder / "hand.sarif").read_text(), w.folder)
    check(not errors + more and bad == len(results) == 1, f"{program}: for pipelines: {bad} {errors} {more} {results}")


def hunt(w, display, program, fixed, steps, mode="rewrite"):
    """What was confirmed, as text; and the document."""
    folder = f"{program}{fixed}-{mode}"
    driving = ["--steps", steps] if steps else []
    for _ in range(5):  # a busy machine can show the defect at once: then the run was not a good one
        done = w.run(tactus, "protocol", "hunt", "--json", "--deadline", "5", "--budget", "100", "--jvm-mode", mode, *driving, "-o", folder,
                     *java(w, program, *[fixed] * bool(fixed)), DISPLAY=display)
        document = json.loads(done.stdout)
        if not document["recordings"][0]["failures"]:
            break
    check(not document["rules_left_out"], f"{folder}: rules do not admit the recording: {document['rules_left_out']}")
    found = [f"{c['call']} {json.dumps(c['exception'])}" for c in document["calls"] if c["result"] == "CONFIRMED"]
    print(f"{folder}: {document['confirmed']} confirmed, {document['not_reproduced']} not reproduced, "
          f"{document['safe']} safe", flush=True)
    check(done.returncode == (1 if found else 0), f"{folder}: exit code {done.returncode}: {done.stderr}")
    check(len(found) == document["confirmed"], f"{folder}: {document}")
    if fixed:
        check(not found, f"{folder}: {found}")
    return found, document


def pair(w, display, program, expected, steps, mode="rewrite"):
    found, document = hunt(w, display, program, "", steps, mode)
    check(any(expected in one for one in found), f"{program}: '{expected}' was not confirmed: {document}")
    hunt(w, display, program, "fixed", steps, mode)
    unseen = json.dumps(document["recordings"][0]["unseen"])
    check(("breakpoint mode" in unseen) == (mode == "breakpoint"), f"{program}, {mode}: {unseen}")


with Workshop() as w, Screen() as display, concurrent.futures.ThreadPoolExecutor(4) as pool:
    w.compile(*[f"{name}.java" for name in [*PROGRAMS, *WINDOWS]])
    jobs = [pool.submit(by_hand, w, "LateReader", "Stream closed")]
    if display:
        jobs += [pool.submit(pair, w, display, name, *facts) for name, facts in WINDOWS.items()]
    jobs += [pool.submit(pair, w, "", name, expected, 0) for name, expected in PROGRAMS.items()]
    jobs += [pool.submit(pair, w, "", "LateReader", "Stream closed", 0, "breakpoint")]
    for job in jobs:
        job.result()
finish()
