# Homes that are a bit wrong in many ways (tests/vary.py): a line out or twice, a number more, a letter less.
exec 2>&1
E=$ROOT/examples/home
python3 $ROOT/tests/vary.py --lines $E/automations.yaml tactus automation check --possible {}
python3 $ROOT/tests/vary.py --words --every 4 $E/automations.yaml tactus automation show {}
python3 $ROOT/tests/vary.py --lines --words --every 2 $E/night.txt tactus automation check {}
python3 $ROOT/tests/vary.py --lines --words $E/evening.events tactus automation simulate $E --events {}
