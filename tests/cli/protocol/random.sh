# Random rules on random recordings: both engines, every model of the framework, certificates (tests/random_inputs.py).
exec 2>&1
digest() { cksum | cut -d' ' -f1; }
make() { python3 $ROOT/tests/random_inputs.py "$@"; }
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
    make specs $seed $((2 + seed % 5)) > r.spec; make recording $seed $((3 + seed % 4)) > r.jsonl; make specs $((seed + 90)) 3 > other.spec
    echo "== $seed"; sed -n 's/^SPEC //p' r.spec
    tactus protocol validate --rules r.spec r.jsonl; echo "exit $?"
    tactus protocol lint --recording r.jsonl r.spec
    tactus protocol verify --rules r.spec --trust-rules --verbose r.jsonl; echo "exit $?"
    for how in '--engine bfs' '--engine bdd' '--conflict paper' '--as-recorded' '--framework-model top' '--framework-model lifecycle' '--target doP'; do
        tactus protocol verify --rules r.spec --trust-rules $how --json r.jsonl | sed 's|"[a-z_]*\(seconds\|_ms\|memory[a-z_]*\)": *[0-9.e-]*||g' | digest
    done | xargs echo ways
    tactus protocol verify --rules r.spec --certificate r.cert r.jsonl > said && tactus protocol check-certificate --rules r.spec r.cert r.jsonl
    tactus protocol compare r.spec other.spec r.jsonl
    tactus protocol show r.jsonl --rules r.spec | digest
done
