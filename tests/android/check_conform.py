#!/usr/bin/env python3
"""What the screen must show (docs/functional.md), on every kind of phone: the built-in one, the same through the real
adb, and through Appium's stand-in. A model that was explored on version 1 agrees with it everywhere; what differs in
version 2, and what <expect> finds, is named in the same words everywhere.

Skips what lies behind adb where adb is absent. With a number: so many times the flows of every app on their version.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from three_phones import Phones, check, closing, root, tactus  # noqa: E402

# Activity, and how many flows of its model are played.
APPS = {"notes": (".MainActivity", 6), "player": (".MusicPlayerActivity", 3), "tracker": (".HomeActivity", 3)}
NOTES = "com.example.tactus.notes:id/"


def tactus_must(*words, codes=(0,)):
    done = subprocess.run([tactus, *map(str, words)], capture_output=True, text=True, cwd=root)
    check(done.returncode in codes, f"{words[:2]}: {done.stdout[-500:]}{done.stderr[-500:]}")


class App:
    """Version 1 of an example app, its model and flows that cover it."""

    def __init__(self, work, name, most=100):
        self.name, (self.activity, count) = name, APPS[name]
        self.file = f"examples/apps/{name}.json"
        self.text = (root / self.file).read_text()
        self.package = json.loads(self.text)["package"]
        self.model, self.flows = work / f"{name}.xml", work / f"{name}.jsonl"
        tactus_must("explore", "--device", f"sim:{self.file}", "--watch", "0", "-o", self.model, codes=(0, 1))
        tactus_must("flow", "cover", self.model, "--length", "8", "--goal", "transitions", "--format", "jsonl", "-o",
                    self.flows)
        self.flows.write_text("".join(self.flows.read_text().splitlines(True)[:min(count, most)]))

    def phones(self, work, file=None):
        return Phones(work, file or self.file, self.package, self.activity)


def play(phones, app, kind, folder, model=None, conform=True):
    """Number of the run -> verdict and message."""
    done = phones.run(kind, "--flows", str(app.flows), "--model", str(model or app.model), "--think", "0.05", "--deadline",
                      "2", "-o", str(folder), *(["--conform"] if conform else []))
    check(done.returncode in (0, 1), f"{kind}: {done.stdout}{done.stderr}")
    ends = {}
    for trace in sorted(pathlib.Path(folder).glob("traces/*.jsonl")):
        meta = json.loads(trace.read_text().splitlines()[-1])["end"]["meta"]
        ends[int(trace.stem)] = (meta["verdict"], meta.get("message", ""))
    check(len(ends) == len(app.flows.read_text().splitlines()), f"{kind}: {len(ends)} runs: {done.stderr}")
    return ends


def on_all(app, work, file=None, model=None, conform=True):
    """What the built-in phone says of every run; the others say the same."""
    with app.phones(work, file) as phones:
        told = {}
        for kind in phones.devices:
            with tempfile.TemporaryDirectory(dir=work) as folder:
                told[kind] = play(phones, app, kind, f"{folder}/runs", model, conform)
            for number, end in told[kind].items():
                check(end == told["sim"].get(number),
                      f"{app.name}, {kind}: run {number}: {end}, on the built-in phone {told['sim'].get(number)}")
    return told["sim"]


def same_version(work, times=1):
    """No difference on the version that was explored. What crashes there crashed when it was explored."""
    for name in APPS:
        app = App(work, name)
        for _ in range(times):
            ends = on_all(app, work)
            check(not [end for end in ends.values() if end[0] == "fail"], f"{name}: {ends}")


def changed_version(work):
    """A control that is gone, renamed or new is named so."""
    app = App(work, "notes", 3)
    before = re.search(r'\{[^{}]*"id": "settings"[^{}]*', app.text).group()
    versions = {
        "renamed": (app.text.replace('"id": "settings"', '"id": "preferences"'),
                    f"missing //node[@resource-id='{NOTES}settings']; new //node[@resource-id='{NOTES}preferences']"),
        "gone": (app.text.replace('"id": "settings"', '"if": "false", "id": "settings"'),
                 f"missing //node[@resource-id='{NOTES}settings']"),
        "new": (app.text.replace(before, '{"class": "Button", "id": "archive", "text": "Archive", "click": []}, ' + before),
                f"new //node[@resource-id='{NOTES}archive']"),
    }
    for name, (text, difference) in versions.items():
        file = work / f"{name}.json"
        check(text != app.text, f"{name}: nothing was changed")
        file.write_text(text)
        ends = on_all(app, work, str(file))
        named = [message for verdict, message in ends.values() if verdict == "fail" and message.endswith(difference)]
        check(named, f"{name}: {ends}")


def expectations(work):
    """What a state and a transition expect holds, or fails with the same words."""
    app = App(work, "notes", 3)
    plain = app.model.read_text()
    menu, settings, nothing = (f"//node[@resource-id='{NOTES}{name}']" for name in ("menu", "settings", "nothing"))
    step = re.search(r'<transition from="S0" event="menu" to="S\d+">\s*<action[^>]*/>', plain).group()
    model = work / "expects.xml"
    for wanted, verdict, says in ((f"visible({menu})", "pass", ""),
                                  (f'text({nothing}) == "x"', "pass", ""),  # says nothing
                                  (f"count({menu}) == 2", "fail", f"count({menu}) is 1"),
                                  (f"not visible({menu})", "fail", f"visible({menu}) is 'true'")):
        model.write_text(plain.replace('<state name="S0"/>', f'<state name="S0"><expect>{wanted}</expect></state>', 1))
        ends = on_all(app, work, model=model, conform=False)
        check({end[0] for end in ends.values()} == {verdict} and all(end[1].endswith(says) for end in ends.values()),
              f"state: {wanted}: {ends}")
    for more, verdict in ((1, "pass"), (2, "fail")):
        wanted = f"count({settings}) == previous(count({settings})) + {more}"
        model.write_text(plain.replace(step, f"{step}<expect>{wanted}</expect>", 1))
        ends = on_all(app, work, model=model, conform=False)
        check({verdict} <= {end[0] for end in ends.values()} <= {"pass", verdict}, f"transition: {wanted}: {ends}")
        check(verdict == "pass" or any(f"after 'menu': {wanted}; count({settings}) is 1" in end[1] for end in ends.values()),
              f"transition: {wanted}: {ends}")


def main():
    parts = {part.__name__: part for part in (same_version, changed_version, expectations)}
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if sys.argv[1:] and sys.argv[1].isdigit():
            same_version(work, int(sys.argv[1]))
        else:
            for part in sys.argv[1:] or parts:
                parts[part](work)
    sys.exit(closing())


main()
