# Whatever the number of workers: the same rows, traces, verdicts and kept screens, byte for byte, and the same patterns.
for workers in 1 4 16; do
    mkdir at$workers; cd at$workers
    tactus run --device sim:$ROOT/examples/apps/tracker.json --monkey 40 --steps 12 --seed 9 \
        -p $ROOT/examples/demo/playback.props --parallel $workers -o runs > said; echo "exit $?"
    tactus mine runs --json > mined; echo "exit $?"
    python3 - > rows <<'P'
import sqlite3
index = sqlite3.connect("runs/index.sqlite")
for table in ("run", "verdict", "setting"):
    rows = sorted(index.execute(f"SELECT * FROM {table}"))
    print(table, len(rows), *map(repr, rows), sep="\n")
P
    rm runs/index.*; cd ..
done
ls at1/runs/traces | wc -l
test $(ls at1/runs/screens | wc -l) -gt 5 && echo screens are kept
diff -r at1 at4 && diff -r at1 at16 && echo the same
