# What cannot be run is said at once, with the remedy.
tactus explore --device sim:$ROOT/examples/apps/player.json -o player.xml >/dev/null
tactus flow list player.xml --length 2 --format jsonl -o flows.jsonl
P=sim:$ROOT/examples/apps/player.json
tactus run --device $P --flows flows.jsonl; echo "exit $?"
tactus run --device $P -o runs; echo "exit $?"
tactus run --device sim:none.json --flows flows.jsonl -o runs; echo "exit $?"
tactus run --device smi:x --flows flows.jsonl -o runs; echo "exit $?"
tactus run --device $P --flows flows.jsonl --scenario moon -o runs; echo "exit $?"
tactus run --device $P --flows none.jsonl -o runs; echo "exit $?"
: > empty.jsonl; tactus run --device $P --flows empty.jsonl -o runs; echo "exit $?"
tactus flow list $ROOT/examples/uamp/uamp.model.xml --length 1 --format jsonl -o uamp.jsonl
tactus run --device $P --flows uamp.jsonl -o uamp | head -3; echo "exit ${PIPESTATUS[0]}"
tactus run --device $P --flows flows.jsonl -o runs >/dev/null; echo "exit $?"
tactus run --device $P --flows flows.jsonl --repeat 2 -o runs; echo "exit $?"
tactus run --device $P --flows flows.jsonl -o /proc/none; echo "exit $?"
tactus report empty.jsonl; echo "exit $?"
printf 'property cheap: forall [StartPlaying, PausePlaying] diff(rxDat) < 1\n' > wrong.props
tactus run --device $P --flows flows.jsonl -p wrong.props -o wrong; echo "exit $?"
tactus run --device $P --flows flows.jsonl --network 100,300 -o moon; echo "exit $?"
