# Flows of random models with calls, choices, guards, times and actions (tests/random_inputs.py).
exec 2>&1
digest() { cksum | cut -d' ' -f1; }
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    python3 $ROOT/tests/random_inputs.py model $seed $((1 + seed % 4)) > m.xml
    echo "== $seed"
    for length in 2 5 9; do tactus flow count m.xml -n $length; done
    tactus flow count m.xml -n 6 --distinct
    tactus flow list m.xml -n 5 --limit 6
    tactus flow list m.xml -n 6 --format jsonl --limit 200 > flows.jsonl; digest < flows.jsonl
    for goal in states transitions pairs edges tuples:3; do
        echo "-- $goal"; tactus flow cover m.xml --goal $goal > suite 2> said; head -3 suite; head -2 said; digest < suite; digest < said; tactus flow cover m.xml -n 7 --goal $goal --restart-cost 1 2>&1 | digest
    done
    tactus flow cover m.xml -n 6 --goal transitions --json | digest
    tactus flow cover m.xml -n 5 --goal transitions --budget 12 | digest
    tactus flow cover m.xml -n 5 --goal pairs --diverse 3 --seed 3 | digest
    tactus flow sample m.xml -n 7 --count 3 --seed $seed | digest
    tactus flow sample m.xml -n 7 --count 3 --seed $seed --weighted | digest
    tactus flow sample m.xml --generator 'random(edge_coverage(60))' | digest
    for n in 1 2 3 4 5; do tactus flow sample m.xml -n $n --generator 'random(edge_coverage(100))' > /dev/null; done
    for format in maestro webdriver wdio uiautomator promela; do head -5 flows.jsonl | tactus flow export - --to $format | digest; done | xargs echo exports
done
