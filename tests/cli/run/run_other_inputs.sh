# A folder goes on with the campaign that it holds: other contents of a file or another option are refused with what differs.
cp $ROOT/examples/apps/player.json app.json
cp $ROOT/examples/scenarios/cafe.json net.json
cp $ROOT/examples/demo/playback.props good.props
campaign() { tactus run --device sim:app.json --monkey 4 --steps 3 -p good.props --scenario net.json "$@" -o runs; echo "exit $?"; }
campaign
python3 - <<'P'
import sqlite3
print(sqlite3.connect("runs/index.sqlite").execute("SELECT count(*) FROM run").fetchone())
P
sha256sum runs/traces/* > before
for file in app.json net.json good.props; do
    echo "-- $file"
    cp $file kept
    echo >> $file
    campaign
    cp kept $file
done
echo "-- options"
campaign --think 0.3
campaign --sample 0.5 --seed 7
campaign --deadline 9 --stop-on-violation
campaign --repeat 2
campaign --realtime
campaign --pattern 'a(b)' --ignore '//x'
echo "-- what decides nothing: workers, syncing, the place of the folder"
campaign --parallel 16 --durable
mkdir elsewhere && mv app.json net.json good.props runs before elsewhere && cd elsewhere
campaign
sha256sum --quiet -c before && echo "no trace was touched"
