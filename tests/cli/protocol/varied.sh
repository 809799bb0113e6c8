# Recordings, rules, certificates and witnesses, a bit wrong in many ways (tests/vary.py).
exec 2>&1
C=$ROOT/tests/fuzz/corpus P=$ROOT/examples/protocol
vary() { python3 $ROOT/tests/vary.py "$@"; }
vary --lines --words --every 7 $P/buggy.jsonl tactus protocol verify --rules $P/remover.spec --verbose {}
vary --lines --words --every 11 $P/fixed.jsonl tactus protocol validate --rules $P/remover.spec {}
vary --lines --every 2 $P/fixed.jsonl tactus protocol verify --rules $P/remover.spec --as-recorded --engine bdd {}
vary --lines --words --every 13 $C/protocol_jsonl/values tactus protocol show {}
vary --bytes --every 11 $C/protocol_pb/good tactus protocol show {}
vary --bytes --every 23 $C/protocol_pb/raised tactus protocol validate --rules $P/remover.spec {}
vary --lines --words --every 5 $P/remover.spec tactus protocol lint --recording $P/fixed.jsonl {}
vary --lines $P/remover.spec tactus protocol verify --framework-model all --rules {} $P/fixed.jsonl
vary --lines $P/remover-unsound.spec tactus protocol compare --verbose $P/remover.spec {} $P/fixed.jsonl
cp $P/remover.spec $P/fixed.jsonl . # a certificate names them
tactus protocol verify --rules remover.spec --certificate fixed.cert fixed.jsonl
vary --words --every 29 fixed.cert tactus protocol check-certificate --rules remover.spec {} fixed.jsonl
vary --lines --words $P/events.map.json tactus protocol verify --rules $P/remover.spec --emit-requirement - --map {} $P/buggy.jsonl
