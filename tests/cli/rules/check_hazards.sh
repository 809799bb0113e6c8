# Hazards: as the paper prints the rules, where chance decides; at rates; deterministic.
for rules in phoneadapter phoneadapter-timed phoneadapter-fixed; do
    tactus rules check $ROOT/examples/rules/$rules.rules --hazards | sed -n '/^Hazards/,/^$/p'
    tactus rules check $ROOT/examples/rules/$rules.rules --hazards --json > $rules.json; echo "exit $?"
    python3 -c "
import json, sys
hazards = json.load(open('$rules.json'))['hazards']
hazards.pop('example')
print(json.dumps(hazards))"
done
