# Runs that fail before anything is done in them: the shortest run opens the app, and is executed like any other.
I=com.example.tactus.notes:id
echo "action never: when visible(//node[@resource-id='$I/nothing']) do back" > idle.actions
cat > start.props <<EOF
observe menu = visible(//node[@resource-id='$I/menu'])
property no_menu: always not menu
EOF
P=sim:$ROOT/examples/apps/notes.json
tactus run --device $P --actions idle.actions --runs 2 --steps 3 -p start.props -o start; echo "exit $?"
tactus reproduce start --device $P --replays 2; echo "exit $?"
cat start/reproduce/property-no_menu/steps.txt
tactus run --device $P --flows start/reproduce/property-no_menu/flow.jsonl -p start/reproduce/property-no_menu/catch.props -o again; echo "exit $?"
tactus report start -o report.html >/dev/null; grep -o '"open the app"' report.html
