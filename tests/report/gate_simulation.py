#!/usr/bin/env python3
"""The gate on campaigns whose truth is known: pairs of one build, pairs with a planted rise, and
pairs of unlike campaigns. Runs are dealt by a seeded generator and written as a campaign's folder.

Counts: how many pairs of one build are called worse (at most 5 %), how many planted rises are found
of those for which the report's own power says 9 of 10, and whether unlike campaigns are named."""
import json, os, random, shutil, sqlite3, subprocess, sys, tempfile

TACTUS = os.environ["TACTUS"]
SCALE = float(os.environ.get("TACTUS_SWEEP", "0.06"))
RUNS, FLOWS, DEVICES = 120, 6, ("phone-a", "phone-b", "phone-c")
PROPERTY = "property load: forall [event == a, event == b] diff(heap) < 100\n"

def template(folder):
    root = os.environ["TACTUS_SOURCE_ROOT"]
    with open(f"{folder}/p.props", "w") as out:
        out.write(PROPERTY)
    subprocess.run([TACTUS, "run", "--device", f"sim:{root}/examples/apps/player.json", "--monkey", "1", "--steps", "1",
                    "-p", f"{folder}/p.props", "-o", f"{folder}/template"], stdout=subprocess.DEVNULL, check=False)
    return f"{folder}/template"

def write(folder, made_from, rows):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(made_from, folder)
    os.makedirs(f"{folder}/traces", exist_ok=True)
    index = sqlite3.connect(f"{folder}/index.sqlite")
    columns = [row[1] for row in index.execute("pragma table_info(run)")]
    index.execute("delete from run")
    index.execute("delete from verdict")
    index.execute("delete from setting where key = 'plan'")
    for number, row in enumerate(rows):
        trace = ""
        if row.get("value") is not None:
            trace = f"traces/{number:06}.jsonl"
            with open(f"{folder}/{trace}", "w") as out:
                out.write('{"tactus":"trace","version":1,"variables":{"event":{"kind":"discrete"},'
                          '"heap":{"kind":"continuous"},"state":{"kind":"discrete"}},'
                          '"meta":{"verdict":"%s"}}\n' % row["verdict"])
                for at, event, x in ((0, "a", 0), (1, "b", row["value"]), (2, "c", row["value"])):
                    out.write(json.dumps({"t": at, "event": event, "heap": x, "state": "s"}) + "\n")
        details = {"ran_on": row["device"]}
        if row["verdict"] == "crash":
            details["stack"] = [f"at org.t.Main.f{row['crash']}(Main.java:{random.randrange(99)})"]
        values = {"id": number, "kind": "flow", "name": f"flow {row['flow']}", "flow": row["flow"], "scenario": row.get("scenario", ""),
                  "repeat": 0, "seed": "1", "verdict": row["verdict"], "message": "", "trace": trace, "seconds": 1.0, "steps": 2,
                  "exception": "java.lang.Error" if row["verdict"] == "crash" else "", "details": json.dumps(details),
                  "trace_size": -1, "trace_digest": ""}
        index.execute(f"insert into run ({','.join(columns)}) values ({','.join('?' * len(columns))})",
                      [values[name] for name in columns])
    index.commit()
    index.close()

def deal(chance, rates, factor=1.0, noise=0.15, devices=DEVICES, flows=range(FLOWS), figures=True, runs=RUNS):
    """Runs of flows on devices that differ; rates: of each cause, by its number."""
    rows = []
    for number in range(runs):
        flow, device = flows[number % len(flows)], devices[(number // len(flows)) % len(devices)]
        row = {"flow": flow, "device": device, "verdict": "pass"}
        for cause, rate in rates.items():
            if chance.random() < rate * (0.5 + flow / FLOWS):
                row.update(verdict="crash", crash=cause)
                break
        if figures:
            level = 10 * (1 + flow) * (1 + 0.3 * DEVICES.index(device) if device in DEVICES else 1)
            row["value"] = level * factor * (1 + noise * chance.gauss(0, 1))
        rows.append(row)
    chance.shuffle(rows)
    return rows

def judge(now, before):
    done = subprocess.run([TACTUS, "report", now, "--baseline", before, "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1, 3), done.stderr
    return json.loads(done.stdout)["gate"][0]

def of_kind(gate, *kinds):
    return [one for one in gate["comparisons"] if one["kind"] in kinds]

def main():
    folder = tempfile.mkdtemp()
    made_from = template(folder)
    now, before = f"{folder}/now", f"{folder}/before"
    pair = lambda a, b: (write(now, made_from, a), write(before, made_from, b), judge(now, before))[2]
    same, worse = max(4, round(200 * SCALE)), 0
    for seed in range(same):
        chance = random.Random(seed)
        rates = {cause: rate * chance.random() for cause, rate in ((1, 0.2), (2, 0.1), (3, 0.02))}
        unequal = {"devices": DEVICES[: 2 + seed % 2], "flows": range(FLOWS - seed % 3)}
        gate = pair(deal(chance, rates, figures=seed % 2 == 0, **unequal), deal(chance, rates, figures=seed % 2 == 0))
        worse += gate["answer"] == "worse"
    print(f"one build: {worse} of {same} pairs called worse", file=sys.stderr)
    assert worse <= max(1, 0.05 * same)

    planted, able, found = max(6, round(50 * SCALE)), 0, 0
    for seed in range(planted):
        chance = random.Random(1000 + seed)
        base = {1: 0.05 + 0.1 * chance.random()}
        if seed % 2:
            rise = (0.1, 0.2, 0.3)[seed // 2 % 3]
            gate = pair(deal(chance, {1: base[1] + rise}, figures=False, runs=300), deal(chance, base, figures=False, runs=300))
            one = of_kind(gate, "crashes", "crash")
            powerful = any(c["rise"] is not None and c["rise"] <= rise for c in one)
        else:
            rise = (0.05, 0.1, 0.2)[seed // 2 % 3]
            gate = pair(deal(chance, {}, 1 + rise, noise=0.08), deal(chance, {}, noise=0.08))
            one = of_kind(gate, "figure")
            assert one, gate
            powerful = any(c["rise"] is not None and c["rise"] <= rise * c["before"] for c in one)
        hit = any(c["answer"] == "worse" for c in one)
        able += powerful
        found += hit and powerful
    print(f"planted: {found} of {able} found where power says 9 of 10 ({planted} planted)", file=sys.stderr)
    assert able >= planted * 0.4 and found >= 0.9 * able - 1

    unlike = max(3, round(20 * SCALE))
    for seed in range(unlike):
        chance = random.Random(2000 + seed)
        flows, devices = (range(FLOWS), ("phone-a", "phone-z")) if seed % 2 else (range(1, FLOWS + 1), DEVICES)
        gate = pair(deal(chance, {1: 0.1}, flows=flows, devices=devices, figures=False), deal(chance, {1: 0.1}, figures=False))
        assert len(gate["differences"]) >= 2, gate["differences"]
        assert gate["compared"] < gate["runs"], gate
        gate = pair(deal(chance, {1: 0.5}, flows=range(7, 9), figures=False), deal(chance, {1: 0.1}, figures=False))
        assert gate["answer"] == "cannot tell" and not gate["compared"], gate
    print(f"unlike: named in all {2 * unlike} pairs", file=sys.stderr)
    shutil.rmtree(folder)
    print("3 passed, 0 failed")

main()
