# A campaign against an earlier one: the same, made worse, made better; text, document and figures.
P=sim:$ROOT/examples/apps/player.json
PROPS=$ROOT/examples/demo/playback.props
tactus explore --device $P -o player.xml >/dev/null
tactus flow list player.xml --length 8 --require $ROOT/examples/demo/playback.req.xml --witness \
    --format jsonl -o flows.jsonl
campaign() { # DIR NETWORK SEED: under the same scenario name, whatever the network is
    cp $ROOT/examples/scenarios/$2.json net.json
    tactus run --device $P --flows flows.jsonl --scenario net.json -p $PROPS --seed $3 -o $1 >/dev/null
}
campaign before pedestrian 1; campaign again pedestrian 2; campaign worse cafe 1
echo "== against itself"; tactus report before --baseline before -o a.html
echo "== the same app and network, other chance"; tactus report again --baseline before -o b.html
echo "== a worse network"; tactus report worse --baseline before -o c.html
echo "== a better one"; tactus report before --baseline worse -o d.html
cat > check.py <<'PYTHON'
"""The figures, computed again from the table of intervals by slow definitions."""
import itertools, json, math, statistics, subprocess, sys

def document(now, before=None):
    more = ["--baseline", before, "--fail-on", "none"] if before else []
    return json.loads(subprocess.run(["tactus", "report", now, *more, "--json"],
                                     capture_output=True, text=True, check=True).stdout)

def wilson(k, n):
    """Solves |share - p| = z sqrt(p (1 - p) / n) for p by bisection."""
    z, share = statistics.NormalDist().inv_cdf(0.975), k / n
    def edge(low, high):
        inside = lambda p: abs(share - p) <= z * math.sqrt(p * (1 - p) / n)
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if inside(middle) != inside(high) else (low, middle)
        return (low + high) / 2
    return (0 if k == 0 else edge(0, share)), (1 if k == n else edge(1, share))

def fisher(k1, n1, k2, n2):
    ways = lambda k: math.comb(n1, k) * math.comb(n2, k1 + k2 - k)
    seen = ways(k1)
    return sum(ways(k) for k in range(n1 + 1) if 0 <= k1 + k2 - k <= n2 and ways(k) <= seen) / \
        math.comb(n1 + n2, k1 + k2)

def rank_sum(a, b):
    """Every way to choose which of the values are the first sample."""
    both = a + b
    rank = [sum(y < x for y in both) + (sum(y == x for y in both) + 1) / 2 for x in both]
    middle, seen = len(a) * (len(both) + 1) / 2, sum(rank[:len(a)])
    ways = [sum(one) for one in itertools.combinations(rank, len(a))]
    return sum(abs(one - middle) >= abs(seen - middle) - 1e-9 for one in ways) / len(ways)

def deciding(document):
    worst = {}
    for row in document["properties"][0]["intervals"]:
        if row["run"] not in worst or row["margin"] < worst[row["run"]][0]:
            worst[row["run"]] = row["margin"], row["value"]
    return [value for _, value in worst.values()]

def near(what, got, wanted):
    assert abs(got - wanted) <= 1e-6 * max(1, abs(wanted)), (what, got, wanted)

for now, before in (("before", "before"), ("again", "before"), ("worse", "before"), ("before", "worse")):
    new, old = document(now, before), document(before)
    row, values, earlier = new["properties"][0]["scenarios"][0], deciding(new), deciding(old)
    base = row["baseline"]
    violated = len({one["run"] for one in new["properties"][0]["intervals"] if one["violated"]})
    assert row["violated"] == violated and row["runs"] == len(new["runs"])
    assert base["runs"] == len(old["runs"])
    near("low", row["low"], wilson(row["violated"], row["runs"])[0])
    near("high", row["high"], wilson(row["violated"], row["runs"])[1])
    near("median", row["median"], statistics.median(values))
    near("old median", base["median"], statistics.median(earlier))
    quarters = statistics.quantiles(values, n=4, method="inclusive")
    near("spread", row["spread"], quarters[2] - quarters[0])
    near("p", base["p"], fisher(row["violated"], row["runs"], base["violated"], base["runs"]))
    near("value_p", base["value_p"], rank_sum(values, earlier))
    assert base["significant"] == (base["p"] < 0.05)
    assert base["value_significant"] == (base["value_p"] < 0.05)
    severities = [one["severity"] for one in new["findings"] if "baseline" in one["text"]]
    print(now, "against", before, severities, base["significant"], base["value_significant"])
PYTHON
python3 check.py
