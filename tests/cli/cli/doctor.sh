# The trial of a device; what is installed on the machine is another test's.
tactus doctor --device sim:$ROOT/examples/apps/player.json | sed -n '/^tried/,$p'
tactus doctor --device sim:none.json > out; echo "exit $?"; sed -n '/^tried/,$p' out
tactus doctor --device nothing:here > out; echo "exit $?"; sed -n '/^tried/,$p' out
tactus doctor --json --device sim:$ROOT/examples/apps/player.json | python3 -c '
import json, sys
document = json.load(sys.stdin)
print(sorted(document), document["works"], sorted(document["device"]), [s["name"] for s in document["device"]["steps"]])
print(document["device"]["measures"][0], document["device"]["clock"])'
tactus doctor more; echo "exit $?"
