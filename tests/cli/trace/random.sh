# Random traces in every format and back, summed up, cut out, merged, drawn (tests/random_inputs.py).
exec 2>&1
digest() { cksum | cut -d' ' -f1; }
make() { python3 $ROOT/tests/random_inputs.py "$@"; }
for seed in 1 2 3 4 5 6; do
    echo "== $seed"
    make wide $seed $((seed * seed * 20)) > wide.csv; make trace $seed 30 > other.csv
    for format in jsonl binary csv; do tactus trace import wide.csv --to $format -o wide.$format; done; digest < wide.jsonl; digest < wide.csv # what is compressed depends on the library
    for format in jsonl binary csv; do tactus trace import wide.$format --to jsonl | digest; done | xargs echo read
    tactus trace stat wide.binary; tactus trace stat wide.csv other.csv --json | digest
    tactus trace show wide.csv --limit 6
    tactus trace show wide.binary --since 2 --until 3.5 --limit 0 | digest
    tactus trace show wide.jsonl --states 3..7 --json
    tactus trace show wide.binary --event 't*' | digest
    tactus trace import wide.binary other.csv --offset other.csv=-1.5 --to csv -o merged.csv; tail -2 merged.csv; digest < merged.csv
    tactus trace import wide.csv other.csv --align --to jsonl | digest
    for variable in byte long real gaps few; do tactus trace plot wide.binary --variable $variable | digest; done | xargs echo plots
    tactus trace plot wide.csv other.csv --variable byte | digest
    for at in 9 40 90; do head -c $at wide.binary > cut.binary; tactus trace show cut.binary --limit 3 | tail -1; done
done
