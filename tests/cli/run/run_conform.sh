# A model explored on one version of an app tests the next: what is missing and what is new is named.
P=sim:$ROOT/examples/apps/notes.json
tactus explore --device $P -o notes.xml >/dev/null
tactus flow list notes.xml --length 3 --limit 20 --format jsonl -o flows.jsonl 2>/dev/null
tactus run --device $P --flows flows.jsonl --model notes.xml --conform -o same | head -1
sed 's/"id": "settings"/"id": "preferences"/' $ROOT/examples/apps/notes.json > next.json
tactus run --device sim:next.json --flows flows.jsonl --model notes.xml --conform --deadline 1 -o next | head -2
tactus run --device $P --flows flows.jsonl --conform -o none; echo "exit $?"
