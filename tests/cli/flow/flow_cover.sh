# Suites as JSON and text; infeasible items; budgets; GraphWalker strings.
M=$ROOT/examples/uamp/uamp.model.xml
tactus flow cover $M --length 10 --goal states --json
tactus flow cover $M --length 10 --goal transitions --json | grep -o '^{"goal":"transitions","covered":37,"total":37'
tactus flow cover $M --length 10 --goal pairs -o pairs.txt
tactus flow cover $M --length 3 --goal transitions --json
tactus flow cover $M --length 10 --goal requirements --require $ROOT/examples/uamp/uamp.req1.xml
tactus flow cover $M --length 10 --goal "random(vertex_coverage(50))"
tactus flow cover $M --length 10 --goal transitions --budget 12
tactus flow cover $M --length 10 --goal transitions --diverse 2
tactus flow cover $M --length 3 --goal "a_star(reached_vertex(S12))"; echo "exit $?"
tactus flow cover $M --length 3 --goal transition; echo "exit $?"
tactus flow cover $M --length 3 --goal requirements; echo "exit $?"
tactus flow cover $M --goal states; echo "exit $?"
tactus flow cover $M --length 3 --goal states --budget 0; echo "exit $?"
