#!/usr/bin/env python3
"""The HTTP interface: what its description says is served and nothing else, files and conflicts, what
the commands print, jobs that outlive the server."""
import difflib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading

from portal import Portal, read, scratch, wait_until, write

TACTUS = os.environ["TACTUS"]
ROOT = os.environ["TACTUS_SOURCE_ROOT"]
failures = []
passed = 0


def check(what, holds):
    global passed
    if holds:
        passed += 1
    else:
        failures.append(what)
        print("FAILED", what)


def tactus(folder, *words):
    return subprocess.run([TACTUS, *words], cwd=folder, capture_output=True, text=True, timeout=300)


def prepare(folder):
    for name in ("apps/player.json", "apps/tracker.json", "apps/player.model.xml", "apps/player.req3.xml",
                 "uamp/uamp.model.xml", "uamp/uamp.req1.xml",
                 "rules/phoneadapter.rules", "protocol/buggy.jsonl", "protocol/remover.spec", "home/automations.yaml",
                 "home/configuration.yaml", "traces/cafe-1.csv", "traces/playback.props"):
        target = os.path.join(folder, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(os.path.join(ROOT, "examples", name), target)


# --- the description ---

def description(portal):
    document = portal.get("/api/openapi.json").json
    check("the version of OpenAPI", document["openapi"].startswith("3.1"))
    with open(os.path.join(ROOT, "src/serve/api/routes.def"), encoding="utf-8") as file:
        routes = re.findall(r'^ROUTE\(\w+, "(\w+)", "([^"]+)"', file.read(), re.M)
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    check("every route is described, and nothing else", described == set(routes))
    for method, path in sorted(described):
        operation = document["paths"][path][method.lower()]
        asked = path.replace("{id}", "none")
        answer = portal.ask(method, asked, {} if method != "GET" else None)
        # Served: something is wrong with what was asked, not with the address.
        message = answer.json["error"]["message"] if answer.status >= 400 and path.startswith("/api") else ""
        check(f"{method} {path} is served: {answer.status} {message}",
              answer.status != 405 and not (answer.status == 404 and "nothing at this address" in message))
        needed = [p["name"] for p in operation["parameters"] if p["in"] == "query" and p["required"]]
        needed += operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get(
            "schema", {}).get("required", [])
        check(f"{method} {path} needs {needed}", not needed or 400 <= answer.status < 500)
        other = "POST" if method == "GET" else "GET"
        if (other, path) not in described and ("PUT", path) not in described:
            check(f"{other} {path} is not served", portal.ask(other, asked, {}).status == 405)
    for path in ("/api", "/api/", "/api/nothing", "/api/files/x", "/api/jobs/none/other", "/index.html", "/portal.html"):
        check(f"{path} is not served", portal.get(path).status == 404)


# --- files ---

def files(portal):
    kinds = {entry["path"]: entry["kind"] for entry in portal.get("/api/files").json["files"]}
    expected = {"apps/player.json": "app", "apps/player.model.xml": "model", "apps/player.req3.xml": "requirement",
                "rules/phoneadapter.rules": "rules", "protocol/buggy.jsonl": "recording", "protocol/remover.spec": "protocol",
                "home/automations.yaml": "automation", "traces/cafe-1.csv": "trace", "traces/playback.props": "property"}
    for path, kind in expected.items():
        check(f"{path} is listed as {kind}: {kinds.get(path)}", kinds.get(path) == kind)
    created = portal.put("notes/a.txt", "one\ntwo\nthree\n")
    check("a new file", created.status == 201 and read(portal.folder, "notes/a.txt") == "one\ntwo\nthree\n")
    answer = portal.get("/api/file?path=notes/a.txt")
    check("its hash", answer.headers["etag"].strip('"') == created.json["hash"] and answer.body == b"one\ntwo\nthree\n")
    check("the same again", portal.put("notes/a.txt", "x").status == 409)
    check("without saying what is replaced", portal.ask("PUT", "/api/file?path=notes/a.txt", "x").status == 428)
    os.chmod(os.path.join(portal.folder, "notes/a.txt"), 0o640)
    first = portal.put("notes/a.txt", "one\n2\nthree\n", match=created.json["hash"])
    check("the first save", first.status == 200)
    check("the mode is kept", os.stat(os.path.join(portal.folder, "notes/a.txt")).st_mode & 0o777 == 0o640)
    second = portal.put("notes/a.txt", "one\ntwo\nthree\nfour\n", match=created.json["hash"])
    check("the second save is refused", second.status == 409 and read(portal.folder, "notes/a.txt") == "one\n2\nthree\n")
    wanted = "".join(difflib.unified_diff(["one\n", "2\n", "three\n"], ["one\n", "two\n", "three\n", "four\n"],
                                          "a/notes/a.txt", "b/notes/a.txt"))
    check("with the difference", second.json["diff"] == wanted)
    check("and what is there", second.json["text"] == "one\n2\nthree\n" and second.json["hash"] == first.json["hash"])
    check("a file that is gone", portal.put("notes/none.txt", "x", match=created.json["hash"]).status == 409)
    write(portal.folder, "notes/a.txt", "changed by an editor\n")
    check("a file that an editor changed", portal.put("notes/a.txt", "y", match=first.json["hash"]).status == 409)
    results = []
    current = portal.get("/api/file?path=notes/a.txt").headers["etag"].strip('"')
    threads = [threading.Thread(target=lambda n=n: results.append(portal.put("notes/a.txt", f"{n}\n", match=current).status))
               for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(f"one of eight at once: {results}", sorted(results) == [200] + [409] * 7)


def far_and_damaged(portal):
    """A folder too deep leaves out what is in it and nothing else; a damaged campaign says so."""
    def listed():
        answer = portal.get("/api/files").json
        return {one["path"]: one for one in answer["files"]}, answer["truncated"]

    before, truncated = listed()
    check("all is listed", not truncated)
    far = os.path.join(portal.folder, "deep", *"abcdefghijklmno")
    os.makedirs(far)
    write(far, "far.props", "property p: always true")
    write(portal.folder, "deep/near.props", "property p: always true")
    after, truncated = listed()
    check("what is too deep is told", truncated and not any(path.endswith("far.props") for path in after))
    check("and nothing else is missing", set(before) | {"deep/near.props"} == set(after))
    shutil.rmtree(os.path.join(portal.folder, "deep"))

    tactus(portal.folder, "run", "--device", "sim:apps/player.json", "--monkey", "6", "--steps", "2", "-o", "torn")
    check("nothing is wrong yet", "problem" not in listed()[0]["torn"])
    index = sqlite3.connect(os.path.join(portal.folder, "torn", "index.sqlite"))
    with index:
        index.execute("UPDATE run SET verdict='good' WHERE id=3")
    index.close()
    check("what is damaged is told", "row 3 of the table 'run'" in listed()[0]["torn"].get("problem", ""))
    shutil.rmtree(os.path.join(portal.folder, "torn"))


def differences(portal):
    """Against `diff`'s own, by applying them with patch where it is installed, else by difflib's lines."""
    import random
    chance = random.Random(3)
    for number in range(12):
        old = [chance.choice(["a\n", "b\n", "c\n", "\n"]) for _ in range(chance.randint(0, 30))]
        new = [line for line in old if chance.random() < 0.8]
        for _ in range(chance.randint(0, 4)):
            new.insert(chance.randint(0, len(new)), chance.choice(["x\n", "a\n"]))
        path = f"diffs/{number}.txt"
        write(portal.folder, path, "".join(old))
        answer = portal.put(path, "".join(new), match="0" * 64).json
        check(f"difference {number}", patched(old, answer["diff"]) == new)


def patched(old, diff):
    """The text that a unified difference makes of the old one."""
    new, at = [], 0
    for line in diff.splitlines(keepends=True):
        if line.startswith(("--- ", "+++ ")):
            continue
        if line.startswith("@@"):
            start, count = (int(part) for part in re.match(r"@@ -(\d+),(\d+)", line).groups())
            start = start - 1 if count else start
            new += old[at:start]
            at = start
        elif line[0] == "+":
            new.append(line[1:])
        else:
            if old[at] != line[1:]:
                return None
            if line[0] == " ":
                new.append(line[1:])
            at += 1
    return new + old[at:]


# --- models and flows ---

def models(portal):
    text = read(portal.folder, "apps/player.model.xml")
    model = portal.post("/api/model", {"path": "apps/player.model.xml"}).json
    check("the text is the file", model["text"] == text)
    counted = json.loads(tactus(portal.folder, "model", "check", "--json", "apps/player.model.xml").stdout)
    kinds = [state["kind"] for state in model["states"]]
    check("as many states as the command counts", (kinds.count("state"), kinds.count("connection"), kinds.count("final")) ==
          (counted["states"], counted["connections"], counted["finals"]))
    check("as many transitions", len(model["transitions"]) == counted["transitions"] and not model["problems"])
    lines = text.split("\n")
    check("lines", all(f'name="{state["name"]}"' in lines[state["line"] - 1] for state in model["states"]))
    same = portal.post("/api/model/edit", {"text": text, "edits": []}).json
    check("no edit, no difference", same["text"] == text)
    first = model["states"][0]
    there = portal.post("/api/model/edit", {"text": text, "edits": [
        {"do": "rename_state", "state": first["id"], "name": "Renamed"},
        {"do": "rename_state", "state": first["machine"] + "/Renamed", "name": first["name"]}]}).json
    check("there and back, no difference", there["text"] == text)
    broken = portal.post("/api/model/edit", {"text": text, "edits": [
        {"do": "set", "transition": "t0", "attributes": {"guard": "((("}}]}).json
    wrong = [problem for problem in broken["problems"] if problem["severity"] == "error"]
    check(f"a problem at its place: {wrong}", wrong and wrong[0]["subject"] == {"transition": "t0"} and
          wrong[0]["line"] == broken["transitions"][0]["line"])
    refused = portal.post("/api/model/edit", {"text": text, "edits": [
        {"do": "delete_transition", "transition": "t0"}, {"do": "rename_state", "state": "none", "name": "x"}]})
    check("a wrong edit is named", refused.status == 422 and refused.json["edit"] == 1)
    for edit in ({"do": "nothing"}, {}, 5, {"do": "rename_state", "state": first["id"]},
                 {"do": "rename_state", "state": first["id"], "name": "two words"},
                 {"do": "rename_state", "state": first["id"], "name": model["states"][1]["name"]},
                 {"do": "set", "state": first["id"], "attributes": {"name": "x"}},
                 {"do": "set", "state": first["id"], "attributes": {'a="b" c': "x"}},
                 {"do": "set", "state": first["id"], "attributes": {"labels": 5}},
                 {"do": "set", "state": first["id"], "attributes": {"labels": "\u0001"}},
                 {"do": "set_actions", "transition": "t0"}, {"do": "set_actions", "transition": "t0", "actions": [{}]},
                 {"do": "add_state", "machine": first["machine"], "name": "x", "kind": "action"}):
        answer = portal.post("/api/model/edit", {"text": text, "edits": [edit]})
        check(f"the edit {edit}", answer.status == 422)
    cut = portal.post("/api/model", {"text": text[:500]}).json
    check("a text that is cut", cut["wellformed"] is False and cut["problems"][0]["line"] > 1)
    large = 500
    states = "".join(f'<state name="S{n}"/>' for n in range(large))
    moves = "".join(f'<transition from="S{n}" event="e" to="S{(n + 1) % large}"/>' for n in range(large))
    whole = '<interactionModel xmlns="urn:tactus:interaction-model:1"><device name="d"><application name="a" external="true">' \
        '<activity name="v" external="true"><stateMachine name="m" external="true"><initial to="S0"/>' + states + moves + \
        "</stateMachine></activity></application></device></interactionModel>"
    check("500 states", len(portal.post("/api/model", {"text": whole}).json["states"]) == large)


def flows(portal):
    model, requirement = "uamp/uamp.model.xml", "uamp/uamp.req1.xml"
    told = json.loads(tactus(portal.folder, "flow", "count", model, "--length", "7", "--json").stdout)
    answer = portal.post("/api/flows", {"mode": "count", "model": model, "length": 7}).json
    check("the count is the command's", answer["count"] == told["flows"] and answer["exit"] == told["exit"])
    by_text = portal.post("/api/flows", {"mode": "count", "text": read(portal.folder, model), "length": 7}).json
    check("of a text too", by_text["count"] == told["flows"])
    told = json.loads(tactus(portal.folder, "flow", "count", model, "--length", "8", "--json", "-r", requirement).stdout)
    answer = portal.post("/api/flows", {"mode": "count", "model": model, "length": 8, "requirement": requirement}).json
    check("with a requirement", answer["count"] == told["flows"])
    listed = [json.loads(line) for line in
              tactus(portal.folder, "flow", "list", model, "--length", "4", "--format", "jsonl").stdout.splitlines()]
    answer = portal.post("/api/flows", {"mode": "list", "model": model, "length": 4, "limit": 5}).json
    check("a list that is cut", answer["flows"] == listed[:5] and answer["complete"] is False)
    answer = portal.post("/api/flows", {"mode": "list", "model": model, "length": 4, "limit": len(listed)}).json
    check("a list that is whole", answer["flows"] == listed and answer["complete"] is True)
    answer = portal.post("/api/flows", {"mode": "cover", "model": model, "goal": "transitions"}).json
    check("a cover", answer["covered"] == answer["total"] > 0 and answer["flows"])
    answer = portal.post("/api/flows", {"mode": "sample", "model": model, "length": 6, "count": 3, "seed": 5}).json
    check("a sample", len(answer["flows"]) == 3)
    wrong = portal.post("/api/flows", {"mode": "count", "model": model, "length": 5, "requirement_text": "<x/>"})
    check("a requirement that is not one", wrong.status == 422 and wrong.json["error"]["message"])
    saved = portal.post("/api/flows/save", {"mode": "list", "model": model, "length": 3, "path": "flows/three.jsonl"})
    check("flows that are saved", saved.status == 201 and saved.json["flows"] ==
          len(read(portal.folder, "flows/three.jsonl").splitlines()))
    check("not over others", portal.post("/api/flows/save", {
        "mode": "list", "model": model, "length": 3, "path": "flows/three.jsonl"}).status == 409)
    results = []
    threads = [threading.Thread(target=lambda: results.append(portal.post("/api/flows", {
        "mode": "list", "model": model, "length": 40, "limit": 5000, "page": "one",
        "requirement": requirement}).status)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(f"a newer request takes the place of older ones: {results}", set(results) <= {200, 409} and 200 in results)


# --- analyses ---

def analyses(portal):
    trace, props = "traces/cafe-1.csv", "traces/playback.props"
    told = json.loads(tactus(portal.folder, "check", "-p", props, trace, "--json").stdout)
    answer = portal.post("/api/check", {"path": props, "trace": trace}).json
    check("properties", answer["traces"] == told["traces"])
    name = told["traces"][0]["properties"][0]["name"]
    check("their intervals", len(answer["intervals"][name]) == told["traces"][0]["properties"][0]["intervals"])
    answer = portal.post("/api/check", {"property": read(portal.folder, props), "trace": trace}).json
    check("of a text", [p["verdict"] for p in answer["traces"][0]["properties"]] ==
          [p["verdict"] for p in told["traces"][0]["properties"]])
    wrong = portal.post("/api/check", {"property": "property x:\n  forall [\n", "trace": trace})
    check(f"an error has its line: {wrong.body}", wrong.status == 422 and wrong.json["error"]["place"]["line"] >= 2)
    check("and is among the problems", wrong.json["problems"][0]["line"] == wrong.json["error"]["place"]["line"])
    drawn = portal.get(f"/api/trace?path={trace}&points=10").json
    column = {}
    with open(os.path.join(portal.folder, trace), encoding="utf-8") as file:
        names = [name.split(" ")[0].split("[")[0].strip() for name in file.readline().strip().split(",")]
        rows = [dict(zip(names, line.strip().split(","))) for line in file]
    continuous = [v["name"] for v in drawn["variables"] if v["kind"] == "continuous"]
    for name in continuous:
        column[name] = [float(row[name]) for row in rows if row[name]]
        pairs = [pair for pair in drawn["values"][name] if pair]
        check(f"the peaks of {name}", (min(p[0] for p in pairs), max(p[1] for p in pairs)) ==
              (min(column[name]), max(column[name])))
    check("ten stretches", len(drawn["times"]) == 10 and drawn["states"] == len(rows) and continuous)
    rules = portal.post("/api/rules", {"path": "rules/phoneadapter.rules"})
    check("rules", rules.status == 200 and rules.json["exit"] == 1 and rules.json["app"] == "PhoneAdapter")
    repair = portal.post("/api/rules/repair", {"path": "rules/phoneadapter.rules", "fault": "cycle"}).json
    check("repairs", repair["repairs"])
    applied = portal.post("/api/rules/repair", {"path": "rules/phoneadapter.rules", "fault": "cycle", "apply": 1}).json
    old = read(portal.folder, "rules/phoneadapter.rules").splitlines(keepends=True)
    check("a repair as a difference", "".join(patched(old, applied["diff"])) == applied["text"] != "".join(old))
    protocol = portal.post("/api/protocol", {"recording": "protocol/buggy.jsonl", "rules": ["protocol/remover.spec"]})
    check("a recording", protocol.json["exit"] == 1 and protocol.json["traces"][0]["verdict"] == "UNSAFE")
    home = portal.post("/api/automation", {"path": "home"})
    check(f"automations: {home.status}", home.status == 200 and home.json["exit"] in (0, 1))
    devices = portal.get("/api/devices").json
    check("devices", "sim:apps/player.json" in [device["uri"] for device in devices["devices"]] and
          "cafe" in devices["scenarios"])
    check("what works here", "programs" in portal.get("/api/devices?doctor=1").json["doctor"])


# --- jobs ---

def state_of(portal, job):
    return portal.get(f"/api/jobs/{job}").json["state"]


def events_of(portal, job):
    found = []
    for block in portal.get(f"/api/jobs/{job}/events", timeout=300).body.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def explore_and_run(portal):
    job = portal.post("/api/jobs", {"kind": "explore", "device": "sim:apps/player.json", "output": "mine.model.xml"}).json
    events = events_of(portal, job["id"])
    check("an exploration ends well", events[-1][0] == "state" and events[-1][1]["state"] == "done")
    check("it writes what the command writes", tactus(portal.folder, "model", "check", "mine.model.xml").returncode == 0)
    portal.post("/api/flows/save", {"mode": "list", "model": "mine.model.xml", "length": 3, "path": "mine.jsonl"})
    with open(os.path.join(portal.folder, "two.props"), "w", encoding="utf-8") as file:
        file.write("property untried: forall [event == Nowhere, event == Never] diff(rxData) < 1\n"
                   "property light: always rxData >= 0\n")
    body = {"kind": "run", "device": "sim:apps/player.json", "model": "mine.model.xml", "flows": "mine.jsonl",
            "scenarios": ["cafe", "ideal"], "properties": "two.props", "output": "campaign"}
    job = portal.post("/api/jobs", body)
    check("a campaign starts", job.status == 201 and job.json["command"].startswith("tactus run "))
    check("another one on the same folder is refused, or it is done already",
          portal.post("/api/jobs", body).status == 409 or state_of(portal, job.json["id"]) == "done")
    events = events_of(portal, job.json["id"])
    runs = [data["id"] for name, data in events if name == "run"]
    campaign = portal.get("/api/campaign?path=campaign").json
    check("every run is told once", sorted(runs) == list(range(campaign["planned"])) and campaign["runs"] == len(runs) > 0)
    check("a property that no run exercised is counted", campaign["untested"] == 1 and campaign["violated"] == 0)
    progress = [data["done"] for name, data in events if name == "progress"]
    check("progress grows", progress == sorted(progress) and progress[-1] == len(runs))
    check("the campaign is listed", any(entry["path"] == "campaign" and entry["kind"] == "campaign" and not entry["running"]
                                        for entry in portal.get("/api/files").json["files"]))
    report = portal.get("/api/report?campaign=campaign")
    check("the report", report.status == 200 and report.headers["content-type"].startswith("text/html") and
          "sandbox allow-scripts" in report.headers["content-security-policy"] and
          "allow-same-origin" not in report.headers["content-security-policy"])
    check("its document", portal.get("/api/report.json?campaign=campaign").json["schema"])
    check("the command accepts it", tactus(portal.folder, "report", "campaign", "--json").returncode in (0, 1, 3))


LONG = {"kind": "run", "device": "sim:apps/tracker.json", "monkey": 100000, "steps": 40, "output": "long", "live": True}


def first_live(portal, job):
    """The first views that somebody who watches is told."""
    with portal.connect() as wire:
        wire.sendall(f"GET /api/jobs/{job}/events HTTP/1.0\r\nHost: 127.0.0.1:{portal.port}\r\n"
                     f"Cookie: {portal.cookie}\r\n\r\n".encode())
        name = ""
        for line in wire.makefile(encoding="utf-8"):
            if line.startswith("event: "):
                name = line[7:].strip()
            elif line.startswith("data: ") and name == "live":
                return json.loads(line[6:])["views"]
    return []


def watched(portal, job):
    """Screens, events and probes of a campaign under way; what others put into its folder is left out."""
    live = os.path.join(portal.folder, "long/live")
    wait_until(lambda: os.path.exists(os.path.join(live, "0.json")))
    os.symlink("/etc/passwd", os.path.join(live, "5.json"))
    write(portal.folder, "long/live/6.json", "[1,")
    write(portal.folder, "long/live/7.json", json.dumps({"place": "x" * 100000}))
    views = first_live(portal, job)
    check("one view for the only worker", len(views) == 1)
    view = views[0] if views else {}
    check("it says where the run is", view.get("place") and view["device"].endswith("tracker.json") and view["run"] >= 0)
    check("what the probes read", {"energy", "rxData"} <= {probe["name"] for probe in view.get("probes", [])})
    check("which events there were", isinstance(view.get("events"), list) and len(view["events"]) <= 8)
    boxes = view.get("sketch", {}).get("boxes", [])
    check("what the screen shows", boxes and all(len(box) == 6 and box[4] in ("text", "button", "field") for box in boxes))


def stopped_and_resumed(portal):
    job = portal.post("/api/jobs", LONG).json["id"]
    wait_until(lambda: portal.get(f"/api/jobs/{job}").json["progress"]["done"] > 0)
    check("it runs", state_of(portal, job) == "running")
    watched(portal, job)
    check("asked to stop", portal.post(f"/api/jobs/{job}/stop", None).status == 200)
    wait_until(lambda: state_of(portal, job) == "stopped")
    check("nobody is told where a stopped one is", not os.path.exists(os.path.join(portal.folder, "long/live")))
    done = portal.get("/api/campaign?path=long").json["runs"]
    check("a second stop is refused", portal.post(f"/api/jobs/{job}/stop", None).status == 409)
    check("it goes on", portal.post(f"/api/jobs/{job}/resume", None).status == 201)
    wait_until(lambda: portal.get("/api/campaign?path=long").json["runs"] > done)
    check("and cannot go on twice", portal.post(f"/api/jobs/{job}/resume", None).status == 409)
    return job


def processes_of(folder, job):
    keeper, _, program, _ = read(folder, f".tactus/jobs/{job}/process").split()
    return int(keeper), int(program)


def found_again(folder, job, portal):
    """The server is killed while the campaign runs; the next one finds it."""
    portal.kill()
    keeper, program = processes_of(folder, job)
    check("the job lives on", os.path.exists(f"/proc/{program}") and os.path.exists(f"/proc/{keeper}"))
    with Portal(TACTUS, folder) as other:
        check("it is found again", state_of(other, job) == "running")
        entry = next(e for e in other.get("/api/files").json["files"] if e["path"] == "long")
        check("with its campaign", entry["running"] and entry["job"] == job)
        done = other.get(f"/api/jobs/{job}").json["progress"]["done"]
        wait_until(lambda: other.get(f"/api/jobs/{job}").json["progress"]["done"] > done)
        check("it can be stopped", other.post(f"/api/jobs/{job}/stop", None).status == 200)
        wait_until(lambda: state_of(other, job) == "stopped")
        other.post(f"/api/jobs/{job}/resume", None)
        wait_until(lambda: state_of(other, job) == "running")
        keeper, program = processes_of(folder, job)
        follower = threading.Thread(target=events_of, args=(other, job))
        follower.start()
        os.kill(keeper, signal.SIGKILL)
        check("without its keeper it still runs", state_of(other, job) == "running")
        os.kill(program, signal.SIGKILL)
        wait_until(lambda: state_of(other, job) == "lost")
        follower.join(60)
        check("whoever looked on is told", not follower.is_alive())
        forge(folder, job)
        check("another process under its number is not taken for it", state_of(other, job) == "lost")
        check("a lost one goes on too", other.post(f"/api/jobs/{job}/resume", None).status == 201)
        wait_until(lambda: state_of(other, job) == "running")
        other.post(f"/api/jobs/{job}/stop", None)
        wait_until(lambda: state_of(other, job) == "stopped")
        runs = [row["id"] for row in other.get("/api/campaign?path=long").json["rows"]]
        check("every run is there once", len(runs) == len(set(runs)) > 0)
    check("it ends well", other.process.returncode == 0)
    done = tactus(folder, "report", "long", "--json")
    check("the command reads what is there", done.returncode in (0, 1, 3))
    check("what it keeps is not for a repository", read(folder, ".tactus/.gitignore") == "*\n")


def forge(folder, job):
    """The numbers of a process that lives, with another start."""
    write(folder, f".tactus/jobs/{job}/process", f"{os.getpid()} 1 {os.getpid()} 1\n")


def main():
    with scratch() as folder:
        prepare(folder)
        portal = Portal(TACTUS, folder)
        try:
            for part in (description, files, far_and_damaged, differences, models, flows, analyses, explore_and_run):
                part(portal)
            job = stopped_and_resumed(portal)
            found_again(folder, job, portal)
        finally:
            portal.stop()
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
