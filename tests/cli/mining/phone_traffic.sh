# What do the playbacks over 8,000 kB share? Each skip loads another song within one playback. Flows on
# the built-in phone at the festival, labelled by the property; the state tokens are the model's states.
app=$ROOT/examples/apps/player.json
tactus explore --device sim:$app -o player.xml > explore.txt 2>&1
tactus flow sample player.xml --length 14 --count 200 --format jsonl -o flows.jsonl
tactus run --device sim:$app --flows flows.jsonl --think 30 --scenario festival -o runs > runs.txt
printf 'unit rxData B\nproperty cheap: forall [event == StartPlaying, event == PausePlaying] diff(rxData) < 8000000 B\n' > rx.props
tactus mine runs/traces --label-by property cheap -p rx.props --top 3 --json > patterns.json
python3 - <<'END'
import json
cluster = json.load(open("patterns.json"))["clusters"][0]
inputs = [block[1] for block in cluster["patterns"][0]["blocks"]]
print(cluster["name"], "skipping is in the first pattern:", "skipNext" in inputs or "skipPrev" in inputs)
END
