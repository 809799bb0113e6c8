# The paper's columns with what is known of the alarms: a real defect that a model verifies is bad.
E="$ROOT/examples/protocol"; cp "$E/buggy.jsonl" "$E/fixed.jsonl" "$E/remover.spec" "$E/remover-unsound.spec" .
printf 'recording\tcall\tfinding\treason\nbuggy\texecute\treal\ttwo clicks\nfixed.jsonl\tandroid.os.AsyncTask.execute\tfalse\tthe button is disabled\nother\tshow\treal\tnot here\n' > triage.tsv
tactus protocol verify --rules remover.spec --framework-model all --triage triage.tsv buggy.jsonl fixed.jsonl; echo "exit $?"
tactus protocol verify --rules remover.spec --triage triage.tsv --json buggy.jsonl fixed.jsonl | sed 's/.*"table"/"table"/'; echo
# Rules that do not admit a recording: apart, and the exit code says so.
tactus protocol verify --rules remover-unsound.spec fixed.jsonl fixed.jsonl; echo "exit $?"
printf 'buggy,execute,maybe,who knows\n' > wrong.csv
tactus protocol verify --rules remover.spec --triage wrong.csv buggy.jsonl; echo "exit $?"
