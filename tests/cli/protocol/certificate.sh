# A certificate is accepted for its own problem, and rejected when it, the rules or the trace change.
R="$ROOT/examples/protocol/remover.spec"; T="$ROOT/examples/protocol/fixed.jsonl"
tactus protocol verify --rules "$R" "$T" --certificate fixed.cert; echo "exit $?"
check() { tactus protocol check-certificate --rules "$1" "$2" "$3" --json; echo "exit $?"; }
check "$R" fixed.cert "$T"
check "$ROOT/examples/protocol/remover-unsound.spec" fixed.cert "$T"
check "$R" fixed.cert "$ROOT/examples/protocol/buggy.jsonl"
sed 's/"states":\["[01]*",/"states":[/' fixed.cert > fewer.cert; check "$R" fewer.cert "$T"
sed 's/"targets":\["[^"]*"\]/"targets":[]/' fixed.cert > silent.cert; check "$R" silent.cert "$T"
sed 's/"permits":true/"permits":false/' fixed.cert > twisted.cert; check "$R" twisted.cert "$T"
echo '{}' > empty.cert; check "$R" empty.cert "$T"
