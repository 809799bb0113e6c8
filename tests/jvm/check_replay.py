#!/usr/bin/env python3
"""Java programs with a defect that a good run does not show: recorded, predicted, replayed until it shows; and their
fixed siblings, on which nothing is confirmed."""
import json

from programs import Workshop, check, finish, need_jdk, root, tactus

need_jdk()
rules = root / "rules/jdk.txt"
PROGRAMS = {"Executor": "RejectedExecutionException", "LateReader": "Stream closed",
            "TwiceScheduled": "Task already scheduled"}


def hunt(w, program, *args):
    """The text of the exception that was confirmed; "" for none."""
    command = ["--", "java", "-cp", w.folder, program, *args]
    name = program + "-".join(["", *args])
    done = w.run(tactus, "protocol", "record", "--rules", rules, "-o", f"{name}.jsonl", *command)
    check(done.returncode == 0, f"{name}: record: {done.stderr}")
    done = w.run(tactus, "protocol", "validate", "--rules-list", rules, f"{name}.jsonl")
    check(done.returncode == 0, f"{name}: the rules do not admit the recording: {done.stdout}")
    done = w.run(tactus, "protocol", "verify", "--rules-list", rules, "--json", f"{name}.jsonl")
    verdict = json.loads(done.stdout)["verdict"]
    print(f"{name}: predicted {verdict}", flush=True)
    if verdict != "UNSAFE":
        return ""
    (w.folder / f"{name}.json").write_text(done.stdout)
    done = w.run(tactus, "protocol", "replay", "--witness", f"{name}.json", "--json", f"{name}.jsonl", *command)
    document = json.loads(done.stdout)
    print(f"{name}: {document['result']}", flush=True)
    check(done.returncode == (1 if document["result"] == "CONFIRMED" else 0), f"{name}: exit code {done.returncode}")
    if document["result"] != "CONFIRMED":
        return ""
    exception = document["exception"]
    return f"{exception['type']}: {exception['message']} {exception['stack']}"


with Workshop() as w:
    w.compile(*[f"{name}.java" for name in PROGRAMS])
    for program, expected in PROGRAMS.items():
        found = hunt(w, program)
        check(expected in found, f"{program}: '{expected}' was not confirmed: {found[:300]}")
        found = hunt(w, program, "fixed")
        check(not found, f"{program} fixed: {found[:300]}")
finish()
