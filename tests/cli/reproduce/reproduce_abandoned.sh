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
