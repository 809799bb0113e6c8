# Monitors to take elsewhere. They are compiled and compared by the unit tests; here: where they go.
cd $ROOT/examples/player-traces
tactus check -p player.props --emit promela -o $OLDPWD/m.pml; echo "exit $?"
sed -n '/^never/,$p' $OLDPWD/m.pml
tactus check -p player.props --emit promela --property nothing; echo "exit $?"
tactus check -p player.props --emit promela --property ends; echo "exit $?"
tactus check -p player.props --emit c | sed -n 1,16p
