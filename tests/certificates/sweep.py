#!/usr/bin/env python3
"""sweep.py MUTATE TACTUS [COUNT [ROWS]]: forged certificates, judged by both checkers.

COUNT (default 100,000) structured changes, spread over every unsafe row of the public reference (or the first ROWS of
them, spread over the file): none may be accepted, by the program's checker (through MUTATE) or by checker.py. And the
certificate of every safe row must be accepted by both. Needs the public recordings (TACTUS_CORPUS).
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from checker import Checker  # noqa: E402


def rows(corpus):
    for folder in ("lifestate", "lifestate-more"):
        path = os.path.join(corpus, folder, "reference.tsv")
        if not os.path.exists(path):
            continue
        for line in list(open(path))[1:]:
            cells = line.rstrip("\n").split("\t")
            yield (os.path.join(corpus, "lifestate", "sets", f"{cells[1]}_{cells[2]}.txt"),
                   os.path.join(corpus, folder, "traces", cells[0] + ".xz"), cells[8])


def forge(mutate, rules, trace, count, seed):
    done = subprocess.run([mutate, rules, trace, str(count), str(seed), "--print"], capture_output=True)
    lines = done.stdout.decode("utf-8", "surrogateescape").splitlines()
    if done.returncode not in (0, 1) or len(lines) != count:
        raise SystemExit(f"mutate failed on {trace}: {done.stderr.decode()}")
    checker, bad = Checker(rules, trace), 0
    for line in lines:
        bad += line[0] == "+" or checker.check(json.loads(line[1:])) is None
    return bad


def prove(tactus, rules, trace):
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "proof.cert")
        subprocess.run([tactus, "protocol", "verify", "--as-recorded", "--rules-list", rules, "--certificate", path, trace],
                       check=True, stdout=subprocess.DEVNULL)
        ours = subprocess.run([tactus, "protocol", "check-certificate", "--as-recorded", "--rules-list", rules, path, trace],
                              stdout=subprocess.DEVNULL).returncode
        return ours == 0 and Checker(rules, trace).check(json.load(open(path))) is None


def main():
    corpus = os.environ.get("TACTUS_CORPUS", "")
    if not os.path.exists(os.path.join(corpus, "lifestate", "reference.tsv")):
        print("skipped: the public recordings are not here (TACTUS_CORPUS)")
        return 77
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 100000
    known = list(rows(corpus))
    unsafe, safe = [r for r in known if r[2] == "UNSAFE"], [r for r in known if r[2] == "SAFE"]
    if len(sys.argv) > 4:
        take = int(sys.argv[4])
        unsafe, safe = unsafe[::max(1, len(unsafe) // take)][:take], safe[::max(1, len(safe) // take)][:take]
    share, bad, done = -(-count // len(unsafe)), 0, 0
    for seed, (rules, trace, _) in enumerate(unsafe):
        accepted = forge(sys.argv[1], rules, trace, share, seed + 1)
        bad, done = bad + accepted, done + share
        if accepted:
            print(f"{accepted} forged certificates accepted: {rules} {trace}")
    lost = [f"{rules} {trace}" for rules, trace, _ in safe if not prove(sys.argv[2], rules, trace)]
    for row in lost:
        print(f"a certificate of a safe row is not accepted by both: {row}")
    print(f"{done} forged certificates over {len(unsafe)} unsafe rows: {bad} accepted; "
          f"{len(safe) - len(lost)} of {len(safe)} certificates of safe rows accepted by both checkers")
    return 1 if bad or lost else 0


sys.exit(main())
