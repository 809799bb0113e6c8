# What is said of random models, of what changed between two, and what they become elsewhere (tests/random_inputs.py).
exec 2>&1
digest() { cksum | cut -d' ' -f1; }
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    python3 $ROOT/tests/random_inputs.py model $seed $((1 + seed % 4)) > $seed.xml
    echo "== $seed"
    tactus model check $seed.xml; echo "exit $?"
    tactus model check $seed.xml --json | digest
    sed '/from="s1"/{/back/d}; s/e0a/e0b/; s/time="[^"]*"/time="3"/; s/"o.e"/"o.f"/' $seed.xml > changed.xml
    tactus model diff $seed.xml changed.xml > said; head -20 said; tactus model diff $seed.xml changed.xml --json | digest
    tactus model merge $seed.xml changed.xml -o merged.xml > said; tail -3 said; digest < merged.xml
    tactus model draw $seed.xml | digest
    for format in dot graphwalker promela svg xml; do tactus model export $seed.xml --to $format > model.$format; digest < model.$format; done | xargs echo exports
    tactus model import model.graphwalker -o back.xml > said; tail -2 said; tactus model diff $seed.xml back.xml | digest
done
