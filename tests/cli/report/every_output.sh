# A report with everything that it can hold, in every form; pictures of variables, intervals and bounds.
exec 2>&1
X=$ROOT/examples P=$ROOT/examples/protocol
cp $X/apps/tracker.json $X/demo/playback.props $X/apps/player.json .
run() { tactus run --device sim:player.json -p playback.props "$@" > /dev/null; }
run --monkey 6 --steps 14 --scenario cafe --scenario pedestrian -o now
run --monkey 6 --steps 14 --scenario cafe --seed 5 -o before
tactus run --device sim:tracker.json --monkey 8 --steps 30 -o bugs > /dev/null
plain() { sed -E "s|$ROOT|ROOT|g; s/20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:.]+Z?/DATE/g"; }
for format in markdown junit sarif; do
    echo "== $format"; tactus report now --baseline before --format $format | plain; tactus report bugs --format $format | plain
done
tactus report now --kpi $X/kpi/media-player.json --adaptation-rules $X/rules/phoneadapter.rules --protocol $P/remover.spec \
    --recording $P/buggy.jsonl --recording $P/fixed.jsonl --format markdown -o all.md; plain < all.md
tactus report now --fail-on any > /dev/null; echo "exit $?"; tactus report now --baseline now --fail-on new > /dev/null; echo "exit $?"
echo '== plots'
T=$X/traces
cd $T
plot() { tactus trace plot "$@" > "$OLDPWD/p.svg"; echo "exit $?"; grep '<desc' "$OLDPWD/p.svg"; cksum < "$OLDPWD/p.svg"; tactus trace plot "$@" --json | cksum; }
plot cafe-1.csv --variable rxData
plot cafe-1.csv cafe-2.csv festival-1.csv pedestrian-2.csv --variable heap --width 640 --height 300 --title 'a <title>'
for property in $(grep -o '^property [a-z_]*' playback.props | cut -d' ' -f2); do
    plot cafe-1.csv festival-2.csv -p playback.props --variable rxData --property $property; plot pedestrian-1.csv --variable heap -p playback.props --property $property
done
tactus trace plot cafe-1.csv --variable rxData | sed -n 1,40p
tactus trace plot cafe-1.csv --variable rxDat; echo "exit $?"
