# What concerns an app; flows of its cases; scores, with a planted slowdown; mistakes.
E=$ROOT/examples/kpi
tactus kpi cases $E/media-player.json $E/player.json
tactus kpi cases $E/to-do.json $E/todo/heavy.json --json
tactus explore --device sim:$ROOT/examples/apps/player.json -o player.xml >/dev/null
tactus kpi cases $E/media-player.json $E/player.json --model player.xml --flows-to flows.jsonl | head -1
grep -c '"event":"selectSong"' flows.jsonl
tactus kpi cases $E/media-player.json $E/player.json --model player.xml --flows-to none.jsonl --length 4 | tail -3
sed 's/"media": 0.03}/"media": 0.03}, "time": {"event": 1.5, "launch": 0.45}/' $ROOT/examples/apps/player.json > slow.json
run() { tactus run --device sim:$1 --flows flows.jsonl --scenario ideal --think 20 --repeat 5 --seed $2 -o $3 >/dev/null; }
run $ROOT/examples/apps/player.json 1 before
run $ROOT/examples/apps/player.json 2 after
run slow.json 2 slow
tactus kpi score $E/media-player.json $E/player.json=after $E/player.json=slow --reference $E/player.json=before
echo "exit $?"
# A campaign alone has every feature, by the catalogue's names: nothing here is called so.
tactus kpi score $E/media-player.json after --json -o score.json
echo "exit $?"
python3 - <<'PY'
import json
document = json.load(open("score.json"))
for kpi in document["apps"][0]["kpis"]:
    print(kpi["name"], kpi["state"], kpi["reason"], kpi["answer"], kpi["score"])
PY
# A figure that is just its bound (1.5 s): less or more than it is asked for strictly.
for asked in '< 1.5 s' '<= 1.5 s' '> 1.5 s' '>= 1.5 s'; do
    python3 - "$E/media-player.json" "$asked" <<'PY' > strict.json
import json, sys
catalogue = json.load(open(sys.argv[1]))
catalogue["kpis"] = [dict(kpi, requirement=sys.argv[2]) for kpi in catalogue["kpis"] if kpi["name"] == "response_time"]
print(json.dumps(catalogue))
PY
    tactus kpi score strict.json $E/player.json=slow | grep 'response_time'
done
# In the report: what is missed and worse is found, and the document has the scores.
tactus report slow --baseline before --kpi $E/media-player.json --kpi-app $E/player.json --format markdown | grep -i kpi
tactus report slow --baseline before --kpi $E/media-player.json --kpi-app $E/player.json --json -o report.json
python3 -c 'import json; d = json.load(open("report.json")); print([(s["domain"], round(s["score"])) for s in d["kpi_scores"]], len(d["kpis"]))'
# Mistakes
tactus report slow --kpi-app $E/player.json; echo "exit $?"
tactus kpi score $E/media-player.json; echo "exit $?"
tactus kpi score $E/media-player.json nowhere; echo "exit $?"
tactus kpi score $E/media-player.json $E/to-do.json=after; echo "exit $?"
tactus kpi score $E/player.json after; echo "exit $?"
tactus kpi cases $E/media-player.json $E/player.json --model player.xml; echo "exit $?"
printf '{"tactus-kpi": 1, "name": "x", "features": {},\n "kpis": [{"name": "k", "domain": "data",\n  "property": "forall [a, b] diff(rx) <"}]}' > bad.json
tactus kpi score bad.json after; echo "exit $?"
# A trace that is not as it was written is no evidence.
cp -r after changed
sed -i 's/"rxData":[0-9][0-9]*/"rxData":0/' changed/traces/000001.jsonl
tactus kpi score $E/media-player.json $E/player.json=changed 2> changed.txt; echo "exit $?"
sed 's/[0-9]* bytes/N bytes/; s/written with [0-9]*/written with N/' changed.txt
