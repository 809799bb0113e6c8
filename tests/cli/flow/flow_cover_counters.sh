# Guards that count: within a length what is feasible is found however far it lies; without one the search is cut, and
# says so instead of calling what it did not find infeasible.
M=$ROOT/tests/data/flow/cart.model.xml
tactus flow cover $M --goal transitions --length 65 -o suite.txt
tactus flow cover $M --goal transitions --length 61 --json | grep -o '"covered.*"total":[0-9]*\|"infeasible.*]'
tactus flow cover $M --goal transitions
tactus flow cover $M --goal transitions --json; echo
tactus flow cover $M --goal 'random(reached_vertex(bulk))'; echo "exit $?"
tactus flow cover $ROOT/examples/uamp/uamp.model.xml --goal 'random(reached_edge(none))'; echo "exit $?"
# all states, so that nothing is left to find
sed 's/>= 20/>= 1/g; s/&gt;= 20/\&gt;= 1/g' $M > near.xml
tactus flow cover near.xml --goal transitions
