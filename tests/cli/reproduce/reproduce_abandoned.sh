# An action that was left at its second step is left there again: what a property says of `abandoned` is reproduced.
I=com.example.tactus.notes:id
cat > half.actions <<END
action half:  when not visible(//node[@resource-id='$I/settings']) do click //node[@resource-id='$I/menu']; click //node[@resource-id='$I/nothing']
action leave: when visible(//node[@resource-id='$I/settings']) do back
END
cat > half.props <<END
observe open = visible(//node[@resource-id='$I/settings'])
property whole: always (half -> abandoned == 0)
END
P=sim:$ROOT/examples/apps/notes.json
tactus run --device $P --actions half.actions --runs 1 --steps 4 -p half.props -o half
tactus reproduce half --device $P --replays 2 | grep -v "tactus run"
grep -o '"abandoned":[0-9]*' half/reproduce/*/flow.jsonl
sed 's/"abandoned":2/"abandoned":-1/' half/reproduce/*/flow.jsonl > wrong.jsonl
tactus run --device $P --flows wrong.jsonl -o wrong; echo "exit $?"
# What is observed may be called as runs of flows call the model's state: the random run has it, and so has its way as a flow.
sed 's/open = visible/state = visible/; s/property.*/property closed: always not state/' half.props > state.props
tactus run --device $P --actions half.actions --runs 1 --steps 4 -p state.props -o state; echo "exit $?"
tactus reproduce state --device $P --replays 2 | grep -v "tactus run"
tactus run --device $P --flows state/reproduce/*/flow.jsonl -p state.props -o again; echo "exit $?"
