# Catalogues and declarations, a bit wrong in many ways (tests/vary.py); cases for every app; scores.
exec 2>&1
X=$ROOT/examples/kpi
vary() { python3 $ROOT/tests/vary.py "$@"; }
for app in $X/player.json $X/todo/heavy.json $X/todo/plain.json $X/todo/remote.json; do
    for catalogue in $X/media-player.json $X/to-do.json; do
        tactus kpi cases $catalogue $app; echo "exit $?"
    done
done
tactus kpi cases $X/media-player.json $X/player.json --json
tactus kpi cases $X/media-player.json $X/player.json --model $ROOT/examples/apps/player.model.xml --flows-to flows.jsonl --length 12; cat flows.jsonl
vary --lines --words --every 11 $X/media-player.json tactus kpi cases {} $X/player.json
vary --lines --words --every 3 $X/player.json tactus kpi cases $X/media-player.json {}
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 4 --steps 10 -o now > /dev/null
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 4 --steps 10 --seed 7 -o before > /dev/null
tactus kpi score $X/media-player.json now --reference before; echo "exit $?"
tactus kpi score $X/media-player.json now before; echo "exit $?"
tactus kpi score $X/media-player.json now before --json
vary --words --every 23 $X/media-player.json tactus kpi score {} now --reference before
