#!/usr/bin/env python3
"""Every gesture of action files on every kind of phone: the built-in one, the same through the real adb, and through
Appium's stand-in. Each does what docs/functional.md says of it, and the traces of the three are the same.

Skips what lies behind adb where adb is absent.
"""
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from three_phones import Phones, check, closing  # noqa: E402

APP = "tests/android/gestures.json"
PACKAGE = "com.example.gestures"


def node(name):
    return f"//node[@resource-id='{PACKAGE}:id/{name}']"


PROPS = f"""observe last   = text({node('last')})
observe clicks = number({node('clicks')})
observe turns  = number({node('turns')})
observe starts = number({node('starts')})
observe held   = value({node('field')})
observe other  = value({node('second')})
observe focus  = attribute({node('field')}, "focused")
observe ticked = checked({node('box')})
observe usable = enabled({node('off')})
observe items  = texts({node('item')})
observe shown  = count({node('item')})
observe seen   = visible({node('list')})
observe gone   = text({node('nothing')})
property ticks: always (ticked or not ticked)
"""
NAMES = ["event", "typed", "target", "abandoned", "last", "clicks", "turns", "starts", "held", "other", "focus", "ticked",
         "usable", "items", "shown", "seen", "gone"]

# Steps, and what is then to be seen. "abandoned" is 0 where nothing else stands.
TABLE = [
    (f"click {node('button')}", {"last": "click"}),
    (f"click {node('label')}", {"last": "line"}),           # a touch goes on to what its place lies in
    (f"longpress {node('label')}", {"last": "long line"}),
    (f"click {node('inner')}", {"abandoned": 1, "last": "none"}),  # which is not enabled
    (f"click {node('last')}", {"abandoned": 1}),
    (f"click {node('nothing')}", {"abandoned": 1}),
    (f"click {node('twice')}", {"last": "once"}),
    (f"doubleclick {node('twice')}", {"last": "double"}),
    (f"doubleclick {node('plain')}", {"clicks": 2}),
    (f"longpress {node('hold')}", {"last": "long"}),
    (f"hover {node('button')}", {"abandoned": 1}),
    (f"swipe up {node('list')}", {"last": "seen down"}),
    (f"swipe down {node('list')}", {"last": "seen up"}),
    (f"swipe left {node('list')}", {"last": "seen right"}),
    (f"swipe right {node('list')}", {"last": "seen left"}),
    (f"scroll up {node('list')}", {"last": "seen up"}),
    (f"scroll down {node('list')}", {"last": "seen down"}),
    (f"scroll left {node('list')}", {"last": "seen left"}),
    (f"scroll right {node('list')}", {"last": "seen right"}),
    ("swipe up", {"last": "seen down"}),
    ("scroll up", {"last": "seen up"}),
    (f"scroll right any {node('item')}", {"last": "seen right"}),
    (f"swipe up any {node('item')}", {"last": "seen down"}),
    (f"swipe left {node('card')}", {"last": "none"}),      # done, and nobody minds
    (f"scroll up {node('card')}", {"abandoned": 1}),
    (f"drag {node('card')} to {node('bin')}", {"last": "dropped"}),
    (f"drag {node('card')} to {node('last')}", {"last": "dragged"}),
    (f"drag {node('card')} to {node('nothing')}", {"abandoned": 1}),
    (f"click {node('box')}", {"ticked": True}),
    (f"click {node('box')}; click {node('box')}", {"ticked": False}),
    (f"type {node('field')} \"milk\"", {"held": "milk", "typed": "milk", "focus": "true"}),
    (f"type {node('field')} \"milk\"; type {node('field')} \"tea\"", {"held": "tea"}),
    (f"type {node('field')} \"milk\"; type \" two\"", {"held": "milk two", "typed": " two"}),
    (f"type {node('field')} \"milk\"; clear; type \"tea\"", {"held": "tea"}),
    (f"type {node('field')} \"milk\"; clear {node('field')}", {"held": "hint"}),
    (f"type {node('field')} \"milk\\\\n\"", {"held": "milk", "last": "ENTER"}),
    (f"type {node('field')} \"a\\tb\"", {"held": "ab", "last": "TAB"}),
    (f"type {node('field')} \"milk\"; key Backspace; key Backspace; key x", {"held": "mix"}),
    (f"type {node('field')} \"\"; key 5; key Space; key A", {"held": "5 A"}),
    (f"type {node('field')} \"one\"; type {node('second')} \"two\"; type \"3\"", {"held": "one", "other": "two3"}),
    ("type \"nowhere\"", {"abandoned": 1}),
    ("clear", {"abandoned": 1}),
    (f"type {node('button')} \"x\"", {"abandoned": 1}),
    ("key Enter", {"last": "ENTER"}),
    ("key ENTER", {"last": "ENTER"}),
    ("key KEYCODE_ENTER", {"last": "ENTER"}),
    ("key 66", {"last": "ENTER"}),
    ("key VOLUME_UP", {"last": "VOLUME_UP"}),
    ("key 24", {"last": "VOLUME_UP"}),
    ("key ArrowLeft", {"last": "DPAD_LEFT"}),
    ("key Home", {"last": "MOVE_HOME"}),
    ("key F2", {"last": "F2"}),
    ("key 5", {"last": "five"}),
    ("key Backspace", {"last": "DEL"}),
    ("key BACK", {"last": "back"}),
    ("back", {"last": "back"}),
    ("rotate", {"turns": 2}),                              # there and back
    (f"click {node('plain')}; reload", {"clicks": 0}),
    ("wait 1", {"last": "none"}),
]
# Texts that a field must hold as they are, typed through the shell of a phone.
TEXTS = ["a b", "  two  ", "100% sure", "50%s", "%%s %s", "it's \"quoted\"", "$HOME `id` $(id) \\ ;&|<>*?[]{}()!#~^", "-n",
         "--help", "'", "a\\b", "=", "100%", "x" * 700]
TABLE += [(f"type {node('field')} {json.dumps(text)}", {"held": text, "typed": text}) for text in TEXTS]
# Every row begins with a new start of the app, which keeps nothing but the row's number.
BEFORE = 2


def action_file():
    guards = ["\"\"", *(f'"{number}"' for number in range(len(TABLE)))]
    return "".join(f"action a{number}: when value({node('row_number')}) == {guards[number]}\n"
                   f"  do type {node('row_number')} \"{number}\"; reload; {steps}\n" for number, (steps, _) in enumerate(TABLE))


def states(folder, number=0):
    """The observed states of a run, values held."""
    held, found = {}, []
    for line in (pathlib.Path(folder) / f"traces/{number:06}.jsonl").read_text().splitlines():
        state = json.loads(line)
        if "t" in state:
            held = {**held, "event": None, "typed": None, "target": None, **state}
            found.append({name: held.get(name) for name in NAMES})
    return found


def play(phones, work, kind, actions, steps=1, seed=None, said=""):
    (work / "p.props").write_text(PROPS)
    (work / "p.actions").write_text(actions)
    folder = work / kind
    shutil.rmtree(folder, ignore_errors=True)
    done = phones.run(kind, "--actions", str(work / "p.actions"), "--runs", "1", "--steps", str(steps), "-p",
                      str(work / "p.props"), "-o", str(folder), *(["--seed", seed] if seed else []))
    check(done.returncode == 0 and said in done.stdout, f"{kind}: {actions}: {done.stdout}{done.stderr}")
    return states(folder)


def gestures(phones, work):
    traces = {kind: play(phones, work, kind, action_file(), len(TABLE)) for kind in phones.devices}
    for kind, trace in traces.items():
        check(len(trace) == len(TABLE) + 1, f"{kind}: {len(trace)} states")
        for number, (steps, wanted) in enumerate(TABLE[:len(trace) - 1]):
            after = {"abandoned": 0, "last": "none", "held": "hint", "clicks": 0, **wanted}
            after["abandoned"] += BEFORE if after["abandoned"] else 0
            if "held" not in wanted and "type" in steps or "last" not in wanted and "\\t" in steps:
                del after["held"]
            got = {name: trace[number + 1][name] for name in after}
            check(trace[number + 1]["event"] == f"a{number}" and got == after, f"{kind}: {steps}: {got}, not {after}")
            check(trace[number + 1] == traces["sim"][number + 1],
                  f"{kind}: {steps}: {trace[number + 1]}, on the built-in phone {traces['sim'][number + 1]}")


def not_ascii(phones, work):
    """What cannot be typed by adb is not typed at all."""
    if "adb" in phones.devices:
        trace = play(phones, work, "adb", f"action one: do type {node('field')} \"caf\u00e9 \U0001f600\"\n",
                     said="action 'one' was left at step 1, which cannot be done here: ")
        check(trace[-1]["abandoned"] == 1 and trace[-1]["held"] == "hint", f"{trace[-1]}")


def flow_of(action, number):
    step = {"event": f"e{number}", "device": "phone", "kind": "user", "actions": [action], "states": ["A/B/S0"]}
    start = {"device": "phone", "application": "g", "package": PACKAGE, "states": ["A/B/S0"]}
    return json.dumps({"kind": "truncated", "model": "m", "start": [start], "steps": [step]}) + "\n"


def flow_that_cannot(phones, work):
    """A flow whose step the device cannot do fails there; the others are run."""
    click = {"kind": "click", "xpath": node("button")}
    actions = [click, {"kind": "text", "xpath": node("field"), "value": "caf\u00e9"}, click]
    (work / "cannot.jsonl").write_text("".join(flow_of(action, number) for number, action in enumerate(actions)))
    if "adb" in phones.devices:
        done = phones.run("adb", "--flows", str(work / "cannot.jsonl"), "-o", str(work / "cannot"))
        check(done.returncode == 1 and "2 passed, 1 failed" in done.stdout and "run 1: step 1, 'e1': text " in done.stdout
              and "enters printable ASCII only" in done.stdout, f"{done.returncode}: {done.stdout}{done.stderr}")


def old_phone(phones, work):
    """What the input command of a phone refuses is left with its reason, and the run goes on."""
    replies = {'input draganddrop * * * * * = "Error: Unknown command: draganddrop"':
               (f"drag {node('card')} to {node('bin')}", "this phone's input command has no draganddrop (Android 7 and later"),
               'input text * = "java.lang.NullPointerException: Attempt to get length of null array"':
               (f"type {node('field')} \"milk\"", "the device says: java.lang.NullPointerException")}
    (work / "replay").mkdir(exist_ok=True)
    for reply, (step, said) in replies.items() if "adb" in phones.devices else ():
        (work / "replay/replay.txt").write_text(reply + "\n")
        with Phones(work, APP, PACKAGE, options=("--replay", str(work / "replay"))) as old:
            trace = play(old, work, "adb", f"action one: do {step}; click {node('button')}\n", steps=2, said=said)
        check([state["abandoned"] for state in trace] == [0, 1, 1] and trace[-1]["last"] == "none", f"{trace}")


def random_runs(phones, work):
    """The same choices lead to the same traces."""
    actions = "".join(f"action a{number}: do {steps}\n" for number, (steps, _) in enumerate(TABLE)
                      if "reload" not in steps)
    for seed in ("7", "8"):
        traces = {kind: play(phones, work, kind, actions, 40, seed) for kind in phones.devices}
        for kind, trace in traces.items():
            for number, state in enumerate(trace):
                check(state == traces["sim"][number], f"{kind}: state {number}: {state}, not {traces['sim'][number]}")


def wrong_keys(phones, work):
    """A key that there is not, or not on phones, is a mistake of the file, with its place; nothing is pressed."""
    for kind, key in ((kind, key) for kind in phones.devices for key in ("VOLUME_UPP", "Shift+a")):
        (work / "p.actions").write_text(f"action one:\n  do back; key {key}\n")
        done = phones.run(kind, "--actions", str(work / "p.actions"), "--runs", "1", "--steps", "1", "-o",
                          str(work / f"wrong-{kind}"))
        check(done.returncode == 4 and "p.actions:2:" in done.stderr and key in done.stderr,
              f"{kind}: {done.stdout}{done.stderr}")


def main():
    parts = {part.__name__: part for part in (gestures, not_ascii, flow_that_cannot, old_phone, random_runs, wrong_keys)}
    with tempfile.TemporaryDirectory() as folder, Phones(folder, APP, PACKAGE) as phones:
        for part in sys.argv[1:] or parts:
            parts[part](phones, pathlib.Path(folder))
    sys.exit(closing())


main()
