# A bound from reference runs.
cd $ROOT/examples/player-traces
tactus check -p player.props --calibrate pedestrian.csv
tactus check -p player.props --calibrate pedestrian.csv festival.csv cafe.csv --json
