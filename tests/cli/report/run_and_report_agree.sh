# A run that was stopped at an alarm violates the property, for the run's summary and for the report.
P=sim:$ROOT/examples/apps/player.json
tactus explore --device $P -o player.xml >/dev/null
tactus flow list player.xml --length 8 --require $ROOT/examples/demo/playback.req.xml --witness \
    --format jsonl -o all.jsonl
head -1 all.jsonl > flows.jsonl
tactus run --device $P --flows flows.jsonl --scenario cafe -p $ROOT/examples/demo/playback.props \
    --stop-on-violation -o stopped; echo "exit $?"
tactus report stopped -o report.html
python3 - <<'P'
import json, subprocess
run = json.load(open("stopped/verdicts.json"))
report = json.loads(subprocess.run(["tactus", "report", "stopped", "--json"], capture_output=True,
                                   text=True, check=True).stdout)
row, property = run["properties"][0], report["properties"][0]
print(row["violated"], "of", row["runs"], "and", property["violated"], "of", property["runs"])
print(report["runs"][0]["verdict"], report["runs"][0]["result"], report["summary"])
P
