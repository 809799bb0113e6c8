# A model explored on one version of an app tests the next: what is missing and what is new is named.
P=sim:$ROOT/examples/apps/notes.json
tactus explore --device $P -o notes.xml >/dev/null
tactus flow list notes.xml --length 3 --limit 20 --format jsonl -o flows.jsonl 2>/dev/null
tactus run --device $P --flows flows.jsonl --model notes.xml --conform -o same | head -1
sed 's/"id": "settings"/"id": "preferences"/' $ROOT/examples/apps/notes.json > next.json
tactus run --device sim:next.json --flows flows.jsonl --model notes.xml --conform --deadline 1 -o next | head -2
tactus run --device $P --flows flows.jsonl --conform -o none; echo "exit $?"
# What exploring saw and left alone, because it was stopped or told to, is not new.
tactus explore --device $P --event-limit 4 -o part.xml >/dev/null 2>&1
tactus model export part.xml --to graphwalker -o part.json && tactus model import part.json --from graphwalker -o back.xml
grep -h untried part.xml back.xml
tactus flow list part.xml --length 3 --limit 20 --format jsonl -o part.jsonl 2>/dev/null
tactus run --device $P --flows part.jsonl --model part.xml --conform -o part | head -1
tactus explore --device $P --ignore "//node[@resource-id='com.example.tactus.notes:id/settings']" -o less.xml >/dev/null
tactus flow list less.xml --length 3 --limit 20 --format jsonl -o less.jsonl 2>/dev/null
tactus run --device $P --flows less.jsonl --model less.xml --conform -o less | head -1
# Somewhere else an event of that name leads to a state of which nothing is known: that is not another way to anything.
sed -e '0,/<initial [^>]*>/s//&<state name="Unknown"\/>/' \
    -e '0,/<transition /s//<transition from="Unknown" event="menu" to="Unknown"><action kind="wait" value="1"\/><\/transition>&/' notes.xml > wide.xml
tactus run --device sim:next.json --flows flows.jsonl --model wide.xml --conform --deadline 1 -o wide | head -1
# Of many differences the first are named, and how many more there are.
many() { python3 - "$1" <<'PYTHON'
import json, sys
buttons = [{"class": "Button", "id": f"b{i}", "text": f"B{i}", "click": [{"go": "s1"}]} for i in range(9)]
there = buttons if sys.argv[1] == "old" else buttons[:1]
print(json.dumps({"tactus-app": 1, "name": "K", "code": "k", "package": "com.k", "activities": {"Main": {"screens": {
    "s0": {"widgets": there},
    "s1": {"widgets": [{"class": "Button", "id": "home", "text": "Home", "click": [{"go": "s0"}]}]}}}}}))
PYTHON
}
many old > many.json; many new > few.json
tactus explore --device sim:many.json -o many.xml >/dev/null
tactus flow list many.xml --length 3 --format jsonl 2>/dev/null | grep '"b0".*"home"' | head -1 > many.jsonl
tactus run --device sim:few.json --flows many.jsonl --model many.xml --conform --deadline 1 -o few | grep "run 0"
