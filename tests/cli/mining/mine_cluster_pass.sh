# What always holds in good runs, and one cluster by its name; an unknown one names those there are.
runs=$ROOT/examples/mining/player.runs
tactus mine $runs --cluster pass --limit 3; echo "exit $?"
tactus mine $runs --cluster queue --limit 1; echo "exit $?"
tactus mine $runs --cluster nosuch; echo "exit $?"
