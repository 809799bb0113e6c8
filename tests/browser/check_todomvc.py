#!/usr/bin/env python3
"""Externally written apps: TodoMVC implementations (two, with TACTUS_SWEEP=1 three) are explored to depth 2, the first twice with the
same model, and the flows of the first are executed on the others. Depth 2 is an entry and what can be
done with it: all filters, ticking, editing. What a page did by itself depends on the load of the
machine and is left out of the comparison.

The npm package `todomvc` is installed into a temporary folder; skipped where npm or chromium is
absent or the registry cannot be reached.
"""
import atexit
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

tactus = os.path.abspath(os.environ["TACTUS"])
apps = ["vanillajs", "backbone"] + (["knockoutjs"] if os.environ.get("TACTUS_SWEEP") else [])
passed, failures = 0, []


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)
        print("FAILED " + message)


def skip(why):
    print(f"  skipped: {why}\n0 passed, 0 failed, 1 skipped")
    sys.exit(77)


def run(*words):
    return subprocess.run([tactus, *words], capture_output=True, text=True, timeout=400)


def explore(url, app, model):
    other_links = "//node[@class='web.Link' and not(@text='All' or @text='Active' or @text='Completed')]"
    return run("explore", "--device", f"chromium:{url}/examples/{app}/index.html", "--fast", "--depth", "2",
               "--watch", "0.2", "--tries", "1", "--text", "//node[@resource-id='new-todo']=milk\\n",
               "--ignore", other_links, "-o", model, "--json")


def events_of(model):
    """The events of a model, which is left without what came by itself."""
    with open(model) as file:
        text = re.sub(r'\s*<transition [^>]*\btime="[^>]*/>', "", file.read())
    with open(model, "w") as file:
        file.write(text)
    return set(re.findall(r'<transition [^>]*\bevent="([^"]*)"', text))


def main():
    for program in ("chromium", "chromedriver", "npm"):
        if not shutil.which(program):
            skip(f"{program} is not installed")
    with tempfile.TemporaryDirectory(prefix="tactus-todomvc-") as work:
        os.environ["TMPDIR"] = work
        if subprocess.run(["npm", "install", "todomvc", "--no-audit", "--no-fund", "--silent", "--prefix", work],
                          capture_output=True, timeout=300).returncode:
            skip("npm cannot install todomvc here")
        server = subprocess.Popen([tactus, "web", "serve", f"{work}/node_modules/todomvc"],
                                  stdout=subprocess.PIPE, text=True)
        atexit.register(server.kill)
        url = "http://127.0.0.1:" + re.search(r":(\d+)/", server.stdout.readline()).group(1)
        models_of = {app: [f"{work}/{app}-{number}.xml" for number in ((1, 2) if app == apps[0] else (1,))] for app in apps}
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            explored = {model: pool.submit(explore, url, app, model) for app in apps for model in models_of[app]}
        for app in apps:
            models = models_of[app]
            for model in models:
                done = explored[model].result()
                check(done.returncode == 0, f"{app}: {done.stderr}")
                figures = json.loads(done.stdout or "{}")
                check(figures.get("unreached_events") == 0, f"{app}: events were not reached: {done.stdout}")
                sound = run("model", "check", model)
                check(sound.returncode == 0, f"{app}: {sound.stdout}{sound.stderr}")
                events = events_of(model)
                wanted = {"typeNewTodo", "toggle", "all", "active", "completed"}
                check(wanted <= events, f"{app}: {wanted - events} are not in the model of {events}")
            print(f"{app}: {figures.get('states')} states, {figures.get('transitions')} transitions")
            check(figures.get("states", 0) >= 3, f"{app}: only {figures.get('states')} states")
            if len(models) > 1:
                same = run("model", "diff", *models)
                check(same.returncode == 0, f"{app}: two explorations differ: {same.stdout}")
        flows = f"{work}/flows.jsonl"
        run("flow", "cover", f"{work}/{apps[0]}-1.xml", "--length", "4", "--goal", "transitions", "--format",
            "jsonl", "-o", flows)
        for app in apps[1:]:
            done = run("run", "--device", f"chromium:{url}/examples/{app}/index.html", "--flows", flows, "--fast",
                       "--think", "0.05", "--deadline", "1", "-o", f"{work}/{app}", "--json")
            summary = json.loads(done.stdout or "{}")
            print(f"{apps[0]}'s flows on {app}: {summary.get('pass')} of {summary.get('runs')} as there")
            check(done.returncode in (0, 1) and summary.get("missing") == 0, f"{app}: {done.stderr}")
            check(all(entry["message"].startswith("step ") for entry in summary.get("failures", [])),
                  f"{app}: a difference without its step")
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=20)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
