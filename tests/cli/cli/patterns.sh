# One engine of regular expressions: \d is a digit in run, mine and trace alike, and a pattern that could
# run for ever ends.
cat > app.json <<'END'
{"tactus-app": 1, "name": "Log", "code": "log", "package": "com.example.log", "activities": {"A": {"screens": {"one": {
  "widgets": [{"class": "Button", "id": "go", "text": "Go", "click": [{"log": "ddd item 42 done", "tag": "App"}]}]}}}}}
END
tactus explore --device sim:app.json -o app.xml > explored.txt
tactus flow list app.xml --length 2 --format jsonl -o flows.jsonl
tactus run --device sim:app.json --flows flows.jsonl --pattern 'item (\d+)' -o runs > said.txt
grep -o '"event":"[^"]*"' runs/traces/*.jsonl | sort -u
echo '05-01 16:39:59.008 1 2 I App: ddd item 42 done' > app.logcat
tactus trace import app.logcat --pattern 'item (\d+)=event' -o t.jsonl && tail -n +2 t.jsonl
printf '0 s1 eddd s1 e7 s1\n1 s1 e8 s2\n1 s1 e9 s2\n' > a.runs
tactus mine a.runs --rename 'constant:\d+=N' --all --json |
    python3 -c 'import json,sys; print(sorted({e for c in json.load(sys.stdin)["clusters"] for p in c["patterns"] for b in p["blocks"] for e in b}))'
tactus mine a.runs --states '^\w\d$' --all --json |
    python3 -c 'import json,sys; print([c["counts"] for c in json.load(sys.stdin)["clusters"]])'
for bad in "run --device sim:app.json --flows flows.jsonl -o bad --pattern" "trace import app.logcat -o bad --pattern" \
    "mine a.runs --states" "mine a.runs --rename"; do
    wrong='a('; [ "${bad##*--}" = rename ] && wrong='constant:a(=b'
    tactus $bad "$wrong"; echo "exit $?"
done
printf '05-01 16:39:59.008 1 2 I App: %s\n' "$(head -c 4000 /dev/zero | tr '\0' a)" > long.logcat
timeout 20 tactus trace import long.logcat --pattern '((a|aa)+)+[xy]' -o never; echo "exit $?"
printf '0 s1 e1 s1\n1 s1 %s s2\n' "$(head -c 4000 /dev/zero | tr '\0' a)" > long.runs
timeout 20 tactus mine long.runs --rename 'constant:((a|aa)+)+[xy]=x'; echo "exit $?"
ls never bad 2>&1
