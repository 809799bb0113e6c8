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

# Forged from nothing, and from the proof of another run with its hash put in place.
B="$ROOT/examples/protocol/buggy.jsonl"
echo '{"format":"tactus protocol certificate 1","trace":"x","target":"zzz","cones":[]}' > forged.cert; check "$R" forged.cert "$B"
h() { sha256sum < "$1" | cut -d ' ' -f 1; }
echo "{\"format\":\"tactus protocol certificate 2\",\"rules_sha256\":\"$(h "$R")\",\"recording_sha256\":\"$(h "$B")\",\"as_recorded\":false,\"target\":\"zzz\",\"cones\":[]}" > bound.cert; check "$R" bound.cert "$B"
sed "s/\"recording_sha256\":\"[0-9a-f]*\"/\"recording_sha256\":\"$(h "$B")\"/" fixed.cert > moved.cert; check "$R" moved.cert "$B"
# The question is the command line's, and so is the reading.
tactus protocol check-certificate --rules "$R" --target finish fixed.cert "$T"; echo "exit $?"
tactus protocol check-certificate --rules "$R" --as-recorded fixed.cert "$T"; echo "exit $?"
# Rules that do not admit the recording prove nothing.
tactus protocol verify --rules "$ROOT/examples/protocol/remover-unsound.spec" "$T"; echo "exit $?"
tactus protocol verify --rules "$ROOT/examples/protocol/remover-unsound.spec" --trust-rules "$T"; echo "exit $?"
tactus protocol verify --rules "$ROOT/examples/protocol/remover-unsound.spec" --as-recorded "$T"; echo "exit $?"
