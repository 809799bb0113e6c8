# Text runs: two clusters, the cause of each first.
tactus mine $ROOT/examples/mining/player.runs
echo "exit $?"
tactus mine $ROOT/examples/mining/player.runs --cluster sync --top 1 --verbose
