# Each app of the examples: its screen, a random run with its trace, and what the report says of it.
exec 2>&1
digest() { sed "s|$ROOT|ROOT|g" | cksum; }
A=$ROOT/examples/apps
for app in player notes quiz calculator chat blog tracker door shelf; do
    echo "== $app"
    tactus screen --device sim:$A/$app.json
    tactus run --device sim:$A/$app.json --monkey 2 --steps 8 --seed 3 -o $app; echo "exit $?"
    for trace in $app/traces/*.jsonl; do tactus trace show $trace --limit 12; done
    tactus trace stat $app/traces/*.jsonl
done
tactus report tracker --format markdown
tactus report player --format junit
