# What every command says of random rules with groups, sensors, actions, references, rates (tests/random_inputs.py).
exec 2>&1
make() { python3 $ROOT/tests/random_inputs.py "$@"; }
digest() { cksum | cut -d' ' -f1; }
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
    make rules $seed $((4 + seed / 2)) > $seed.rules; make context $seed 14 > $seed.context
    echo "== $seed"
    tactus rules check $seed.rules --hazards --paths --verbose > said; echo "exit $?"; head -36 said | cut -c1-200; digest < said
    tactus rules check $seed.rules --hazards --paths --json | sed 's|_ms": *[0-9.e-]*|_ms":0|g' | digest
    for engine in enumerative symbolic hybrid; do tactus rules check --engine $engine $seed.rules | digest; done | xargs echo engines
    tactus rules check --convention table2 $seed.rules | digest
    for state in S U; do tactus rules simulate $seed.rules --start-state $state --context $seed.context; echo "exit $?"; done > said; tail -4 said; digest < said
    tactus rules simulate $seed.rules --json --input 'a, speed=30, place=home' | digest
    tactus rules draw $seed.rules | digest
done
for seed in 1 2 3 5; do
    for fault in nondeterminism dead cycle unreachable $([ $seed != 1 ] || echo race hazard); do
        echo "== $seed: $fault"; tactus rules repair $seed.rules --fault $fault --limit 5 --edit-limit 1 > said; echo "exit $?"; head -14 said | cut -c1-160; digest < said
        tactus rules repair $seed.rules --fault $fault --edit-limit 1 --apply 1 -o repaired && diff $seed.rules repaired
    done
done
