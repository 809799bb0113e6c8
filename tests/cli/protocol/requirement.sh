# A witness as a flow requirement: mapped events in order, unmapped ones listed.
R="$ROOT/examples/protocol/remover.spec"; T="$ROOT/examples/protocol/buggy.jsonl"
tactus protocol verify --rules "$R" --emit-requirement witness.xml --map "$ROOT/examples/protocol/events.map.json" "$T"; echo "exit $?"
cat witness.xml
echo '{"RemoverActivity$1.onClick": "remove"}' > part.json
tactus protocol verify --rules "$R" --emit-requirement part.xml --map part.json "$T" --json | grep -o '"requirement.*'; grep -c constraint part.xml
echo '{"other": "x"}' > none.json
tactus protocol verify --rules "$R" --emit-requirement none.xml --map none.json "$T"; echo "exit $?"; ls
tactus protocol verify --rules "$R" --emit-requirement safe.xml --map part.json "$ROOT/examples/protocol/fixed.jsonl"; echo "exit $?"; ls
