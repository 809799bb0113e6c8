# What check says of random properties on random traces (tests/random_inputs.py), in every form: text, JSON, files.
exec 2>&1
make() { python3 $ROOT/tests/random_inputs.py "$@"; }
digest() { cksum | cut -d' ' -f1; }
for seed in 1 2 3 4 5 6 7 8; do
    make trace $seed 40 > $seed.csv; make properties $seed 25 > $seed.props
    echo "== $seed"; sed -n 's/^property //p' $seed.props
    tactus check -p $seed.props $seed.csv --verbose --intervals intervals.csv --margins margins.csv 2> $seed.warnings | grep -v '^ *->' | cut -c1-240
    echo "warnings $(digest < $seed.warnings), intervals $(digest < intervals.csv), margins $(digest < margins.csv)"
    echo "JSON $(tactus check -p $seed.props $seed.csv --json 2> /dev/null | digest), cut short $(tactus check -p $seed.props $seed.csv --cut 2>&1 | digest)"
    for reading in eq3 rising spin2015; do echo "$reading $(tactus check -p $seed.props $seed.csv --semantics $reading 2>&1 | digest)"; done
done
# What a monitor or a drawing of each would be: one property alone.
for seed in 1 2 3; do
    for i in 0 2 3 4 6 7 8 9 10 11 12 14 16 17 18 19 20 21 22 23; do
        grep -E "^(monotone|let|linear|property p$i[: ])" $seed.props > one.props
        for form in c dot promela; do tactus check -p one.props --emit $form 2>&1 | digest; done | xargs echo $seed p$i
    done
done
