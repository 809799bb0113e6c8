#!/usr/bin/env python3
"""check_droidbot.py: DroidBot folders, imported, against an own reading of the same files.

For every folder of the corpus: each transition's locator is evaluated on the tree of its state, which
is built here from DroidBot's files; it must select exactly one node, and that node must look like the
one that was recorded. Every export of a suite over all transitions must be able to say nearly all of
its actions. Skipped (77) where the corpus is absent.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as ET

NS = "{urn:tactus:interaction-model:1}"
ATTRIBUTES = {"resource-id": "resource_id", "text": "text", "content-desc": "content_description",
              "class": "class"}
MOST_UNSAID = 0.05


def literal(text, at):
    """The value of an XPath literal or concat() at a place, and the place behind it."""
    if text.startswith("concat(", at):
        at += len("concat(")
        value = ""
        while True:
            part, at = literal(text, at)
            value += part
            if text[at] == ")":
                return value, at + 1
            at += 1
    end = text.index(text[at], at + 1)
    return text[at + 1:end], end + 1


def parse(xpath):
    """([(attribute, value)], position from 1 or None) of (//*[@a='v'][@b='w'])[3]."""
    grouped = xpath.startswith("(")
    at = 1 if grouped else 0
    assert xpath.startswith("//*", at), xpath
    at += 3
    tests = []
    while xpath.startswith("[@", at):
        name = re.match(r"[a-z-]+", xpath[at + 2:]).group()
        value, at = literal(xpath, at + 2 + len(name) + 1)
        assert xpath[at] == "]", xpath
        at += 1
        tests.append((name, value))
    if not grouped:
        assert at == len(xpath), xpath
        return tests, None
    match = re.fullmatch(r"\)\[(\d+)\]", xpath[at:])
    assert match, xpath
    return tests, int(match.group(1))


def select(views, xpath, resource_id):
    tests, position = parse(xpath)
    found = [v for v in views
             if all((v.get(ATTRIBUTES[name]) or "") == value for name, value in tests)]
    if position:
        found = found[position - 1:position]
    return [v for v in found if not resource_id or v["resource_id"] == resource_id]


def read_states(folder):
    states = {}
    for path in sorted(folder.glob("states/*.json")):
        state = json.loads(path.read_text())
        states.setdefault(state["state_str"], state["views"])
    return states


def check_locators(folder, model):
    states = read_states(folder)
    on_elements = wrong = 0
    for transition in model.iter(NS + "transition"):
        for action in transition.iter(NS + "action"):
            if action.get("kind") in ("back", "home", "key", "launch"):
                continue
            on_elements += 1
            digits = transition.get("from").rsplit("_", 1)[1]
            views = [v for key, v in states.items() if key.startswith(digits)]
            xpath = action.get("xpath")
            found = select(views[0], xpath, action.get("resourceId")) if xpath and views else []
            if len(found) != 1:
                wrong += 1
                print(f"{folder.name}: {transition.get('from')} {transition.get('event')}: "
                      f"{xpath} selects {len(found)} nodes")
    return on_elements, wrong


def count_unsaid(program, path, work, totals):
    """Adds how many actions each format leaves out, of those of a suite over all transitions."""
    flows = work / "flows.jsonl"
    subprocess.run([program, "flow", "cover", path, "--goal", "transitions", "--format", "jsonl", "-o",
                    flows], check=True, stderr=subprocess.DEVNULL)
    total = sum(len(step.get("actions", []))
                for line in flows.read_text().splitlines() for step in json.loads(line)["steps"])
    for name in ("maestro", "webdriver", "wdio", "uiautomator"):
        done = subprocess.run([program, "flow", "export", flows, "--to", name, "-o", work / name],
                              capture_output=True, text=True, check=True)
        match = re.match(r"(\d+) actions? cannot", done.stderr)
        unsaid = int(match.group(1)) if match else 0
        sums = totals.setdefault(name, [0, 0])
        sums[0] += unsaid
        sums[1] += total


def main():
    corpus = os.environ.get("TACTUS_CORPUS")
    archives = sorted(pathlib.Path(corpus, "droidbot").glob("*.tar.xz")) if corpus else []
    if not archives:
        print("skipped: the public corpus is not here (droidbot)")
        return 77
    program = os.path.abspath(os.environ.get("TACTUS", "build/tactus"))
    failures, totals = 0, {}
    for archive in archives:
        with tempfile.TemporaryDirectory(prefix="tactus-droidbot-") as work:
            work = pathlib.Path(work)
            with tarfile.open(archive) as tar:
                tar.extractall(work)
            folder = next(p.parent for p in work.rglob("utg.js"))
            path = work / "model.xml"
            subprocess.run([program, "model", "import", folder, "-o", path], check=True,
                           stderr=subprocess.DEVNULL)
            actions, wrong = check_locators(folder, ET.parse(path).getroot())
            failures += wrong + (actions == 0)
            count_unsaid(program, path, work, totals)
            print(f"{archive.name}: {actions} actions on elements, {wrong} wrong locators")
    for name, (unsaid, total) in totals.items():
        print(f"{name}: {unsaid} of {total} actions cannot be expressed")
        failures += unsaid > MOST_UNSAID * total
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
