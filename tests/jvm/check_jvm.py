#!/usr/bin/env python3
"""The Java agent in a real virtual machine: classes verify with probes in them, methods are timed, nothing is lost.

With TACTUS_SWEEP every class of java.desktop is linked, otherwise a sample.
"""
import json
import os

from programs import Workshop, agent, check, finish, need_jdk, tactus

need_jdk()


def check_verifier(w):
    step = "1" if os.environ.get("TACTUS_SWEEP") else "40"
    (w.folder / "log").write_bytes(b"")
    (w.folder / "plan").write_text(f"log\t{w.folder}/log\neverything\n")
    done = w.run("java", "-Xverify:all", "-Djava.awt.headless=true", f"-agentpath:{agent}={w.folder}/plan", "-cp",
                 w.folder, "LinkAll", "java.desktop", step)
    last = done.stdout.strip().split("\n")[-1]
    print(f"java.desktop with everything probed, every class in {step}: {last}")
    check(done.returncode == 0 and last.endswith("failed 0") and not last.startswith("linked 0"),
          f"the verifier refuses rewritten classes: {done.stdout[-2000:]} {done.stderr[-500:]}")
    log = (w.folder / "log").read_bytes()
    rewritten, methods, calls, left = (int.from_bytes(log[at:at + 4], "little") for at in (36, 40, 44, 48))
    print(f"{rewritten} classes rewritten, {methods} methods and {calls} calls probed, {left} methods left alone")
    check(rewritten > 50 and methods > 500 and calls > 1000, "hardly anything was rewritten")
    check(left <= 2, f"{left} methods were left alone")


def events_of(path):
    lines = [json.loads(line) for line in path.read_text().split("\n") if line]
    return [line for line in lines if "event" in line]


def check_methods(w):
    """Durations against the program's own timer."""
    done = w.run(tactus, "trace", "record", "--methods", "Player.play", "-o", "t.jsonl", "--", "java", "-cp", w.folder,
                 "Timed", "1", "1")
    check(done.returncode == 0, f"trace record: {done.stderr}")
    own = [int(line.split()[1]) * 1e-9 for line in done.stdout.split("\n") if line.startswith("play ")]
    events = events_of(w.folder / "t.jsonl")
    check([e["event"] for e in events] == ["enter:Player.play", "exit:Player.play"] * 5, f"events: {events}")
    for mine, enter, leave in zip(own, events[::2], events[1::2]):
        seen = leave["t"] - enter["t"]
        check(abs(seen - mine) <= max(0.001, 0.05 * mine) or seen > mine - 0.05 * mine and seen <= mine,
              f"{seen:.6f} s recorded, {mine:.6f} s by the program")
    for bound, code in (("20 s", 0), ("20 ms", 1)):
        (w.folder / "p.props").write_text(f"property quick: forall [enter:Player.play, exit:Player.play] duration < {bound}\n")
        done = w.run(tactus, "check", "--properties", "p.props", "t.jsonl")
        check(done.returncode == code, f"the property on methods, {bound}: {done.stdout} {done.stderr}")


def check_counts(w):
    """A million calls from eight threads, some of which end in exceptions; then the machine halts without warning."""
    done = w.run(tactus, "trace", "record", "--methods", "Timed$Player.tick", "-o", "t.csv", "--json", "--", "java",
                 "-cp", w.folder, "Timed", "125000", "8", "halt")
    document = json.loads(done.stdout)
    check(document["states"] == 2_000_000 and document["lost"] == 0, f"a million calls: {document}")
    check(document["exit_code"] == 3, f"the program's exit code: {document}")


def check_complaints(w):
    done = w.run(tactus, "trace", "record", "--methods", "x", "-o", "t.jsonl", "--", "true")
    check(done.returncode == 4 and "did not load the agent" in done.stderr, f"not a JVM: {done.stderr}")
    done = w.run(tactus, "trace", "record", "--methods", "x", "-o", "t.jsonl", "--", "no-such-program")
    check(done.returncode == 4 and "could not be started" in done.stderr, f"no program: {done.stderr}")
    done = w.run(tactus, "trace", "record", "--methods", "x", "-o", "none.jsonl", "--", "java", "-XX:NoSuchOption", "X")
    check(done.returncode == 4 and not (w.folder / "none.jsonl").exists(), f"refused: {done.stderr}")
    done = w.run(tactus, "trace", "record", "--methods", "x", "-o", "t.jsonl", "--", "java", "X", TACTUS_JVM_AGENT="/x",
                 PATH=os.environ["PATH"])
    check(done.returncode in (0, 4), f"an agent that is not there: {done.stderr}")


with Workshop() as w:
    w.compile("LinkAll.java", "Timed.java")
    check_verifier(w)
    check_methods(w)
    check_counts(w)
    check_complaints(w)
finish()
