# Rule files and what happens in the world, a bit wrong in many ways (tests/vary.py).
exec 2>&1
X=$ROOT/examples/rules C=$ROOT/tests/fuzz/corpus
vary() { python3 $ROOT/tests/vary.py "$@"; }
vary --lines $X/phoneadapter.rules tactus rules check {}
vary --words --every 17 $X/phoneadapter-timed.rules tactus rules check --hazards {}
vary --words --every 17 $X/phoneadapter-sensors.rules tactus rules check {}
vary --lines --words $C/rules/actions tactus rules check {}
vary --lines --words --every 2 $X/office-to-car.context tactus rules simulate $X/phoneadapter-timed.rules --start-state Office --context {}
vary --words --every 2 $C/rules_events/json tactus rules simulate $X/phoneadapter-timed.rules --context {}
