# A generator with two things to cover is refused, a length beside one is not. What sampling cannot cover, or did not
# within --count, is told.
U=$ROOT/examples/uamp/uamp.model.xml
for goal in 'random(vertex_coverage(100) and edge_coverage(10))' 'random(reached_vertex(S12) && edge_coverage(20))' \
            'random(length(3) and length(4))' 'random(vertex_coverage(20) and length(10))'; do
    tactus flow cover $U --length 10 -o suite.txt --goal "$goal"; echo "exit $?"
done
cat > gw.xml <<'END'
<interactionModel xmlns="urn:tactus:interaction-model:1" name="g" setup="n=0;">
  <device name="device"><application name="g" external="true"><activity name="M" external="true">
    <stateMachine name="M" external="true">
      <initial to="A"/><state name="A"/><state name="B"/><state name="Unreached"/>
      <transition from="A" event="go" to="B" guard="n&lt;3" update="n++;"/>
      <transition from="B" event="back" to="A"/>
      <transition from="B" event="never" to="Unreached" guard="n&gt;10"/>
    </stateMachine></activity></application></device>
</interactionModel>
END
tactus flow sample gw.xml --generator 'random(vertex_coverage(100) and length(5))'; echo "exit $?"
tactus flow sample $U --generator 'random(edge_coverage(100) and length(10))' --count 2 -o few.txt; echo "exit $?"
tactus flow sample $U --generator 'random(vertex_coverage(20) and length(10))' -o enough.txt; echo "exit $?"
# What is wrong in a generator is told with its place, and with what was meant.
for goal in 'randm(length(3))' 'random(edge_cover(100))' 'random(edge_coverage(101))' 'random(reached_vertex())' \
            'random(length(3)' 'random(length(3)) x' 'random(length 3)' 'a_star(length(0))'; do
    tactus flow cover $U --length 10 -o suite.txt --goal "$goal"; echo "exit $?"
done
