#!/usr/bin/env python3
"""tools/corpus: a folder that is as listed, one that is not, and getting what is missing from a served folder."""
import hashlib
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ["TACTUS_SOURCE_ROOT"])
failures, passed = [], 0


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


def tool(folder, *words):
    done = subprocess.run([sys.executable, ROOT / "tools/corpus", folder, *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def sha(data):
    return hashlib.sha256(data).hexdigest()


with tempfile.TemporaryDirectory() as place:
    place = pathlib.Path(place)
    (place / "served/a/b/c0").mkdir(parents=True)
    for name, data in (("one file", b"one"), ("two", b"two"), ("moved", b"other than listed")):
        (place / "served/a/b/c0" / name).write_bytes(data)
    rows = [("one", sha(b"one"), "a/b", "c0", "one file", "same"), ("d/two.xz", sha(b"two"), "a/b", "c0", "two", "xz"),
            ("moved", sha(b"as listed"), "a/b", "c0", "moved", "same"), ("gone", sha(b""), "a/b", "c0", "gone", "same"),
            ("mine", sha(b"mine"), "-", "-", "-", "changed")]
    (place / "list").write_text("# a comment\n" + "".join("\t".join(row) + "\n" for row in rows))
    listed = "--list", place / "list"
    fetched = *listed, "--source", (place / "served").as_uri()

    code, out, _ = tool(place / "data", *listed)
    check(code == 1 and out.count("missing") == 5 and out.endswith("0 of 5 files are as listed\n"), out)
    check("one: missing; from a/b c0 (same)" in out, out)
    code, out, _ = tool(place / "data", "--fetch", *fetched)
    check(code == 1 and out.endswith("2 of 5 files are as listed\n"), out)
    check("moved: " in out and "has other content now" in out and "gone: cannot fetch" in out, out)
    check((place / "data/one").read_bytes() == b"one", "one")
    check(lzma.decompress((place / "data/d/two.xz").read_bytes()) == b"two", "two")
    check(sorted(file.name for file in (place / "data").rglob("*") if file.is_file()) == ["one", "two.xz"],
          "only what is as listed may be written")
    (place / "data/one").write_bytes(b"mine now")
    (place / "data/d/two.xz").write_bytes(b"not xz")
    code, out, err = tool(place / "data", "--fetch", *fetched)
    check(code == 1 and "one: has other content" in out and "d/two.xz: " in out and not err, out + err)
    check((place / "data/one").read_bytes() == b"mine now", "what is there stays")

corpus = os.environ.get("TACTUS_CORPUS")
if corpus:
    code, out, _ = tool(corpus)
    check(code == 0, out)
rows = [line.split("\t") for line in (ROOT / "tests/corpus.tsv").read_text().splitlines() if not line.startswith("#")]
check(all(len(row) == 6 and row[5] in ("same", "xz", "changed", "unknown") for row in rows), "tests/corpus.tsv: a row has another form")

for failure in failures:
    print("FAILED", failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(bool(failures))
