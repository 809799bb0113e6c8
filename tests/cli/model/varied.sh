# Models and models of others, a bit wrong in many ways (tests/vary.py).
exec 2>&1
C=$ROOT/tests/fuzz/corpus
vary() { python3 $ROOT/tests/vary.py "$@"; }
vary --lines --words --every 3 $ROOT/examples/guards/login.model.xml tactus model check {}
vary --lines --every 2 $ROOT/examples/chat/chat.model.xml tactus model check {}
vary --lines $ROOT/tests/data/flow/cart.model.xml tactus model export --to xml {}
vary --lines --words --every 13 $C/graphwalker/own tactus model import --verbose {}
for file in $C/graphwalker/{shared,edge_start} $C/graphml/* $C/droidbot/all $C/dot/chain; do
    vary --words --every 3 $file tactus model import --verbose {}
done
