#!/usr/bin/env python3
"""SIGINT, SIGTERM and SIGHUP end every command promptly: exit code 4, no half file, no temporary file.

Each case starts a command that would last for minutes, waits until it is at work, sends the signal and
looks at the exit code, at the time until the end and at what lies in the folder. The first signal asks to
stop; a command that waits for a file that never comes cannot hear it and is ended after a second. Servers,
which last until they are stopped, end with 0.
"""
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

from patience import patience

ROOT = os.environ.get("TACTUS_SOURCE_ROOT") or str(pathlib.Path(__file__).resolve().parent.parent)
PROGRAM = os.path.abspath(os.environ.get("TACTUS") or os.path.join(ROOT, "build/tactus"))
SLOW = 4 if "asan" in PROGRAM or "coverage" in PROGRAM else 1
SIGNALS = {"INT": signal.SIGINT, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP}
APP = f"sim:{ROOT}/examples/apps/player.json"
# Seconds until a command that hears the signal (at once on an idle machine), and one that cannot, is gone.
HEARS, WAITS = 6 * SLOW, 10 * SLOW
MOST_WRITTEN = 2 << 30


def make_runs(folder):
    """Runs enough to mine for a minute: long, of many inputs, half of them failing."""
    number = 12345
    with open(folder / "many.runs", "w") as out:
        for run in range(3000):
            words = [str(run % 2)]
            for step in range(120):
                number = (number * 1103515245 + 12345) % 2147483648
                words += [f"s{number % 23}", f"e{number // 64 % 97}"]
            out.write(" ".join(words) + "\n")


def make_rules(folder):
    subprocess.run([PROGRAM, "rules", "generate", "--states", "40", "--rules", "200", "--vars", "20", "--seed", "7",
                    "-o", str(folder / "large.rules")], check=True, stdout=subprocess.DEVNULL)


def make_fifo(folder):
    os.mkfifo(folder / "never.jsonl")
    (folder / "x.props").write_text("property p: always not (event == \"x\")\n")


def make_nothing(folder):
    pass


FIFO = ["never.jsonl", "x.props"]
# name: (prepare, words, what may lie there afterwards besides what was prepared, exit code, seconds)
CASES = {
    "flow list": (make_nothing, ["flow", "list", f"{ROOT}/examples/uamp/uamp.model.xml", "--length", "14",
                                 "--format", "jsonl", "-o", "F"], [], 4, HEARS),
    "flow list as text": (make_nothing, ["flow", "list", f"{ROOT}/examples/uamp/uamp.model.xml", "--length", "14",
                                         "-o", "F"], [], 4, HEARS),
    "flow sample": (make_nothing, ["flow", "sample", f"{ROOT}/examples/uamp/uamp.model.xml", "--length", "60",
                                   "--count", "100000000", "--format", "jsonl", "-o", "F"], [], 4, HEARS),
    "mine": (make_runs, ["mine", "many.runs", "--all", "--depth", "6", "--support", "0.01", "-o", "F"],
             ["many.runs"], 4, HEARS),
    "rules check": (make_rules, ["rules", "check", "large.rules", "--engine", "enumerative", "--memory", "4096", "-o", "F"],
                    ["large.rules"], 4, HEARS),
    "run": (make_nothing, ["run", "--device", APP, "--monkey", "100000", "--steps", "500", "--realtime",
                           "-o", "runs"], ["runs"], 4, HEARS),
    "explore": (make_nothing, ["explore", "--device", APP, "--realtime", "-o", "F"], ["F.checkpoint"], 4, HEARS),
    "check of a file that never comes": (make_fifo, ["check", "-p", "x.props", "never.jsonl", "-o", "F"], FIFO, 4,
                                         WAITS),
    "import of a file that never comes": (make_fifo, ["trace", "import", "never.jsonl", "-o", "F"], FIFO, 4, WAITS),
    "web serve": (make_nothing, ["web", "serve", f"{ROOT}/examples/web/player"], [], 0, HEARS),
    "phone": (make_nothing, ["phone", "--adb", "0", APP], [], 0, HEARS),
}


def left_behind(folder, allowed):
    """What should not be there; temporary files are looked for at every depth."""
    wrong = [name for name in os.listdir(folder) if name not in allowed]
    for where, _, names in os.walk(folder):
        wrong += [os.path.join(where, name) for name in names
                  if len(name.rsplit(".", 1)[-1]) == 6 and not name.endswith((".jsonl", ".sqlite", ".props"))]
    return wrong


def written(process):
    """Bytes so far, into files without a name as well; 0 where the system does not tell."""
    try:
        return int(pathlib.Path(f"/proc/{process.pid}/io").read_text().split("wchar: ")[1].split()[0])
    except (OSError, IndexError):
        return 0


def at_work(process, delay):
    """Until it writes, or for so long: a list may be written as fast as memory is."""
    until = time.monotonic() + delay
    while time.monotonic() < until and process.poll() is None and written(process) < 1000000:
        time.sleep(0.02)


def interrupt(name, case, number, delay, twice=False):
    prepare, words, allowed, wanted, bound = case
    with tempfile.TemporaryDirectory(prefix="tactus-stop-") as place:
        folder = pathlib.Path(place)
        prepare(folder)
        process = subprocess.Popen([PROGRAM] + words, cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        at_work(process, delay)
        if process.poll() is not None:
            return f"ended by itself with {process.returncode}: {process.stderr.read().decode()}"
        started = time.monotonic()
        process.send_signal(number)
        if twice:
            process.send_signal(number)
        try:
            _, said = process.communicate(timeout=patience(60))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return "did not end within a minute"
        seconds = time.monotonic() - started
        wrong = left_behind(folder, allowed)
        if process.returncode != wanted:
            return f"exit {process.returncode}, not {wanted}: {said.decode()}"
        if seconds > patience(bound):
            return f"took {seconds:.1f} s"
        return f"left {wrong}" if wrong else ""


def bound_harm():
    """Whoever started the tests may ignore signals, and commands inherit that; one that does not hear may
    write as fast as memory is."""
    for number in SIGNALS.values():
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_WRITTEN, MOST_WRITTEN))


def main():
    bound_harm()
    passed = failed = 0
    wanted = sys.argv[1:]
    for place, (name, case) in enumerate(CASES.items()):
        if wanted and name not in wanted:
            continue
        # Every command with one signal, the first with all; which one goes round.
        names = list(SIGNALS) if place == 0 else [list(SIGNALS)[place % 3]]
        problems = {f"SIG{one}": interrupt(name, case, SIGNALS[one], 0.7 * SLOW) for one in names}
        if place == 0:
            problems["two signals"] = interrupt(name, case, signal.SIGTERM, 0.7 * SLOW, twice=True)
        for what, problem in problems.items():
            passed += not problem
            failed += bool(problem)
            if problem:
                print(f"FAILED {name}, {what}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
