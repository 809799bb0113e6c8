#!/usr/bin/env python3
"""SPIN on lease.pml: the lease protocol loses no run, does none twice and waits for nobody for ever, and four
defects of it are refuted. TACTUS_SCALE=full (make sweep): more workers and more freezes."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Which property a defect breaks.
DEFECTS = {"NO_CLOCK": "all_done", "NO_ROW_LOCK": "one_row", "RENEW_LOST": "one_row", "REST_FOREVER": "all_done"}
failures, passed = [], 0


def check(good, what):
    global passed
    passed += bool(good)
    if not good:
        failures.append(what)


def verify(folder, claim, *defines):
    """(errors, states), with SPIN's output where there is no such line."""
    words = [f"-D{define}" for define in defines]
    subprocess.run(["spin", *words, "-a", str(HERE / "lease.pml")], cwd=folder, check=True, capture_output=True)
    subprocess.run(["gcc", "-O1", "-w", "-DNFAIR=5", "-DCOLLAPSE", "-o", "pan", "pan.c"], cwd=folder, check=True)
    fair = ["-f"] if claim == "all_done" else []
    out = subprocess.run(["./pan", "-a", *fair, "-m2000000", "-N", claim], cwd=folder, capture_output=True, text=True).stdout
    errors, states = re.search(r"errors: (\d+)", out), re.search(r"(\d+) states, stored", out)
    complete = "max search depth too small" not in out and "out of memory" not in out
    return int(errors[1]) if errors and complete else out, int(states[1]) if states else 0


def main():
    if not shutil.which("spin"):
        print("  skipped: spin is not installed (Debian: spin)")
        return 77
    sizes = [("WORKERS=2", "FREEZES=1")]
    if os.environ.get("TACTUS_SCALE") == "full":
        sizes += [("WORKERS=2", "FREEZES=2"), ("WORKERS=3", "FREEZES=1")]
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            for claim in ("one_row", "all_done"):
                errors, states = verify(folder, claim, *size)
                check(errors == 0, f"{claim} with {size}: {errors}")
                check(states > 10000, f"{claim} with {size}: only {states} states")
                print(f"        {claim} with {', '.join(size)}: {states} states")
        for defect, claim in DEFECTS.items():
            errors, _ = verify(folder, claim, defect, *sizes[0])
            check(errors == 1, f"{defect} is not refuted by {claim}: {errors}")
    for failure in failures:
        print("FAILED ", failure)
    print(f"{passed} passed, {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
