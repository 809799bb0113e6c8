# Six crashes whose topmost frame of the app is the same: each has the script of its own cluster. A call about one cause
# keeps what is known of the others, their folders too, and one that is stopped keeps what was found.
cp $ROOT/tests/data/apps/one_check.json app.json
tactus run --device sim:app.json --monkey 40 --steps 60 --seed 1 -o bugs >/dev/null
tactus reproduce bugs --device sim:app.json -o all | grep -v executions
tell() { python3 -c '
import json, sys
result = json.load(open(sys.argv[1]))
print(result["complete"], [(c["cluster"].split()[-1], c["reproduced"], c["complete"], c.get("flow")) for c in result["causes"]])' $1; }
rm bugs/reproduce.json
for c in 'java.lang.ClassCastException at org.shop.SiteF.f' 'java.lang.ArithmeticException at org.shop.SiteD.d'; do
    tactus reproduce bugs --cluster "$c" --device sim:app.json -o one >/dev/null
    tell bugs/reproduce.json; cat one/crash-*/steps.txt
done
cmp one/reproduce.json bugs/reproduce.json
# stopped, in another folder: the script that is known stands
tactus reproduce bugs --cluster "$c" --device sim:app.json -o again --execution-limit 2; echo "exit $?"
tell bugs/reproduce.json; tell again/reproduce.json
passed=$(python3 -c '
import sqlite3; print(sqlite3.connect("bugs/index.sqlite").execute("select min(id) from run where verdict = \"pass\"").fetchone()[0])')
tactus reproduce bugs --run $passed --device sim:app.json -o none 2>&1 | sed "s/run $passed/run N/"
# a cause without a result has the promised keys all the same
python3 -c '
import json
for cause in json.load(open("again/reproduce.json"))["causes"]:
    assert not cause["reproduced"] and cause["text"] == cause["message"]
    print([cause[key] for key in ("steps_after", "replays", "one_minimal", "counterfactuals", "flow")])'
