# The paper's Table 2, cell by cell.
tactus rules check $ROOT/examples/rules/phoneadapter-table2.rules --convention table2 | sed -n '/Inputs of each state/,$p'
tactus rules check $ROOT/examples/rules/phoneadapter-table2.rules --convention table2 --json | python3 -c "
import json, sys
for state, cells in json.load(sys.stdin)['states'].items():
    print(state, cells)"
tactus rules check $ROOT/examples/rules/phoneadapter-table2.rules --convention table2 --hazards; echo "exit $?"
# Paths are those of the ordinary reading: refused rather than left out without a word.
tactus rules check $ROOT/examples/rules/phoneadapter.rules --convention table2 --paths --json; echo "exit $?"
