# A full disk (here: a limit on the size of files) ends the campaign with a message, and what was
# finished is kept for the next call.
trap '' XFSZ
run="tactus run --device sim:$ROOT/examples/apps/tracker.json --monkey 40 --steps 400 -o runs --json"
(ulimit -f 8; $run > first.json 2> message.txt); echo "exit $?"
grep -c -i -E "too large|cannot write|disk|full" message.txt
$run > second.json; echo "exit $?"
python3 -c 'import json; d = json.load(open("second.json")); print(d["runs"], d["missing"])'
