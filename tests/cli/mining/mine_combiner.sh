# The two ways to join patterns to a predictor: a list of rules that a person reads, and the paper's weights.
runs=$ROOT/examples/mining/player.runs
for way in rules weights; do
    echo "--- $way"
    tactus mine $runs --train --combiner $way -o $way.json | grep -v seconds; echo "exit $?"
    tactus predict $way.json $runs --json | python3 -c '
import json, sys
document = json.load(sys.stdin)
print(sorted(document))'
done
tactus mine $runs --train --combiner both -o x.json; echo "exit $?"
tactus mine $runs --combiner weights; echo "exit $?"
