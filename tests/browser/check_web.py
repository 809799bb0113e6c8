#!/usr/bin/env python3
"""The whole pipeline on a real web app in a real browser: explore, cover, run, measure, decide, report, mine.

Needs Debian's chromium and chromium-driver; skipped where they are absent.
"""
import browser_testing
import json
import os
import pathlib
import sys
import time

from browser_testing import Server, answer, can_shape, check, click, root, run, together, write_flow

REQUIREMENT = """<?xml version="1.0" encoding="utf-8"?>
<appUserFlowRequirement xmlns="http://www.morse.uma.es/appuserflowrequirement" name="listen">
  <invariants>
    <loop min="0" max="0"/>
    <event name="song0" max="1" time="2"/>
    <event name="skipNext" max="1" time="2"/>
  </invariants>
  <sequence>
    <constraint type="simple"><event name="song0"/></constraint>
    <constraint type="simple"><event name="skipNext"/></constraint>
    <constraint type="simple"><event name="playPause"/></constraint>
  </sequence>
</appUserFlowRequirement>
"""
PROPERTY = """unit rxData kB
monotone rxData
property cheap: forall [StartPlaying, PausePlaying] diff(rxData) < 700 kB
"""


def explore_once(work, url, name, *more):
    model = f"{work}/{name}.xml"
    done = run("explore", "--device", f"chromium:{url}/index.html", "--watch", "0.3", *more,
               "-o", model, "--json")
    check(done.returncode == 0, f"explore {name}: {done.stderr}")
    figures = json.loads(done.stdout or "{}")
    check((figures.get("states"), figures.get("transitions")) == (5, 26),
          f"explore {name} found {figures.get('states')} states, {figures.get('transitions')} transitions")
    return model


def explore(work, url):
    models = together((explore_once, work, url, "real"), (explore_once, work, url, "fast", "--fast"))
    done = run("model", "diff", *models)
    check(done.returncode == 0, f"real and fast input reach different models: {done.stdout}")
    return models[0]


def cover(work, url, model):
    flows, runs = f"{work}/cover.jsonl", f"{work}/cover"
    run("flow", "cover", model, "--length", "8", "--goal", "transitions", "--format", "jsonl", "-o", flows)
    done = run("run", "--device", f"chromium:{url}/index.html", "--model", model, "--flows", flows,
               "--think", "0.05", "--fast", *(["--scenario", "20,20000,20000"] if can_shape() else []),
               "-o", runs, "--json")
    summary = json.loads(done.stdout or "{}")
    check(summary.get("runs", 0) > 0 and summary.get("pass") == summary.get("runs"),
          f"covering flows: {done.stdout}{done.stderr}")
    done = run("report", runs, "-o", f"{work}/report.html")
    check("took all 26 transitions" in done.stdout, f"coverage: {done.stdout}{done.stderr}")


def measure_once(work, scenario, wanted):
    page = sum((root / "examples/web/player" / name).stat().st_size for name in ("index.html", "player.js"))
    server = Server(root / "examples/web/player")
    runs = f"{work}/measure-{scenario}"
    done = run("run", "--device", f"chromium:{server.url}/index.html", "--flows", f"{work}/listen.jsonl",
               *(["--scenario", scenario] if scenario else []), "--think", "0.1", "-p", f"{work}/cheap.props", "-o", runs, "--json")
    sent = server.stop()
    summary = json.loads(done.stdout or "{}")
    verdicts = [row["verdict"] for row in summary.get("verdicts", [])]
    check(verdicts == [wanted], f"{scenario}: verdicts {verdicts}, wanted {wanted}: {done.stderr}")
    last = {}
    for line in open(f"{runs}/traces/000000.jsonl"):
        last.update(json.loads(line))
    songs = sent - page
    if wanted == "false":
        measured = last.get("rxContent" if scenario else "rxData", 0)
        check(abs(measured - songs) <= 0.02 * songs, f"measured {measured} of {songs} bytes")
    if scenario == "ideal":  # the wire carries headers too
        check(1.02 < last["rxData"] / songs < 1.08, f"{last['rxData']} bytes on the wire for {songs}")
        check(last.get("segment") == "ideal" and last.get("rate") == 1e8, f"conditions: {last}")


def measure(work, model):
    """What the browser measured against what the server sent, and the property on it: calls for together."""
    pathlib.Path(f"{work}/req.xml").write_text(REQUIREMENT)
    pathlib.Path(f"{work}/cheap.props").write_text(PROPERTY)
    run("flow", "list", model, "--length", "5", "--require", f"{work}/req.xml", "--witness", "--limit", "1",
        "--format", "jsonl", "-o", f"{work}/listen.jsonl")
    shaped = [("ideal", "false"), ("100,300,300", "true")] if can_shape() else []
    return [(measure_once, work, scenario, wanted) for scenario, wanted in [("", "false"), *shaped]]


def crash(work, url):
    """Random runs of the planted fault, mined to its cause."""
    runs, start, count = f"{work}/crash", time.monotonic(), 40 if os.environ.get("TACTUS_SWEEP") else 20
    done = run("run", "--device", f"chromium:{url}/index.html?bug=1", "--monkey", str(count), "--steps", "12",
               "--fast", "--parallel", "2", "--seed", "3", "-o", runs, "--json")
    summary = answer(done)
    print(f"  {count} random runs in {time.monotonic() - start:.0f} s, {summary.get('crash')} crashed")
    check(summary.get("runs") == count and summary.get("crash", 0) >= 3, f"random runs: {done.stdout}{done.stderr}")
    if summary.get("crashes"):
        trace = open(f"{runs}/traces/{summary['crashes'][0]['example']:06}.jsonl").read()
        check("startDecoder" in trace.splitlines()[-1], "the stack names no startDecoder")
        done = run("mine", f"{runs}/traces", "--json")
        found = answer(done)
        text = json.dumps(found)
        check("startDecoder" in text and "skipNext" in text and "playPause" in text, f"mine: {done.stdout[:2000]}")
    flows = write_flow(f"{work}/fault.jsonl", [click("genre_0"), click("song_0"), click("play_pause"),
                                               click("skip_next"), click("play_pause")])
    done = run("run", "--device", f"chromium:{url}/index.html?bug=1", "--flows", flows, "--think", "0.05", "-o",
               f"{work}/fault", "--json")
    check(answer(done).get("crash") == 1 and done.returncode == 1, f"the fault by real touches: {done.stdout}{done.stderr}")


def requests(work, url, name, query, flows):
    done = run("run", "--device", f"chromium:{url}/index.html{query}", "--flows", flows, "--network", "50,180,180",
               "--think", "0.05", "--pattern", "request: GET [^ ]*/(bytes/[0-9]+) 200", "-o", f"{work}/{name}",
               "--json")
    check(answer(done).get("pass") == 1, f"{name}: {done.stdout}{done.stderr}")
    lines = [json.loads(line) for line in open(f"{work}/{name}/traces/000000.jsonl")]
    return {line["event"] for line in lines if str(line.get("event", "")).startswith("bytes/")}


def adaptive(work, url):
    """On a slow network the adaptive player asks for half a chunk; the requests are events by --pattern."""
    flows = write_flow(f"{work}/adaptive.jsonl", [click("genre_0"), dict(click("song_0"), time=7)])
    if not can_shape():
        return
    plain, adapted = together((requests, work, url, "plain", "", flows),
                                  (requests, work, url, "adaptive", "?quality=adaptive", flows))
    check(plain == {"bytes/65536"}, f"the plain player asked for {plain}")
    check("bytes/32768" in adapted, f"the adaptive player asked for {adapted}")


def test(work):
    """All of it, or with the argument `crash` or `model` that part: they run side by side."""
    parts = sys.argv[1:] or ["model", "crash"]
    server = Server(root / "examples/web/player")
    if "model" in parts:
        model, _ = together((explore, work, server.url), (adaptive, work, server.url))
        together((cover, work, server.url, model), *measure(work, model))
    if "crash" in parts:
        crash(work, server.url)
    server.stop()


browser_testing.main(test)
