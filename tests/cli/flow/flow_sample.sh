# The same seed gives the same flows.
M=$ROOT/examples/uamp/uamp.model.xml
tactus flow sample $M --length 6 --count 3 --seed 4
tactus flow sample $M --length 6 --count 3 --seed 4
tactus flow sample $M --length 6 --count 2 --seed 4 --weighted
tactus flow sample $M --length 10 --count 2 --seed 4 --require $ROOT/examples/uamp/uamp.req3.xml
tactus flow sample $M --generator "weighted_random(length(4))" --seed 2
tactus flow sample $M --length 2 --require $ROOT/examples/uamp/uamp.req3.xml; echo "exit $?"
tactus flow sample $M --count 2; echo "exit $?"
tactus flow sample $ROOT/examples/uamp/uamp.model.xml --length 4 --count 0; echo "exit $?"
