# Kill -9 in the middle of a campaign on two phones, twice, then resume: every run exactly once, and in
# each happened what happened in a campaign that nobody disturbed, whatever worker did it.
chat=$ROOT/examples/chat
app=$ROOT/examples/apps/chat.json
tactus flow list $chat/chat.model.xml --length 8 --format jsonl -o flows.jsonl
run="tactus run --device alice=sim:$app --device bob=sim:$app#Home --flows flows.jsonl --scenario cafe"
for round in 1 2; do
    $run --parallel 2 -o killed > /dev/null & pid=$!
    for try in $(seq 400); do
        [ "$(ls killed/traces 2>/dev/null | wc -l)" -gt $((round * 100)) ] && break
        kill -0 $pid 2>/dev/null || break
        sleep 0.005
    done
    kill -9 $pid 2>/dev/null && echo "killed"
    wait $pid 2>/dev/null
done
$run --parallel 2 -o killed; echo "exit $?"
$run -o whole > /dev/null; echo "exit $?"
python3 - <<'P'
import glob, json
def happened(path):
    rows = [json.loads(line) for line in open(path)][1:]
    return [(row["t"], row.get("event"), row.get("bob.state")) for row in rows if "t" in row]
def alike(one, other):
    return len(one) == len(other) and all(
        abs(a[0] - b[0]) < 1e-4 and a[1:] == b[1:] for a, b in zip(one, other))
paths = sorted(glob.glob("killed/traces/*.jsonl"))
same = sum(alike(happened(path), happened(path.replace("killed", "whole"))) for path in paths)
print(len(paths), "traces,", same, "the same")
P
