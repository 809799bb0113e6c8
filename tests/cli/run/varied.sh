# Apps and actions, a bit wrong in many ways (tests/vary.py).
exec 2>&1
A=$ROOT/examples/apps C=$ROOT/tests/fuzz/corpus
vary() { python3 $ROOT/tests/vary.py "$@"; }
vary --lines --words --every 17 $A/notes.json tactus screen --device sim:{}
vary --words --every 29 $A/player.json tactus screen --device sim:{}
vary --lines --words $A/door.json bash -c 'rm -rf out; tactus run --device sim:$0 --monkey 1 --steps 6 -o out; tactus trace show out/traces/000000.jsonl' {}
vary --lines --words --every 3 $C/actions/todo bash -c 'rm -rf out; tactus run --device sim:$ROOT/examples/apps/notes.json --actions $0 --steps 5 -o out; tactus trace show out/traces/000000.jsonl' {}
