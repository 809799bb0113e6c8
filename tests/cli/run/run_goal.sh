# An adaptive run covers what was extracted, and says what was covered at each step.
tactus explore --device "sim:$ROOT/examples/apps/calculator.json" -o model.xml > /dev/null
tactus run --device "sim:$ROOT/examples/apps/calculator.json" --goal transitions --model model.xml -o runs
head -2 runs/coverage.jsonl
tail -1 runs/coverage.jsonl
tactus run --device "sim:$ROOT/examples/apps/calculator.json" --goal transitions -o other
echo "exit $?"
tactus run --device "sim:$ROOT/examples/apps/calculator.json" --goal transitions --monkey 3 --model model.xml -o other
echo "exit $?"
# Other goals, and what is left with its reason.
player=sim:$ROOT/examples/apps/player.json
tactus explore --device $player -o player.xml > /dev/null
tactus run --device $player --goal states --model player.xml -o states
tactus run --device $player --goal pairs --model player.xml -o pairs
tactus flow require --template visit-in-order S3 event:back S5 --model player.xml -o visit.xml
tactus run --device $player --goal requirement --require visit.xml --model player.xml -o visit --json | grep -o '"coverage.*'
tactus run --device $player --goal requirement --model player.xml -o none
tactus run --device $player --goal page --model player.xml -o none
# A screen to which the model does not lead fails the run at its end.
notes=sim:$ROOT/examples/apps/notes.json
tactus explore --device $notes -o notes.xml > /dev/null
sed 's|event="menu" to="S1"|event="menu" to="S0"|' notes.xml >wrong.xml
tactus run --device $notes --goal transitions --model wrong.xml -o wrong
