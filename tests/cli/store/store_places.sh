# Copies between folders; what the commands for databases say to other places and to bad addresses.
tactus store list postgresql://x 2>&1 | grep -q "without PostgreSQL" && exit 77
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 3 --steps 2 -o runs
tactus store copy runs copy; echo "exit $?"
tactus store copy runs copy; echo "exit $?"
tactus store copy runs other --json; echo "exit $?"
tactus store verify other; echo "exit $?"
tactus store copy none third; echo "exit $?"
for verb in list remove; do
    tactus store $verb runs; echo "exit $?"
    tactus store $verb postgresql://lab:secret@localhost/x#y; echo "exit $?"
done
tactus worker runs --device sim:$ROOT/examples/apps/player.json; echo "exit $?"
tactus worker postgresql://lab@localhost/x?password=secret#y --device sim:$ROOT/examples/apps/player.json; echo "exit $?"
tactus worker postgresql://lab@localhost/x#y; echo "exit $?"
tactus run --device sim:$ROOT/examples/apps/player.json --monkey 3 --plan-only -o there; echo "exit $?"
