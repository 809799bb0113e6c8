#!/usr/bin/env python3
"""Three truths: random traces and properties whose verdict is known, then values taken away.

Every verdict is compared with an evaluator of its own: three-valued, by the definitions of docs/properties.md, state by
state, without anything of the library. With values taken away a verdict stays or becomes inconclusive and names a value
that is unknown there; it never turns around. The values go in every way that a trace has: marks in JSON Lines and in the
binary form, "?" in CSV, no sample yet, a screen that was not read, -1 in HTTP archives; the exported C monitor is asked
too. Nested intervals are only asked not to turn around.

TACTUS_UNKNOWN_CASES is the number of cases per kind of source (default 300; `make sweep`: 20,000 in all).
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction

F, U, T = 0, 1, 2
INF = float("inf")
ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).parents[2])
TACTUS = str(pathlib.Path(os.environ.get("TACTUS") or ROOT / "build/tactus").resolve())
UNKNOWN = "unknown"  # a value that was taken away

# --- Traces: {"t", "event", "x", "mode"}, x a number, mode on or off


def random_trace(rng):
    t, states = 0, []
    x, mode = rng.randrange(-3, 8), rng.choice(["on", "off"])
    for _ in range(rng.randrange(1, 13)):
        if rng.random() < .6:
            x = rng.randrange(-3, 8)
        if rng.random() < .4:
            mode = rng.choice(["on", "off"])
        states.append({"t": t, "event": rng.choice([None, None, "A", "B", "C"]), "x": x, "mode": mode})
        t += rng.randrange(1, 4)
    return states


def take_away(rng, states, kind):
    out = [dict(s) for s in states]
    if kind == "start":
        for s in out[:rng.randrange(1, len(out) + 1)]:
            s["x"] = UNKNOWN
        return out
    names = {"csv": ["x"], "screen": ["x"]}.get(kind, ["x", "mode", "event"])
    for _ in range(rng.randrange(1, 3)):
        s = rng.choice(out)
        s[rng.choice(names)] = UNKNOWN
    return out


# --- Formulas: tuples; text and value of each


def bound(rng):
    return rng.choice([None, None, (0, 2), (0, 5), (1, 4)])


def formula(rng, depth, future):
    if depth == 0 or rng.random() < .2:
        kind = rng.randrange(3)
        if kind == 0:
            return ("event", rng.choice("ABC"))
        if kind == 1:
            return ("mode", rng.choice(["on", "off"]))
        return ("less", rng.randrange(-2, 8))
    ops = ["not", "and", "or", "->", "previously", "once", "historically", "since", "rise", "fall"]
    if future:
        ops += ["always", "eventually", "until", "next"] * 2
    op = rng.choice(ops)
    ahead = future and op in ("not", "and", "or", "->", "always", "eventually", "until", "next")
    a = formula(rng, depth - 1, ahead)
    if op in ("and", "or", "->"):
        return (op, a, formula(rng, depth - 1, ahead))
    if op in ("since", "until"):
        return (op, a, formula(rng, depth - 1, ahead), bound(rng))
    return (op, a, bound(rng)) if op in ("once", "historically", "always", "eventually") else (op, a)


def text_of(f):
    op = f[0]
    if op == "event":
        return f"event == {f[1]}"
    if op == "mode":
        return f"mode == {f[1]}"
    if op == "less":
        return f"x < {f[1]}.5"
    within = ""
    if op in ("since", "until", "once", "historically", "always", "eventually") and f[-1]:
        within = f"[{f[-1][0]} s, {f[-1][1]} s]"
    if op in ("and", "or", "->", "since", "until"):
        return f"(({text_of(f[1])}) {op}{within} ({text_of(f[2])}))"
    return f"{op}{within} ({text_of(f[1])})"


def value(f, states, i, memo):
    key = (id(f), i)
    if key not in memo:
        memo[key] = compute(f, states, i, memo)
    return memo[key]


def inside(f, states, i, j):
    return not f[-1] or f[-1][0] <= abs(states[j]["t"] - states[i]["t"]) <= f[-1][1]


def compute(f, states, i, memo):
    op, last = f[0], len(states) - 1
    at = lambda g, j: value(g, states, j, memo)
    if op in ("event", "mode", "less"):
        v = states[i]["x" if op == "less" else op]
        if v == UNKNOWN:
            return U
        return T if (v < float(f"{f[1]}.5") if op == "less" else v == f[1]) else F
    if op == "not":
        return T - at(f[1], i)
    if op == "and":
        return min(at(f[1], i), at(f[2], i))
    if op == "or":
        return max(at(f[1], i), at(f[2], i))
    if op == "->":
        return max(T - at(f[1], i), at(f[2], i))
    if op == "previously":
        return at(f[1], i - 1) if i else F
    if op == "rise":
        return min(at(f[1], i), T - (at(f[1], i - 1) if i else F))
    if op == "fall":
        return min(T - at(f[1], i), at(f[1], i - 1) if i else F)
    if op == "once":
        return max([at(f[1], j) for j in range(i + 1) if inside(f, states, i, j)], default=F)
    if op == "historically":
        return min([at(f[1], j) for j in range(i + 1) if inside(f, states, i, j)], default=T)
    if op == "always":
        return min([at(f[1], j) for j in range(i, last + 1) if inside(f, states, i, j)], default=T)
    if op == "eventually":
        return max([at(f[1], j) for j in range(i, last + 1) if inside(f, states, i, j)], default=F)
    if op == "next":
        return at(f[1], i + 1) if i < last else F
    best, so_far = F, T  # since and until
    for j in (range(i, -1, -1) if op == "since" else range(i, last + 1)):
        if inside(f, states, i, j):
            best = max(best, min(so_far, at(f[2], j)))
        so_far = min(so_far, at(f[1], j))
    return best


# --- Intervals

FIGURES = ["diff(x)", "min(x)", "max(x)", "avg(x)", "integral(x)", "rate(x)", "first(x)", "last(x)",
           "count(mode == on)", "duration"]


def comparison(rng):
    figure = rng.choice(FIGURES)
    limit = Fraction(rng.randrange(-4, 16)) + Fraction(1, 4)
    return figure, rng.choice(["<", "<=", ">", ">=", "!=", "=="]), limit


def expression(rng):
    parts = [comparison(rng)]
    join = rng.choice(["and", "or"])
    if rng.random() < .4:
        parts.append(comparison(rng))
    return join, parts


def expression_text(e):
    return f" {e[0]} ".join(
        f"{figure} {sign} {float(limit)}{' s' if figure == 'duration' else ''}" for figure, sign, limit in e[1])


def extent(figure, states, first, last, run, unfinished):
    """The least and the most that the figure may be."""
    inner = states[first:last + 1 - (1 if run and not unfinished else 0)]
    xs = [s["x"] for s in (inner if figure in ("min(x)", "max(x)", "first(x)", "last(x)") else states[first:last + 1])]
    known = [v for v in xs if v != UNKNOWN]
    whole = len(known) == len(xs) and not unfinished
    seconds = Fraction(states[last]["t"] - states[first]["t"])
    if figure == "duration":
        return seconds, INF if unfinished else seconds
    if figure == "count(mode == on)":
        sure = sum(s["mode"] == "on" for s in inner)
        return sure, INF if unfinished else sure + sum(s["mode"] == UNKNOWN for s in inner)
    if figure == "min(x)":
        return (min(known) if whole else -INF), min(known, default=INF)
    if figure == "max(x)":
        return max(known, default=-INF), (max(known) if whole else INF)
    if figure == "first(x)":
        return (xs[0], xs[0]) if xs[0] != UNKNOWN else (-INF, INF)
    if unfinished:
        return -INF, INF
    if figure == "last(x)":
        return (xs[-1], xs[-1]) if xs[-1] != UNKNOWN else (-INF, INF)
    if figure in ("diff(x)", "rate(x)"):
        if UNKNOWN in (xs[0], xs[-1]):
            return -INF, INF
        diff = Fraction(xs[-1] - xs[0])
        result = diff / seconds if figure == "rate(x)" and seconds else diff
        return result, result
    if not whole:
        return -INF, INF
    total = sum((Fraction(states[i]["x"] * (states[i + 1]["t"] - states[i]["t"])) for i in range(first, last)), Fraction(0))
    if figure == "avg(x)":
        total = total / seconds if seconds else Fraction(xs[-1])
    return total, total


def compare(sign, low, high, limit):
    can_less, can_more = low < limit, high > limit
    can_equal = low <= limit <= high
    truths = []
    for can, less, equal in ((can_less, 1, 0), (can_equal, 0, 1), (can_more, 0, 0)):
        if can:
            truths.append({"<": less, "<=": less or equal, ">": not less and not equal, ">=": not less, "==": equal,
                           "!=": not equal}[sign])
    return T if all(truths) else F if not any(truths) else U


def judge(e, states, first, last, run, unfinished):
    truths = [compare(sign, *extent(figure, states, first, last, run, unfinished), limit)
              for figure, sign, limit in e[1]]
    return min(truths) if e[0] == "and" else max(truths)


def intervals(p, q, e, states):
    """The truth of every interval in order; a stretch of doubt is one that is unknown."""
    memo, truths, start, doubt = {}, [], None, False
    for i in range(len(states)):
        begins = value(p, states, i, memo)
        ends = T - begins if q is None else value(q, states, i, memo)
        if doubt:
            doubt = not (ends == T and begins == F)
        elif start is None:
            if begins == U:
                doubt = True
                truths.append(U)
            elif begins == T:
                start = i
        elif ends == U:
            doubt, start = True, None
            truths.append(U)
        elif ends == T:
            truths.append(judge(e, states, start, i, q is None, False))
            start = None
    if start is not None and q is None:
        truths.append(judge(e, states, start, len(states) - 1, True, True))
    return truths


def quantified(quantifier, truths):
    if quantifier == "forall":
        return min(truths, default=T)
    if quantifier == "exists":
        return max(truths, default=F)
    return truths[0] if truths else F


class Property:
    """text, and what it is worth; exact: the evaluator gives the very verdict."""

    def __init__(self, rng, kind):
        self.exact, self.temporal = True, kind == "temporal"
        if kind == "temporal":
            f = formula(rng, 3, True)
            self.text = text_of(f)
            self.of = lambda states: value(f, states, 0, {})
            return
        p, q = formula(rng, 1, False), formula(rng, 1, False) if rng.random() < .6 else None
        quantifier, e = rng.choice(["forall", "forall", "exists", "first"]), expression(rng)
        ends = f"[{text_of(p)}{', ' + text_of(q) if q else ''}]"
        self.text = f"{quantifier} {ends} {expression_text(e)}"
        self.of = lambda states: quantified(quantifier, intervals(p, q, e, states))
        if kind == "nested":
            r = formula(rng, 1, False)
            s = f", {text_of(formula(rng, 1, False))}" if rng.random() < .5 else ""
            inner = f"{rng.choice(['exists', 'forall', 'first'])} [{text_of(r)}{s}]"
            self.text = f"{quantifier} {ends} {inner} {rng.choice(['during', 'overlaps', 'before', 'within', 'meets'])}"
            if rng.random() < .4:
                self.text += f" where ({expression_text(expression(rng))})"
            self.exact, self.of = False, None
        elif kind == "share":
            self.text = f"share {ends} ({expression_text(e)}) >= 50 %"
            self.of = lambda states: self.share(intervals(p, q, e, states))

    @staticmethod
    def share(truths):
        if U in truths:
            return U
        return T if not truths or 2 * truths.count(T) >= len(truths) else F


# --- Files


def write_jsonl(path, states):
    lines = [{"tactus": "trace", "version": 1, "variables": {
        "event": {"kind": "discrete"}, "x": {"kind": "continuous"}, "mode": {"kind": "discrete"}}}]
    for s in states:
        line = {"t": s["t"]}
        for name in ("event", "x", "mode"):
            v = s[name]
            if v is not None:
                line[name] = {"unknown": "taken away"} if v == UNKNOWN else v
        lines.append(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def write_csv(path, states, start=False):
    rows = ["t,event,x,mode"]
    for s in states:
        x = ("" if start else "?") if s["x"] == UNKNOWN else s["x"]
        rows.append(f"{s['t']},{s['event'] or ''},{x},{s['mode']}")
    path.write_text("\n".join(rows) + "\n")


def write_trace(folder, name, states, kind):
    if kind in ("csv", "start", "emitted"):
        path = folder / f"{name}.csv"
        write_csv(path, states, kind == "start")
        return path
    path = folder / f"{name}.jsonl"
    write_jsonl(path, states)
    if kind == "binary":
        packed = folder / f"{name}.tacb"
        subprocess.run([TACTUS, "trace", "import", path, "-o", packed], check=True, capture_output=True)
        return packed
    return path


def verdicts(folder, props, paths):
    run = subprocess.run([TACTUS, "check", "-p", props, "--json", *paths], capture_output=True, text=True)
    if run.returncode not in (0, 1, 3):
        raise SystemExit(f"check: {run.stderr}")
    return json.loads(run.stdout)["traces"]


def truth_of(verdict):
    return {"true": T, "presumably true": T, "false": F, "presumably false": F, "inconclusive": U}[verdict]


WORDS = ["false", "inconclusive", "true"]


class Tally:
    def __init__(self):
        self.cases = self.wrong = self.stayed = self.lost = self.early = 0

    def fail(self, *what):
        self.wrong += 1
        if self.wrong <= 10:
            print("FAILED", *what)

    def compare(self, where, prop, whole, part, full, got):
        """full, got: results on the whole trace and on the one with values taken away."""
        self.cases += 1
        before, after = truth_of(full["verdict"]), truth_of(got["verdict"])
        if prop.exact and prop.of(whole) != before:
            self.fail(where, prop.text, "whole:", full["verdict"], "expected", WORDS[prop.of(whole)])
        if before != U and after not in (U, before):
            self.fail(where, prop.text, "turned around:", full["verdict"], "to", got["verdict"])
        self.stayed += after == before
        self.lost += after == U and before != U
        if after == U:
            self.place(where, prop, part, got)
        if not prop.exact:
            return
        wanted = prop.of(part)
        if after != wanted:
            gone = [i for i, s in enumerate(part) if UNKNOWN in s.values()]
            decided = got.get("decided_at", len(part))
            if prop.temporal and wanted == U and after == before and gone and decided < max(gone[0], 1):
                self.early += 1  # no continuation of what was known (of nothing, in state 0) could change it
            else:
                self.fail(where, prop.text, part, "got", got["verdict"], "expected", WORDS[wanted])

    def place(self, where, prop, part, got):
        unknown = got.get("unknown")
        if not unknown:
            self.fail(where, prop.text, part, "is inconclusive without a place")
        elif unknown["variable"] and part[unknown["state"]][unknown["variable"]] != UNKNOWN:
            self.fail(where, prop.text, "names", unknown, "which is known")


KINDS = ["temporal", "interval", "interval", "temporal", "nested", "share"]


def batch(rng, folder, kind, tally, count):
    properties = [Property(rng, rng.choice(KINDS)) for _ in range(count)]
    head = 'observe x = number(css:"#x")\n' if kind == "screen" else ""
    props = folder / "random.props"
    props.write_text(head + "".join(f"property p{i}: {p.text}\n" for i, p in enumerate(properties)))
    pairs, paths = [], []
    for i in range(12):
        whole = random_trace(rng)
        part = take_away(rng, whole, kind)
        pairs.append((whole, part))
        paths += [write_trace(folder, f"{i}whole", whole, kind), write_trace(folder, f"{i}part", part, kind)]
    results = verdicts(folder, props, paths)
    for i, (whole, part) in enumerate(pairs):
        for k, prop in enumerate(properties):
            tally.compare(kind, prop, whole, part, results[2 * i]["properties"][k], results[2 * i + 1]["properties"][k])


def emitted_batch(rng, folder, tally):
    """The exported C monitor: as check, or inconclusive."""
    properties = []
    while len(properties) < 12:
        prop = Property(rng, rng.choice(["temporal", "interval", "interval"]))
        (folder / "one.props").write_text(f"property p: {prop.text}\n")
        run = subprocess.run([TACTUS, "check", "-p", folder / "one.props", "--emit", "c", "-o", folder / "one.c"],
                             capture_output=True)
        if run.returncode == 0:
            properties.append(prop)
    props, source, program = folder / "emit.props", folder / "monitor.c", folder / "monitor"
    props.write_text("".join(f"property p{i}: {p.text}\n" for i, p in enumerate(properties)))
    subprocess.run([TACTUS, "check", "-p", props, "--emit", "c", "-o", source], check=True, capture_output=True)
    subprocess.run(["gcc", "-O0", "-DMONITOR_MAIN", "-o", program, source], check=True)
    for i in range(12):
        whole = random_trace(rng)
        part = take_away(rng, whole, "csv")
        for states in (whole, part):
            path = write_trace(folder, "emitted", states, "emitted")
            with open(path) as trace:
                lines = subprocess.run([program], stdin=trace, capture_output=True, text=True).stdout.splitlines()
            for prop, line in zip(properties, lines):
                tally.cases += 1
                got, wanted = truth_of(line.split(" ", 1)[1]), prop.of(states)
                tally.stayed += got == wanted
                known = prop.of(whole)
                if got not in (U, known) if known != U else False:
                    tally.fail("emitted", prop.text, states, "got", WORDS[got], "expected", WORDS[known])
                if states is whole and got != wanted:
                    tally.fail("emitted", prop.text, states, "got", WORDS[got], "expected", WORDS[wanted])


def har_batch(rng, folder, tally, count):
    """rxData of archives in which -1 stands for what the browser did not tell."""
    for i in range(count):
        sizes = [rng.randrange(0, 5000) for _ in range(rng.randrange(1, 6))]
        gone = [rng.random() < .25 for _ in sizes]
        cached = [rng.random() < .2 for _ in sizes]
        limit = rng.randrange(1, 12000)

        def archive(taken):
            entries = []
            for k, size in enumerate(sizes):
                entry = {"startedDateTime": f"2024-05-01T10:00:{2 * k:02d}.000Z", "time": 500,
                         "request": {"method": "GET", "url": f"https://a.example/{k}", "headersSize": 100, "bodySize": 0},
                         "response": {"status": 200, "headersSize": -1 if taken and gone[k] else 100,
                                      "bodySize": size}, "timings": {}}
                if cached[k]:
                    entry["_fromCache"] = "disk"
                entries.append(entry)
            return {"log": {"version": "1.2", "creator": {"name": "test"}, "entries": entries}}

        (folder / "har.props").write_text(f"property a: always rxData < {limit} B\n"
                                          f"property b: forall [slice request] diff(rxData) < {limit} B\n")
        total, first, truths = 0, None, []
        for k, size in enumerate(sizes):
            here = 0 if cached[k] else size + 100
            first = k if first is None and gone[k] and not cached[k] else first
            total += here
            truths.append((total, here, first is not None))
        wanted = {"whole": (T if total < limit else F, T if all(h < limit for _, h, _ in truths) else F),
                  "part": (F if any(s >= limit and not u for s, _, u in truths) else U if first is not None else T,
                           F if any(h >= limit and not u for _, h, u in truths) else U if first is not None else T)}
        for name in ("whole", "part"):
            path = folder / f"{name}.har"
            path.write_text(json.dumps(archive(name == "part")))
            got = verdicts(folder, folder / "har.props", [path])[0]["properties"]
            for k in range(2):
                tally.cases += 1
                if truth_of(got[k]["verdict"]) != wanted[name][k]:
                    tally.fail("har", sizes, gone, cached, limit, "ab"[k], name, got[k]["verdict"], WORDS[wanted[name][k]])
                if got[k]["verdict"] == "inconclusive" and "-1" not in got[k]["unknown"]["reason"]:
                    tally.fail("har", got[k])


def main():
    wanted = int(os.environ.get("TACTUS_UNKNOWN_CASES") or (3000 if os.environ.get("TACTUS_SWEEP") else 300))
    seed = int(os.environ.get("TACTUS_SEED") or 7)
    total = Tally()
    with tempfile.TemporaryDirectory(prefix="tactus-unknown-") as name:
        folder = pathlib.Path(name)
        for kind in ("jsonl", "binary", "csv", "start", "screen", "emitted", "har"):
            rng, tally = random.Random(f"{seed} {kind}"), Tally()
            if kind == "emitted" and not shutil.which("gcc"):
                print("  emitted: skipped, gcc is needed")
                continue
            while tally.cases < wanted and tally.wrong < 10:
                if kind == "emitted":
                    emitted_batch(rng, folder, tally)
                elif kind == "har":
                    har_batch(rng, folder, tally, 10)
                else:
                    batch(rng, folder, kind, tally, 25)
            print(f"  {kind}: {tally.cases} cases, {tally.stayed} stayed, {tally.lost} became inconclusive, "
                  f"{tally.early} decided before, {tally.wrong} wrong")
            total.cases += tally.cases
            total.wrong += tally.wrong
    print(f"{total.cases} passed, {total.wrong} failed")
    return total.wrong > 0


if __name__ == "__main__":
    sys.exit(main())
