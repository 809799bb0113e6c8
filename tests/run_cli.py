#!/usr/bin/env python3
"""run_cli.py FOLDER [NAME...]: golden tests of the command line.

Each FOLDER/NAME.sh is run by bash in an empty folder with the program on PATH and $ROOT naming the
project; its standard output, standard error and exit code are compared with NAME.out. With
TACTUS_REGENERATE=1 in the environment the .out files are written instead: read the difference before
you commit it.
"""
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile


def run(script, root, program):
    with tempfile.TemporaryDirectory(prefix="tactus-cli-") as work:
        env = dict(os.environ, ROOT=root, LC_ALL="C",
                   PATH=f"{os.path.dirname(program)}:{os.environ['PATH']}")
        done = subprocess.run(["bash", str(script)], cwd=work, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=300)
        text = done.stdout.decode("utf-8", "replace")
        if done.stderr:
            text += "--- stderr\n" + done.stderr.decode("utf-8", "replace")
        text += f"--- exit {done.returncode}\n"
        return text.replace(root, "$ROOT").replace(work, "$WORK"), done.returncode


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    root = os.environ.get("TACTUS_SOURCE_ROOT") or str(pathlib.Path(__file__).resolve().parent.parent)
    program = os.path.abspath(os.environ.get("TACTUS") or os.path.join(root, "build/tactus"))
    regenerate = os.environ.get("TACTUS_REGENERATE") == "1"
    passed = failed = skipped = 0
    for script in sorted(folder.glob("*.sh")):
        if len(sys.argv) > 2 and script.stem not in sys.argv[2:]:
            continue
        got, code = run(script, root, program)
        golden = script.with_suffix(".out")
        if code == 77:
            print(f"  skipped: {script.name}: {got.splitlines()[0]}")
            skipped += 1
            continue
        if regenerate:
            golden.write_text(got)
        wanted = golden.read_text() if golden.exists() else ""
        if got == wanted:
            passed += 1
            continue
        failed += 1
        print(f"FAILED {script.name}")
        sys.stdout.writelines(difflib.unified_diff(wanted.splitlines(True), got.splitlines(True),
                                                   str(golden.name), "now"))
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed + skipped else 0


sys.exit(main())
