#!/usr/bin/env python3
"""Several phones through the real adb server: a flow that two of them play together, and a campaign
spread over three of which one is killed.

Everything uses a private server port, which is closed at the end. Skips when adb is absent.
"""
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

import check_adb as rig
import side_by_side
from check_adb import Phone, adb, check, patience, program, root, tactus

model = "examples/chat/chat.model.xml"


def two_phones(work, *bob_options):
    exchange = os.path.join(work, "exchange")
    return (Phone("chat", "--exchange", exchange),
            Phone("chat#Home", "--exchange", exchange, *bob_options))


def play(alice, bob, folder, flows, *words):
    return tactus("run", "--device", f"alice=adb:{alice.serial}", "--device",
                  f"bob=adb:{bob.serial}", "--model", model, "--flows", flows, "-o", folder, *words)


def events(trace):
    """(time, event) of every state that has one."""
    rows = [json.loads(line) for line in pathlib.Path(trace).read_text().splitlines()]
    return [(row["t"], row["event"]) for row in rows if "event" in row and "t" in row]


def make_flows(work, name, *words):
    path = os.path.join(work, name)
    code, _, errors, _ = tactus("flow", *words, "--format", "jsonl", "-o", path)
    check(f"flows {name}", code == 0, errors)
    return path


def check_conversation(work):
    """Generated, executed on two phones, checked; the same events as on two phones in the process."""
    flows = make_flows(work, "conversation.jsonl", "list", model, "--length", "8", "--require",
                       "examples/chat/conversation.req.xml", "--witness")
    alice, bob = two_phones(work)
    with alice, bob:
        folder = os.path.join(work, "conversation")
        code, out, errors, _ = play(alice, bob, folder, flows, "-p", "examples/chat/chat.props")
        check("a conversation over adb", code == 0 and "2 passed" in out, out + errors)
        for name in ("delivered", "answered", "cheap"):
            check(f"{name} holds", f"{name}: violated in 0 of 2 runs" in out, out)
        direct = os.path.join(work, "direct")
        tactus("run", "--device", "alice=sim:examples/apps/chat.json", "--device",
               "bob=sim:examples/apps/chat.json#Home", "--flows", flows, "-o", direct)
        for run in ("000000", "000001"):
            through, within = (events(f"{place}/traces/{run}.jsonl") for place in (folder, direct))
            check(f"run {run}: the same events", [e for _, e in through] == [e for _, e in within],
                  f"{through}\n{within}")
            check(f"run {run}: one order", through == sorted(through, key=lambda row: row[0]), through)
            times = {event: t for t, event in through}
            late = times["bob:MessageReceived"] - times["alice:MessageSent"]
            check(f"run {run}: received after it was sent", 0.4 < late < 2, late)
        meta = json.loads(pathlib.Path(folder, "traces/000000.jsonl").read_text().splitlines()[0])["meta"]
        check("who played whom", [(d["name"], d["serial"]) for d in meta["devices"]] ==
              [("alice", alice.serial), ("bob", bob.serial)], meta)


def check_all_flows(work):
    """Every transition of the model that adb can perform (it has one finger: no pinch)."""
    avoid = os.path.join(work, "avoid.req.xml")
    tactus("flow", "require", "--template", "avoid", "event:zoom", "-o", avoid)
    flows = make_flows(work, "cover.jsonl", "cover", model, "--length", "9", "--goal", "transitions",
                       "--require", avoid)
    alice, bob = two_phones(work, "--faults", "offset=30,drift=0.0001")
    with alice, bob:
        folder = os.path.join(work, "cover")
        code, out, errors, _ = play(alice, bob, folder, flows)
        check("covering flows over adb", code == 0 and " 0 failed" in out, out + errors)
        for trace in sorted(pathlib.Path(folder, "traces").glob("*.jsonl")):
            rows = events(trace)
            sent = [t for t, e in rows if e == "alice:MessageSent"]
            got = [t for t, e in rows if e == "bob:MessageReceived"]
            check(f"{trace.name}: a clock that is 30 s off is corrected",
                  all(0.3 < b - a < 3 for a, b in zip(sent, got)), rows)
        zoom = make_flows(work, "zoom.jsonl", "list", model, "--length", "4", "--limit", "1")
        code, out, _, _ = play(alice, bob, os.path.join(work, "zoom"), zoom)
        check("a pinch is refused clearly", code == 1 and "'alice:zoom'" in out and "one finger" in out,
              out)


def check_never_received(work):
    """No connection, or no peer: the run fails by name within its deadline, the campaign goes on."""
    flows = make_flows(work, "conversation.jsonl", "list", model, "--length", "8", "--require",
                       "examples/chat/conversation.req.xml", "--witness")
    alice, bob = two_phones(work, "--scenario", str(root / "examples/chat/tunnel.json"))
    with alice, bob:
        folder = os.path.join(work, "tunnel")
        code, out, errors, seconds = play(alice, bob, folder, flows, "-p", "examples/chat/chat.props")
        check("no connection", code == 1 and "2 failed" in out and seconds < patience(60) and
              "'bob:notification': the system event (a message on channel message) did not arrive "
              "within 10 s" in out, out + errors)
        check("decided the other way", "delivered: violated in 2 of 2 runs" in out, out)
        check("both screens are kept",
              {"000001.alice.xml", "000001.bob.xml"} <= set(os.listdir(os.path.join(folder, "failures"))))
    lonely, deaf = Phone("chat", "--exchange", os.path.join(work, "one")), Phone("chat#Home")
    with lonely, deaf:
        code, out, errors, _ = play(lonely, deaf, os.path.join(work, "lonely"), flows)
        check("no peer", code == 1 and "2 failed" in out and
              "alice: no other phone is there: a message on 'message' was lost" in out, out + errors)


def check_dying_phone(work):
    """One of two phones dies: the campaign ends with its name, and goes on with another later."""
    flows = make_flows(work, "conversation.jsonl", "list", model, "--length", "8", "--require",
                       "examples/chat/conversation.req.xml", "--witness")
    folder = os.path.join(work, "dying")
    alice, bob = two_phones(work, "--faults", "die@3000")
    with alice, bob:
        code, out, errors, seconds = play(alice, bob, folder, flows, "--repeat", "4", "--deadline", "3")
        check("a dying phone ends the campaign", code == 4 and ": bob: " in errors,
              f"{code} {out} {errors}")
        check("nobody waits for it again and again", seconds < patience(60), seconds)
    alice, bob = two_phones(work)
    with alice, bob:
        done = len(rows_of(folder))
        code, out, errors, _ = play(alice, bob, folder, flows, "--repeat", "4", "--deadline", "3")
        check("it goes on with other phones", 0 < done < 8 and code == 0 and
              out.startswith("8 runs"), f"{done} {out} {errors}")


def rows_of(folder):
    found = sqlite3.connect(os.path.join(folder, "index.sqlite")).execute(
        "select id, details from run order by id").fetchall()
    return [(row[0], json.loads(row[1])["ran_on"]) for row in found]


def check_pool(work):
    """Three phones share a campaign; one is killed in the middle; a fourth finishes another's."""
    player = os.path.join(work, "player.xml")
    tactus("explore", "--device", "sim:examples/apps/player.json", "-o", player)
    flows = make_flows(work, "player.jsonl", "cover", player, "--length", "12", "--goal", "transitions")
    folder = os.path.join(work, "pool")
    words = ["--model", player, "--flows", flows, "--repeat", "12", "-o", folder]
    code, _, errors, _ = tactus("run", "--device", "adb:all", *words)
    check("no phone at all", code == 4 and "no Android device is connected" in errors, errors)
    phones = [Phone("player", "--realtime") if i == 0 else Phone("player") for i in range(3)]
    try:
        process = subprocess.Popen([program, "run", "--device", "adb:all", *words, "--json", "--deadline", "5"],
                                   env=rig.env, cwd=root, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        for _ in range(600):
            if len(list(pathlib.Path(folder, "traces").glob("*.jsonl"))) >= 4:
                break
            time.sleep(0.05)
        phones[0].process.kill()
        phones[0].process.wait()
        out, errors = process.communicate(timeout=240)
        summary = json.loads(out)
        check("all runs are done without the killed phone", summary["missing"] == 0 and
              summary["fail"] == 0 and process.returncode == 0, errors + out[:600])
        check("the killed phone is named", [d["device"] for d in summary["lost_devices"]] ==
              [f"adb:{phones[0].serial}"], summary.get("lost_devices"))
        rows = rows_of(folder)
        check("every run once", [row[0] for row in rows] == list(range(summary["runs"])), rows)
        check("both others worked", {f"adb:{p.serial}" for p in phones[1:]} <= {r[1] for r in rows},
              summary["devices"])
        first = json.loads(pathlib.Path(folder, "traces/000005.jsonl").read_text().splitlines()[0])
        check("the trace says who", first["meta"]["uri"] == dict(rows)[5], first["meta"])
    finally:
        for phone in phones[1:]:
            phone.__exit__()
        phones[0].process.stdout.close()
        adb("disconnect", phones[0].serial)
    check_other_set(work, player, flows)


def count_traces(folder):
    return len(list(pathlib.Path(folder, "traces").glob("*.jsonl")))


def check_restarted_server(work):
    """The adb server is killed, and killed and restarted, while two phones by TCP are in their runs."""
    folder, player = os.path.join(work, "restarted"), os.path.join(work, "player2.xml")
    tactus("explore", "--device", "sim:examples/apps/player.json", "-o", player)
    flows = make_flows(work, "restarted.jsonl", "cover", player, "--length", "8", "--goal",
                       "transitions")
    short = pathlib.Path(work, "short.jsonl")
    short.write_text("".join(pathlib.Path(flows).read_text().splitlines(True)[:7]))
    with Phone("player") as one, Phone("player") as two:
        words = ["--device", f"adb:{one.serial}", "--device", f"adb:{two.serial}", "--model", player,
                 "--flows", str(short), "--repeat", "6", "-o", folder]
        process = subprocess.Popen([program, "run", *words, "--json"], env=rig.env, cwd=root,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        before = []
        for restart in (False, True):
            wanted = count_traces(folder) + 2 if os.path.isdir(os.path.join(folder, "traces")) else 2
            for _ in range(2400):
                if process.poll() is not None or (os.path.isdir(os.path.join(folder, "traces")) and
                                                  count_traces(folder) >= wanted):
                    break
                time.sleep(0.05)
            before.append(process.poll() is None)
            adb("kill-server")
            if restart:
                adb("start-server")
        out, errors = process.communicate(timeout=400)
        check("the server was killed in the middle, twice", before == [True, True], before)
        summary = json.loads(out)
        check("all runs are done", process.returncode == 0 and summary["missing"] == 0 and
              summary["fail"] == 0 and not summary.get("lost_devices"), errors + out[:600])
        rows = rows_of(folder)
        check("none is done twice", [row[0] for row in rows] == list(range(42)), rows)
        check("both phones worked", len({row[1] for row in rows}) == 2, rows)


class Asking(threading.Thread):
    """In a phone's place: it asks its owner whether the computer may (or, dumb, says nothing)."""

    def __init__(self, serial, dumb):
        super().__init__(daemon=True)
        self.server = socket.create_server(("127.0.0.1", int(serial.split(":")[1])))
        self.dumb, self.asked, self.open = dumb, 0, []
        self.start()

    def run(self):
        token = b"t" * 20
        question = struct.pack("<6I", 0x48545541, 1, 0, len(token), sum(token), 0x48545541 ^ 0xffffffff)
        while True:
            try:
                peer, _ = self.server.accept()
            except OSError:
                return
            self.open.append(peer)
            threading.Thread(target=self.answer, args=(peer, question + token), daemon=True).start()

    def answer(self, peer, question):
        try:
            while peer.recv(4096):
                self.asked += 1
                if not self.dumb:
                    peer.sendall(question)
        except OSError:
            pass

    def close(self):
        self.server.close()
        for peer in self.open:
            peer.close()


def check_asking_phone(work):
    """In the middle of a campaign a phone is unauthorized, or offline: another takes its runs."""
    player = os.path.join(work, "player3.xml")
    tactus("explore", "--device", "sim:examples/apps/player.json", "-o", player)
    flows = make_flows(work, "asking.jsonl", "cover", player, "--length", "8", "--goal", "transitions")
    short = pathlib.Path(work, "asking_short.jsonl")
    short.write_text("".join(pathlib.Path(flows).read_text().splitlines(True)[:6]))
    for dumb, state in ((False, "unauthorized"), (True, "offline")):
        folder = os.path.join(work, state)
        one, stand_in = Phone("player"), None
        with Phone("player") as two:
            process = subprocess.Popen(
                [program, "run", "--device", f"adb:{one.serial}", "--device", f"adb:{two.serial}", "--model",
                 player, "--flows", str(short), "--repeat", "2", "-o", folder, "--json", "--deadline", "2"],
                env=rig.env, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(2400):
                if process.poll() is not None or (os.path.isdir(os.path.join(folder, "traces")) and
                                                  count_traces(folder) >= 2):
                    break
                time.sleep(0.05)
            one.process.kill()
            one.process.wait()
            stand_in = Asking(one.serial, dumb)
            seen = set()
            while process.poll() is None and len(seen) < 40:
                seen.update(line.split("\t")[1] for line in adb("devices")[1].splitlines()
                            if line.startswith(one.serial))
                time.sleep(0.2)
            out, errors = process.communicate(timeout=240)
            stand_in.close()
            summary = json.loads(out)
            check(f"{state}: the phone went into it", stand_in.asked > 0 and any(state[2:8] in name for name in seen),
                  f"{stand_in.asked} {seen}")
            check(f"{state}: all runs are done", process.returncode == 0 and summary["missing"] == 0 and
                  summary["fail"] == 0, errors + out[:600])
            check(f"{state}: the phone is named with its state", any(
                d["device"] == f"adb:{one.serial}" and state[2:8] in json.dumps(d)
                for d in summary["lost_devices"]), errors + out)
            check(f"{state}: none is done twice", [r[0] for r in rows_of(folder)] == list(range(12)),
                  rows_of(folder))
        one.process.stdout.close()
        adb("disconnect", one.serial)


def check_other_set(work, player, flows):
    """A campaign that was interrupted on one phone is finished by two others."""
    folder = os.path.join(work, "moved")
    words = ["--model", player, "--flows", flows, "--repeat", "3", "-o", folder]
    with Phone("player", "--faults", "die@900") as phone:
        code, _, errors, _ = tactus("run", "--device", f"adb:{phone.serial}", *words)
        check("one phone dies", code == 4, errors)
    with Phone("player") as one, Phone("player") as two:
        code, out, errors, _ = tactus("run", "--device", f"adb:{one.serial}", "--device",
                                      f"adb:{two.serial}", *words)
        check("two others finish", code == 0 and "are missing" not in out, out + errors)
        check("three phones took part", len({row[1] for row in rows_of(folder)}) == 3, rows_of(folder))
        code, _, errors, _ = tactus("run", "--device", f"adb:{one.serial}", "--parallel", "2", *words)
        check("one phone is not two", code == 2 and "one run at a time" in errors, errors)


# check_asking_phone waits for calls of 30 s and is left to `make sweep`.
# Each group has a server of its own: a campaign on `adb:all` takes whatever is connected.
GROUPS = (("check_conversation", "check_all_flows"), ("check_never_received", "check_dying_phone"),
          ("check_pool",), ("check_restarted_server",))


def main():
    if not shutil.which("adb"):
        print("skipped: adb is not installed")
        return 77
    if len(sys.argv) < 2:
        return side_by_side.run(__file__, GROUPS)
    with tempfile.TemporaryDirectory(prefix="tactus-duet-") as work:
        try:
            adb("start-server")
            for name in sys.argv[1:]:
                started = time.monotonic()
                globals()[name](work)
                print(f"{name}: {time.monotonic() - started:.1f} s")
        finally:
            adb("kill-server")
    print(f"{rig.passed} passed, {rig.failed} failed")
    return 1 if rig.failed else 0


if __name__ == "__main__":
    sys.exit(main())
