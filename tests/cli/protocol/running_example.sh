# The paper's running example: the bug predicted from a good run, the fix proved, the models compared.
cd "$ROOT"
R=examples/protocol/remover.spec
tactus protocol verify --rules $R examples/protocol/buggy.jsonl --verbose; echo "exit $?"
tactus protocol verify --rules $R examples/protocol/fixed.jsonl; echo "exit $?"
tactus protocol verify --rules $R --engine bdd examples/protocol/buggy.jsonl; echo "exit $?"
tactus protocol verify --rules $R --model all examples/protocol/fixed.jsonl; echo "exit $?"
tactus protocol validate --rules $R examples/protocol/fixed.jsonl; echo "exit $?"
tactus protocol validate --rules examples/protocol/remover-unsound.spec examples/protocol/fixed.jsonl; echo "exit $?"
