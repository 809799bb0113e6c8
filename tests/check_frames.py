#!/usr/bin/env python3
"""How deep the work lies below main: frames between main and the first call of a device's driver in a run, and the
monitor's step in check, report and kpi. Layers that only pass their arguments on show here. Needs gdb; the program
must not be stripped."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = os.environ["TACTUS"]
ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent)
EXAMPLES = ROOT / "examples"
PLAYER = f"sim:{EXAMPLES}/apps/player.json"
TRACES = EXAMPLES / "player-traces"


def frames(functions, *words, child=False):
    """The functions on the stack when one of these is called first, from there up to main."""
    breaks = [word for name in functions for word in ("-ex", f"break {name}")]
    follow = ["-ex", "set follow-fork-mode child"] if child else []
    done = subprocess.run(["gdb", "-nx", "-batch", *follow, *breaks, "-ex", "run", "-ex", "bt", "--args", PROGRAM, *words],
                          capture_output=True, text=True, timeout=120)
    return re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\w+)", done.stdout, re.M)


def main():
    if not shutil.which("gdb"):
        print("skipped: gdb is not there")
        return 77
    failed = 0
    steps = ["interval_track", "temporal_feed"]
    with tempfile.TemporaryDirectory() as folder:
        runs = f"{folder}/runs"
        device = ["--device", PLAYER, "--monkey", "2", "--steps", "3"]
        kpi = EXAMPLES / "kpi"
        measured = {
            ("run", 16): frames(["sim_open"], "run", *device, "-o", f"{folder}/opened"),
            ("a run's first touch", 16): frames(["sim_perform"], "run", *device, "-p", str(TRACES / "player.props"),
                                                "-o", runs, child=True),
            ("check", 12): frames(steps, "check", "-p", str(TRACES / "player.props"), str(TRACES / "cafe.csv")),
        }
        subprocess.run([PROGRAM, "run", *device, "-p", str(TRACES / "player.props"), "-o", runs], check=True,
                       capture_output=True)
        measured["report", 12] = frames(steps, "report", runs, "-o", f"{folder}/report.html")
        measured["kpi score", 12] = frames(steps, "kpi", "score", str(kpi / "media-player.json"),
                                           f"{kpi / 'player.json'}={runs}")
    for (what, most), stack in measured.items():
        if not stack or stack[-1] != "main":
            print(f"{what}: the function was never called: {stack}")
            failed += 1
        elif len(stack) > most:
            print(f"{what}: {len(stack)} frames, at most {most}: {' < '.join(stack)}")
            failed += 1
        else:
            print(f"{what}: {len(stack)} frames")
    print(f"{len(measured) - failed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
