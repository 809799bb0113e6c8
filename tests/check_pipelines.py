#!/usr/bin/env python3
"""What commands write for pipelines: JUnit, SARIF, Markdown, annotations.

Read back with parsers of others and compared with the exit code and with --json: a failing case if and only if
the command fails, every place a file and line that exist, fingerprints that stay the same.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pipeline_files

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT", pathlib.Path(__file__).resolve().parent.parent))
TACTUS = os.path.abspath(os.environ.get("TACTUS", "build/tactus"))
passed, failed = 0, 0


def check(what, condition, more=""):
    global passed, failed
    passed += bool(condition)
    failed += not condition
    if not condition:
        print("FAILED", what, more)


def run(arguments, folder):
    names = {key: os.path.join(folder, key) for key in ("junit", "sarif", "summary")}
    done = subprocess.run([TACTUS, *arguments, "--annotations", *[f"--{k}={v}" for k, v in names.items()]],
                          capture_output=True, text=True, cwd=ROOT)
    return done, {key: pathlib.Path(path).read_text() for key, path in names.items()}


def look(what, arguments, code, problems, root=ROOT):
    with tempfile.TemporaryDirectory() as folder:
        done, files = run(arguments, folder)
        again = run(arguments, folder)[1]
    check(f"{what}: exit", done.returncode == code, f"{done.returncode} {done.stderr[:300]}")
    errors, bad, skipped = pipeline_files.junit_errors(files["junit"])
    check(f"{what}: JUnit", not errors, errors)
    check(f"{what}: failing cases", bad == problems, f"{bad}, not {problems}")
    check(f"{what}: a case fails when the command does", (bad > 0) == (code == 1))
    errors, results = pipeline_files.sarif_errors(files["sarif"], root)
    check(f"{what}: SARIF", not errors, errors)
    count = sum(r.get("occurrenceCount", 1) for r in results if r["level"] != "note")
    check(f"{what}: SARIF results", problems <= count <= problems + skipped, f"{count} of {problems}")
    for result in results:
        check(f"{what}: a command to paste", result["level"] != "error" or "tactus " in result["message"]["text"], result)
        check(f"{what}: a place", result["locations"] or result["level"] != "error", result)
    check(f"{what}: fingerprints", prints(files["sarif"]) == prints(again["sarif"]))
    lines = [l for l in done.stderr.splitlines() if l.startswith("::")]
    check(f"{what}: annotations", len(lines) == len(results) and
          all(re.match(r"::(error|warning|notice) (file=[^,:]+(,line=\d+)?,)?title=[^:,]+::.", l) for l in lines), lines)
    check(f"{what}: summary", files["summary"].startswith("# ") and
          ("## Found" in files["summary"] or "## Mild" in files["summary"]) == (problems > 0))
    return results


def prints(text):
    return [(r["ruleId"], r["partialFingerprints"]) for r in json.loads(text)["runs"][0]["results"]]


def tactus(*arguments, code=None, **more):
    done = subprocess.run([TACTUS, *arguments], capture_output=True, text=True, **more)
    if code is not None:
        check(f"tactus {' '.join(arguments)}: exit {code}", done.returncode == code, f"{done.returncode} {done.stderr}")
    return done


player = "examples/player-traces"
look("check", ["check", "-p", f"{player}/player.props", f"{player}/cafe.csv", f"{player}/pedestrian.csv"], 1, 1)
look("check, all well", ["check", "-p", f"{player}/player.props", f"{player}/pedestrian.csv"], 0, 0)
look("rules", ["rules", "check", "examples/rules/phoneadapter.rules"], 1, 16)
look("homes", ["automation", "check", "examples/home"], 1, 4)
look("a home in plain words", ["automation", "check", "examples/home/night.txt"], 1, 1)

with tempfile.TemporaryDirectory() as folder:
    calm = os.path.join(folder, "calm.rules")
    pathlib.Path(calm).write_text("app Calm\ngroup G: a, b\nstate On initial; state Off\n"
                                  "rule off: On -> Off when a and not b priority 1\n"
                                  "rule on: Off -> On when b and not a priority 1\n")
    look("rules, all well", ["rules", "check", calm], 0, 0)

with tempfile.TemporaryDirectory() as folder:
    # names that every one of these formats could stumble over; a property that nothing tested
    name = os.path.join(folder, "a ]]> <b> & \"c\" % 100, é: x.csv")
    pathlib.Path(name).write_text("time,event,rx\n0,go,0\n1,stop,900\n")
    props = os.path.join(folder, "p.props")
    pathlib.Path(props).write_text("property p: forall [go, stop] diff(rx) < 5\n"
                                   "property q: forall [never, seen] diff(rx) < 5\n")
    done, files = run(["check", "-p", props, name], folder)
    suite = tree.fromstring(files["junit"])[0].findall("testcase")
    check("names: exit", done.returncode == 1, done.stderr)
    check("names: JUnit", [c.get("name") for c in suite] == [name] * 2, [c.get("name") for c in suite])
    check("names: never exercised is skipped", suite[1].find("skipped") is not None)
    uri = json.loads(files["sarif"])["runs"][0]["results"][0]["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    check("names: URI", re.fullmatch(r"[-A-Za-z0-9._~/@!$&'()*+,;=%]+", uri), uri)
    check("names: annotations", done.stderr.count("\n::") + done.stderr.startswith("::") == 2, done.stderr)
    unwritable = subprocess.run([TACTUS, "check", "-p", props, name, "--json", "--junit", folder + "/no/x.xml"],
                                capture_output=True, text=True)
    check("unwritable: exit 4", unwritable.returncode == 4 and not unwritable.stdout, unwritable.stderr)
    follow = subprocess.run([TACTUS, "check", "-p", props, name, "--follow", "--junit", folder + "/x.xml"],
                            capture_output=True, text=True)
    check("with --follow: exit 2", follow.returncode == 2)

protocol = ["protocol", "verify", "--rules", "examples/protocol/remover.spec"]
look("protocol", [*protocol, "examples/protocol/buggy.jsonl"], 1, 1)
look("protocol, all well", [*protocol, "examples/protocol/fixed.jsonl"], 0, 0)
look("protocol, several", [*protocol, "examples/protocol/buggy.jsonl", "examples/protocol/fixed.jsonl"], 1, 1)
look("protocol, rules that do not admit it", ["protocol", "verify", "--rules", "examples/protocol/remover-unsound.spec",
                                              "examples/protocol/buggy.jsonl"], 3, 0)

FLOW = json.dumps({"kind": "truncated", "model": "tracker", "start": [{"device": "phone", "application": "tracker",
                   "package": "com.example.tactus.tracker", "states": ["A/B/C/D"]}],
                   "steps": [{"event": "none", "device": "phone", "kind": "user", "states": ["A/B/C/E"],
                              "actions": [{"kind": "click", "xpath": "//*[@text='there is no such thing']"}]}]}) + "\n"
PROPS = """unit rxData kB
property modest: forall [event == layers, event == layers] diff(rxData) < 1 kB
property never: forall [event == next_0_0, event == back] diff(rxData) < 5 kB
"""


def campaign(folder, seed, *more, monkey=12):
    return ["run", "--device", "sim:examples/apps/tracker.json", "--monkey", str(monkey), "--steps", "30", "-p",
            os.path.join(folder, "some.props"), "--seed", str(seed), "-o", os.path.join(folder, f"runs{seed}"), *more]


with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
    for folder in (one, two):
        pathlib.Path(folder, "some.props").write_text(PROPS)
    results = look("run", campaign(one, 1), 1, 3)
    modest = [r for r in results if r["ruleId"] == "property.modest"]
    check("run: the line of the property", [p["physicalLocation"]["region"]["startLine"] for r in modest
                                            for p in r["locations"]] == [2], modest)
    check("run: two crashes are one result", [r.get("occurrenceCount") for r in results if r["ruleId"] == "crash"] == [2])
    look("run, all well", campaign(one, 5, monkey=1), 0, 0)
    moved = run(campaign(two, 1), two)[1]["sarif"]
    check("run: fingerprints of another folder", prints(moved) == [(r["ruleId"], r["partialFingerprints"]) for r in results])
    # the command that a crash comes with leads to it
    crash = next(r for r in results if r["ruleId"] == "crash")["message"]["text"]
    command = crash.split("the shortest way there: tactus ")[1].split("\n")[0]
    done = subprocess.run(f"{TACTUS} {command.replace('-o shortest', f'-o {one}/shortest --replays 1')}", shell=True,
                          capture_output=True, text=True, cwd=ROOT)
    check("run: the command of a crash", done.returncode == 1 and "failed in 1 of 1 replays" in done.stdout, done.stdout + done.stderr)
    subjects = ["run", "--subject", "a=sim:examples/apps/tracker.json", "--subject", "b=sim:examples/apps/none.json",
                "--monkey", "12", "--steps", "30", "-p", f"{one}/some.props", "-o", f"{one}/subjects"]
    look("run, subjects", subjects, 1, 2)
    tactus(*campaign(one, 3), cwd=ROOT)

    # report: the same writer, and the gate
    report = ["report", f"{one}/runs1", "-o", f"{one}/report.html"]
    results = look("report", [*report, "--fail-on", "any"], 1, 2, root=None)
    check("report: kinds", [r["ruleId"] for r in results] == ["crash", "violation", "vacuous"], results)
    for way in (["--format", "sarif", "-o", f"{one}/by-format"], ["--sarif", f"{one}/by-option", "-o", f"{one}/r.html"]):
        tactus("report", f"{one}/runs1", *way, code=0)
    check("report: one writer", pathlib.Path(one, "by-format").read_text() == pathlib.Path(one, "by-option").read_text())
    violation = results[1]["locations"][0]["physicalLocation"]
    check("report: the file that the runs were started with", violation["artifactLocation"]["uri"] == f"{one}/some.props" and
          violation["region"] == {"startLine": 2}, violation)
    shutil.move(f"{one}/runs1", f"{two}/elsewhere")
    tactus("report", f"{two}/elsewhere", "--sarif", f"{two}/moved.sarif", "-o", f"{two}/r.html", code=0)
    check("report: fingerprints of another folder", prints(pathlib.Path(two, "moved.sarif").read_text()) ==
          [(r["ruleId"], r["partialFingerprints"]) for r in results])
    shutil.move(f"{two}/elsewhere", f"{one}/runs1")

    def gate(now, before, fail_on, code, words=""):
        done = tactus("report", f"{one}/{now}", *(["--baseline", f"{one}/{before}"] if before else []),
                      *(["--fail-on", fail_on] if fail_on else []), "-o", f"{one}/gate.html", code=code)
        check(f"gate {now} {before} {fail_on}: {words}", words in done.stderr, done.stderr)

    gate("runs1", None, None, 0)
    gate("runs1", None, "none", 0)
    gate("runs1", None, "any", 1, "found: modest")
    gate("runs5", None, "any", 0)
    gate("runs1", "runs1", "new", 0)
    gate("runs1", "runs1", "any", 1)
    gate("runs1", "runs5", "new", 1, "new: modest")
    gate("runs3", "runs1", "new", 1, "new: java.lang.OutOfMemoryError")
    gate("runs1", None, "new", 2, "--baseline")
    document = tactus("report", f"{one}/runs3", "--baseline", f"{one}/runs1", "--fail-on", "new", "--json", code=1)
    check("gate: one document", "findings" in json.loads(document.stdout))
    # nothing was carried out: nobody can tell
    pathlib.Path(one, "flows.jsonl").write_text(FLOW)
    tactus("run", "--device", "sim:examples/apps/tracker.json", "--flows", f"{one}/flows.jsonl", "--deadline", "1",
           "-o", f"{one}/undone", code=1, cwd=ROOT)
    gate("undone", None, "any", 3, "nobody can tell")
    look("run, a step that cannot be done", ["run", "--device", "sim:examples/apps/tracker.json", "--flows",
                                             f"{one}/flows.jsonl", "--deadline", "1", "-o", f"{one}/undone"], 1, 1)
if pipeline_files.absent():
    print("not asked, because not installed:", ", ".join(pipeline_files.absent()))
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed))
