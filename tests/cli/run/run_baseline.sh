# Is this campaign worse than the last one?
cp $ROOT/examples/apps/tracker.json app.json
echo 'property modest: forall [event == layers, event == layers] diff(rxData) < 1' > some.props
for seed in 1 3; do
    tactus run --device sim:app.json --monkey 12 --steps 30 -p some.props --seed $seed -o runs$seed >/dev/null
done
again() { echo "== $*"; tactus run --device sim:app.json --monkey 12 --steps 30 -p some.props --seed 3 -o runs3 "$@" 2>&1 >/dev/null; echo "exit $?"; }
again --baseline runs1
again --baseline runs3
again --baseline nothing
again --baseline runs1 --plan-only
