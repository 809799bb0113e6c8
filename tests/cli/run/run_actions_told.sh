# Actions that were never possible, or abandoned in most of their tries, are told where the answer stands; how the
# campaign came to its runs (workers, kills) does not matter.
cat > app.json <<'J'
{"tactus-app": 1, "name": "Count", "code": "count", "package": "org.example.count", "main": "Main", "variables": {"n": 0},
 "activities": {"Main": {"screens": {"only": {"widgets": [{"id": "n", "text": "{n}"},
   {"class": "Button", "id": "more", "text": "More", "click": [{"set": {"n": "n + 1"}}]},
   {"class": "Button", "id": "odd", "text": "Odd", "if": "n % 2 == 1", "click": [{"set": {"n": "n + 2"}}]}]}}}}}
J
B=org.example.count:id
cat > a.actions <<X1
action more (3): do click //node[@resource-id='$B/more']
action edit:     do click //node[@resource-id='$B/more'];
                    click   //node[@resource-id='$B/edit']; back
action archive:  when visible(//node[@resource-id='$B/archive']) do click //node[@resource-id='$B/archive']
action odd:      do click //node[@resource-id='$B/odd']
X1
actions() { python3 -c 'import json,sys
for a in json.load(open(sys.argv[1])).get("actions", []): print(a)' "$1"; }
tactus run --device sim:app.json --actions a.actions --runs 4 --steps 10 --deadline 1 -o runs; echo "exit $?"
actions runs/verdicts.json
# With several workers, and killed in the middle.
run="tactus run --device sim:app.json --actions a.actions --runs 400 --steps 20 --deadline 1"
$run -o whole > whole.txt
$run --parallel 2 -o two > two.txt
$run --parallel 2 -o killed > /dev/null & pid=$!
for try in $(seq 400); do
    [ "$(ls killed/traces 2>/dev/null | wc -l)" -gt 60 ] && break
    sleep 0.01
done
kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
$run -o killed > killed.txt
for way in two killed; do
    actions whole/verdicts.json > 1; actions $way/verdicts.json > 2; cmp 1 2 && [ -s 1 ] && echo "$way: the same figures"
    tail -n +2 whole.txt > 1; tail -n +2 $way.txt > 2; cmp 1 2 && echo "$way: the same words"
done
# Per subject, in the table and in matrix.json.
tactus run --subject a=sim:app.json --subject none=sim:none.json --actions a.actions --runs 4 --steps 10 --deadline 1 --parallel 2 -o many; echo "exit $?"
python3 -c 'import json
for s in json.load(open("many/matrix.json"))["subjects"]: print(s["subject"], [(a["action"], a["chosen"], a["abandoned"], a["step"]) for a in s.get("actions", [])])'
# A campaign whose actions do what they say prints nothing of them.
echo "action more: do click //node[@resource-id='$B/more']" > a.actions
tactus run --device sim:app.json --actions a.actions --runs 2 --steps 5 -o good; echo "exit $?"
actions good/verdicts.json
