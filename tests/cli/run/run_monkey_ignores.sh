# Random runs leave alone what --ignore selects, and what is inside it; a rule that never matched is told.
app=$ROOT/examples/apps/player.json
id="com.example.tactus.player:id"
tactus run --device sim:$app --monkey 20 --steps 30 --seed 4 -o all --json > /dev/null
tactus run --device sim:$app --monkey 20 --steps 30 --seed 4 -o some --json \
    --ignore "//node[@resource-id='$id/skip_next']" --ignore "//node[@resource-id='$id/nothing']" > some.json
for folder in all some; do
    echo "$folder: $(cat $folder/traces/*.jsonl | grep -c '"event":"skipNext"') skipNext, $(cat $folder/traces/*.jsonl | grep -c '"event":"playPause"' | sed 's/^[1-9][0-9]*$/some/') playPause"
done
python3 -c 'import json; print(json.load(open("some.json")).get("unmatched_options"))'
