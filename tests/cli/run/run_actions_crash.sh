# What a screen showed before a crash is not what it shows at the crash: nothing is known of it then.
cat > app.json <<'X'
{"tactus-app": 1, "name": "Boom", "code": "boom", "package": "org.example.boom", "main": "Main", "variables": {"n": 0},
 "activities": {"Main": {"screens": {"only": {"widgets": [{"id": "n", "text": "{n}"},
   {"class": "Button", "id": "more", "text": "More", "click": [{"set": {"n": "n + 1"}}]}]}}}},
 "crashes": [{"name": "third", "when": {"contiguous": ["more", "more", "more"]}, "exception": "java.lang.IllegalStateException",
   "message": "no more", "stack": ["org.example.boom.Main.more(Main.java:3)"]}]}
X
cat > a.props <<'X'
observe n = number(//node[@resource-id='org.example.boom:id/n'])
property counts: always (more -> n == previous(n) + 1)
X
echo "action more: do click //node[@resource-id='org.example.boom:id/more']" > a.actions
tactus run --device sim:app.json --actions a.actions --runs 1 --steps 5 -p a.props -o runs | grep -v "^$"; echo "exit $?"
grep -o '"event":"more".*' runs/traces/000000.jsonl | grep -o '"n":[^,]*'
tactus check -p a.props runs/traces/000000.jsonl | head -2
