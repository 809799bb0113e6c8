# An adaptive run covers what was extracted, and says what was covered at each step.
tactus explore --device "sim:$ROOT/examples/apps/calculator.json" -o model.xml > /dev/null
tactus run --device "sim:$ROOT/examples/apps/calculator.json" --goal transitions --model model.xml -o runs
head -2 runs/coverage.jsonl
tail -1 runs/coverage.jsonl
tactus run --device "sim:$ROOT/examples/apps/calculator.json" --goal transitions -o other
echo "exit $?"
tactus run --device "sim:$ROOT/examples/apps/calculator.json" --goal transitions --monkey 3 --model model.xml -o other
echo "exit $?"
