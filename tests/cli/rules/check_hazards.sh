# Hazards need determinism; then they are counted exactly.
tactus rules check $ROOT/examples/rules/phoneadapter.rules --hazards --json; echo "exit $?"
tactus rules check $ROOT/examples/rules/phoneadapter-fixed.rules --hazards | sed -n '/^Hazards/,/^$/p'
tactus rules check $ROOT/examples/rules/phoneadapter-fixed.rules --hazards --json | python3 -c "
import json, sys
hazards = json.load(sys.stdin)['hazards']
hazards.pop('example')
print(json.dumps(hazards))"
