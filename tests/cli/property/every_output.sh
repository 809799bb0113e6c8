# What check says of each example: verdicts, intervals, margins, readings, bounds, monitors.
exec 2>&1
digest() { sed "s|$ROOT|ROOT|g" | cksum; }
X=$ROOT/examples
check() {
    echo "== $*"; tactus check "$@" --verbose --intervals intervals.csv --margins margins.csv; echo "exit $?"
    [ ! -f margins.csv ] || { head -40 intervals.csv; head -12 margins.csv; digest < margins.csv; rm intervals.csv margins.csv; }
}
for props in $X/properties/*.props; do
    check -p $props $X/properties/session.csv
    tactus check -p $props $X/properties/session.csv --cut | digest
    for form in promela c dot; do tactus check -p $props --emit $form | digest; done
done
for reading in def eq3 rising spin2015; do tactus check -p $X/properties/intervals.props --semantics $reading $X/properties/session.csv; done
check -p $X/traces/playback.props $X/traces/cafe-1.csv $X/traces/festival-2.csv $X/traces/pedestrian-1.csv
check -p $X/player-traces/player.props $X/player-traces/cafe.csv $X/player-traces/festival.csv
check -p $X/traces/download.props $X/traces/download.logcat --year 2015 --pattern 'CONTROL -(\w+)=event'
tactus check -p $X/player-traces/player.props $X/player-traces/*.csv --calibrate; echo "exit $?"
tactus check -p $X/player-traces/player.props $X/player-traces/cafe.csv --json
tactus check -p $X/properties/temporal.props --emit dot
tactus check -p $X/properties/intervals.props --emit c | sed -n 1,80p
