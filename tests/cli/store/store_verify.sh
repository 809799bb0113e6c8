# Damage is found, named and set aside; the campaign does the runs again.
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 5 --steps 2 -o runs
tactus store verify runs; echo "exit $?"
tactus store verify runs --json
sizes() { sed 's/has [0-9]* bytes/has N bytes/; s/with [0-9]*$/with M/; s/with [0-9]*\.$/with M./'; }
rm runs/traces/000001.jsonl
printf x >> runs/traces/000002.jsonl
tactus store verify runs > said; code=$?; sizes < said; echo "exit $code"
tactus report runs -o report.html > said; code=$?; sizes < said; echo "exit $code"
tactus store repair runs > said; code=$?; sizes < said; echo "exit $code"
ls runs/aside
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 5 --steps 2 -o runs; echo "exit $?"
tactus store verify runs; echo "exit $?"
echo "-- a damaged row"
python3 -c "import sqlite3; i = sqlite3.connect('runs/index.sqlite'); i.execute('UPDATE run SET id=300 WHERE id=3'); i.commit()"
tactus report runs -o report.html; echo "exit $?"
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 5 --steps 2 -o runs; echo "exit $?"
tactus store repair runs --json; echo "exit $?"
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 5 --steps 2 -o runs; echo "exit $?"
echo "-- a row that names the index, and one that names all traces"
cp -r runs lies
python3 -c "import sqlite3; i = sqlite3.connect('lies/index.sqlite'); i.execute('UPDATE run SET trace=\"index.sqlite\" WHERE id=1'); i.execute('UPDATE run SET trace=\"traces\" WHERE id=2'); i.commit()"
tactus store repair lies > said; code=$?; sizes < said; echo "exit $code"
tactus store verify lies; echo "exit $?"
echo "-- a plan that is none"
cp -r runs planless
python3 -c "import sqlite3; i = sqlite3.connect('planless/index.sqlite'); i.execute('UPDATE setting SET value=\"x\" WHERE key=\"plan\"'); i.commit()"
tactus store verify planless; echo "exit $?"
tactus report planless -o report.html; echo "exit $?"
tactus store repair planless; echo "exit $?"
tactus run --device sim:$ROOT/examples/apps/notes.json --monkey 5 --steps 2 -o planless; echo "exit $?"
echo "-- no answer about a campaign whose traces are gone or changed"
echo 'property calm: always not crash' > calm.props
cp -r runs holed; rm holed/traces/000003.jsonl
cp -r runs changed; sed -i 's/activity/ACTIVITY/' changed/traces/000002.jsonl
for where in runs holed changed; do tactus check -p calm.props $where | tail -1; echo "exit ${PIPESTATUS[0]}"; done
tactus mine holed; echo "exit $?"
tactus trace stat holed; echo "exit $?"
echo "-- another campaign"
tactus run --device sim:$ROOT/examples/apps/notes.json --monkey 5 --steps 2 -o runs; echo "exit $?"
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 5 --steps 2 --sample 0.5 --pattern 'a(b)' -o runs; echo "exit $?"
echo "-- no store"
tactus store verify none; echo "exit $?"
