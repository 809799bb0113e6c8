#!/usr/bin/env python3
"""Runs the example of every command's --help as it is printed.

An example that needs a device, a browser or a server (adb:, chromium:, webdriver+) is not run.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ["TACTUS_SOURCE_ROOT"])
program = pathlib.Path(os.environ["TACTUS"])
env = dict(os.environ, LC_ALL="C", PATH=f"{program.parent}:{os.environ['PATH']}")


def commands():
    overview = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    return [row.group(1).split() for row in re.finditer(r"^  (\S+(?: \S+)?)  +\S", overview, re.M)]


def main():
    passed = failed = 0
    for words in commands():
        text = subprocess.run([program, "help", *words], capture_output=True, text=True,
                              check=True).stdout
        if "\nexample:\n" not in text:
            print(f"FAILED {' '.join(words)}: no example")
            failed += 1
            continue
        example = text.split("\nexample:\n")[1]
        if re.search(r"adb:|chromium:|webdriver\+|phone --adb|--browser", example):
            continue
        with tempfile.TemporaryDirectory(prefix="tactus-help-") as work:
            for shared in ("examples", "rules"):
                if (root / shared).is_dir():
                    os.symlink(root / shared, os.path.join(work, shared))
            done = subprocess.run(["bash", "-c", example], cwd=work, env=env, timeout=200,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode in (0, 1, 3):
            passed += 1
        else:
            failed += 1
            print(f"FAILED {' '.join(words)}: exit {done.returncode}\n{example}{done.stderr}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
