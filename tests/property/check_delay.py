#!/usr/bin/env python3
"""How long after the line that decides a property `check --follow` prints the verdict, at a pipe.

Every layout of logcat, CSV and JSON Lines are written line by line with pauses. Nothing comes after the deciding line, so
that only the clock can release it. Fails above 1 s (the machine may be busy); prints median and worst, which are far less.
`make sweep` (TACTUS_SWEEP=1): 100 times each.
"""
import os
import pathlib
import select
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).parents[2])
TACTUS = str(pathlib.Path(os.environ.get("TACTUS") or ROOT / "build/tactus").resolve())
PAUSE, MOST = .03, 1.0


def stamp(ms):
    return f"11-19 10:00:{ms // 1000:02d}.{ms % 1000:03d}"


LAYOUTS = {
    "threadtime": lambda ms, tag: [f"{stamp(ms)}  100  101 I {tag}: text"],
    "time": lambda ms, tag: [f"{stamp(ms)} I/{tag}(  100): text"],
    "epoch": lambda ms, tag: [f"         {1700000000 + ms // 1000}.{ms % 1000:03d}  100  101 I {tag}: text"],
    "long": lambda ms, tag: [f"[ {stamp(ms)}   100:  101 I/{tag} ]", "text"] + ([""] if tag == "good" else []),
    "brief": lambda ms, tag: [f"I/{tag}(  100): text"],
    "csv": lambda ms, tag: [f"{ms / 1000},{tag}"],
    "jsonl": lambda ms, tag: [f'{{"t":{ms / 1000},"event":"{tag}"}}'],
}
HEADS = {"csv": "t,event\n", "jsonl": '{"tactus":"trace","version":1,"variables":{"event":{"kind":"discrete"}}}\n'}


def delay(props, layout):
    child = subprocess.Popen([TACTUS, "check", "-p", props, "--follow", "--stop-on-violation", "-"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        child.stdin.write(HEADS.get(layout, "").encode())
        lines = [line for k in range(3) for line in LAYOUTS[layout](300 * k, "good")] + LAYOUTS[layout](1000, "bad")
        for line in lines:
            child.stdin.write(f"{line}\n".encode())
            child.stdin.flush()
            written = time.monotonic()
            if line is not lines[-1]:
                time.sleep(PAUSE)
        ready, _, _ = select.select([child.stdout], [], [], 10)
        told = os.read(child.stdout.fileno(), 65536) if ready else b""
        return time.monotonic() - written if b'"verdict":"false"' in told else None
    finally:
        child.kill()
        child.communicate()


def main():
    rounds, failed = 100 if os.environ.get("TACTUS_SWEEP") else 3, 0
    with tempfile.TemporaryDirectory(prefix="tactus-delay-") as folder:
        props = pathlib.Path(folder) / "bad.props"
        props.write_text("property a: always not bad\n")
        for layout in LAYOUTS:
            delays = [delay(props, layout) for _ in range(rounds)]
            if None in delays or max(delays) > MOST:
                print(f"FAILED {layout}: {delays}")
                failed += 1
                continue
            print(f"  {layout}: median {statistics.median(delays) * 1000:.1f} ms, worst {max(delays) * 1000:.1f} ms of {rounds}")
    print(f"{len(LAYOUTS) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
