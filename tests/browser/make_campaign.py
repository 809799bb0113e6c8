#!/usr/bin/env python3
"""Writes a campaign folder of any size without running anything: runs, properties, a model, crashes.

    make_campaign.py FOLDER --runs 2000 --properties 100 --states 500 --model-states 500

Every state is a line of a trace, so a run has half as many events. The crash needs 'edit' and then
'save' without a 'load' between them; one property bounds an event that never occurs. With --hostile
every name and text tries to break out of the page that shows it. The same seed gives the same
folder."""
import argparse
import hashlib
import json
import pathlib
import random
import sqlite3

HOSTILE = ["</script><script>document.title='broken'</script>", "<img src=x onerror=alert(1)>",
           "\"><svg onload=alert(1)>", "' onmouseover='alert(1)", "]]>&lt;b&gt;", "javascript:alert(1)",
           "a\u202egnp.exe", "`|*_[x](http:y)", "line\nbreak\ttab", "\u0000nul", "{{7*7}}", "\ud83d\ude00" * 40]

SCHEMA = """
CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE run(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, flow INTEGER NOT NULL,
 scenario TEXT NOT NULL, repeat INTEGER NOT NULL, seed TEXT NOT NULL, verdict TEXT NOT NULL,
 message TEXT NOT NULL, exception TEXT NOT NULL, trace TEXT NOT NULL, seconds REAL NOT NULL,
 steps INTEGER NOT NULL, details TEXT, trace_size INTEGER NOT NULL DEFAULT -1,
 trace_digest TEXT NOT NULL DEFAULT '');
CREATE TABLE verdict(run INTEGER NOT NULL, property TEXT NOT NULL, answer TEXT NOT NULL,
 document TEXT NOT NULL, PRIMARY KEY(run, property));
CREATE TABLE document(kind TEXT NOT NULL, name TEXT NOT NULL, document TEXT NOT NULL,
 PRIMARY KEY(kind, name));
CREATE TABLE aside(source TEXT NOT NULL, row INTEGER NOT NULL, reason TEXT NOT NULL,
 content TEXT NOT NULL);
PRAGMA user_version=2;
"""


def clean(text):
    """As the formats allow it: no NUL, no halves of characters."""
    return text.replace("\u0000", "").encode("utf-8", "replace").decode()


def model_xml(states, events, name):
    """A ring of activities; from each state the events lead on, across, or back."""
    per = 25
    out = ['<?xml version="1.0" encoding="UTF-8"?>',
           f'<interactionModel xmlns="urn:tactus:interaction-model:1" name="{name}">',
           ' <device name="phone"><application name="App" package="com.example" external="true">']
    for first in range(0, states, per):
        members = range(first, min(states, first + per))
        a = first // per
        out.append(f'  <activity name="A{a}" external="{str(a == 0).lower()}">'
                   f'<stateMachine name="M{a}" external="{str(a == 0).lower()}"><initial to="S{first}"/>')
        out += [f'<state name="S{s}"/>' for s in members]
        more = first + per < states
        if more:
            out.append(f'<connection name="C{a}" calls="M{a + 1}" returns="S{first}" reuse="false" '
                       'autoReturn="true"/>')
        out.append('<final name="end"/>')
        for s in members:
            nxt = s + 1 if s + 1 in members else first
            for k, event in enumerate(events[:4]):
                to = nxt if k == 0 else first + (s * 7 + k) % len(members)
                out.append(f'<transition from="S{s}" event="{event}" to="S{to}"/>')
        if more:
            out.append(f'<transition from="S{members[-1]}" event="{events[4]}" to="C{a}"/>')
        out.append(f'<transition from="S{first}" event="{events[5]}" to="end"/>')
        out.append('</stateMachine></activity>')
    out.append(' </application></device></interactionModel>')
    return "\n".join(out)


def properties_text(count, events):
    lines = ["unit rxData kB", "unit energy J", "monotone rxData, energy"]
    for i in range(max(0, count - 1)):
        variable, unit, bound = (("rxData", "kB", 30 + 3 * i), ("energy", "J", 3 + i))[i % 2]
        lines.append(f"property p{i}: forall [event == {events[i % 4]}, event == {events[(i + 1) % 4]}] "
                     f"diff({variable}) < {bound} {unit}")
    if count:
        lines.append("property never_exercised: forall [event == next_0_0, event == load] "
                     "diff(rxData) < 5 kB")
    return "\n".join(lines) + "\n"


def write_run(folder, run, states, events, screens, rng, hostile):
    lines, t, rx, energy = [], 0.0, 0, 0.0
    header = {"tactus": "trace", "version": 1, "variables": {
        "event": {"kind": "discrete"}, "activity": {"kind": "discrete"}, "screen": {"kind": "discrete"},
        "rxData": {"kind": "continuous", "unit": "B"}, "energy": {"kind": "continuous", "unit": "J"}},
        "meta": {"device": f"phone{run % 3}", "app": "App", "package": "com.example",
                 "version": f"1.{run % 2}", "run": run}, "ends": True}
    lines.append(json.dumps(header))
    armed, crash, steps, count = False, False, 0, 0
    for i in range(states // 2):
        t = round(t + 0.1 + rng.random() * 0.2, 3)
        rx += rng.randrange(0, 9000)
        energy = round(energy + rng.random() * 0.4, 4)
        screen = rng.choice(screens)
        lines.append(json.dumps({"t": t, "activity": screen.split("#")[0], "screen": screen,
                                 "rxData": rx, "energy": energy}, separators=(",", ":")))
        event = rng.choice(events)
        lines.append(json.dumps({"t": t, "event": event}, separators=(",", ":")))
        steps, count = steps + 1, count + 2
        armed = event == events[0] or (armed and event != events[2])
        if armed and event == events[1] and rng.random() < 0.004:
            crash = True
            break
    end = {"verdict": "crash" if crash else "pass"}
    if crash:
        place = rng.choice(["Store.write", "Session.token"])
        text = HOSTILE[run % len(HOSTILE)] if hostile else "session"
        end.update(message=clean(f"java.lang.NullPointerException: {text}"),
                   exception="java.lang.NullPointerException",
                   stack=[clean(f"java.lang.RuntimeException: {text}"),
                          "at android.app.ActivityThread.main(ActivityThread.java:7356)",
                          "Caused by: java.lang.NullPointerException",
                          f"at com.example.app.{place}({place.split('.')[0]}.java:{19 + len(place)})",
                          "at android.view.View.performClick(View.java:6597)"])
    lines.append(json.dumps({"end": {"states": count, "meta": end}}))
    data = ("\n".join(lines) + "\n").encode()
    name = f"traces/{run:06d}.jsonl"
    (folder / name).write_bytes(data)
    return dict(end), name, data, t, steps


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--runs", type=int, default=100)
    options.add_argument("--properties", type=int, default=10)
    options.add_argument("--states", type=int, default=60)
    options.add_argument("--model-states", type=int, default=0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--hostile", action="store_true")
    o = options.parse_args()
    rng = random.Random(o.seed)
    o.folder.mkdir(parents=True)
    (o.folder / "traces").mkdir()
    events = ["edit", "save", "load", "back", "open", "quit"]
    screens = [f"A{i % 7}#{i * 7919 % 0xffffff:06x}" for i in range(20)]
    if o.hostile:
        events += [clean(text) for text in HOSTILE]
        screens += [clean(text) for text in HOSTILE]
    if o.properties:
        (o.folder / "properties.txt").write_text(properties_text(o.properties, events))
    if o.model_states:
        (o.folder / "model.xml").write_text(model_xml(o.model_states, events, "app"))
    scenarios = ["cafe", "festival"] if o.runs % 2 == 0 else []
    db = sqlite3.connect(o.folder / "index.sqlite")
    db.executescript(SCHEMA)
    plan = {"runs": o.runs, "monkey": o.runs, "repeat": 1, "scenarios": scenarios, "seed": str(o.seed),
            "version": 2}
    db.execute("INSERT INTO setting VALUES('plan',?)", (json.dumps(plan),))
    db.execute("INSERT INTO setting VALUES('version','made by make_campaign.py')")
    for run in range(o.runs):
        end, name, data, seconds, steps = write_run(o.folder, run, o.states, events, screens, rng,
                                                    o.hostile)
        scenario = scenarios[run * 2 // o.runs] if scenarios else ""
        end["ran_on"] = f"adb:phone{run % 3}"
        db.execute("INSERT INTO run VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", (
            run, "monkey", f"random run {run}", -1, scenario, 0, str(run), end["verdict"],
            end.get("message", ""), end.get("exception", ""), name, seconds, steps, json.dumps(end),
            len(data), hashlib.sha256(data).hexdigest()))
    db.commit()


if __name__ == "__main__":
    main()
