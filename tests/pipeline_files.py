"""What a JUnit and a SARIF file must be: the schemas of others in tests/data/schemas decide.

JUnit: the XSD of Jenkins' xUnit plugin, by xmllint, and junitparser as a consumer. SARIF: the official schema, by
python3-jsonschema, and what the schema cannot say: rules that are declared, places that exist.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree

sys.path.append("/usr/lib/python3/dist-packages")  # Debian's packages, whichever Python comes first
try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    import junitparser
except ImportError:
    junitparser = None

SCHEMAS = pathlib.Path(__file__).resolve().parent / "data/schemas"
judge = None


def absent():
    """What is not installed here, so that nobody believes it was asked."""
    return [name for name, there in (("xmllint", shutil.which("xmllint")), ("jsonschema", jsonschema),
                                     ("junitparser", junitparser)) if not there]


def junit_errors(text):
    """(errors, failing cases, skipped cases)"""
    errors = []
    if shutil.which("xmllint"):
        done = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", str(SCHEMAS / "jenkins-junit.xsd"), "-"],
                              input=text, capture_output=True, text=True)
        if done.returncode:
            errors.append(done.stderr)
    suite = tree.fromstring(text)[0]
    cases = suite.findall("testcase")
    bad = sum(c.find("failure") is not None for c in cases)
    skipped = sum(c.find("skipped") is not None for c in cases)
    if (int(suite.get("tests")), int(suite.get("failures")), int(suite.get("skipped"))) != (len(cases), bad, skipped):
        errors.append(f"counts {suite.attrib}, not {len(cases)}, {bad}, {skipped}")
    if junitparser:
        parsed = junitparser.JUnitXml.fromstring(text.encode())
        if sum(s.failures for s in parsed) != bad:
            errors.append("junitparser counts other failures")
    return errors, bad, skipped


def sarif_errors(text, root=None):
    """(errors, results); root: where relative places are."""
    global judge
    document = json.loads(text)
    errors = []
    if jsonschema:
        if not judge:
            schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_text())
            judge = jsonschema.validators.validator_for(schema)(schema)
        errors += [f"{list(e.path)}: {e.message[:200]}" for e in judge.iter_errors(document)]
    run = document["runs"][0]
    declared = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    seen = set()
    for result in run["results"]:
        mark = (result["ruleId"], result["level"], result["partialFingerprints"]["tactusFinding/v1"])
        if result["ruleId"] not in declared:
            errors.append(f"{result['ruleId']} is not declared")
        if mark in seen or not mark[2] or not result["message"]["text"]:
            errors.append(f"{mark}: twice, or without words")
        seen.add(mark)
        for place in result["locations"] + result["relatedLocations"] if root else []:
            at = place["physicalLocation"]
            path = pathlib.Path(root) / at["artifactLocation"]["uri"]
            line = at.get("region", {}).get("startLine", 1)
            if not path.is_file() or not 1 <= line <= len(path.read_bytes().splitlines()):
                errors.append(f"no such place: {path}:{line}")
    return errors, run["results"]
