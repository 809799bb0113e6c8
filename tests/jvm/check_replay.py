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
    """Every command of the loop on its own; what went wrong."""
    command, wrong = java(w, program), []
    done = w.run(tactus, "protocol", "record", "--rules", rules, "--json", "-o", "hand.jsonl", *command)
    if done.returncode != 0 or json.loads(done.stdout)["recordings"][0]["failures"]:
        return [f"record: {done.stdout}{done.stderr}"]
    done = w.run(tactus, "protocol", "validate", "--rules-list", rules, "hand.jsonl")
    if done.returncode != 0:
        wrong.append(f"the rules do not admit the recording: {done.stdout}")
    done = w.run(tactus, "protocol", "verify", "--rules-list", rules, "--json", "hand.jsonl")
    if json.loads(done.stdout)["verdict"] != "UNSAFE":
        return [*wrong, "not predicted"]
    (w.folder / "hand.json").write_text(done.stdout)
    done = w.run(tactus, "protocol", "replay", "--witness", "hand.json", "--json", "--junit", "hand.xml", "--sarif",
                 "hand.sarif", "hand.jsonl", *command)
    document = json.loads(done.stdout)
    if done.returncode != 1 or document["result"] != "CONFIRMED" or expected not in json.dumps(document["exception"]):
        wrong.append(f"replay: {done.returncode} {document}")
    errors, bad, _ = pipeline_files.junit_errors((w.folder / "hand.xml").read_text())
    more, results = pipeline_files.sarif_errors((w.folder / "hand.sarif").read_text(), w.folder)
    if errors + more or not bad == len(results) == 1:
        wrong.append(f"for pipelines: {bad} {errors} {more} {results}")
    return wrong


def hunt(w, display, program, fixed, steps, mode, expected):
    """What went wrong. That a fixed program fails, or that the numbers do not agree, is wrong at once."""
    folder = f"{program}{fixed}-{mode}"
    driving = ["--steps", steps] if steps else []
    done = w.run(tactus, "protocol", "hunt", "--json", "--deadline", "5", "--budget", "100", "--jvm-mode", mode, *driving, "-o", folder,
                 *java(w, program, *[fixed] * bool(fixed)), DISPLAY=display)
    if done.returncode == 4:
        return [done.stderr]
    document = json.loads(done.stdout)
    found = [f"{c['call']} {json.dumps(c['exception'])}" for c in document["calls"] if c["result"] == "CONFIRMED"]
    print(f"{folder}: {document['confirmed']} confirmed, {document['not_reproduced']} not reproduced, "
          f"{document['safe']} safe", flush=True)
    check(done.returncode == (1 if found else 0), f"{folder}: exit code {done.returncode}: {done.stderr}")
    check(len(found) == document["confirmed"], f"{folder}: {document}")
    unseen = json.dumps(document["recordings"][0]["unseen"])
    check(("breakpoint mode" in unseen) == (mode == "breakpoint"), f"{folder}: {unseen}")
    if fixed:
        check(not found, f"{folder}: {found}")
    wrong = [f"rules do not admit the recording: {document['rules_left_out']}"] if document["rules_left_out"] else []
    if not fixed and not any(expected in one for one in found):
        wrong.append(f"'{expected}' was not confirmed: {document}")
    return wrong


def seen(what, work, *facts):
    """A busy machine can show the defect at once, or keep a step of a replay waiting too long: such a run is not the
    good one that the loop begins with, and another is made."""
    for _ in range(5):
        wrong = work(*facts)
        if not wrong:
            break
        print(f"{what}: once more: {wrong}", flush=True)
    check(not wrong, f"{what}: five times: {wrong}")


def pair(w, display, program, expected, steps, mode="rewrite"):
    for fixed in ("", "fixed"):
        seen(f"{program} {fixed} {mode}", hunt, w, display, program, fixed, steps, mode, expected)


with Workshop() as w, Screen() as display, concurrent.futures.ThreadPoolExecutor(4) as pool:
    w.compile(*[f"{name}.java" for name in [*PROGRAMS, *WINDOWS]])
    jobs = [pool.submit(seen, "by hand", by_hand, w, "LateReader", "Stream closed")]
    if display:
        jobs += [pool.submit(pair, w, display, name, *facts) for name, facts in WINDOWS.items()]
    jobs += [pool.submit(pair, w, "", name, expected, 0) for name, expected in PROGRAMS.items()]
    jobs += [pool.submit(pair, w, "", "LateReader", "Stream closed", 0, "breakpoint")]
    for job in jobs:
        job.result()
finish()
