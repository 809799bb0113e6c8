#!/usr/bin/env python3
"""Seeds faults into public homes, one at a time, and counts which are reported.

Every mutant is a text edit of one file of a copy. Whether it changes behaviour is decided here, from the
YAML alone (PyYAML, nothing of the program): a mutant is only made where the edit creates the fault by
construction. Six kinds: above and below swapped, a separating condition dropped, an id used twice, a delay
with something undone after it in mode single, `for:` removed from a threshold pair, two writes opposed.

usage: seed_faults.py [--limit N] [--verbose]        part of `make sweep`; the table goes to docs/automation.md
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

TACTUS = os.environ.get("TACTUS", "build/tactus")
CORPUS = pathlib.Path(os.environ.get("TACTUS_CORPUS", "../shared/corpus"), "home", "ha")
SWITCHED = ("light", "switch", "input_boolean", "fan")
Seeded = collections.namedtuple("Seeded", "kind file line classes text before", defaults=[None])


class Automation:
    """One mapping with a trigger and an action, with the marks of its parts."""

    def __init__(self, file, text, node):
        self.file, self.text, self.node = file, text, node
        self.line = node.start_mark.line + 1
        self.parts = {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}

    def part(self, *names):
        return next((self.parts[name] for name in names if name in self.parts), None)

    def scalar(self, name):
        node = self.parts.get(name)
        return node.value if isinstance(node, yaml.ScalarNode) else None

    def listed(self, *names):
        node = self.part(*names)
        if node is None:
            return []
        return node.value if isinstance(node, yaml.SequenceNode) else [node]

    @property
    def live(self):
        return (self.scalar("initial_state") or "").lower() not in ("false", "off", "no") and \
            "use_blueprint" not in self.parts


def plain(node):
    """The node as Python values, tags as text."""
    if isinstance(node, yaml.MappingNode):
        return {plain(key): plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain(value) for value in node.value]
    return node.value if node.tag.startswith("tag:yaml.org") else f"{node.tag} {node.value}"


def automations_of(folder):
    for file in sorted(folder.rglob("*.yaml")):
        if "blueprints" in file.parts or "script" in file.parts or not file.is_file():
            continue
        text = file.read_text(errors="surrogateescape")
        try:
            documents = list(yaml.compose_all(text))
        except yaml.YAMLError:
            continue
        found = []
        walk([node for node in documents if node], found, set())
        for node in found:
            yield Automation(file, text, node)


def walk(nodes, found, seen):
    for node in nodes:
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            keys = {key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)}
            if keys & {"trigger", "triggers"} and keys & {"action", "actions"} and \
                    keys & {"alias", "id"}:
                found.append(node)
            else:
                walk([value for _, value in node.value], found, seen)
        elif isinstance(node, yaml.SequenceNode):
            walk(node.value, found, seen)


def span(node):
    return node.start_mark.index, node.end_mark.index


def replaced(text, *edits):
    for (begin, end), new in sorted(edits, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


# ---------------------------------------------------------------------------------- the six kinds

def swapped(a):
    """`above: 10, below: 20` becomes an empty range."""
    def ranges(node):
        if isinstance(node, yaml.MappingNode):
            parts = {key.value: value for key, value in node.value}
            if {"above", "below"} <= parts.keys():
                low, high = number(plain(parts["above"])), number(plain(parts["below"]))
                if low is not None and high is not None and low < high:
                    yield parts["above"], parts["below"]
            for _, value in node.value:
                yield from ranges(value)
        elif isinstance(node, yaml.SequenceNode):
            for value in node.value:
                yield from ranges(value)
    for above, below in ranges(a.node):
        new = replaced(a.text, (span(above), a.text[slice(*span(below))]),
                       (span(below), a.text[slice(*span(above))]))
        yield Seeded("swapped bounds", a.file, a.line,
                     {"never-fires", "dead-trigger", "dead-branch", "impossible-value"}, new)



def first_write(a):
    """The service node and the entity of a top-level turn_on of one entity, as long as what stands
    before it is neither a wait nor a test."""
    for step in a.listed("action", "actions"):
        value = plain(step)
        if not isinstance(value, dict):
            return None
        service = value.get("service", value.get("action"))
        if not isinstance(service, str) or value.get("enabled") in ("false", "False"):
            return None
        match = re.fullmatch(r"(\w+)\.turn_(on|off)", service.strip())
        target = value.get("target") if isinstance(value.get("target"), dict) else {}
        data = value.get("data") if isinstance(value.get("data"), dict) else {}
        entity = value.get("entity_id") or target.get("entity_id") or data.get("entity_id")
        if isinstance(entity, list) and len(entity) == 1:
            entity = entity[0]
        if match and isinstance(entity, str) and re.fullmatch(r"\w+\.\w+", entity) and \
                entity.split(".")[0] in SWITCHED and match[1] in (entity.split(".")[0], "homeassistant"):
            node = next(v for k, v in step.value if k.value in ("service", "action"))
            return node, match[1], match[2], entity
        if not re.fullmatch(r"\w+\.\w+", service.strip()) or service.startswith(("script.", "automation.")):
            return None
    return None


def literal_triggers(a):
    """State triggers with one literal `to` and no `for`, as values."""
    found = []
    for node in a.listed("trigger", "triggers"):
        value = plain(node)
        if not isinstance(value, dict):
            continue
        kind = value.get("platform", value.get("trigger"))
        if kind == "state" and isinstance(value.get("to"), str) and "for" not in value and \
                isinstance(value.get("entity_id"), str) and "," not in value["entity_id"] and \
                value.get("enabled") not in ("false", "False"):
            found.append(value)
    return found


def same_id(a, every):
    node = a.parts.get("id")
    if a.scalar("id") is None or not a.live:
        return
    others = [b for b in every if b is not a and b.live and b.scalar("id") not in (None, a.scalar("id"))]
    if others:
        other = random.choice(others)
        yield Seeded("id used twice", a.file, a.line, {"duplicate-id"},
                     replaced(a.text, (span(node), json.dumps(other.scalar("id")))))


def entry_text(a):
    """The automation's own lines as an item of its list, or None where it is not a plain list item."""
    lines = a.text.splitlines(keepends=True)
    begin, end = a.node.start_mark, a.node.end_mark
    line = lines[begin.line]
    dash = line[:begin.column]
    if not re.fullmatch(r"\s*-\s+", dash):
        return None
    last = end.line if end.column == 0 or not lines[end.line:] or \
        not lines[end.line][:end.column].strip() else end.line + 1
    body = lines[begin.line:last]
    while body and not body[-1].strip():
        body.pop()
    return begin.line, last, "".join(body)


def inserted(a, at, block):
    lines = a.text.splitlines(keepends=True)
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += "\n"
    lines.insert(at, block if block.endswith("\n") else block + "\n")
    return "".join(lines)


def delayed(a):
    """Something switched on by a state, two minutes later off again, in mode single."""
    write = first_write(a)
    action = a.part("action", "actions")
    if not a.live or not write or write[2] != "on" or (a.scalar("mode") or "single") != "single" or \
            not literal_triggers(a) or not isinstance(action, yaml.SequenceNode) or action.flow_style:
        return
    steps = plain(action)
    if any(not isinstance(s, dict) or not ({"service", "action"} & s.keys()) for s in steps):
        return
    asked = json.dumps([plain(item) for item in a.listed("condition", "conditions")])
    if any(entity in asked for entity in re.findall(r"\b\w+\.\w+\b", json.dumps(steps))):
        return  # it may ask for what it has just changed, and then nothing is lost
    lines = a.text.splitlines(keepends=True)
    end = action.end_mark
    at = end.line
    while at and (not lines[at - 1].strip() or lines[at - 1].lstrip().startswith("#")):
        at -= 1
    indent = " " * action.start_mark.column
    block = f"{indent}- delay: '00:02:00'\n{indent}- service: {write[1]}.turn_off\n" \
            f"{indent}  entity_id: {write[3]}\n"
    yield Seeded("delay, mode single", a.file, a.line, {"retrigger-ignored"}, inserted(a, at, block))


def opposed(a):
    """A copy of the automation beside it, that writes the opposite."""
    write = first_write(a)
    if not a.live or not write or not literal_triggers(a):
        return
    pair = sibling(a, write, [], "seeded_opposite")
    if pair:
        yield Seeded("writes opposed", a.file, a.line, {"opposite-writes"}, inserted(a, *pair))


def separating(a):
    """Top-level conditions that are one literal state each: entity, state, node; None where another kind
    stands beside them."""
    found = []
    for item in a.listed("condition", "conditions"):
        value = plain(item)
        if not isinstance(value, dict) or value.get("condition") != "state" or "for" in value or \
                "attribute" in value or not isinstance(value.get("entity_id"), str) or \
                not isinstance(value.get("state"), str):
            return None
        found.append((value["entity_id"], value["state"], item))
    return found


OTHER = {"on": "off", "off": "on", "home": "not_home", "not_home": "home"}


def sibling(a, write, changes, name):
    """Its copy with the opposite of its own first write, and other edits."""
    node, _, value, _ = write
    opposite = a.text[slice(*span(node))].replace(f"turn_{value}", f"turn_{OTHER[value]}")
    return copied(a, [(span(node), opposite), *changes], name)


def dropped(a):
    """A sibling that writes the opposite under the opposite condition (nothing wrong), and then the
    condition of the first taken away."""
    mine, write = separating(a), first_write(a)
    if not a.live or not mine or not write or not literal_triggers(a):
        return
    node = a.part("condition", "conditions")
    watched = {t["entity_id"] for t in literal_triggers(a)}
    for entity, state, item in mine:
        if state not in OTHER or entity == write[3] or entity in watched or \
                isinstance(node, yaml.SequenceNode) and node.flow_style:
            continue
        value = next(v for k, v in item.value if k.value == "state")
        pair = sibling(a, write, [(span(value), f"'{OTHER[state]}'")], "seeded_sibling")
        if not pair:
            continue
        kept = inserted(a, *pair)
        lines = kept.splitlines(keepends=True)
        begin = item.start_mark.line
        if len(mine) == 1:
            begin = next(k for k, _ in a.node.value if k.value in ("condition", "conditions")).start_mark.line
        yield Seeded("condition dropped", a.file, a.line, {"opposite-writes"},
                     "".join(lines[:begin] + lines[item.end_mark.line:]), kept)
        return


def own_write(a, value, more=()):
    """The edit that puts a write to a switch of our own before an automation's first action."""
    action = a.part("action", "actions")
    if not isinstance(action, yaml.SequenceNode) or action.flow_style or not action.value:
        return None
    lines = a.text.splitlines(keepends=True)
    first = action.start_mark
    if not re.fullmatch(r"\s*-\s+", lines[first.line][:action.value[0].start_mark.column]):
        return None
    indent = " " * lines[first.line].index("-")
    at = sum(len(line) for line in lines[:first.line])
    steps = [f"service: switch.turn_{value}\n{indent}  entity_id: switch.seeded", *more]
    return (at, at), "".join(f"{indent}- {step}\n" for step in steps)


def copied(a, edits, name):
    """The automation's lines once more as the next item, with edits inside and another name."""
    entry = entry_text(a)
    if not entry or "&" in entry[2]:
        return None
    begin, last, body = entry
    offset = sum(len(line) for line in a.text.splitlines(keepends=True)[:begin])
    if any(not offset <= place[0] <= place[1] <= offset + len(body) for place, _ in edits):
        return None
    new = replaced(body, *[((x - offset, y - offset), text) for (x, y), text in edits])
    new = re.sub(r"(?m)^(\s*-?\s*id:\s*).*$", rf"\1{name}", new, count=1)
    return last, re.sub(r"(?m)^(\s*-?\s*alias:\s*).*$", rf"\1{name}", new, count=1)


def with_pair(a, mine, theirs):
    """The file with edits of the automation itself and its edited copy after it."""
    pair = copied(a, theirs, "seeded_sibling")
    if not pair:
        return None
    at = sum(len(line) for line in a.text.splitlines(keepends=True)[:pair[0]])
    gap = "" if not at or a.text[at - 1] == "\n" else "\n"
    return replaced(a.text, *mine, ((at, at), gap + pair[1].rstrip("\n") + "\n"))


def opposed_anywhere(a):
    """Whatever starts it and whatever it asks: it and its copy write opposite values first."""
    on, off = own_write(a, "on"), own_write(a, "off")
    if a.live and on and off and a.listed("trigger", "triggers"):
        text, kept = with_pair(a, [on], [off]), with_pair(a, [on], [on])
        if text:
            yield Seeded("writes opposed, any automation", a.file, a.line, {"opposite-writes"}, text, kept)


def trembling(a):
    """On above a threshold and off below it, both with `for` (nothing wrong); then without it."""
    triggers = a.listed("trigger", "triggers")
    on, off = own_write(a, "on"), own_write(a, "off")
    if not a.live or not on or len(triggers) != 1 or not isinstance(triggers[0], yaml.MappingNode):
        return
    parts = {k.value: (k, v) for k, v in triggers[0].value}
    kind = parts.get("platform", parts.get("trigger", (None, None)))[1]
    if kind is None or kind.value != "numeric_state" or "for" not in parts or "value_template" in parts or \
            "attribute" in parts or ("above" in parts) == ("below" in parts):
        return
    side = "above" if "above" in parts else "below"
    entity = plain(parts["entity_id"][1])
    asked = json.dumps([plain(item) for item in a.listed("condition", "conditions")])
    written = json.dumps([plain(item) for item in a.listed("action", "actions")])
    if number(plain(parts[side][1])) is None or not isinstance(entity, str) or entity in asked or \
            '"delay"' in written or any(name in written for name in re.findall(r"\b\w+\.\w+\b", asked)):
        return  # still running, or its own condition is gone: it does not swing
    turned = (span(parts[side][0]), "below" if side == "above" else "above")
    key, value = parts["for"]
    begin = key.start_mark.index
    gone = ((begin, begin + len(a.text[begin:value.end_mark.index].rstrip())), "id: x")
    if "id" in parts:
        return
    kept, text = with_pair(a, [on], [off, turned]), with_pair(a, [on, gone], [off, turned, gone])
    if text:
        yield Seeded("for removed", a.file, a.line, {"no-hysteresis"}, text, kept)


# ---------------------------------------------------------------------------------- measuring

def check(folder, *more):
    done = subprocess.run([TACTUS, "automation", "check", "--json", *more, str(folder)],
                          capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout)["findings"] if done.returncode in (0, 1) else []


def counted(findings, relative, classes):
    keys = collections.Counter()
    for finding in findings:
        if finding["class"] in classes and any(place["file"] == relative for place in finding["places"]):
            keys[(finding["class"], finding["message"])] += 1
    return keys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if not CORPUS.is_dir():
        print("skipped: no public corpus beside the project")
        return 0
    random.seed(28)
    with tempfile.TemporaryDirectory() as scratch:
        mutants = []
        for home in sorted(path.name for path in CORPUS.iterdir() if path.is_dir()):
            shutil.copytree(CORPUS / home, pathlib.Path(scratch, home), ignore_dangling_symlinks=True)
            every = list(automations_of(pathlib.Path(scratch, home)))
            for a in every:
                for seeded in (*swapped(a), *same_id(a, every), *delayed(a), *opposed(a),
                               *opposed_anywhere(a),
                               *dropped(a), *trembling(a)):
                    mutants.append((home, seeded))
        by_kind = collections.defaultdict(list)
        for home, seeded in mutants:
            by_kind[seeded.kind].append((home, seeded))
        # The rare kinds whole, the rest in equal shares.
        chosen, left = [], options.limit
        for index, kind in enumerate(sorted(by_kind, key=lambda k: len(by_kind[k]))):
            share = min(len(by_kind[kind]), left // (len(by_kind) - index))
            chosen += random.sample(by_kind[kind], share)
            left -= share
        false_alarms = controls = 0
        base, table = {}, collections.defaultdict(lambda: [0, 0, 0])
        for home, seeded in chosen:
            root = pathlib.Path(scratch, home)
            if home not in base:
                base[home] = check(root), check(root, "--possible")
            relative = str(seeded.file.relative_to(root))
            original = seeded.file.read_text(errors="surrogateescape")
            if seeded.before:
                seeded.file.write_text(seeded.before, errors="surrogateescape")
                alarms = counted(check(root), relative, seeded.classes) - \
                    counted(base[home][0], relative, seeded.classes)
                false_alarms += bool(alarms)
                controls += 1
                for alarm in alarms if options.verbose else []:
                    print(f"false alarm: {seeded.kind}: {home}/{relative}:{seeded.line}: {alarm[1]}")
            seeded.file.write_text(seeded.text, errors="surrogateescape")
            row = table[seeded.kind]
            row[0] += 1
            exact = counted(check(root), relative, seeded.classes) - \
                counted(base[home][0], relative, seeded.classes)
            if exact:
                row[1] += 1
            elif counted(check(root, "--possible"), relative, seeded.classes) - \
                    counted(base[home][1], relative, seeded.classes):
                row[2] += 1
                if options.verbose:
                    print(f"possible only: {seeded.kind}: {home}/{relative}:{seeded.line}", flush=True)
            elif options.verbose:
                print(f"missed: {seeded.kind}: {home}/{relative}:{seeded.line}", flush=True)
            seeded.file.write_text(original, errors="surrogateescape")
        print("| fault | sites | seeded | reported | as possible | missed |\n|---|---|---|---|---|---|")
        for kind, (made, exact, possible) in sorted(table.items()):
            print(f"| {kind} | {len(by_kind[kind])} | {made} | {exact} | {possible} | {made - exact - possible} |")
        made, exact, possible = (sum(row[i] for row in table.values()) for i in range(3))
        print(f"| all | {len(mutants)} | {made} | {exact} | {possible} | {made - exact - possible} |")
        print(f"recall: {100 * exact / made:.1f} % exact, {100 * (exact + possible) / made:.1f} % with --possible; "
              f"{false_alarms} false alarms on {controls} pairs before the fault was seeded")
    return 0


sys.exit(main())
