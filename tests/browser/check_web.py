#!/usr/bin/env python3
"""The whole pipeline on a real web app in a real browser, and what goes wrong with browsers.

Needs Debian's chromium and chromium-driver; skipped where they are absent.
"""
import atexit
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(os.environ["TACTUS_SOURCE_ROOT"])
tactus = os.path.abspath(os.environ["TACTUS"])
passed, failures = 0, []

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


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)
        print("FAILED " + message)


def run(*words, timeout=240):
    return subprocess.run([tactus, *words], capture_output=True, text=True, timeout=timeout)


class Server:
    """tactus web serve, with what it says it sent."""

    def __init__(self, folder):
        self.process = subprocess.Popen([tactus, "web", "serve", str(folder)], stdout=subprocess.PIPE,
                                        text=True)
        atexit.register(self.process.kill)
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline()).group(1))
        self.url = f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        out = self.process.communicate(timeout=20)[0]
        return int(re.search(r"(\d+) bytes", out).group(1))


def processes():
    """(pid, parent, command line) of every living process, from /proc: a minimal system has no pgrep."""
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                yield int(entry.name), parent, (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (OSError, IndexError, UnicodeDecodeError):
            continue


def browser_processes(work):
    return [line for _, _, line in processes() if "chrom" in line and str(work) in line]


def explore(work, url):
    models = []
    for name, more in (("real", []), ("fast", ["--fast"])):
        model = f"{work}/{name}.xml"
        done = run("explore", "--device", f"chromium:{url}/index.html", "--watch", "0.3", *more,
                   "-o", model, "--json")
        check(done.returncode == 0, f"explore {name}: {done.stderr}")
        figures = json.loads(done.stdout or "{}")
        check((figures.get("states"), figures.get("transitions")) == (5, 26),
              f"explore {name} found {figures.get('states')} states, {figures.get('transitions')} transitions")
        models.append(model)
    done = run("model", "diff", *models)
    check(done.returncode == 0, f"real and fast input reach different models: {done.stdout}")
    return models[0]


def cover(work, url, model):
    flows, runs = f"{work}/cover.jsonl", f"{work}/cover"
    run("flow", "cover", model, "--length", "8", "--goal", "transitions", "--format", "jsonl", "-o", flows)
    done = run("run", "--device", f"chromium:{url}/index.html", "--model", model, "--flows", flows,
               "--think", "0.05", "--fast", "--scenario", "ideal", "--scenario", "20,20000,20000",
               "-o", runs, "--json")
    summary = json.loads(done.stdout or "{}")
    check(summary.get("runs", 0) > 0 and summary.get("pass") == summary.get("runs"),
          f"covering flows: {done.stdout}{done.stderr}")
    done = run("report", runs, "-o", f"{work}/report.html")
    check("took all 26 transitions" in done.stdout, f"coverage: {done.stdout}{done.stderr}")


def measure(work, model):
    """What the browser measured against what the server sent, and the property on it."""
    pathlib.Path(f"{work}/req.xml").write_text(REQUIREMENT)
    pathlib.Path(f"{work}/cheap.props").write_text(PROPERTY)
    run("flow", "list", model, "--length", "5", "--require", f"{work}/req.xml", "--witness", "--limit", "1",
        "--format", "jsonl", "-o", f"{work}/listen.jsonl")
    page = sum((root / "examples/web/player" / name).stat().st_size for name in ("index.html", "player.js"))
    for scenario, wanted in (("ideal", "false"), ("100,300,300", "true")):
        server = Server(root / "examples/web/player")
        runs = f"{work}/measure-{scenario}"
        done = run("run", "--device", f"chromium:{server.url}/index.html", "--flows", f"{work}/listen.jsonl",
                   "--scenario", scenario, "--think", "0.1", "-p", f"{work}/cheap.props", "-o", runs, "--json")
        sent = server.stop()
        summary = json.loads(done.stdout or "{}")
        verdicts = [row["verdict"] for row in summary.get("verdicts", [])]
        check(verdicts == [wanted], f"{scenario}: verdicts {verdicts}, wanted {wanted}: {done.stderr}")
        measured = 0
        for line in open(f"{runs}/traces/000000.jsonl"):
            measured = json.loads(line).get("rxData", measured)
        if scenario == "ideal":
            songs = sent - page
            check(abs(measured - songs) <= 0.02 * songs, f"measured {measured} of {songs} bytes")


def crash(work, url):
    runs = f"{work}/crash"
    done = run("run", "--device", f"chromium:{url}/index.html?bug=1", "--monkey", "20", "--steps", "15",
               "--fast", "--parallel", "2", "--seed", "3", "-o", runs, "--json")
    summary = json.loads(done.stdout or "{}")
    check(summary.get("crash", 0) > 0, f"no crash in 20 random runs: {done.stdout}{done.stderr}")
    if summary.get("crashes"):
        trace = open(f"{runs}/traces/{summary['crashes'][0]['example']:06}.jsonl").read()
        check("startDecoder" in trace.splitlines()[-1], "the stack names no startDecoder")
        done = run("mine", f"{runs}/traces")
        check("startDecoder" in done.stdout and "skipNext" in done.stdout, f"mine: {done.stdout}")


def page(work, name, script):
    (pathlib.Path(work) / "pages").mkdir(exist_ok=True)
    (pathlib.Path(work) / "pages" / name).write_text(
        f"<!doctype html><title>t</title><button id='go'>Go</button><script>{script}</script>")


def trouble(work):
    page(work, "restless.html", "setInterval(() => { document.title = Math.random() }, 20)")
    page(work, "alerts.html", "document.getElementById('go').onclick = () => { for (;;) alert('again') }")
    page(work, "plain.html", "document.getElementById('go').onclick = () => { document.title = 'x' }")
    flow = {"kind": "witness", "model": "t", "start": [], "steps": [
        {"event": "go", "kind": "user", "actions": [{"kind": "click", "xpath": "//node[@resource-id='go']"}],
         "states": []}] * 30}
    pathlib.Path(f"{work}/go.jsonl").write_text(json.dumps(flow) + "\n")
    server = Server(f"{work}/pages")

    def go(name, *more):
        start = time.monotonic()
        done = run("run", "--device", f"chromium:{server.url}/{name}", "--flows", f"{work}/go.jsonl",
                   "--deadline", "3", "--think", "0.2", "-o", f"{work}/go-{name}", *more)
        return done, time.monotonic() - start

    done, _ = go("restless.html")
    check(done.returncode == 4 and "did not settle" in done.stderr + done.stdout, f"restless page: {done.stderr}{done.stdout}")
    done, seconds = go("alerts.html")
    check(done.returncode in (1, 4) and seconds < 200, f"endless alerts: {done.returncode} after {seconds:.0f} s")

    process = subprocess.Popen([tactus, "run", "--device", f"chromium:{server.url}/plain.html", "--flows",
                                f"{work}/go.jsonl", "--think", "0.3", "-o", f"{work}/killed"],
                               stderr=subprocess.PIPE, text=True)
    for _ in range(200):
        drivers = [line for line in browser_processes(work) if "--type=" not in line and "/chromium" in line]
        if drivers:
            break
        time.sleep(0.1)
    time.sleep(1.5)
    for pid, parent, _ in list(processes()):
        if parent == process.pid:
            os.kill(pid, signal.SIGKILL)  # the worker; its guard ends the browser
    message = process.communicate(timeout=120)[1]
    check(process.returncode == 4 and message, f"a killed worker: exit {process.returncode}: {message}")
    server.stop()
    done = run("explore", "--device", f"chromium:{server.url}/plain.html", "-o", f"{work}/gone.xml")
    check(done.returncode == 4, f"a server that is gone: {done.returncode} {done.stderr}")


def main():
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        print("  skipped: chromium or chromium-driver is not installed\n0 passed, 0 failed, 1 skipped")
        return 77
    with tempfile.TemporaryDirectory(prefix="tactus-web-") as work:
        os.environ["TMPDIR"] = work
        server = Server(root / "examples/web/player")
        model = explore(work, server.url)
        cover(work, server.url, model)
        measure(work, model)
        crash(work, server.url)
        server.stop()
        trouble(work)
        for _ in range(50):
            left = browser_processes(work)
            if not left:
                break
            time.sleep(0.1)
        check(not left, f"processes are left behind: {left[:3]}")
        check(not list(pathlib.Path(work).glob("tactus-browser-*")), "profiles are left behind")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
