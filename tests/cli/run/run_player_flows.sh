# Every flow of the extracted player runs without a failed step, and the property decides by scenario.
tactus explore --device sim:$ROOT/examples/apps/player.json -o player.xml >/dev/null
tactus flow list player.xml --length 8 --require $ROOT/examples/demo/playback.req.xml --witness --format jsonl -o flows.jsonl
tactus run --device sim:$ROOT/examples/apps/player.json --model player.xml --flows flows.jsonl \
    --scenario pedestrian --scenario festival --scenario cafe --repeat 2 --parallel 2 \
    -p $ROOT/examples/demo/playback.props -o runs; echo "exit $?"
ls runs/traces | wc -l
python3 - <<'P'
import json
summary = json.load(open("runs/verdicts.json"))
for row in summary["properties"]:
    print(row["scenario"], row["violated"], "of", row["runs"])
P
echo "again: nothing is left to do"
tactus run --device sim:$ROOT/examples/apps/player.json --model player.xml --flows flows.jsonl \
    --scenario pedestrian --scenario festival --scenario cafe --repeat 2 --parallel 2 \
    -p $ROOT/examples/demo/playback.props -o runs | head -1
