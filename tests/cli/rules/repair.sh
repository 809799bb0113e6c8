# Three priorities for determinism, none with two; the cycle goes with one condition.
cp $ROOT/examples/rules/phoneadapter.rules phone.rules
tactus rules repair phone.rules --fault nondeterminism --max-edits 2; echo "exit $?"
tactus rules repair phone.rules --fault nondeterminism --most 2; echo "exit $?"
tactus rules repair phone.rules --fault cycle --most 3; echo "exit $?"
tactus rules repair phone.rules --fault cycle --json | python3 -c "
import json, sys
d = json.load(sys.stdin)
print(d['fault'], d['before'], d['least_edits'], d['found'])
print(json.dumps(d['repairs'][0]))"
tactus rules repair phone.rules --fault cycle --apply 1 -o repaired.rules; echo "exit $?"
diff phone.rules repaired.rules
tactus rules check repaired.rules --json | python3 -c "
import json, sys
d = json.load(sys.stdin)
print(d['cycles'], sum(int(s['cycle']) for s in d['states'].values()))"
tactus rules repair repaired.rules --fault cycle; echo "exit $?"
tactus rules repair phone.rules --fault cycle --apply 99 -o x.rules; echo "exit $?"
# Without a limit JSON has them all; a repair that is not listed can be applied, too.
listed() { tactus rules repair phone.rules --fault dead --json "$@" | python3 -c "
import json, sys
d = json.load(sys.stdin)
print(len(d['repairs']), 'of', d['found'])"; }
listed; listed --limit 2; listed --limit 0
tactus rules repair phone.rules --fault dead --apply 25 -o x.rules; echo "exit $?"
tactus rules repair phone.rules --fault dead --apply 99 -o y.rules; echo "exit $?"
