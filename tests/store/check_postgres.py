#!/usr/bin/env python3
"""Campaigns in a database: equal to those in a folder, shared by workers that are killed, stopped and
cut off, kept from roles that may not see them, and without a password in anything that is shown.

A server of Debian's package is started in a temporary folder; without one the test is skipped.
TACTUS_SCALE=full (make sweep) takes 100 kills, 20 stops, three restarts and a full disk; without it
some of each."""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import postgres_testing as pg

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent.parent)
TACTUS = os.environ["TACTUS"]
FULL = os.environ.get("TACTUS_SCALE") == "full"
APP = f"sim:{ROOT}/examples/apps/player.json"
chance = random.Random(int(os.environ.get("TACTUS_SEED", "30")))
failures = []
said = []  # everything that any process printed


def check(good, what):
    print(("ok      " if good else "FAILED  ") + what, flush=True)
    if not good:
        failures.append(what)


def tactus(server, *words, user=None):
    environment = dict(server.environment)
    if user:
        environment["PGPASSFILE"] = str(server.passfile)
    done = subprocess.run([TACTUS, *map(str, words)], capture_output=True, text=True, timeout=600,
                          env=environment)
    said.append(done.stdout + done.stderr)
    return done


class Worker:
    """A worker process whose words are kept."""

    def __init__(self, server, address, *words, device=APP):
        self.process = subprocess.Popen(
            [TACTUS, "worker", address, "--device", device, *map(str, words)], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=server.environment)
        self.words = []
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.words.append(line)

    def end(self, seconds=300):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.words.append("TIMEOUT")
        self.reader.join()
        said.append("".join(self.words))
        return self.process.returncode

    def text(self):
        return "".join(self.words)


def rows(folder):
    index = sqlite3.connect(f"file:{folder}/index.sqlite?mode=ro", uri=True)
    found = {table: index.execute(f"SELECT * FROM {table} ORDER BY 1,2").fetchall()
             for table in ("run", "verdict", "setting", "aside")}
    index.close()
    return found


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith("index.")}


def same_runs(server, address, folder, place, what):
    """The campaign in the database against one that nobody disturbed, in a folder."""
    copy = pathlib.Path(tempfile.mkdtemp(dir=place)) / "copy"
    done = tactus(server, "store", "copy", address, copy)
    check(done.returncode == 0, f"{what}: copied {done.stderr}")
    if done.returncode == 0:
        check(rows(copy)["run"] == rows(folder)["run"], f"{what}: the rows are those of a folder")
        check(rows(copy)["verdict"] == rows(folder)["verdict"], f"{what}: the verdicts too")
        check(files(copy / "traces") == files(folder / "traces"), f"{what}: the traces too")
        check(files(copy / "screens").keys() == files(folder / "screens").keys(), f"{what}: the screens too")
    done = tactus(server, "store", "verify", address)
    check(done.returncode == 0, f"{what}: verified {done.stdout}{done.stderr}")


def equal_to_a_folder(server, place):
    properties = place / "app.props"
    properties.write_text(pathlib.Path(ROOT / "examples/demo/playback.props").read_text())
    words = ["--device", APP, "--monkey", "24", "--steps", "4", "--property", properties,
             "--scenario", "cafe"]
    folder = place / "folder"
    first = tactus(server, "run", *words, "-o", folder)
    there = server.address("equal")
    second = tactus(server, "run", *words, "-o", there, "--parallel", "2")
    check(first.returncode == second.returncode in (0, 1), "the same campaign in both places")
    same_runs(server, there, folder, place, "one campaign, two places")

    back, again = place / "back", server.address("copied")
    tactus(server, "store", "copy", folder, again)
    tactus(server, "store", "copy", again, back)
    check(rows(back) == rows(folder), "a copy there and back: every row")
    check(files(back) == files(folder), "a copy there and back: every file")
    done = tactus(server, "run", *words, "-o", back)
    check(done.returncode == first.returncode and "24 runs" in done.stdout,
          "the copy is continued as the campaign that it is")
    done = tactus(server, "store", "copy", folder, again)
    check(done.returncode == 4 and "holds a campaign already" in done.stderr, "no copy over another")

    pages = [json.loads(tactus(server, "report", where, "--json").stdout)
             for where in (folder, there)]
    check(pages[0]["findings"] == pages[1]["findings"] and
          pages[0].get("properties") == pages[1].get("properties"), "the report is the same")
    for command in (["mine"], ["trace", "stat"], ["check", "-p", properties]):
        outputs = [tactus(server, *command, where, "--json").returncode for where in (folder, there)]
        check(outputs[0] == outputs[1] in (0, 1, 3), f"{command[0]} reads both: {outputs}")
    done = tactus(server, "trace", "show", f"{there}/7")
    check(done.returncode == 0, f"one run by its number {done.stderr}")
    done = tactus(server, "run", *words, "--think", "2", "-o", there)
    check(done.returncode == 4 and "think was 1.0 and is 2.0" in done.stderr, "another plan is refused")


def damaged(server):
    there = server.address("equal")
    server.sql("UPDATE tactus.piece SET data='\\x00' WHERE name='traces/000003.jsonl' AND campaign="
               "(SELECT campaign FROM tactus.campaign WHERE name='equal')")
    server.sql("UPDATE tactus.run SET verdict='good' WHERE id=5 AND campaign="
               "(SELECT campaign FROM tactus.campaign WHERE name='equal')")
    done = tactus(server, "store", "verify", there)
    check(done.returncode == 1 and "run 3: piece 0 of the file is damaged" in done.stdout and
          "row 5 of the table 'run' is damaged" in done.stdout, f"damage is named: {done.stdout}")
    done = tactus(server, "report", there, "-o", os.devnull)
    check(done.returncode == 4 and "row 5" in done.stderr, f"report names the row {done.stderr}")
    done = tactus(server, "store", "repair", there)
    check(done.returncode == 0 and "2 damaged, set aside" in done.stdout, f"repair {done.stdout}{done.stderr}")
    worker = Worker(server, there)
    check(worker.end() == 0 and "2 runs done" in worker.text(), f"done again: {worker.text()}")
    done = tactus(server, "store", "verify", there)
    check(done.returncode == 0, "whole again")


def given_up(server):
    """Runs that failed too often are told by whoever worked on the campaign."""
    there = server.address("tired")
    tactus(server, "run", "--device", APP, "--monkey", "3", "--steps", "2", "--plan-only", "-o", there)
    server.sql("UPDATE tactus.queue SET attempts=3,problem='gone' WHERE run=1 AND campaign="
               "(SELECT campaign FROM tactus.campaign WHERE name='tired')")
    worker = Worker(server, there)
    check(worker.end() == 3 and "2 runs done, 1 left that failed" in worker.text(), f"left: {worker.text()}")
    done = tactus(server, "worker", there, "--device", APP, "--json")
    check(done.returncode == 3 and json.loads(done.stdout)["campaigns"][0]["left"] == 1, f"and in JSON {done.stdout}")
    done = tactus(server, "run", "--device", APP, "--monkey", "3", "--steps", "2", "-o", there)
    check(done.returncode == 0 and done.stdout.startswith("3 runs"), f"tried again: {done.stdout}{done.stderr}")


def changed_file(server, place):
    """A file whose pieces are sound but of other content than its digest says is not handed out."""
    there = server.address("changed")
    tactus(server, "run", "--device", APP, "--monkey", "2", "--steps", "2", "-o", there)
    name = "traces/000001.jsonl"
    size = int(server.sql(f"SELECT size FROM tactus.file WHERE name='{name}' AND campaign="
                          "(SELECT campaign FROM tactus.campaign WHERE name='changed')"))
    frame = (b"\x28\xb5\x2f\xfd\x60" + (size - 256).to_bytes(2, "little") +
             (size << 3 | 1).to_bytes(3, "little") + b"x" * size)  # zstd, one block as it is
    server.sql(f"UPDATE tactus.piece SET data='\\x{frame.hex()}' WHERE name='{name}' AND campaign="
               "(SELECT campaign FROM tactus.campaign WHERE name='changed')")
    done = tactus(server, "store", "copy", there, place / "changed")
    check(done.returncode == 4 and "its content has changed" in done.stderr,
          f"a changed file is not copied: {done.stdout}{done.stderr}")


def hostile_names(server, place):
    """Files whose names a role that may add files made up lead neither out of a copy nor into its index."""
    there = server.address("names")
    tactus(server, "run", "--device", APP, "--monkey", "1", "--steps", "2", "-o", there)
    outside = place / "outside"
    for name in ("../" * 12 + str(outside).lstrip("/"), "index.sqlite", "/" + str(outside), "traces/../../outside",
                 "traces/sub/x", "screens/\x1b[31m", "inputs/.."):
        for table, columns in (("file", "size,digest"), ("piece", "part,data")):
            server.sql(f"DELETE FROM tactus.{table} WHERE name='{name}'")
            server.sql(f"INSERT INTO tactus.{table}(campaign,name,{columns}) SELECT campaign,'{name}',{columns} FROM "
                       f"tactus.{table} WHERE name='traces/000000.jsonl' AND campaign="
                       "(SELECT campaign FROM tactus.campaign WHERE name='names')")
        copy = place / "names"
        done = tactus(server, "store", "copy", there, copy)
        check(done.returncode == 4 and "is not one that a campaign has" in done.stderr,
              f"{name!r} is not copied: {done.stdout}{done.stderr}")
        shutil.rmtree(copy)
        done = tactus(server, "report", there, "-o", os.devnull)
        check(done.returncode == 0, f"a report with {name!r} {done.stderr}")
        check(not outside.exists(), f"{name!r} does not lead out")
        for table in ("file", "piece"):
            server.sql(f"DELETE FROM tactus.{table} WHERE name='{name}'")


def repaired_for_a_worker(server):
    """What repair puts into the queue again, a role that may only add rows can do."""
    there = server.address("again")
    tactus(server, "run", "--device", APP, "--monkey", "3", "--steps", "2", "-o", there)
    server.sql("CREATE ROLE again LOGIN PASSWORD 'again-3q'")
    server.sql("SELECT tactus.allow('again','again')")
    with server.passfile.open("a") as passwords:
        passwords.write("*:*:*:again:again-3q\n")
    server.sql("UPDATE tactus.run SET verdict='good' WHERE id=1 AND campaign="
               "(SELECT campaign FROM tactus.campaign WHERE name='again')")
    tactus(server, "store", "repair", there)
    worker = Worker(server, server.address("again", user="again"))
    check(worker.end() == 0 and "1 run done" in worker.text(), f"done again: {worker.text()}")
    done = tactus(server, "store", "verify", there)
    check(done.returncode == 0 and "3 runs, 3 traces" in done.stdout, f"whole: {done.stdout}")


def different_apps(server, place):
    there = server.address("apps")
    tactus(server, "run", "--device", APP, "--monkey", "6", "--steps", "2", "--plan-only", "-o", there)
    other = place / "other.json"
    other.write_text((ROOT / "examples/apps/player.json").read_text().replace("{", "{ ", 1))
    second = Worker(server, there, device=f"sim:{other}")
    check(second.end() == 4 and "devices 1 app has changed" in second.text(),
          f"another app file: {second.text()}")
    first = Worker(server, there)
    check(first.end() == 0 and "6 runs done" in first.text(), f"the planned app: {first.text()}")


def scenario_files(server, place):
    """A worker that does not have the scenario files gets them by name, also two of one content."""
    names = [place / "lift.json", place / "cellar.json"]
    for name in names:
        name.write_text((ROOT / "examples/scenarios/cafe.json").read_text())
    there, folder = server.address("scenarios"), place / "scenarios"
    words = ["--device", APP, "--monkey", "2", "--steps", "2", "--scenario", names[0], "--scenario", names[1]]
    tactus(server, "run", *words, "-o", folder)
    tactus(server, "run", *words, "--plan-only", "-o", there)
    for name in names:
        name.unlink()
    worker = Worker(server, there)
    check(worker.end() == 0 and "4 runs done" in worker.text(), f"scenario files come from the database: {worker.text()}")
    same_runs(server, there, folder, place, "scenario files")


def guarded_actions(server, place):
    """A worker that has nothing but the database does the actions of the campaign's file."""
    app = f"sim:{ROOT}/examples/apps/notes.json"
    (place / "notes.actions").write_text(
        "action fresh (2): when visible(//node[contains(@resource-id,'new_note')])\n"
        "    do click //node[contains(@resource-id,'new_note')]\naction leave: do back\n")
    (place / "notes.props").write_text("observe shown = count(//node)\nproperty some: always (shown > 0)\n")
    words = ["run", "--device", app, "--actions", place / "notes.actions", "-p", place / "notes.props", "--runs", 4,
             "--steps", 5, "--choose", "novelty", "--monkey-share", 0.25]
    tactus(server, *words, "-o", place / "actions")
    there = server.address("actions")
    planned = tactus(server, *words, "--plan-only", "-o", there)
    check(planned.returncode in (0, 3), f"actions are planned: {planned.returncode} {planned.stderr}")
    (place / "notes.actions").unlink()
    (place / "notes.props").unlink()
    worker = Worker(server, there, device=app)
    check(worker.end() == 0 and "4 runs done" in worker.text(), f"a worker does them: {worker.text()}")
    same_runs(server, there, place / "actions", place, "runs of actions")


def action_figures(server, place):
    """What actions came to is told of a campaign in a database as of one in a folder: by the call that did the runs,
    by one that finds them done by workers, some of which were killed, and by the report."""
    app = f"sim:{ROOT}/examples/apps/notes.json"
    (place / "idle.actions").write_text(
        "action fresh (2): when visible(//node[contains(@resource-id,'new_note')])\n"
        "    do click //node[contains(@resource-id,'new_note')]\n"
        "action edit: do click //node[@resource-id='nobody']\n"
        "action archive: when visible(//node[@resource-id='nothing']) do back\naction leave: do back\n")
    words = ["run", "--device", app, "--actions", place / "idle.actions", "--runs", 40, "--steps", 5, "--deadline", 1]

    def told(where, *more):
        done = tactus(server, *words, "-o", where, "--json", *more)
        return json.loads(done.stdout).get("actions")

    def complaints(where):
        done = tactus(server, *words, "-o", where)
        return [line for line in done.stdout.splitlines() if "action '" in line]

    def reported(where):
        page = json.loads(tactus(server, "report", where, "--json").stdout)
        return page.get("actions"), [one["text"] for one in page["findings"] if one["kind"] == "vacuous"]

    folder, there, worked = place / "idle", server.address("idle"), server.address("idle-worked")
    wanted = told(folder)
    check([(one["action"], one["enabled"] > 0, one["abandoned"] > 0) for one in wanted] ==
          [("fresh", True, False), ("edit", True, True), ("archive", False, False), ("leave", True, False)],
          f"the figures of the folder: {wanted}")
    check(told(there, "--parallel", 2) == wanted, "the figures of the database are those of the folder")
    check(len(complaints(folder)) == 2 and complaints(there) == complaints(folder), "and so are the words")
    planned = tactus(server, *words, "--plan-only", "-o", worked)
    check(planned.returncode in (0, 3), f"planned for workers {planned.stderr}")
    killed = Worker(server, worked, "--lease", 2, device=app)
    done_there = "SELECT count(*) FROM tactus.run JOIN tactus.campaign USING (campaign) WHERE campaign.name = 'idle-worked'"
    while killed.process.poll() is None and server.sql(done_there) == "0":
        time.sleep(0.02)
    killed.process.kill()
    killed.end()
    worker = Worker(server, worked, "--lease", 2, device=app)
    check(worker.end() == 0, f"another worker does the rest: {worker.text()}")
    check(told(worked) == wanted, "the figures of what workers did")
    pages = [reported(where) for where in (folder, there, worked)]
    check(pages[0][0] and [one["action"] for one in pages[0][0]] == ["edit", "archive", "fresh", "leave"] and
          len(pages[0][1]) == 2, f"the report has what tested nothing first: {pages[0]}")
    check(pages[1] == pages[0] and pages[2] == pages[0], "the reports of the database are those of the folder")


def roles(server):
    server.sql("CREATE ROLE bench LOGIN PASSWORD 'other-Secret9'")
    with open(server.passfile, "a", encoding="ascii") as file:
        file.write("*:*:*:bench:other-Secret9\n")
    for name in ("mine", "yours"):
        tactus(server, "run", "--device", APP, "--monkey", "4", "--steps", "2", "--plan-only", "-o",
               server.address(name))
    refused = Worker(server, server.address("mine", user="bench"))
    check(refused.end() == 4, f"a role without rights: {refused.text()}")
    server.sql("SELECT tactus.allow('mine','bench')")
    worker = Worker(server, server.address("mine", user="bench"))
    check(worker.end() == 0 and "4 runs done" in worker.text(), f"a role that may: {worker.text()}")
    listed = tactus(server, "store", "list", server.address(user="bench"))
    check(listed.stdout.startswith("mine:") and "yours" not in listed.stdout,
          f"it sees its campaign alone: {listed.stdout}{listed.stderr}")
    other = Worker(server, server.address("yours", user="bench"))
    check(other.end() == 4 and "no such campaign" in other.text(), "another campaign is hidden")
    for statement, what in {
            "SELECT count(*) FROM tactus.run WHERE campaign<>(SELECT campaign FROM tactus.campaign)": "read",
            "UPDATE tactus.run SET verdict='pass'": "change rows",
            "DELETE FROM tactus.run": "delete rows",
            "INSERT INTO tactus.queue(campaign,run) VALUES(1,1)": "plan",
            "ALTER TABLE tactus.run ADD COLUMN x int": "alter the schema",
            "CREATE TABLE tactus.x(x int)": "add to the schema",
            "DROP TABLE tactus.run": "drop",
            "SELECT tactus.allow('yours','bench')": "let itself in",
            "INSERT INTO tactus.access SELECT campaign,'bench' FROM tactus.campaign": "let itself in",
            "INSERT INTO tactus.run SELECT 1,99,kind,name,flow,scenario,repeat,seed,verdict,message,"
            "exception,trace,seconds,steps,details,trace_size,trace_digest FROM tactus.run LIMIT 1":
                "add to another campaign"}.items():
        done = server.sql(statement, user="bench", check=False)
        good = done.returncode != 0 or (what == "read" and done.stdout.strip() == "0")
        check(good, f"the role may not {what}: {done.stderr.strip() or done.stdout.strip()}")


def disturbed(server, place):
    """Workers killed, stopped beyond their leases, the database restarted, its disk full."""
    kills, stops, restarts = (100, 20, 3) if FULL else (6, 2, 1)
    runs = kills * 6 if FULL else 60
    words = ["--device", APP, "--monkey", str(runs), "--steps", "2", "--think", "0.2", "--realtime"]
    plain = ["--device", APP, "--monkey", str(runs), "--steps", "2", "--think", "0.2"]
    there, lease = server.address("disturbed"), 3
    planned = tactus(server, "run", *words, "--plan-only", "-o", there)
    check(planned.returncode == 0, f"planned {planned.stderr}")
    workers, ended = [], []

    def start():
        workers.append(Worker(server, there, "--lease", lease, "--patience", 120))

    for _ in range(4):
        start()
    acts = ["kill"] * kills + ["stop"] * stops + ["restart"] * restarts
    chance.shuffle(acts)
    stopped, late = [], 0
    for act in acts:
        time.sleep(chance.uniform(0.1, 0.6))
        for worker, since in list(stopped):
            if time.time() - since > lease + 1.5:
                worker.process.send_signal(signal.SIGCONT)
                stopped.remove((worker, since))
        alive = [worker for worker in workers if worker.process.poll() is None and
                 all(worker is not other for other, _ in stopped)]
        if act == "restart":
            server.stop(chance.choice(["fast", "immediate"]))
            time.sleep(chance.uniform(0.2, 1.5))
            server.start()
        elif alive:
            victim = chance.choice(alive)
            victim.process.send_signal(signal.SIGKILL if act == "kill" else signal.SIGSTOP)
            if act == "stop":
                stopped.append((victim, time.time()))
        while sum(worker.process.poll() is None for worker in workers) - len(stopped) < 4:
            start()
    time.sleep(lease + 1)
    for worker, _ in stopped:
        worker.process.send_signal(signal.SIGCONT)
    for worker in workers:
        worker.end()
        late += worker.text().count("late answer is not kept")
        ended.append(worker.process.returncode)
    final = Worker(server, there, "--lease", lease)
    final.end()
    listed = json.loads(tactus(server, "store", "list", there, "--json").stdout)["campaigns"][0]
    print(f"        {kills} kills, {stops} stops, {restarts} restarts, {len(workers)} workers; "
          f"{late} late answers refused; exit codes {sorted(set(ended))}", flush=True)
    odd = [w.text() for w in workers if w.process.returncode not in (0, -9)]
    check(not odd, f"workers end well or were killed: {sorted(set(ended))}: " + "".join(odd)[:2000])
    check(listed["done"] == runs and listed["open"] == listed["leased"] == 0,
          f"every run has its row: {listed}")
    check(server.sql("SELECT count(*),count(DISTINCT id) FROM tactus.run WHERE campaign=(SELECT "
                     "campaign FROM tactus.campaign WHERE name='disturbed')") == f"{runs}|{runs}",
          "none twice")
    check(late > 0 or not FULL, "a late answer was refused")
    folder = place / "undisturbed"
    tactus(server, "run", *plain, "-o", folder)
    copy = place / "disturbed"
    tactus(server, "store", "copy", there, copy)
    take = "SELECT id,kind,name,flow,scenario,repeat,seed,verdict,message,exception,steps FROM run ORDER BY id"
    both = [sqlite3.connect(f"{where}/index.sqlite").execute(take).fetchall() for where in (folder, copy)]
    check(both[0] == both[1], "the rows are those of an undisturbed folder, but for measured times")
    done = tactus(server, "store", "verify", there)
    check(done.returncode == 0, f"verified {done.stdout}{done.stderr}")


def begun_without(server):
    """Workers that begin while the server is away wait for it; a database that is not there is not waited for."""
    there = server.address("begun")
    tactus(server, "run", "--device", APP, "--monkey", "4", "--steps", "2", "--plan-only", "-o", there)
    server.stop()
    one, any_campaign = Worker(server, there, "--patience", 120), Worker(server, server.address(), "--patience", 120)
    hasty = Worker(server, there, "--patience", 0.2)
    for worker in (one, any_campaign):
        check(pg.wait_until(lambda w=worker: "trying again" in w.text(), 60), "it says that it waits")
    check(hasty.end() == 4 and "given up after" in hasty.text(), f"not for ever: {hasty.text()}")
    server.start()
    check(one.end() == 0 and any_campaign.end() == 0, f"{one.text()}{any_campaign.text()}")
    done = sum(int(found) for found in re.findall(r"(\d+) runs? done", one.text() + any_campaign.text()))
    listed = json.loads(tactus(server, "store", "list", there, "--json").stdout)["campaigns"][0]
    check(listed["done"] == 4, f"the runs are done when it is back: {done} {listed}")
    absent = Worker(server, server.address("begun", database="nowhere"))
    check(absent.end(60) == 4 and "does not exist" in absent.text(), f"no such database: {absent.text()}")


def full_disk(place):
    """The database on a small file system that fills up in the middle."""
    small = place / "small"
    small.mkdir()
    if os.getuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=90m", "tmpfs", small],
                                     capture_output=True).returncode:
        print("        skipped the full disk: a small tmpfs cannot be mounted here")
        return
    server = None
    try:
        (small / "data").mkdir()
        server = pg.Server(data=small / "data", settings=["max_wal_size=32MB", "min_wal_size=32MB",
                                                          "wal_recycle=off"])
        there = server.address("full")
        tactus(server, "run", "--device", APP, "--monkey", "60", "--steps", "2", "--think", "0.2",
               "--realtime", "--plan-only", "-o", there)
        workers = [Worker(server, there, "--lease", 5, "--patience", 120) for _ in range(3)]
        done = lambda: int(server.sql("SELECT count(*) FROM tactus.run", check=False).stdout or -1)
        check(pg.wait_until(lambda: done() > 3), "work goes on before the disk is full")
        filler = small / "filler"
        with open(filler, "wb") as file:
            try:
                while True:
                    file.write(b"\0" * 65536)
                    file.flush()
            except OSError:
                pass
        check(pg.wait_until(lambda: any("trying again" in worker.text() for worker in workers), 90),
              "the workers say that the database cannot be used and try again")
        time.sleep(1)
        filler.unlink()
        if server.run("pg_ctl", "-D", server.data, "status", check=False).returncode:
            server.start()  # it gave up when its log could not grow
        for worker in workers:
            worker.end()
            check(worker.process.returncode == 0, f"went on by itself: {worker.text()[-600:]}")
        check(done() == 60, f"every run has its row: {done()}")
        words = "".join(worker.text() for worker in workers)
        print("        " + next((line.strip() for line in words.split("\n") if "trying" in line), "")[:300])
    finally:
        if server:
            server.close()
        subprocess.run(["umount", "-l", small], capture_output=True)


def secrets(server):
    """Passwords: in no output, log or list of processes, and refused in an address."""
    for bad in (f"postgresql://lab:{server.PASSWORD}@localhost/x#y",
                f"postgresql://lab@localhost/x?password={server.PASSWORD}#y",
                f"postgresql://lab:{server.PASSWORD}@local host/x#y"):
        for command in (["worker", bad, "--device", APP], ["report", bad], ["store", "list", bad],
                        ["store", "copy", bad, "x"], ["mine", bad], ["trace", "show", bad],
                        ["run", "--device", APP, "--monkey", "1", "-o", bad], ["store", "verify", bad],
                        ["store", "remove", bad], ["reproduce", bad, "--device", APP, "-o", "x"]):
            done = tactus(server, *command)
            check(done.returncode == 2 and server.PASSWORD not in done.stdout + done.stderr,
                  f"{' '.join(command[:2])[:12]}: a password in the address is refused unseen: {done.returncode}")
    environment = dict(server.environment, PGPASSWORD=server.PASSWORD)
    environment.pop("PGPASSFILE")
    tactus(server, "run", "--device", APP, "--monkey", "8", "--steps", "2", "--think", "0.3", "--realtime",
           "--plan-only", "-o", server.address("secret"))
    process = subprocess.Popen([TACTUS, "worker", server.address("secret"), "--device", APP],
                               env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    seen = ""
    while process.poll() is None:
        seen += subprocess.run(["ps", "-eo", "args", "ww"], capture_output=True, text=True).stdout
        time.sleep(0.1)
    said.append(process.stdout.read().decode())
    wrong = server.passfile.read_text()
    server.passfile.write_text("*:*:*:*:wrong-Pass1\n")
    done = tactus(server, "store", "list", server.address())
    check(done.returncode == 4 and "wrong-Pass1" not in done.stderr, f"a wrong one: {done.stderr}")
    server.passfile.write_text(wrong)
    logged = pathlib.Path(server.log).read_text(errors="replace")
    dump = server.sql("SELECT string_agg(value,'') FROM tactus.setting") + \
        server.sql("SELECT string_agg(document,'') FROM tactus.document")
    for what, text in {"the list of processes": seen, "what the commands say": "".join(said),
                       "the server's log": logged, "what is kept": dump}.items():
        check(server.PASSWORD not in text and "other-Secret9" not in text, f"no password in {what}")


def reproduced(server, place):
    """A search over a campaign in a database: the same as over its folder, continued without an execution,
    and its result goes to the database."""
    app = f"sim:{ROOT}/examples/apps/tracker.json"
    address, folder = server.address("bugs"), place / "bugs"
    tactus(server, "run", "--device", app, "--monkey", 20, "--steps", 30, "-o", folder)
    done = tactus(server, "store", "copy", folder, address)
    check(done.returncode == 0, f"a campaign with crashes goes to the database {done.stderr}")
    found, journals = {}, []
    for name, campaign in (("folder", folder), ("database", address), ("again", address)):
        out = place / ("search-folder" if name == "folder" else "search-database")
        done = tactus(server, "reproduce", campaign, "--device", app, "-o", out, "--json")
        check(done.returncode == 1, f"reproduce from the {name}: exit {done.returncode} {done.stderr}")
        found[name] = json.loads(done.stdout)
        journals.append((out / "journal.jsonl").read_bytes())
    causes = [[(cause["kind"], cause.get("cluster"), cause["text"]) for cause in found[name]["causes"]]
              for name in ("folder", "database")]
    check(causes[0] and causes[0] == causes[1], f"the same causes and scripts {causes}")
    check(journals[1] and journals[1] == journals[2], "nothing is executed again")
    done = tactus(server, "store", "copy", address, place / "bugs-back")
    check(done.returncode == 0 and (place / "bugs-back" / "reproduce.json").exists(), "the database has the result")
    done = tactus(server, "reproduce", address, "--device", app)
    check(done.returncode == 2 and "-o DIR" in done.stderr, f"its folder must be named {done.stderr}")


def same_unit_tests(server):
    """The tests of the store itself, with databases for folders."""
    program = pathlib.Path(TACTUS).parent / "tests/unit/test_store_places"
    done = subprocess.run([str(program)], capture_output=True, text=True,
                          env=dict(server.environment, TACTUS_TEST_DATABASE=server.address()))
    check(done.returncode == 0, f"the store's own tests on a database {done.stdout[-800:]}{done.stderr[-800:]}")


def migration(server):
    """A schema of version 1 is brought forward by the first who may, a later one is refused."""
    server.sql("DROP SCHEMA IF EXISTS tactus CASCADE")
    server.sql((ROOT / "src/store/postgres/schema_1.sql.in").read_text())
    server.sql("INSERT INTO tactus.version VALUES(1)")
    done = tactus(server, "run", "--device", APP, "--monkey", "2", "--steps", "2", "-o",
                  server.address("moved"))
    check(done.returncode == 0 and server.sql("SELECT version FROM tactus.version") == "2",
          f"a schema of version 1 {done.stderr}")
    server.sql("UPDATE tactus.version SET version=99")
    done = tactus(server, "store", "list", server.address())
    check(done.returncode == 4 and "later version" in done.stderr, f"a later one {done.stderr}")
    server.sql("DROP SCHEMA tactus CASCADE")


def main():
    absent = pg.missing()
    if not absent and "without PostgreSQL" in subprocess.run(
            [TACTUS, "store", "list", "postgresql://x"], capture_output=True, text=True).stderr:
        absent = "the program was built without libpq"
    if absent:
        print(f"skipped: {absent}")
        return 77
    place = pathlib.Path(tempfile.mkdtemp(prefix="tactus-scale-"))
    place.chmod(0o755)  # the server's user passes through
    if "full_disk" in sys.argv:
        full_disk(place)
        shutil.rmtree(place, ignore_errors=True)
        return 1 if failures else 0
    server = pg.Server(settings=["fsync=off"] if not FULL else [])
    try:
        migration(server)
        equal_to_a_folder(server, place)
        damaged(server)
        given_up(server)
        changed_file(server, place)
        hostile_names(server, place)
        repaired_for_a_worker(server)
        different_apps(server, place)
        scenario_files(server, place)
        guarded_actions(server, place)
        action_figures(server, place)
        roles(server)
        reproduced(server, place)
        same_unit_tests(server)
        begun_without(server)
        disturbed(server, place)
        secrets(server)
        if FULL:
            full_disk(place)
    finally:
        server.close()
        shutil.rmtree(place, ignore_errors=True)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
