#!/usr/bin/env python3
"""Adaptive runs of apps in which states look alike: generated with two to five such states, with and without
<expect>. A right app never fails. One with a planted fault (a transition that leads elsewhere, or a text that the
model does not expect) fails nearly always. TACTUS_SWEEP=1 makes a hundred of each, otherwise a few."""
import json, os, random, subprocess, sys, tempfile

tactus = os.environ["TACTUS"]
count = 100 if os.environ.get("TACTUS_SWEEP") else 12
PACKAGE = "org.example.alike"


def make(rng):
    """States by name: what is shown, where each control leads (several places: by chance)."""
    alike = [f"A{i}" for i in range(rng.randint(2, 5))]
    others = [f"B{i}" for i in range(rng.randint(2, 4))]
    expects = rng.random() < 0.5
    states = {"hub": {"text": "hub", "to": {"enter": alike, "list": [others[0]]}}}
    ends = [[rng.choice(others + ["hub"] + alike) for _ in range(3)] for _ in alike]
    for i, name in enumerate(alike):
        if not i or ends[i] == ends[0]:  # something tells it from the first, in the end
            ends[i][i % 3] = others[i % len(others)]
        text = f"page {i}" if expects and i % 2 == 0 else "page"
        states[name] = {"text": text, "to": {f"x{k}": [to] for k, to in enumerate(ends[i])}, "home": True}
        if text != "page":
            states[name]["expect"] = text
    for i, name in enumerate(others):
        states[name] = {"text": f"other {i}", "to": {f"only{i}": [rng.choice(alike)]}, "home": True}
    for state in states.values():
        if state.pop("home", False):
            state["to"]["home"] = ["hub"]
    return states


def reachable(states):
    found = ["hub"]
    for name in found:
        for to in sorted({to for ends in states[name]["to"].values() for to in ends} - set(found)):
            found.append(to)
    return found


def plant(rng, states):
    """One fault: another text where one is expected, or another end of a transition; what it was."""
    wrong = json.loads(json.dumps(states))
    known = reachable(states)
    expecting = [name for name in known if "expect" in states[name]]
    if expecting and rng.random() < 0.5:
        wrong[rng.choice(expecting)]["text"] = "page of another"
        return wrong
    name = rng.choice([n for n in known if n != "hub"])
    control = rng.choice(sorted(wrong[name]["to"]))
    before = wrong[name]["to"][control][0]
    looks = lambda n: sorted(states[n]["to"])
    wrong[name]["to"][control] = [rng.choice([n for n in states if looks(n) != looks(before)])]
    return wrong


def app(states):
    def widget(control, to):
        go = [{"go": to[0]}] if len(to) == 1 else [{"choose": [{"do": [{"go": one}]} for one in to]}]
        return {"class": "Button", "id": control, "text": control, "click": go}
    screens = {name: {"widgets": [{"class": "TextView", "id": "title", "text": state["text"]}] +
                      [widget(*one) for one in state["to"].items()]} for name, state in states.items()}
    return {"tactus-app": 1, "name": "Alike", "code": "alike", "package": PACKAGE,
            "activities": {"Main": {"first": "hub", "screens": screens}}}


def model(states):
    out = ['<interactionModel xmlns="urn:tactus:interaction-model:1" name="alike"><device name="phone" '
           f'serialNumber="sim-0001"><application name="Alike" codeName="alike" package="{PACKAGE}" external="true">'
           '<activity name="Main" external="true"><stateMachine name="M" external="true"><initial to="hub"/>']
    for name, state in states.items():
        expect = state.get("expect")
        inner = f"<expect>texts(//node[@resource-id='{PACKAGE}:id/title']) == [&quot;{expect}&quot;]</expect>" if expect else ""
        out.append(f'<state name="{name}">{inner}</state>')
    out.append('<final name="end"/>')
    for name, state in states.items():
        for control, ends in state["to"].items():
            for to in ends:
                out.append(f'<transition from="{name}" event="{control}" to="{to}">'
                           f'<action kind="click" resourceId="{PACKAGE}:id/{control}"/></transition>')
    return "".join(out) + "</stateMachine></activity></application></device></interactionModel>"


def run(folder, name, states, seed):
    with open(f"{folder}/{name}.json", "w") as out:
        json.dump(app(states), out)
    return subprocess.run([tactus, "run", "--device", f"sim:{folder}/{name}.json", "--goal", "transitions", "--model",
                           f"{folder}/model.xml", "--steps", "600", "--seed", str(seed), "--think", "0.01", "--json",
                           "-o", f"{folder}/{name}"], capture_output=True, text=True)


def main():
    failed, found, covered, total = [], 0, 0, 0
    for seed in range(1, count + 1):
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            states = make(rng)
            with open(f"{folder}/model.xml", "w") as out:
                out.write(model(states))
            right = run(folder, "right", states, seed)
            if right.returncode not in (0, 3):
                failed.append(f"seed {seed}: a right app: {right.stdout}{right.stderr}")
            else:
                row = json.loads(right.stdout)["coverage"][0]
                covered, total = covered + row["covered"], total + row["total"]
            wrong = run(folder, "wrong", plant(rng, states), seed)
            found += wrong.returncode == 1
            if wrong.returncode != 1 and os.environ.get("VERBOSE"):
                print(f"seed {seed}: not found: {wrong.stdout}{wrong.stderr}")
    print(f"{count} apps: {len(failed)} right ones failed, {covered} of {total} transitions covered; "
          f"{found} wrong ones found")
    for one in failed[:5]:
        print(one)
    if failed or found < 0.95 * count or covered < 0.9 * total:
        sys.exit(1)


main()
