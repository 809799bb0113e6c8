# A violating run stops at the violation, not at its end.
tactus explore --device sim:$ROOT/examples/apps/player.json -o player.xml >/dev/null
tactus flow list player.xml --length 8 --require $ROOT/examples/demo/playback.req.xml --witness --limit 1 --format jsonl -o flows.jsonl
for stop in "" --stop-on-violation; do
    tactus run --device sim:$ROOT/examples/apps/player.json --flows flows.jsonl --scenario cafe $stop \
        -p $ROOT/examples/demo/playback.props -o runs$stop > /dev/null; echo "exit $?"
    tail -2 runs$stop/traces/000000.jsonl | head -1 | python3 -c 'import json,sys; t = json.loads(sys.stdin.read())["t"]; print("ended", "after 480 s" if t > 480 else "before 320 s" if t < 320 else t)'
    tail -1 runs$stop/traces/000000.jsonl
done
# What the rest of a stopped run could still have done is not held against it.
(cat $ROOT/examples/demo/playback.props; echo 'property ends: always (StartPlaying -> eventually PausePlaying)') > both.props
tactus run --device sim:$ROOT/examples/apps/player.json --flows flows.jsonl --scenario cafe --stop-on-violation -p both.props -o both | grep ', cafe:'
tactus report both -o both.html | grep ends
