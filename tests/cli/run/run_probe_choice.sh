# --probe NAME records only that probe of the device; a name it does not have is refused with those it has.
P=sim:$ROOT/examples/apps/player.json
tactus run --device $P --monkey 1 --steps 2 --probe rxData --probe heap -o runs >/dev/null; echo "exit $?"
head -1 runs/traces/000000.jsonl | python3 -c 'import json,sys; print(*json.load(sys.stdin)["variables"])'
tactus run --device $P --monkey 1 --steps 2 --probe rxDate -o others; echo "exit $?"
ls others 2>&1 | head -1
