#!/usr/bin/env python3
"""An index that was tampered with: every value of every column, wrong in every way that SQLite lets
one be wrong, bytes of the file turned over, and the same for its plan. `report`, `run`, `store
verify` and `store repair` end with 0, 1 or 4, never by a signal or with a sanitizer's report; a
refusal names the row; after `store repair` the campaign is whole again.

TACTUS_MUTATIONS says how many there are (default 40; `make sweep` takes 10000)."""
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent)
TACTUS = os.environ["TACTUS"]
MUTATIONS = int(os.environ.get("TACTUS_MUTATIONS", "40"))
RUN = [TACTUS, "run", "--device", f"sim:{ROOT}/examples/apps/player.json", "--monkey", "12",
       "--steps", "3", "--property"]
VALUES = [None, -1, 0, 5, 12, 13, 300, 2**32 + 5, 2**62, -2**63, 1.5, float("inf"), "", "x", "pass",
          "-1", "../../etc/passwd", "/etc/passwd", "traces/../../x", "a\0b", "\x1b[31m", "\u202e",
          b"\xff\xfe", b"", "{}", "[", "{" * 5000, "true", "x" * 100000, "99999999999999999999"]
failures = []


def tactus(*words):
    done = subprocess.run([TACTUS, *map(str, words)], capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode("utf-8", "replace"), \
        done.stderr.decode("utf-8", "replace")


def check(good, what):
    if not good:
        failures.append(what)
        print(f"FAILED {what}")


def loosen(index):
    """The same tables without constraints, so that anything can be put into them."""
    for table, in index.execute("SELECT name FROM sqlite_schema WHERE type='table'").fetchall():
        if table == "aside":
            continue
        index.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")
        index.execute(f"DROP TABLE {table}")
        index.execute(f"ALTER TABLE loose RENAME TO {table}")


def mutate_value(folder, chance):
    index = sqlite3.connect(folder / "index.sqlite")
    if chance.random() < 0.7:
        loosen(index)
    table = chance.choice(["run", "run", "run", "verdict", "setting", "document"])
    columns = [row[1] for row in index.execute(f"PRAGMA table_info({table})")]
    column, value = chance.choice(columns), chance.choice(VALUES)
    row = chance.choice(index.execute(f"SELECT rowid FROM {table}").fetchall())[0]
    what = f"{table}.{column}[{row}] = {str(value)[:40]!r}"
    try:
        kind = chance.random()
        if kind < 0.85:
            index.execute(f"UPDATE {table} SET {column}=? WHERE rowid=?", (value, row))
        elif kind < 0.95:
            index.execute(f"INSERT INTO {table} SELECT * FROM {table} WHERE rowid=?", (row,))
            what = f"{table}[{row}] twice"
        else:
            index.execute(f"DELETE FROM {table} WHERE rowid=?", (row,))
            what = f"{table}[{row}] deleted"
        index.commit()
    except sqlite3.Error:
        pass
    index.close()
    return what, True


def mutate_bytes(folder, chance):
    path = folder / "index.sqlite"
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    if chance.random() < 0.1:
        del data[chance.randrange(len(data)):]
    path.write_bytes(data)
    return "bytes of the file", False


def one(whole, scratch, properties, number, chance):
    folder = scratch / "damaged"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder)
    what, by_value = (mutate_value if chance.random() < 0.75 else mutate_bytes)(folder, chance)
    again = RUN[1:] + [properties, "-o", folder]
    for words in (("report", folder, "-o", scratch / "r.html"), ("store", "verify", folder),
                  again, ("store", "repair", folder)):
        code, _, errors = tactus(*words)
        name = f"mutation {number}, {what}: {words[0]} {words[1] if words[0] == 'store' else ''}"
        check(code in (0, 1, 3, 4), f"{name} ended with {code}: {errors[-300:]}")
        check("Sanitizer" not in errors and "runtime error" not in errors,
              f"{name}: {errors[-2000:]}")
        check(code != 4 or "tactus: " in errors, f"{name} says nothing")
        if code == 4 and "is damaged" in errors:
            check(re.search(r"row (-?\d+|'plan') of the table '\w+'|the row 'plan' of|"
                            r"the index is damaged", errors),
                  f"{name} does not name the row: {errors[-300:]}")
    if by_value and code == 0 and "plan" not in what and "setting" not in what:
        code, _, errors = tactus(*again)
        check(code in (0, 1, 3, 4), f"mutation {number}, {what}: run after repair: {code} {errors}")
        count = sqlite3.connect(folder / "index.sqlite").execute(
            "SELECT count(*) FROM run").fetchone()[0]
        check(code == 4 or count == 12, f"mutation {number}, {what}: {count} runs after repair")


def main():
    seed = int(os.environ.get("TACTUS_SEED", "15"))
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        properties = scratch / "p.props"
        properties.write_text("property cheap: always rxData < 100 MB\n")
        whole = scratch / "whole"
        code, _, errors = tactus(*RUN[1:], properties, "-o", whole)
        check(code in (0, 1, 3), f"the campaign ended with {code}: {errors}")
        for number in range(MUTATIONS):
            one(whole, scratch, properties, number, chance)
            if len(failures) > 20:
                break
    print(f"{MUTATIONS} mutations, seed {seed}, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
