# Random homes: what is found in them, what a repair makes of them, what happens in them (tests/random_inputs.py).
exec 2>&1
digest() { cksum | cut -d' ' -f1; }
make() { python3 $ROOT/tests/random_inputs.py "$@"; }
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
    make home $seed $((2 + seed % 5)) > home.yaml; make events $seed 25 > home.events
    echo "== $seed"
    tactus automation check home.yaml --possible > said; echo "exit $?"; head -30 said | cut -c1-200; digest < said
    tactus automation check home.yaml --json | digest
    tactus automation check home.yaml --fix home.yaml -o fixed.yaml > said && diff home.yaml fixed.yaml
    tactus automation show home.yaml | digest
    tactus automation simulate home.yaml --events home.events > said; echo "exit $?"; tail -5 said; digest < said
    tactus automation simulate home.yaml --events home.events --json | digest
done
