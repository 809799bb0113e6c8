# Baselines that fit only in part, not at all, or are none.
P=sim:$ROOT/examples/apps/player.json
tactus explore --device $P -o player.xml >/dev/null
tactus flow list player.xml --length 6 --require $ROOT/examples/demo/playback.req.xml --witness \
    --format jsonl -o flows.jsonl
cat > other.props <<'PROPS'
property cheap_playback: forall [StartPlaying, PausePlaying] diff(rxData) < 8000000 B
property small: always heap < 900 MB
PROPS
run() { tactus run --device $P --flows flows.jsonl --repeat 4 "$@" >/dev/null; }
run --scenario pedestrian --scenario cafe -p $ROOT/examples/demo/playback.props -o now
run --scenario pedestrian --scenario festival -p other.props -o before
run --scenario pedestrian -o bare
echo "== another scenario and another property"
tactus report now --baseline before -o a.html; echo "exit $?"
echo "== a baseline without properties"
tactus report now --baseline bare -o b.html; echo "exit $?"
echo "== too few runs to see anything"
tactus run --device $P --flows flows.jsonl --scenario cafe -p $ROOT/examples/demo/playback.props -o few >/dev/null
tactus report few --baseline few -o c.html
tactus report few --baseline few --json | python3 -c '
import json, sys
print(*[f.get("detail", "") for f in json.load(sys.stdin)["findings"] if "baseline" in f["text"]])'
echo "== no campaign"
mkdir empty; tactus report now --baseline empty -o d.html; echo "exit $?"
tactus report now --baseline none -o e.html; echo "exit $?"
tactus report now --baseline flows.jsonl -o f.html; echo "exit $?"
ls d.html e.html f.html 2>&1 | wc -l
