# Patterns of random runs, by every template and way; what is learnt from them and foretold (tests/random_inputs.py).
exec 2>&1
digest() { cksum | cut -d' ' -f1; }
make() { python3 $ROOT/tests/random_inputs.py "$@"; }
for seed in 1 2 3 4; do
    make runs $seed 60 > r.runs; make runs $((seed + 50)) 30 > new.runs
    echo "== $seed"
    tactus mine r.runs --limit 3
    for templates in g1 g1e g2 g3 g4 g5; do
        tactus mine r.runs --templates $templates --all --merge --json | digest
        tactus mine r.runs --templates $templates --screen threshold --json | digest
    done | xargs echo templates
    tactus mine r.runs --template 'G(a -> X F b)' --template 'F(a & F b)' --limit 2
    tactus mine r.runs --screen none --blocks 2 --support 0.7 --confidence 0.7 --min-occurrences 3 --json | digest
    tactus mine r.runs --cluster pass --all --json | digest
    tactus mine r.runs --emit-properties out.props > said; cat out.props
    for combiner in rules weights; do
        tactus mine r.runs --train --combiner $combiner -o model.json; digest < model.json
        tactus predict model.json new.runs --json | digest
    done
done
