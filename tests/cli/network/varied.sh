# Scenarios of recordings, and scenarios, a bit wrong in many ways (tests/vary.py).
exec 2>&1
C=$ROOT/tests/fuzz/corpus
vary() { python3 $ROOT/tests/vary.py "$@"; }
for file in $C/scenario_csv/*; do vary --lines --words --every 2 $file tactus scenario import {}; done
vary --words $C/scenario_csv/walk tactus scenario import {} --name w --delay 0.5 --loss 0.25
tactus scenario import $C/scenario_csv/phone --columns time=Timestamp,down=DL_bitrate; echo "exit $?"
for file in $ROOT/examples/scenarios/{cafe,pedestrian}.json; do
    vary --lines --words --every 3 $file bash -c 'rm -rf out; tactus run --device sim:$ROOT/examples/apps/player.json --scenario $0 --monkey 1 --steps 3 -o out' {}
done
