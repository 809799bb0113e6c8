# A bound from reference runs.
cd $ROOT/examples/player-traces
tactus check -p player.props --calibrate pedestrian.csv
tactus check -p player.props --calibrate pedestrian.csv festival.csv cafe.csv --json
# An infinite value (a division by 0) has no bound on its side, and does not spoil the other.
cd "$OLDPWD"
printf 't,event,e,rx\n0,a,5,10\n1,b,7,14\n2,a,7,14\n3,b,9,14\n4,a,9,14\n5,b,10,18\n' > zero.csv
printf 'property most:  forall [a, b] diff(e) / diff(rx) <= 3\nproperty least: forall [a, b] diff(e) / diff(rx) >= 0.1\n' > zero.props
tactus check -p zero.props --calibrate zero.csv
tactus check -p zero.props --calibrate zero.csv --json | grep -o '"proposed":[^,]*,"suggestion":[^}]*'
