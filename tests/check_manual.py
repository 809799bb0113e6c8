#!/usr/bin/env python3
"""Compares the committed man pages and the completions with the command descriptors.

man/ must hold exactly the pages that the program writes ('make regen' writes them); every command
and option of --help must appear in its man page and in each shell's completion.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ["TACTUS_SOURCE_ROOT"])
program = os.environ["TACTUS"]
failures, passed = [], 0


def tactus(*words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


table = (root / "src/cli/commands.def").read_text().split("\n")
check(table == sorted(set(table), key=lambda line: (line == "", line)),
      "src/cli/commands.def is not sorted or names a command twice; 'sort -u' it")
with tempfile.TemporaryDirectory(prefix="tactus-man-") as fresh:
    tactus("help", "--man-pages", fresh)
    made = {path.name: path.read_text() for path in pathlib.Path(fresh).glob("*.1")}
kept = {path.name: path.read_text() for path in (root / "man").glob("*.1")}
for name in sorted(made.keys() | kept.keys()):
    check(made.get(name) == kept.get(name), f"man/{name} is not current; run 'make regen'")

completions = {shell: tactus("completion", shell) for shell in ("bash", "zsh", "fish")}
for row in re.finditer(r"^  (\S+(?: \S+)?)  +\S", tactus("--help"), re.M):
    words = row.group(1).split()
    page = made.get("tactus-" + "-".join(words) + ".1", "").replace("\\-", "-")
    for option in re.findall(r"^  (?:-\w, )?--([\w-]+)", tactus("help", *words), re.M):
        check(f"--{option}" in page, f"{' '.join(words)}: --{option} is not in the man page")
        for shell, text in completions.items():
            flag = f"-l {option}" if shell == "fish" else f"--{option}"
            check(flag in text, f"{' '.join(words)}: --{option} is not in the {shell} completion")
    for shell, text in completions.items():
        check(all(word in text for word in words), f"{words} is not in the {shell} completion")
check(subprocess.run(["bash", "-n"], input=completions["bash"], text=True).returncode == 0,
      "the bash completion is not valid bash")

for failure in failures:
    print(failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
