# Several recordings: one process each, failures kept in their place, the paper's tables.
cd "$ROOT"
E=examples/protocol
tactus protocol verify --rules $E/remover.spec $E/buggy.jsonl missing.jsonl $E/fixed.jsonl --jobs 2 --time-limit 100 --memory-limit 4000; echo "exit $?"
tactus protocol validate --rules $E/remover-unsound.spec $E/buggy.jsonl $E/fixed.jsonl --jobs 2; echo "exit $?"
tactus protocol verify --rules $E/remover.spec $E/buggy.jsonl $E/fixed.jsonl --json | grep -o '"table".*'
tactus protocol verify --rules $E/remover.spec $E/fixed.jsonl --time-limit 60; echo "exit $?"
tactus protocol verify --rules $E/remover.spec --target nothing $E/buggy.jsonl; echo "exit $?"
tactus protocol verify --rules $E/remover.spec --target execute --engine bdd $E/buggy.jsonl --json | grep -o '"engine":"[a-z]*"'
