# Runs in which the app was left and brought back, or closed and opened anew between the walks of an adaptive run: that is
# done again too.
A=sim:$ROOT/examples/apps/tracker.json
tactus run --device $A --monkey 31 --steps 60 -o left >/dev/null
tail -n 1 left/traces/000030.jsonl | grep -o '"brought_back":[0-9]*\|"event":"launch"[^]]*]'
tactus reproduce left --run 30 --device $A | head -3
tactus explore --device $A -o model.xml >/dev/null
tactus run --device $A --goal transitions --model model.xml --steps 400 -o walks | head -2
tail -n 1 walks/traces/000000.jsonl | grep -o '"event":"launch"[^]]*]'
tactus reproduce walks --device $A | head -3
# guarded actions: what brought the app back stands in the trace as an event, and is one of the events of the script
I=com.example.tactus.notes:id
echo "action leave: when visible(//node[@resource-id='$I/menu']) do back" > leave.actions
cat > again.props <<EOF
observe menu = visible(//node[@resource-id='$I/menu'])
property gone: always not (launch and menu)
EOF
P=sim:$ROOT/examples/apps/notes.json
tactus run --device $P --actions leave.actions --runs 1 --steps 4 -p again.props -o again | head -2
tactus reproduce again --device $P | head -3
