# A changed app: the run says which step could not be done, the screen is kept, the campaign goes on.
tactus explore --device sim:$ROOT/examples/apps/player.json -o player.xml >/dev/null
tactus flow list player.xml --length 3 --format jsonl -o flows.jsonl
sed 's/"id": "select_genre"/"id": "choose_genre"/' $ROOT/examples/apps/player.json > changed.json
tactus run --device sim:changed.json --flows flows.jsonl --deadline 2 -o runs; echo "exit $?"
ls runs/failures | sed 's/.*\.//' | sort | uniq -c | awk '{print $2, ($1 > 0)}'
grep -c choose_genre runs/failures/*.xml | head -1 | sed 's/.*:/choose_genre seen: /'
