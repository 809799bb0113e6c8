# Four planted bugs: each ends in a short script, the missing sign-in is confirmed by experiment.
app=sim:$ROOT/examples/apps/tracker.json
tactus run --device $app --monkey 120 --steps 50 -o bugs >/dev/null
tactus reproduce bugs --device $app -o short > told; echo "exit $?"
# how many runs, and which, is the campaign's
sed -E 's/: [0-9]+ runs$/: N runs/; s/of [0-9]+ events of run [0-9]+/of N events of run N/; s/; [0-9]+ executions/; N executions/' told
python3 - <<'END'
import json
result = json.load(open("short/reproduce.json"))
assert result == json.load(open("bugs/reproduce.json"))
lines = open("short/journal.jsonl").read().splitlines()
tries = [json.loads(line) for line in lines if '"try"' in line]
print(len(tries) == result["executions"] == sum(c["executions"] for c in result["causes"]))
print(sorted(result["causes"][0]))
END
# the same command again: everything is known
cp short/journal.jsonl before
tactus reproduce bugs --device $app -o short --json | cmp - short/reproduce.json
cmp before short/journal.jsonl && echo "no execution was repeated"
# what was written can be run, exported and checked
tactus run --device $app --flows short/crash-1/flow.jsonl -o again | head -1
tactus check -p short/crash-1/catch.props again/traces/000000.jsonl | head -3
