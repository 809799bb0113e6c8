#!/usr/bin/env python3
"""vary.py [--lines] [--words] [--bytes] [--every N] [--shown N] FILE COMMAND...: an input, a bit wrong in many ways.

Runs COMMAND, in which {} stands for FILE, on the file as it is and on copies of it that differ in one place: a line
left out or twice, a number that is one more, a word or a text without its last letter, a sign left out, a byte with a bit
turned. For each copy whose answer (both outputs and the exit code) is another one, prints the place and the lines that
differ; what is too long is cut, with a digest of the whole. Copies with the same answer are listed at the end.

A golden test made of this is a table of hundreds of inputs and answers; see tests/cli/trace/varied.sh.
"""
import argparse
import difflib
import hashlib
import os
import pathlib
import re
import subprocess
import sys

WORD = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|[0-9]+|[A-Za-z_]+|[^\w\s]")


def by_line(text):
    lines = text.splitlines(True)
    for i in range(len(lines)):
        yield f"{i + 1} out", "".join(lines[:i] + lines[i + 1:])
        yield f"{i + 1} twice", "".join(lines[:i + 1] + lines[i:])


def by_word(text):
    for found in WORD.finditer(text):
        word = found.group()
        if word.isdigit():
            other = str(int(word) + 1)
        elif word[0] == '"':
            other = f'{word[:-2]}"' if len(word) > 2 else '"x"'
        else:
            other = word[:-1]
        line = text.count("\n", 0, found.start())
        column = found.start() - text.rfind("\n", 0, found.start())
        yield f"{line + 1}:{column} {word} -> {other}", text[:found.start()] + other + text[found.end():]


def by_byte(text):
    """A byte is a character of Latin-1 here."""
    for i, byte in enumerate(text):
        for bit in (1, 128):
            yield f"byte {i} ^ {bit}", text[:i] + chr(ord(byte) ^ bit) + text[i + 1:]


def answer(asked, name, content):
    pathlib.Path(name).write_bytes(content)
    done = subprocess.run([word.replace("{}", name) for word in asked.command], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60)
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    for path, short in ((os.environ.get("ROOT"), "$ROOT"), (os.getcwd(), "$WORK")): # digests, too, are the same anywhere
        text = text.replace(path, short) if path else text
    return [*text.splitlines(), f"exit {done.returncode}"]


def difference(before, after, shown):
    lines = [line for line in difflib.unified_diff(before, after, n=0, lineterm="")
             if not line.startswith(("@@", "---", "+++"))]
    lines.sort(key=lambda line: line[0]) # + before -
    if any(len(line) > 160 for line in lines) or len(lines) > shown:
        digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]
        lines = [line[:160] for line in lines[:shown]] + [f"... {len(lines)} lines, {digest}"]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for kind in ("lines", "words", "bytes"):
        parser.add_argument(f"--{kind}", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th of the copies")
    parser.add_argument("--shown", type=int, default=3, metavar="N", help="how many lines of a difference")
    parser.add_argument("file")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")
    coding = ("latin-1", "strict") if asked.bytes else ("utf-8", "surrogateescape")
    text = pathlib.Path(asked.file).read_bytes().decode(*coding)
    kinds = [vary for kind, vary in (("lines", by_line), ("words", by_word), ("bytes", by_byte)) if getattr(asked, kind)]
    copies = [copy for vary in kinds for copy in vary(text)][::asked.every]
    os.makedirs("varied", exist_ok=True)
    name = f"varied/{os.path.basename(asked.file)}"
    before, same = answer(asked, name, text.encode(*coding)), []
    print(f"== {os.path.basename(asked.file)}, and {len(copies)} copies")
    print(*(line[:160] for line in before[:40]), sep="\n")
    if len(before) > 40 or any(len(line) > 160 for line in before):
        print(f"... {len(before)} lines, {hashlib.sha256(chr(10).join(before).encode()).hexdigest()[:8]}")
    for place, copy in copies:
        lines = difference(before, answer(asked, name, copy.encode(*coding)), asked.shown)
        if lines:
            print(place, *lines, sep="\n  ")
        else:
            same.append(place)
    if same:
        print("the same:", " | ".join(same))


main()
