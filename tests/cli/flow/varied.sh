# Flow files, requirements and models, a bit wrong in many ways (tests/vary.py).
exec 2>&1
C=$ROOT/tests/fuzz/corpus X=$ROOT/examples
vary() { python3 $ROOT/tests/vary.py "$@"; }
vary --lines --words --every 3 $X/uamp/uamp.req3.xml tactus flow count $X/uamp/uamp.model.xml -n 6 -r {}
vary --lines --words --every 4 $C/requirement/all.xml tactus flow count $X/uamp/uamp.model.xml -n 6 -r {}
vary --lines --words --every 3 $C/flow_file/locators.jsonl tactus flow export --to maestro {}
vary --words --every 3 $C/flow_file/chat.jsonl tactus flow export --to wdio {}
vary --words --every 3 $C/flow_file/odd.jsonl tactus flow export --to promela {}
vary --lines --words --every 4 $ROOT/tests/data/flow/cart.model.xml tactus flow list -n 6 --limit 20 {}
