#!/usr/bin/env python3
"""run_cli.py FOLDER [NAME...]: golden tests of the command line.

Each FOLDER/NAME.sh is run by bash in an empty folder with the program on PATH and $ROOT naming the
project; its standard output, standard error and exit code are compared with NAME.out. With
TACTUS_REGENERATE=1 in the environment the .out files are written instead: read the difference before
you commit it.

Every document that a command prints with --json is compared with its schema (schemas/NOUN-VERB.schema.json)
where python3-jsonschema is installed: a wrapper around the program keeps a copy of what it prints.
"""
import difflib
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


try:
    import jsonschema
except ImportError:
    jsonschema = None

# Scripts that send signals mean the program itself.
SIGNALS = r"Popen|\bkill\b|\bsetsid\b|\btimeout\b|&$"
# Standard output twice: once for the test, once for the comparison, beside the words of the command.
WRAPPER = """#!/bin/bash
case " $* " in
*" --json "*)
    copy=$(mktemp "$TACTUS_DOCUMENTS/XXXXXX")
    printf '%s\\n' "$@" > "$copy.words"
    exec 3> >(exec tee "$copy.json")
    tee=$!
    "PROGRAM" "$@" >&3 3>&-
    code=$?
    exec 3>&-
    wait $tee
    exit $code ;;
*) exec "PROGRAM" "$@" ;;
esac
"""


@functools.lru_cache(maxsize=None)
def waiting(root):
    return set(pathlib.Path(root, "tests/undescribed.txt").read_text().split())


@functools.lru_cache(maxsize=None)
def validator(root, command):
    path = pathlib.Path(root, "schemas", command + ".schema.json")
    return jsonschema.Draft202012Validator(json.loads(path.read_text())) if path.exists() else None


def misfits(documents, root):
    """What of the documents does not fit the schema of its command."""
    for kept in sorted(pathlib.Path(documents).glob("*.json")):
        words = [word for word in kept.with_suffix(".words").read_text().split("\n") if word[:1] not in ("", "-")]
        fitting = next((found for found in (validator(root, "-".join(words[:n])) for n in (2, 1)) if found), None)
        for line in kept.read_text("utf-8", "replace").splitlines():
            try:
                document = json.loads(line)
            except ValueError:
                continue  # the end of a document that nobody read
            if not fitting and {"-".join(words[:n]) for n in (1, 2)} & waiting(root):
                break
            if not fitting:
                yield f"{' '.join(words[:2])}: there is no schema of its document"
                break
            for error in list(fitting.iter_errors(document))[:3]:
                worst = jsonschema.exceptions.best_match([error])
                yield f"{' '.join(words[:2])}: {worst.json_path}: {worst.message[:300]}"


def run(script, root, program):
    with tempfile.TemporaryDirectory(prefix="tactus-cli-") as work, \
            tempfile.TemporaryDirectory(prefix="tactus-documents-") as documents:
        folder = os.path.dirname(program)
        if jsonschema and not re.search(SIGNALS, script.read_text(), re.M):
            folder = os.path.join(documents, "bin")
            os.mkdir(folder)
            wrapper = pathlib.Path(folder, "tactus")
            wrapper.write_text(WRAPPER.replace("PROGRAM", program))
            wrapper.chmod(0o755)
        env = dict(os.environ, ROOT=root, LC_ALL="C", TACTUS_DOCUMENTS=documents,
                   PATH=f"{folder}:{os.environ['PATH']}")
        done = subprocess.run(["bash", str(script)], cwd=work, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=300)
        text = done.stdout.decode("utf-8", "replace")
        if done.stderr:
            text += "--- stderr\n" + done.stderr.decode("utf-8", "replace")
        text += f"--- exit {done.returncode}\n"
        return text.replace(root, "$ROOT").replace(work, "$WORK"), done.returncode, list(misfits(documents, root))


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    root = os.environ.get("TACTUS_SOURCE_ROOT") or str(pathlib.Path(__file__).resolve().parent.parent)
    program = os.path.abspath(os.environ.get("TACTUS") or os.path.join(root, "build/tactus"))
    regenerate = os.environ.get("TACTUS_REGENERATE") == "1"
    passed = failed = skipped = 0
    for script in sorted(folder.glob("*.sh")):
        if len(sys.argv) > 2 and script.stem not in sys.argv[2:]:
            continue
        got, code, wrong = run(script, root, program)
        golden = script.with_suffix(".out")
        if code == 77:
            print(f"  skipped: {script.name}: {got.splitlines()[0]}")
            skipped += 1
            continue
        if wrong:
            failed += 1
            print(f"FAILED {script.name}: " + "\n    ".join(wrong))
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
