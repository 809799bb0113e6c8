# The case study: playing must not cost more than 8,000 kB.
cd $ROOT
tactus check -p examples/player-traces/player.props examples/player-traces/pedestrian.csv; echo "exit $?"
tactus check -p examples/player-traces/player.props examples/player-traces/{festival,cafe}.csv; echo "exit $?"
tactus check -p examples/player-traces/player.props examples/player-traces/{pedestrian,festival,cafe}.csv --json --jobs 2; echo "exit $?"
