# JSON Lines: clusters are named by the topmost frame of the app, behind the cause.
tactus mine $ROOT/examples/mining/crashes.jsonl --min-occurrences 3 --top 1
