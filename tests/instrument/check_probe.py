#!/usr/bin/env python3
"""Runs on the built-in phone in real time, measured by a stand-in instrument over TCP.

The stand-in's power curve is known, so the energy in the trace is compared with its integral; its
samples are counted on both sides. Then everything that can go wrong with an instrument.
"""
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent.parent)
sys.path.insert(0, str(ROOT / "tests/instrument"))
import scpi_stand_in as curve  # noqa: E402

sys.path.insert(0, str(ROOT / "tests"))
from patience import patience  # noqa: E402

TACTUS = os.environ.get("TACTUS", str(ROOT / "build/tactus"))
PLAYER = f"sim:{ROOT}/examples/apps/player.json"
failed = passed = 0
counting = threading.Lock()


def check(what, good, detail=""):
    global failed, passed
    with counting:
        passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"FAILED {what}: {detail}")


class StandIn:
    def __init__(self, *options):
        self.command = [sys.executable, str(ROOT / "tests/instrument/scpi_stand_in.py"), *map(str, options)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(10)

    @property
    def uri(self):
        return f"scpi://127.0.0.1:{self.port}"


def tactus(*arguments, timeout=120):
    return subprocess.run([TACTUS, *map(str, arguments)], capture_output=True, text=True,
                          timeout=timeout)


def read_trace(path):
    """Header and states, values carried on."""
    states, values = [], {}
    with open(path) as lines:
        header = json.loads(next(lines))
        for line in lines:
            row = json.loads(line)
            if "end" in row:
                break
            values = {**values, **row, "event": row.get("event")}
            states.append({**values, "sample": "current" in row or "power" in row,
                           "written": set(row)})
    return header, states


def truth_of(path):
    return [json.loads(line) for line in open(path)]


def run(folder, uri, flows, *more):
    return tactus("run", "--device", PLAYER, "--realtime", "--flows", flows, "--think", "0.3",
                  "--probe", uri, "-o", folder, *more)


def host_start(header):
    """When the trace's time 0 was, in seconds since 1970."""
    date, fraction = re.fullmatch(r"(.*)\.(\d{9})Z", header["meta"]["clock"]["start"]).groups()
    base = datetime.datetime.fromisoformat(date + "+00:00").timestamp()
    return base + int(fraction) * 1e-9


def compare_energy(name, states, shift, first, last, uncertainty):
    """From state to state: the trace's difference against the integral of the curve. At its step of
    4 W an uncertain time is uncertain energy; that is milliseconds unless the machine is busy."""
    measured = states[last]["energy"] - states[first]["energy"]
    exact = curve.energy(states[first]["t"] - shift, states[last]["t"] - shift)
    check(f"{name}: energy within 1 %", abs(measured - exact) <=
          0.01 * exact + 4 * uncertainty, f"{measured} J, exactly {exact} J")


def check_recording(name, scratch, flows, *options, drift=0.0, uri_end=""):
    """A run of a few seconds: every sample there, the energy right, the clock corrected."""
    truth_file, folder = scratch / f"{name}.truth", scratch / name
    with StandIn("--truth", truth_file, "--drift", drift, *options) as instrument:
        done = run(folder, instrument.uri + uri_end, flows)
    check(f"{name}: runs", done.returncode == 0, done.stdout + done.stderr)
    header, states = read_trace(folder / "traces/000000.jsonl")
    about = header["meta"]["instruments"][0]
    shift = truth_of(truth_file)[0]["started"] - host_start(header)
    uncertainty = about["clock"]["uncertainty"]
    compare_energy(name, states, shift, 0, len(states) - 1, uncertainty)
    events = [i for i, state in enumerate(states) if state["event"]]
    compare_energy(f"{name}, first to last event", states, shift, events[0], events[-1],
                   uncertainty)
    energies = [state["energy"] for state in states]
    check(f"{name}: energy never falls", energies == sorted(energies))
    check(f"{name}: an event has the energy of its moment",
          all(states[i - 1]["energy"] <= states[i]["energy"] <= states[i + 1]["energy"]
              for i in events if 0 < i < len(states) - 1))
    return header, states, about, shift, truth_of(truth_file)[0]


def check_log(scratch, flows):
    header, states, about, shift, truth = check_recording(
        "log", scratch, flows, "--wall", "31")
    times = [state["t"] for state in states if "current" in state["written"]]
    check("log: mode", about["mode"] == "log" and about["period"] == 0.001, about)
    check("log: no sample is lost", about["samples"] == truth["taken"] > 4000,
          f"{about['samples']} recorded, {truth['taken']} taken")
    check("log: each sample is a state of the trace",
          0 < len(states) - truth["taken"] < 100, (len(states), truth))
    gaps = [b - a for a, b in zip(times, times[1:])]
    check("log: a sample each millisecond", max(gaps) < 0.0022, max(gaps))
    check("log: the wall clock's half minute is seen", abs(about["wall_offset"] - 31) < 1.1, about)
    check("log: the clock's uncertainty is stated", 0 < about["clock"]["uncertainty"] < 1, about)
    check("log: the instrument's energy replaces the phone's own",
          list(header["variables"]).count("energy") == 1)
    starts = host_start(header)
    check("log: the trace's time 0 is the host's", abs(starts - time.time()) < 60, starts)


def check_drift(scratch, flows, drift):
    """0.8 % fast or slow: uncorrected, the step of the curve would be 16 ms off."""
    name = f"drift{drift}"
    _, states, about, shift, _ = check_recording(name, scratch, flows, drift=drift)
    step = next(state["t"] for state in states if state.get("current", 0) > 1.2)
    check(f"{name}: the step stands where it was",
          abs(step - shift - curve.STEP) < 0.004 + 2 * about["clock"]["uncertainty"],
          (step - shift, about))
    length = states[-1]["t"] - shift
    check(f"{name}: the header tells the drift",
          abs(about["clock"]["offset_end"] + drift / (1 + drift) * length) <
          0.004 + 2 * about["clock"]["uncertainty"], about)


def check_format(scratch, flows, form):
    check_recording(form, scratch, flows, "--format", form)


def check_late(scratch, flows):
    """Half a second between being told to sample and sampling: uncertain, but nothing is lost."""
    _, _, about, _, truth = check_recording("late", scratch, flows, "--late", 0.5)
    check("late: the uncertainty says so", about["clock"]["uncertainty"] > 0.2, about)
    check("late: no sample is lost", about["samples"] == truth["taken"], (about, truth))


def check_sweeps(scratch, flows):
    _, states, about, _, _ = check_recording("sweeps", scratch, flows, "--mode", "sweeps")
    # How much falls between two sweeps is the machine's; samples and gaps together are the recording.
    covered = about["samples"] * about["period"] + about["gap"]
    length = states[-1]["t"] - states[0]["t"]
    slack = 0.1 + 2 * about["clock"]["uncertainty"]
    check("sweeps: mode and gaps", about["mode"] == "sweeps" and about["gap"] > 0 and
          0.5 * length < covered < length + slack, (about, length))


def check_plain(scratch, flows):
    check_recording("plain", scratch, flows, "--plain", "--mode", "sweeps", "--format", "ascii")
    check_recording("current-only", scratch, flows, "--mode", "current-only", uri_end="/2")


def write_flows(scratch):
    """Listening for two seconds and for one, instead of the four minutes of the case study."""
    tactus("explore", "--device", PLAYER, "-o", scratch / "player.xml")
    tactus("flow", "list", scratch / "player.xml", "--length", 6, "--require",
           ROOT / "examples/demo/playback.req.xml", "--witness", "--format", "jsonl", "-o",
           scratch / "long.jsonl")
    text = (scratch / "long.jsonl").read_text()
    for seconds in (1, 2):
        (scratch / f"flows{seconds}.jsonl").write_text(
            re.sub(r'"time":240(\.0)?', f'"time":{seconds}', text))
    return scratch / "flows1.jsonl", scratch / "flows2.jsonl"


def check_property(scratch, flows, bound, code):
    """Playing costs about 14 J on this curve: one bound holds, the other does not."""
    properties = scratch / f"bound{bound}.props"
    properties.write_text("property cheap: forall [StartPlaying, PausePlaying] "
                          f"diff(energy) < {bound} J\n")
    with StandIn() as instrument:
        done = run(scratch / f"bound{bound}", instrument.uri, flows, "-p", properties)
    check(f"playing under {bound} J: exit {code}", done.returncode == code,
          f"exit {done.returncode}: {done.stdout} {done.stderr}")
    again = tactus("check", "-p", properties, scratch / f"bound{bound}/traces/000000.jsonl")
    check(f"the trace says the same about {bound} J", again.returncode == code, again.stdout)


def check_fault(scratch, flows, fault, words):
    """A clear message within the deadline, exit 4, and no run that looks finished."""
    name = fault.partition("@")[0]
    folder, start = scratch / f"fault-{name}", time.monotonic()
    with StandIn("--fault", fault) as instrument:
        done = run(folder, instrument.uri, flows, "--deadline", "1", "--repeat", 3)
    took = time.monotonic() - start
    check(f"{name}: exit 4", done.returncode == 4, f"exit {done.returncode}: {done.stdout}")
    check(f"{name}: says why", re.search(words, done.stderr), done.stderr)
    check(f"{name}: names the instrument", "scpi://127.0.0.1" in done.stderr, done.stderr)
    check(f"{name}: within the deadlines", took < patience(20), took)
    if (folder / "verdicts.json").exists():
        summary = json.loads((folder / "verdicts.json").read_text())
        traces = len(list((folder / "traces").glob("*.jsonl")))
        check(f"{name}: a run without its measurements is left undone",
              summary["runs"] + summary["missing"] == 3 and traces == summary["runs"], summary)


FAULTS = (
    ("silent", r"\*IDN\?: the instrument gave no answer"),
    ("web", r"is this an SCPI instrument\?"),
    ("deaf", r"no answer within 1 s"),
    ("busy", r"takes no setup for sampling.*Settings conflict"),
    ("garbage", r"is not a number: 'Hello"),
    ("nan", r"'not a number'"),
    ("huge", r"900000000 bytes"),
    ("stall@1", r"FETC:ELOG\?.*no answer within 1 s"),
    ("drop@1", r"closed the connection"),
    ("error@1", r"over-temperature"),
    ("lose", r"some were lost"))


def check_refused(scratch, flows):
    done = run(scratch / "refused", "scpi://127.0.0.1:1", flows, "--deadline", "1")
    check("refused", done.returncode == 4 and "Connection refused" in done.stderr, done.stderr)


def check_usage(scratch):
    for name, arguments, words in (
            ("virtual time", ("--probe", "scpi://127.0.0.1:1"), "add --realtime"),
            ("no address", ("--realtime", "--probe", "scpi://:x"), "is not an instrument"),
            ("another scheme", ("--realtime", "--probe", "gpib://7"), "is not an instrument"),
            ("two at once", ("--realtime", "--parallel", "2", "--probe", "scpi://127.0.0.1:1"),
             "leave --parallel")):
        done = tactus("run", "--device", PLAYER, "--monkey", 1, "-o", scratch / "usage",
                      *arguments)
        check(name, done.returncode == 2 and words in done.stderr,
              f"exit {done.returncode}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        short, longer = write_flows(scratch)
        check_usage(scratch)
        recordings = [(check_log, longer), (check_sweeps, short), (check_plain, short), (check_late, short)]
        recordings += [(check_drift, short, drift) for drift in (0.008, -0.008)]
        recordings += [(check_format, short, form) for form in ("ascii", "real64", "swapped")]
        recordings += [(check_property, short, *bound) for bound in ((40, 0), (5, 1))]
        faults = [(check_fault, short, *fault) for fault in FAULTS] + [(check_refused, short)]
        # They mostly wait; recordings are measured against their clocks, so few run at a time.
        with concurrent.futures.ThreadPoolExecutor(3) as few, concurrent.futures.ThreadPoolExecutor(4) as many:
            jobs = [few.submit(call, scratch, *rest) for call, *rest in recordings]
            jobs += [many.submit(call, scratch, *rest) for call, *rest in faults]
            for job in jobs:
                job.result()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
