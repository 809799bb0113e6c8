#!/usr/bin/env python3
"""Recording, prediction and replay of pages in a real browser.

The pages of races/: five orderings that break, each with a sibling that is fixed. hunt confirms the five, with
exception and stack, and nothing on the siblings. Then what pages do to recorders: replace what browsers give them,
never settle, set timers without end, throw, leave, hold frames. Skipped where chromium or chromedriver is absent.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "races"))
sys.path.insert(0, str(HERE.parent))
import pipeline_files  # noqa: E402
import server  # noqa: E402

tactus = os.path.abspath(os.environ["TACTUS"])
ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or HERE.parent.parent)
RULES = str(ROOT / "rules/web.txt")
passed, failures = 0, []


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)
        print("FAILED " + message)


def run(*words, limit=400):
    return subprocess.run([tactus, "protocol", *words], capture_output=True, text=True, timeout=limit)


def hunt(page, script, work):
    folder = f"{work}/{page}"
    done = run("hunt", "--device", URL + page + ".html", "--rules", RULES, "--script", str(HERE / "races" / script), "-o", folder, "--json",
               "--junit", folder + ".xml", "--sarif", folder + ".sarif")
    try:
        check_files(done, page, folder)
        return done, json.loads(done.stdout), folder
    except (OSError, ValueError):
        return done, {}, folder


def check_files(done, page, folder):
    """What pipelines get of a hunt: a failing case for what is confirmed, at the line of the rule."""
    errors, bad, _ = pipeline_files.junit_errors(pathlib.Path(folder + ".xml").read_text())
    check(not errors and (bad > 0) == (done.returncode == 1), f"{page}: JUnit: {bad} {errors}")
    errors, results = pipeline_files.sarif_errors(pathlib.Path(folder + ".sarif").read_text(), ROOT)
    check(not errors, f"{page}: SARIF: {errors}")
    for result in results:
        if result["level"] == "error":
            check("calls-" in result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] and
                  "tactus protocol replay" in result["message"]["text"], f"{page}: {result}")


def confirmed(page, script, error, work):
    done, found, folder = hunt(page, script, work)
    calls = [call for call in found.get("calls", []) if call["result"] == "CONFIRMED"]
    check(done.returncode == 1 and found.get("confirmed") == len(calls) >= 1, f"{page}: not confirmed: {done.stdout[:600]}{done.stderr[-300:]}")
    for call in calls[:1]:
        exception, replay = call["exception"] or {}, call["replay"]
        check(error in f"{exception.get('type')}: {exception.get('message')}", f"{page}: {exception}")
        check(any(page + ".html" in frame for frame in exception.get("stack", [])), f"{page}: no stack: {exception}")
        check(replay["attempts"] <= 3 and replay["performed"] == call["witness_events"], f"{page}: {replay}")
    check(not found.get("rules_left_out"), f"{page}: {found.get('rules_left_out')}")
    check(found.get("confirmed", 0) + found.get("not_reproduced", 0) + found.get("uncontrolled", 0) == len(found.get("calls", [])), f"{page}: counts")
    return folder


def nothing(page, script, work, reason=None):
    done, found, _ = hunt(page, script, work)
    check(done.returncode == 0 and found.get("confirmed") == 0, f"{page}: {done.returncode} {done.stdout[:600]}{done.stderr[-300:]}")
    if reason:
        told = [call["replay"] for call in found.get("calls", []) if call["result"] == "NOT REPRODUCED"]
        check(told and told[0]["diverged_at"] == told[0]["witness_events"] and reason in told[0]["reason"], f"{page}: {told}")


def misspelt(work):
    """A rule that is left out is told, and nothing is proved without it."""
    rules = pathlib.Path(work, "misspelt.spec")
    rules.write_text((ROOT / "rules/web/timers.spec").read_text().replace("\nSPEC ", "\nSPCE ", 1))
    done = run("hunt", "--device", URL + "timer-fixed.html", "--rules", str(rules), "--script", str(HERE / "races/panel.script"),
               "-o", f"{work}/misspelt", "--json")
    found = json.loads(done.stdout or "{}")
    check("misspelt.spec:6:1: warning: 18 stray tokens from 'SPCE' on, left out" in done.stderr and done.returncode == 3 and found.get("safe") == 0
          and "18 stray tokens" in found.get("left_out", ""), f"misspelt rules: {done.returncode} {done.stdout[:600]}{done.stderr}")


def labels(path):
    with open(path) as file:
        return [line["event"] for line in map(json.loads, file) if line["type"] == "callback_entry"]


def record(page, *words, work, name=None):
    path = f"{work}/{name or page.split('?')[0]}.jsonl"
    done = run("record", "--device", URL + page, "-o", path, "--json", *words)
    check(done.returncode == 0, f"record {page}: {done.returncode} {done.stderr[-400:]}")
    facts = json.loads(done.stdout or '{"recordings":[{}]}')["recordings"][0]
    return path, facts


def admitted(path):
    done = run("validate", "--rules-list", RULES, path, "--json")
    answer = json.loads(done.stdout or "{}")
    check(answer.get("result") in ("OK", "VIOLATION"), f"{path} is not admitted: {answer.get('because')} {done.stderr[-200:]}")


def script_of(work, name, *lines):
    path = f"{work}/{name}.script"
    pathlib.Path(path).write_text("\n".join(lines) + "\n")
    return path


def check_hostile(work):
    go = script_of(work, "go", "click //node[@resource-id='go']", "wait 0.4")
    path, facts = record("override.html", "--script", go, work=work)
    seen = labels(path)
    check(any(one.startswith("click //button[@id='go']") for one in seen) and any(one.startswith("response GET /api/item") for one in seen)
          and any(one.startswith("timer override.html:") for one in seen), f"override: {seen}")
    check(facts.get("failures") == 0, f"override: {facts}")
    admitted(path)
    shown = subprocess.run([tactus, "screen", "--device", URL + "override.html"], capture_output=True, text=True, timeout=400).stdout
    check(all(f"{kind}: {what}" in shown for kind, what in (('Button "Go"', "click"), ('Link "two"', "click"), ('EditText "a field"', "text"))), f"override: {shown}")
    path, facts = record("restless.html", "--steps", "2", "--budget", "6", work=work)
    check(facts.get("steps") == 2 and facts.get("callbacks", 0) > 20 and facts.get("dropped") == 0, f"restless: {facts}")
    admitted(path)
    path, facts = record("throws.html", "--script", go, work=work)
    text = pathlib.Path(path).read_text()
    check(facts.get("failures", 0) >= 3 and all(f"in a {where}" in text for where in ("listener", "timer", "promise")), f"throws: {facts}")
    check('"callin_exception"' in text and "NotFoundError" in text, "throws: the call that throws is not recorded")
    path, facts = record("many.html?n=20000", "--script", go, work=work, name="many")
    check(facts.get("messages", 0) >= 40000 and facts.get("dropped") == 0, f"many: {facts}")
    admitted(path)
    path, facts = record("leave.html", "--script", script_of(work, "leave", "click //node[@resource-id='go']",
                         "click //node[@resource-id='open']"), work=work)
    check("click //button[@id='open'] #1 @2" in labels(path), f"leave: the second document is not told apart: {labels(path)}")
    check("click //button[@id='go'] #1" in labels(path), f"leave: the last callback of the page that was left is lost: {labels(path)}")
    check("setItem" in pathlib.Path(path).read_text(), "leave: what the last callback did after it asked to leave is lost")
    admitted(path)
    clicks = [f"click //node[@resource-id='{name}']" for name in ("go", "other", "said", "said")]
    path, facts = record("listeners.html", "--script", script_of(work, "listeners", *clicks), work=work)
    check([one for one in labels(path) if one.startswith("click")] == ["click //button[@id='go'] #1", "click //button[@id='other'] #1",
          "click //p[@id='said'] #1", "click //p[@id='said'] #2"], f"listeners: {labels(path)}")
    admitted(path)
    path, facts = record("frame.html", "--script", go, work=work)
    check(any("timer timer.html:" in one for one in labels(path)), f"frame: {labels(path)}")


def check_kill(folder):
    """A replay that is killed in the middle leaves no browser behind."""
    room = tempfile.mkdtemp(prefix="tactus-killed-")
    process = subprocess.Popen([tactus, "protocol", "replay", "--device", URL + "unmount.html", "--witness", f"{folder}/witness-1.json",
                                f"{folder}/recording.jsonl"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, TMPDIR=room))
    until = time.monotonic() + 60
    while time.monotonic() < until and not any(room in text for text in commands()):
        time.sleep(0.05)
    check(any(room in text for text in commands()), "kill: no browser was started")
    time.sleep(1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    while time.monotonic() < until and any(room in text for text in commands()):
        time.sleep(0.1)
    check(not any(room in text for text in commands()), "kill: a browser is left behind")
    while time.monotonic() < until and os.listdir(room):
        time.sleep(0.1)
    check(not os.listdir(room), f"kill: left behind: {os.listdir(room)}")
    shutil.rmtree(room, ignore_errors=True)


def check_report(folder, work):
    """The report has the outcome of the replay beside the witness."""
    whole = [tactus, "run", "--device", f"sim:{ROOT}/examples/apps/player.json", "--monkey", "1", "--steps", "1", "-o", f"{work}/runs"]
    check(subprocess.run(whole, capture_output=True, timeout=300).returncode in (0, 1), "report: no campaign")
    rules = [word for path in sorted((ROOT / "rules/web").glob("*.spec")) for word in ("--protocol", str(path))]
    done = subprocess.run([tactus, "report", f"{work}/runs", "--recording", f"{folder}/recording.jsonl", *rules, "--json"],
                          capture_output=True, text=True, timeout=300)
    sections = json.loads(done.stdout or "{}").get("protocol", [])
    replays = sections[0].get("replays", []) if sections else []
    check(any(one["result"] == "CONFIRMED" and "TypeError" in one["exception"] and one["steps"] for one in replays), f"report: {sections} {done.stderr[-300:]}")


def commands():
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                yield pathlib.Path(f"/proc/{entry}/cmdline").read_text().replace("\0", " ")
            except OSError:
                pass


def main():
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            print(f"  skipped: {program} is not installed\n0 passed, 0 failed, 1 skipped")
            sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="tactus-recording-") as work:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = pool.submit(confirmed, "unmount", "panel.script", "TypeError: Cannot set properties of null", work)
            jobs = [found,
                    pool.submit(confirmed, "submit", "submit.script", "TypeError: Cannot read properties of null", work),
                    pool.submit(confirmed, "timer", "panel.script", "TypeError: Cannot read properties of null", work),
                    pool.submit(confirmed, "stale", "stale.script", "TypeError: Cannot read properties of undefined", work),
                    pool.submit(nothing, "unmount-fixed", "panel.script", work),
                    pool.submit(nothing, "submit-fixed", "submit.script", work),
                    pool.submit(nothing, "timer-fixed", "panel.script", work),
                    pool.submit(nothing, "stale-fixed", "stale.script", work, "it went another way"),
                    pool.submit(confirmed, "stream", "stream.script", "TypeError: Cannot set properties of null", work),
                    pool.submit(nothing, "stream-fixed", "stream.script", work),
                    pool.submit(misspelt, work),
                    pool.submit(check_hostile, work)]
            for job in jobs:
                job.result()
        folder = found.result()
        again, _ = record("unmount.html", "--script", str(HERE / "races/panel.script"), work=work)
        check(labels(again) == labels(f"{folder}/recording.jsonl") and labels(again), f"labels differ: {labels(again)} {labels(folder + '/recording.jsonl')}")
        admitted(again)
        first = json.loads(open(again).readline())
        check(first.get("recorder", {}).get("name") == "tactus-web" and first["recorder"].get("seed") == 1, f"first line: {first}")
        check_kill(folder)
        check_report(folder, work)
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


URL = server.serve()
if __name__ == "__main__":
    main()
