# The loop: monkey runs on the built-in phone with four planted crashes, mined to their causes; flows of
# the emitted requirements, executed, show the crashes again.
app=$ROOT/examples/apps/tracker.json
python3 - "$app" <<'END'
import json, sys
app = json.load(open(sys.argv[1]))
app["crashes"] = []
json.dump(app, open("healthy.json", "w"))
END
tactus explore --device sim:healthy.json --stable-names -o model.xml > explore.txt 2>&1
tactus run --device sim:$app --monkey 1200 --steps 60 -o monkey > monkey.txt
tactus mine monkey/traces --top 3 --emit-requirements req --model model.xml --json > patterns.json 2> skipped.txt
python3 - <<'END'
import json
causes = {"EditHistory.pop": ["move", "undo", "save"], "MapCamera.follow": ["zoomOut", "stop", "start"],
          "Session.token": ["follow"], "TrackBuffer.grow": ["start"]}
for cluster in json.load(open("patterns.json"))["clusters"]:
    name = ".".join(cluster["name"].split(".")[-2:])
    shown = [[block[1] for block in pattern["blocks"]] for pattern in cluster["patterns"]]
    print(f"{name}: {causes[name]} is the first pattern: {shown[:1] == [causes[name]]}")
END
for name in route.EditHistory.pop record.MapCamera.follow social.Session.token; do
    requirement=$(echo req/*com.example.tactus.tracker.$name-1.req.xml)
    tactus flow list model.xml --length 7 --require $requirement --witness --format jsonl --limit 60 -o flows.jsonl
    tactus run --device sim:$app --flows flows.jsonl -o again-$name > again.txt
    grep -q "crashed with" again.txt && echo "$name: crashes again" || cat again.txt
done
# A recording is often stopped before the one that is not: the rule has a confidence below 0.9.
tactus mine monkey/traces --confidence 0.7 --top 1 --cluster com.example.tactus.tracker.record.TrackBuffer.grow --json |
    python3 -c 'import json,sys; p=json.load(sys.stdin)["clusters"][0]["patterns"][0]; print(p["template"], p["blocks"][0][1], "never", p["tail"])'
