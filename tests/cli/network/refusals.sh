# What cannot be shaped refuses, alike in every command, before anything is made.
tactus scenario run cafee -- true; echo "exit $?"
tactus scenario run cafe; echo "exit $?"
echo '{"tactus-scenario": 1, "segments": [{"name": "two words", "seconds": 1, "down": 1, "up": 1, "delay": 0, "jitter": 0, "loss": 0}]}' > name.json
tactus scenario run name.json -- true; echo "exit $?"
echo '{"tactus-scenario": 1, "segments": [{"seconds": 1, "down": 1, "up": 1, "delay": 0, "jitter": 0, "loss": 0, "burst": -1}]}' > burst.json
tactus scenario run burst.json -- true; echo "exit $?"
tactus explore --device adb:none --app a.b --scenario cafe -o m.xml; echo "exit $?"
tactus explore --device sim:$ROOT/examples/apps/player.json -o player.xml >/dev/null
tactus flow list player.xml --length 2 --limit 1 --format jsonl -o flows.jsonl
tactus run --device adb:none --app a.b --flows flows.jsonl --scenario cafe -o runs; echo "exit $?"
ls
# A file needs no dot in its name.
echo '{"name": "walk", "segments": []}' > walk
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 1 --scenario walk -o walked; echo "exit $?"
