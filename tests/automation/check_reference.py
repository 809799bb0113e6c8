#!/usr/bin/env python3
"""Random small homes, checked by brute force and by `tactus automation check`.

The reference tries every state, every event and every moment that matters, on automations that have
one trigger list, one condition and plain writes; it shares no code with the program. Compared are the
automations that never fire, the dead triggers and the pairs that write opposite values.
"""
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

TACTUS = os.environ.get("TACTUS", "build/tactus")
CASES = int(os.environ.get("TACTUS_CASES", "300"))
DOMAINS = {
    "input_boolean.a": ["on", "off"],
    "input_boolean.b": ["on", "off"],
    "input_select.s": ["x", "y", "z"],
    "sensor.n": [1, 5, 9, 13],  # cuts at 3, 7, 11
}
TARGETS = {"input_boolean.a": ["on", "off"], "light.l": ["on", "off"], "input_select.s": ["x", "y", "z"]}


def random_condition(rng, depth=0):
    kind = rng.choice(["state", "state", "number", "and", "or", "not"] if depth < 2 else ["state", "number"])
    if kind == "state":
        entity = rng.choice(["input_boolean.a", "input_boolean.b", "input_select.s"])
        return ("state", entity, sorted(rng.sample(DOMAINS[entity], rng.choice([1, 1, len(DOMAINS[entity]) - 1]))))
    if kind == "number":
        above, below = rng.choice([(3, None), (7, None), (None, 7), (None, 11), (3, 11), (7, 7), (11, 3)])
        return ("number", "sensor.n", above, below)
    return (kind, [random_condition(rng, depth + 1) for _ in range(1 if kind == "not" else 2)])


def holds(cond, state):
    kind = cond[0]
    if kind == "state":
        return state[cond[1]] in cond[2]
    if kind == "number":
        value = state[cond[1]]
        return (cond[2] is None or value > cond[2]) and (cond[3] is None or value < cond[3])
    if kind == "and":
        return all(holds(c, state) for c in cond[1])
    if kind == "or":
        return any(holds(c, state) for c in cond[1])
    return not any(holds(c, state) for c in cond[1])


def random_trigger(rng):
    if rng.random() < 0.3:
        above, below = rng.choice([(3, None), (7, None), (None, 7), (None, 11), (3, 7)])
        return ("number", "sensor.n", above, below)
    entity = rng.choice(["input_boolean.a", "input_boolean.b", "input_select.s"])
    pick = lambda: rng.choice([None, *DOMAINS[entity]])
    return ("state", entity, pick(), pick())  # from, to


def fires(trigger, old, new):
    if trigger[0] == "number":
        inside = lambda v: (trigger[2] is None or v > trigger[2]) and (trigger[3] is None or v < trigger[3])
        return inside(new) and not inside(old)
    if old == new:
        return trigger[2] is None and trigger[3] is None  # an attribute changed
    return trigger[2] in (None, old) and trigger[3] in (None, new)


def random_home(rng):
    home = []
    for i in range(rng.randint(2, 4)):
        target = rng.choice(list(TARGETS))
        home.append({"id": f"auto{i}", "triggers": [random_trigger(rng) for _ in range(rng.randint(1, 2))],
                     "condition": random_condition(rng) if rng.random() < 0.8 else None,
                     "write": (target, rng.choice(TARGETS[target]))})
    return home


def yaml_condition(cond, indent):
    pad = " " * indent
    if cond[0] == "state":
        return (f"{pad}- condition: state\n{pad}  entity_id: {cond[1]}\n{pad}  state: {json.dumps(cond[2])}\n")
    if cond[0] == "number":
        text = f"{pad}- condition: numeric_state\n{pad}  entity_id: {cond[1]}\n"
        return text + "".join(f"{pad}  {word}: {value}\n" for word, value in
                              (("above", cond[2]), ("below", cond[3])) if value is not None)
    return (f"{pad}- condition: {cond[0]}\n{pad}  conditions:\n" +
            "".join(yaml_condition(c, indent + 4) for c in cond[1]))


def yaml_home(home):
    text, lines = "", {}
    for automation in home:
        lines[automation["id"]] = text.count("\n") + 1
        text += f"- id: {automation['id']}\n  alias: {automation['id']}\n  trigger:\n"
        for trigger in automation["triggers"]:
            if trigger[0] == "number":
                text += f"    - platform: numeric_state\n      entity_id: {trigger[1]}\n"
                keys = (("above", trigger[2]), ("below", trigger[3]))
            else:
                text += f"    - platform: state\n      entity_id: {trigger[1]}\n"
                keys = (("from", trigger[2]), ("to", trigger[3]))
            text += "".join(f"      {key}: {json.dumps(value)}\n" for key, value in keys if value is not None)
        if automation["condition"]:
            text += "  condition:\n" + yaml_condition(automation["condition"], 4)
        target, value = automation["write"]
        domain = target.split(".")[0]
        if domain == "input_select":
            text += (f"  action:\n    - service: input_select.select_option\n      entity_id: {target}\n"
                     f"      data: {{option: {value}}}\n")
        else:
            text += f"  action:\n    - service: {domain}.turn_{value}\n      entity_id: {target}\n"
    return text


def plain_condition(cond):
    """The same in our own text form, with more parentheses than it needs."""
    if cond[0] == "state":
        return f"{cond[1]} is {' or '.join(cond[2])}"
    if cond[0] == "number":
        if cond[2] is not None and cond[3] is not None:
            return f"{cond[1]} between {cond[2]} and {cond[3]}"
        return f"{cond[1]} above {cond[2]}" if cond[2] is not None else f"{cond[1]} below {cond[3]}"
    if cond[0] == "not":
        return f"not ({plain_condition(cond[1][0])})"
    return f" {cond[0]} ".join(f"({plain_condition(c)})" for c in cond[1])


def plain_home(home):
    text = "tactus automations 1\nentity input_select.s: x, y, z\n"
    for automation in home:
        text += f"automation {automation['id']}\n"
        for trigger in automation["triggers"]:
            if trigger[0] == "number":
                text += f"  when {plain_condition(trigger)}\n"
            else:
                words = "".join(f" {word} {value}" for word, value in (("from", trigger[2]), ("to", trigger[3])) if value)
                text += f"  when {trigger[1]} changes{words}\n"
        if automation["condition"]:
            text += f"  if {plain_condition(automation['condition'])}\n"
        text += "  then\n    {} := {}\n".format(*automation["write"])
    return text


def check(path):
    done = subprocess.run([TACTUS, "automation", "check", "--json", str(path)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise ValueError(f"exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["findings"]


def reference(home):
    """(never fires, dead triggers, opposite pairs) by trying everything."""
    alive, opposite = set(), set()
    names = list(DOMAINS)
    for values in itertools.product(*DOMAINS.values()):
        old = dict(zip(names, values))
        for entity in names:
            for value in DOMAINS[entity]:
                new = dict(old, **{entity: value})
                started = []
                for automation in home:
                    live = [i for i, t in enumerate(automation["triggers"])
                            if t[1] == entity and fires(t, old[entity], value)]
                    if live and (not automation["condition"] or holds(automation["condition"], new)):
                        alive.update((automation["id"], i) for i in live)
                        started.append(automation)
                for a, b in itertools.combinations(started, 2):
                    if a["write"][0] == b["write"][0] and a["write"][1] != b["write"][1]:
                        opposite.add((a["id"], b["id"]))
    never = {a["id"] for a in home if not any((a["id"], i) in alive for i in range(len(a["triggers"])))}
    dead = sum(1 for a in home if a["id"] not in never
               for i in range(len(a["triggers"])) if (a["id"], i) not in alive)
    return never, dead, {p for p in opposite if not never & set(p)}


def main():
    rng = random.Random(20260115)
    failed = 0
    seen = {"never": 0, "dead": 0, "opposite": 0}
    with tempfile.TemporaryDirectory() as work:
        plain = pathlib.Path(work, "plain.txt")
        config = pathlib.Path(work, "configuration.yaml")
        config.write_text("input_select:\n  s:\n    options: [x, y, z]\nautomation: !include automations.yaml\n")
        for case in range(CASES):
            home = random_home(rng)
            pathlib.Path(work, "automations.yaml").write_text(yaml_home(home))
            try:
                found = check(work)
                if case % 3 == 0:
                    plain.write_text(plain_home(home))
                    # alternatives are judged where they stand on lines of their own, which ours do not
                    same = lambda findings: sorted((f["class"], f["message"]) for f in findings if f["class"] != "dead-branch")
                    if same(check(plain)) != same(found):
                        print(f"case {case}: our own form has other findings: {same(check(plain))}, not {same(found)}:\n{plain_home(home)}")
                        failed += 1
            except ValueError as error:
                print(f"case {case}: {error}")
                failed += 1
                continue
            never = {f["places"][0]["id"] for f in found if f["class"] == "never-fires"}
            dead = sum(f["class"] == "dead-trigger" for f in found)
            opposite = {tuple(sorted(p["id"] for p in f["places"])) for f in found if f["class"] == "opposite-writes"}
            wanted = reference(home)
            for f in found:
                if f["class"] == "opposite-writes" and not any(len(m["fires"]) >= 2 for m in f["story"]):
                    print(f"case {case}: a finding without a story: {f['message']}")
                    failed += 1
            if (never, dead, opposite) != wanted:
                print(f"case {case}: program {never, dead, opposite}, reference {wanted}")
                print(yaml_home(home))
                failed += 1
            seen["never"] += len(never)
            seen["dead"] += dead
            seen["opposite"] += len(opposite)
    print(f"{seen} over {CASES} homes")
    if min(seen.values()) == 0:
        print("the homes exercise nothing")
        failed += 1
    print(f"{CASES - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
