# A predictor keeps the identifier rules that it was learned with: they are applied again, and others are refused.
python3 - <<'END'
import random
random.seed(3)
for name, base in (("a.runs", 1000), ("b.runs", 5000)):
    with open(name, "w") as out:
        for i in range(120):
            fails = i % 3 == 0
            run = [f"s{random.randint(1, 3)} {random.choice('abcd')}" for _ in range(8)]
            end = f" s1 openItem{base + i} s2" if fails else ""
            out.write(f"{'bug' if fails else 0} {' '.join(run)}{end}\n")
END
R='constant:Item[0-9]+=Item'
tactus mine a.runs --rename "$R" --train -o model.json >/dev/null
tactus predict model.json b.runs | grep ^predictor
tactus predict model.json b.runs --rename "$R" | grep ^predictor
tactus predict model.json b.runs --rename 'constant:Item[0-9]+=Other'; echo "exit $?"
tactus predict model.json b.runs --no-identifier-rules; echo "exit $?"
# a model of before does not say
python3 -c '
import json
model = json.load(open("model.json")); print(model["identifier_rules"][0], len(model["identifier_rules"]))
del model["identifier_rules"]; json.dump(model, open("old.json", "w"))'
tactus predict old.json b.runs --rename "$R" | grep ^predictor
