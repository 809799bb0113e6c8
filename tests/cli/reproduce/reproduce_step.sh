# A step that cannot be done: a button that is gone once the shelf was sorted. The flow is not cut down to a
# press of the button on another screen, where it never was.
sed 's/"id": "mark"/"id": "mark", "if": "not sorted"/' $ROOT/examples/apps/shelf.json > broken.json
tactus explore --device sim:$ROOT/examples/apps/shelf.json -o model.xml >/dev/null
tactus flow sample model.xml --length 12 --count 60 --seed 3 --format jsonl -o flows.jsonl
tactus run --device sim:broken.json --model model.xml --flows flows.jsonl -o runs | head -1
tactus reproduce runs --device sim:broken.json --run 41 -o short
# from a run of twelve steps, as many as there are
tactus reproduce runs --device sim:broken.json --run 5 -o other --json | python3 -c '
import json, sys
cause = json.load(sys.stdin)["causes"][0]
print(cause["steps_before"], [step["event"] for step in cause["steps"]], cause["one_minimal"])'
