# A recording that comes through a pipe is there for every problem that it is part of.
cd $ROOT/examples/protocol
cat fixed.jsonl | tactus protocol verify --rules remover.spec --framework-model all - | sed -n 1,4p
tactus protocol verify --rules remover.spec --framework-model all <(cat fixed.jsonl) <(gzip -c buggy.jsonl) | grep -c UNKNOWN
echo '{"type": "x"}' | tactus protocol verify --rules remover.spec --framework-model all - | sed -n 1p
cat buggy.jsonl | tactus protocol validate --rules remover.spec --time-limit 60 - | sed -n 1p
