#!/usr/bin/env python3
"""Tables of docs/ that a program of bench/ prints are what it prints now, line by line.

Only tables that do not depend on the machine: the built-in phone's clock is virtual."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent)
TABLES = {"docs/explore.md": ["bench/bench_explore", "--table"]}


def main():
    failed = 0
    for document, command in TABLES.items():
        printed = subprocess.run([sys.executable, str(ROOT / command[0]), *command[1:]], check=True, text=True,
                                 capture_output=True).stdout
        text = (ROOT / document).read_text()
        if printed not in text:
            failed += 1
            missing = [line for line in printed.splitlines() if line + "\n" not in text]
            print(f"{document}: '{' '.join(command)}' prints other lines now:\n" + "\n".join(missing))
    print(f"{len(TABLES) - failed} tables agree, {failed} differ")
    return 1 if failed else 0


sys.exit(main())
