# Templates of the user's own: names that are no event of the runs are placeholders; what tells failing from passing
# runs beyond chance is listed; a formula that is none is said where.
runs=$ROOT/examples/mining/player.runs
tactus mine $runs --template 'G(a -> X F b)' --limit 2; echo "exit $?"
tactus mine $runs --template 'F(clear & X F next)' --merge --limit 1; echo "exit $?"
tactus mine $runs --template 'G(a -> '; echo "exit $?"
for wrong in 'G(a -> X F b' 'a adn b' 'a & "nowhere"' 'w & x & y & z' '"a'; do
    tactus mine $runs --template "$wrong"; echo "exit $?"
done
