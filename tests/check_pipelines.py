#!/usr/bin/env python3
"""What commands write for pipelines: JUnit, SARIF, Markdown, annotations.

Read back with parsers of others and compared with the exit code and with --json: a failing case if and only if
the command fails, every place a file and line that exist, fingerprints that stay the same.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

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


def look(what, arguments, code, problems):
    with tempfile.TemporaryDirectory() as folder:
        done, files = run(arguments, folder)
        again = run(arguments, folder)[1]
    check(f"{what}: exit", done.returncode == code, f"{done.returncode} {done.stderr[:300]}")
    suite = tree.fromstring(files["junit"])[0]
    cases = list(suite)
    bad = [c for c in cases if c.find("failure") is not None]
    check(f"{what}: failing cases", len(bad) == problems, f"{len(bad)}, not {problems}")
    check(f"{what}: counts", (int(suite.get("tests")), int(suite.get("failures")), int(suite.get("skipped"))) ==
          (len(cases), len(bad), sum(c.find("skipped") is not None for c in cases)))
    check(f"{what}: a case fails when the command does", (len(bad) > 0) == (code == 1))
    try:
        import junitparser
        parsed = junitparser.JUnitXml.fromstring(files["junit"].encode())
        check(f"{what}: junitparser", sum(s.failures for s in parsed) == problems)
    except ImportError:
        pass
    document = json.loads(files["sarif"])
    only = document["runs"][0]
    rules = {r["id"] for r in only["tool"]["driver"]["rules"]}
    check(f"{what}: SARIF version", document["version"] == "2.1.0" and len(document["runs"]) == 1)
    check(f"{what}: SARIF results", sum(r["level"] != "note" for r in only["results"]) >= problems)
    for result in only["results"]:
        check(f"{what}: rule is declared", result["ruleId"] in rules, result["ruleId"])
        check(f"{what}: message", result["message"]["text"] and result["partialFingerprints"]["tactusFinding/v1"])
        for place in result["locations"] + result["relatedLocations"]:
            at = place["physicalLocation"]
            path = ROOT / at["artifactLocation"]["uri"]
            check(f"{what}: file exists", path.is_file(), path)
            line = at.get("region", {}).get("startLine", 1)
            check(f"{what}: line exists", 1 <= line <= len(path.read_bytes().splitlines()), line)
    prints = lambda text: [r["partialFingerprints"] for r in json.loads(text)["runs"][0]["results"]]
    check(f"{what}: fingerprints", prints(files["sarif"]) == prints(again["sarif"]))
    check(f"{what}: fingerprints differ", len({json.dumps(p) for p in prints(files["sarif"])}) == len(only["results"]))
    lines = [l for l in done.stderr.splitlines() if l.startswith("::")]
    check(f"{what}: annotations", len(lines) == len(only["results"]) and
          all(re.match(r"::(error|warning|notice) (file=[^,:]+(,line=\d+)?,)?title=[^:,]+::.", l) for l in lines))
    check(f"{what}: summary", files["summary"].startswith("# tactus ") and ("## Found" in files["summary"]) == (problems > 0))
    return only["results"]


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
    suite = tree.fromstring(files["junit"])[0]
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
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed))
