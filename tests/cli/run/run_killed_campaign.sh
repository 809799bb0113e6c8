# Kill -9 in the middle of a campaign of 1,000 runs, twice, then resume: every run exactly once, every
# file whole.
run="tactus run --device sim:$ROOT/examples/apps/tracker.json --monkey 1000 --steps 30 --parallel 2 -o runs"
kills=0
for round in 1 2; do
    $run > /dev/null & pid=$!
    # until some more runs are there, but not all
    for try in $(seq 400); do
        [ "$(ls runs/traces 2>/dev/null | wc -l)" -gt $((round * 250)) ] && break
        kill -0 $pid 2>/dev/null || break
        sleep 0.01
    done
    kill -9 $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
done
echo "killed $kills times"
$run --json > summary.json; echo "exit $?"
python3 - <<'P'
import glob, json, sqlite3
summary = json.load(open("summary.json"))
print("runs", summary["runs"], "missing", summary["missing"])
rows = sqlite3.connect("runs/index.sqlite").execute("select id, trace from run order by id").fetchall()
print("rows", len(rows), "different", len({row[0] for row in rows}))
whole = 0
for _, trace in rows:
    last = open("runs/" + trace).read().rstrip("\n").split("\n")[-1]
    whole += "end" in json.loads(last)
print("whole traces", whole, "left-over files", len(glob.glob("runs/traces/*")) - len(rows))
P
