# A gate: exit 1 for what the baseline does not have, or for anything bad; 3 when nobody can tell.
cp $ROOT/examples/apps/tracker.json app.json
echo 'property modest: forall [event == layers, event == layers] diff(rxData) < 1' > some.props
for seed in 1 3; do
    tactus run --device sim:app.json --monkey 12 --steps 30 -p some.props --seed $seed -o runs$seed >/dev/null
done
tactus run --device sim:app.json --monkey 1 --steps 3 -p some.props -o short >/dev/null
for gate in "runs1" "runs1 --fail-on none" "runs1 --fail-on any" "short --fail-on any" "runs1 --baseline runs1 --fail-on new" \
            "runs3 --baseline runs1 --fail-on new" "runs1 --baseline short --fail-on new" "runs1 --fail-on new" \
            "runs1 --fail-on new --follow" "runs1 --fail-on old"; do
    echo "== $gate"; tactus report $gate -o page.html >/dev/null 2>said; code=$?; cat said; echo "exit $code"
done
tactus report runs1 --annotations -o page.html 2>&1 >/dev/null
# what the traces showed is not known once they are gone
echo 'property cool: always heap < 1 B' > hot.props
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 2 --steps 5 -p hot.props -o hot >/dev/null
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 2 --steps 5 -o cool >/dev/null
cp -r hot gone; rm gone/traces/*; cp -r cool cut; rm cut/traces/000001.jsonl
for gate in "hot --fail-on any" "gone --fail-on any" "cool --fail-on any" "cut --fail-on any" "cool --baseline cut --fail-on new" "gone"; do
    echo "== $gate"; tactus report $gate -o page.html >/dev/null 2>said; code=$?; cat said; echo "exit $code"
done
