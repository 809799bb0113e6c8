# Keys by name: what no device has is refused when the file is read, what this device does not have before anything runs.
P=sim:$ROOT/examples/apps/notes.json
wrong() { # STEP [DEVICE]: what is said of it, and that no folder was made
    printf 'action ok: do back\naction a:\n  do back; %s\n' "$1" > a.actions
    tactus run --device ${2:-$P} --actions a.actions --steps 2 -o none 2>&1 | sed "s|$ROOT|ROOT|"; [ -e none ] && echo "a folder"; rm -rf none
}
wrong 'key Etner'
wrong 'key enter'
wrong 'key camera'
wrong 'key KEYCODE_CAMRA'
wrong 'key Controll+Entr'
wrong 'key Control+Hoem'
wrong 'key "text:abc"'
wrong 'key "system:rotate"'
wrong 'key ""'
wrong 'key 9999'
wrong 'key Nothing'
wrong 'key Control+a'
wrong 'click css:"li"'
echo 'action a: when count(css:"li") > 0 do back' > a.actions
tactus run --device $P --actions a.actions -o none; echo "exit $?"; [ -e none ] || echo "no folder"
echo 'action a: do key CAMERA; key KEYCODE_ENTER; key 27; key Enter; key PageUp; key a; key F2' > a.actions
tactus run --device $P --actions a.actions --steps 3 -o good; echo "exit $?"
# A flow that presses a key that there is not fails its step.
cat > flow.jsonl <<'J'
{"kind":"exit","model":"notes","start":[{"device":"phone","application":"notes","package":"com.example.tactus.notes","states":["Notes/MainActivity/MainActivity_0/S0"]}],"steps":[{"event":"press","device":"phone","kind":"user","actions":[{"kind":"key","value":"Hoem"}],"states":["Notes/MainActivity/MainActivity_0/S0"]}]}
J
tactus run --device $P --flows flow.jsonl -o flow; echo "exit $?"
# An app hears of its key by each of its names.
cat > app.json <<'J'
{"tactus-app": 1, "name": "Keys", "code": "keys", "package": "org.example.keys", "main": "Main", "variables": {"n": 0},
 "activities": {"Main": {"screens": {"only": {"widgets": [{"id": "n", "text": "{n}"}], "system": {"key:CAMERA": [{"set": {"n": "n + 1"}}], "key:PTT": [{"set": {"n": "n + 100"}}]}}}}}}
J
printf 'observe n = number(//node[@resource-id="org.example.keys:id/n"])\nproperty counts: always (all -> n == previous(n) + 3)\n' > n.props
echo 'action all: do key CAMERA; key KEYCODE_CAMERA; key 27' > a.actions
tactus run --device sim:app.json --actions a.actions --steps 3 -p n.props -o heard; echo "exit $?"
