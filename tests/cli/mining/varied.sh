# Runs, templates and predictors, a bit wrong in many ways (tests/vary.py), and every way to mine.
exec 2>&1
C=$ROOT/tests/fuzz/corpus runs=$ROOT/examples/mining/player.runs
vary() { python3 $ROOT/tests/vary.py "$@"; }
for templates in g1 g1e g2 g3 g4 g5; do
    tactus mine $runs --templates $templates --limit 3
    tactus mine $runs --templates $templates --all --merge --limit 4 --verbose
done
tactus mine $runs --screen threshold --limit 2 --json
tactus mine $runs --screen none --blocks 2 --support 0.9 --confidence 0.8 --min-occurrences 4 --limit 2
tactus mine $runs --cluster pass --all --limit 5
tactus mine $runs --train -o rules.json --verbose; tactus predict rules.json $runs --verbose | tail -30
tactus mine $runs --train --combiner weights -o weights.json; tactus predict weights.json $runs --json
head -12 $runs > few.runs
vary --words --every 9 few.runs tactus mine {} --min-occurrences 2 --limit 2
vary --lines --words $C/runs/json_odd tactus mine {} --limit 1
vary --lines --words --every 3 $C/runs/json tactus mine {} --limit 1
vary --lines --words --every 2 $C/runs/odd tactus mine {} --limit 1
vary --words --every 31 weights.json tactus predict {} few.runs
vary --words --every 3 $C/predictor/player tactus predict {} few.runs
vary --lines --words --every 4 $C/mapping/r8 tactus mine $ROOT/examples/mining/crashes.jsonl --mapping {} --limit 1
