#!/usr/bin/env python3
"""run_docs.py [--update] [FILE.md...]: runs the ```console blocks of the documents.

A line "$ COMMAND" is run by bash (a trailing backslash continues it); the lines after it are the
expected output, standard error included. A line "..." stands for any number of lines, "..." inside a
line for any text. All blocks of one document share one folder, in which examples/ and rules/ of the
project can be seen. An exit code of 2, 4 or above 125 fails unless the document shows the message.
The tutorials use public recordings in corpus/ and are run only where those are present. --update writes the real output into the document where it has no "...".
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def matches(wanted, got):
    pattern = ""
    for line in wanted:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.split("...")) + r"\n"
    text = "".join(line.rstrip() + "\n" for line in got)
    return re.fullmatch(pattern, text) is not None


def blocks(lines):
    """Yields (line number, command, first output line, line after the output)."""
    at = 0
    while at < len(lines):
        if lines[at].strip() != "```console":
            at += 1
            continue
        at += 1
        while at < len(lines) and lines[at].strip() != "```":
            if not lines[at].startswith("$ "):
                raise SystemExit(f"line {at + 1}: expected '$ COMMAND'")
            number, command = at + 1, lines[at][2:]
            at += 1
            while command.endswith("\\"):
                command += "\n" + lines[at].lstrip("> ")
                at += 1
            first = at
            while at < len(lines) and lines[at].strip() != "```" and not lines[at].startswith("$ "):
                at += 1
            yield number, command, first, at
        at += 1


def run_document(path, root, program, update):
    lines = path.read_text().split("\n")
    passed = failed = 0
    changes = []
    with tempfile.TemporaryDirectory(prefix="tactus-docs-") as work:
        for shared in ("examples", "rules", "schemas"):
            if (root / shared).is_dir():
                os.symlink(root / shared, os.path.join(work, shared))
        if os.environ.get("TACTUS_CORPUS"):
            os.symlink(os.path.abspath(os.environ["TACTUS_CORPUS"]), os.path.join(work, "corpus"))
        env = dict(os.environ, LC_ALL="C", PATH=f"{program.parent}:{os.environ['PATH']}")
        for number, command, first, end in blocks(lines):
            done = subprocess.run(["bash", "-c", command], cwd=work, env=env, timeout=300,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            got = done.stdout.decode("utf-8", "replace").split("\n")
            if got and got[-1] == "":
                got.pop()
            wanted = [line.rstrip() for line in lines[first:end]]
            broke = done.returncode in (2, 4) or done.returncode > 125
            if broke and not any("tactus:" in line for line in wanted):
                print(f"FAILED {path.name}:{number}: exit {done.returncode}: {command}")
                print("\n".join(got))
                failed += 1
            elif matches(wanted, got):
                passed += 1
            elif update and not any("..." in line for line in wanted):
                changes.append((first, end, got))
            else:
                print(f"FAILED {path.name}:{number}: {command}")
                print("--- expected\n" + "\n".join(wanted) + "\n--- got\n" + "\n".join(got))
                failed += 1
    for first, end, got in reversed(changes):
        lines[first:end] = got
    if changes:
        path.write_text("\n".join(lines))
        print(f"updated {path.name}: {len(changes)} outputs")
    return passed + len(changes), failed


def main():
    root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                        pathlib.Path(__file__).resolve().parent.parent)
    program = pathlib.Path(os.environ.get("TACTUS") or root / "build/tactus").resolve()
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    documents = [pathlib.Path(name) for name in arguments]
    if not documents:
        documents = sorted((root / "docs").glob("*.md")) + [root / "README.md"]
        # The tutorials work on public recordings, which lie beside the project where they are present.
        if os.environ.get("TACTUS_CORPUS"):
            documents += sorted((root / "docs/tutorials").glob("*.md"))
    passed = failed = 0
    for document in documents:
        good, bad = run_document(document, root, program, "--update" in sys.argv)
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
