# GraphWalker's files as they are found: one model by itself, scripts without semicolons, numbers as texts, blocked elements
# beside mistakes, no start, and its other formats under its name.
model() { printf '{"name":"m","startElementId":"e0","vertices":[%s],"edges":[%s]%s}' "$1" "$2" "$3"; }
vertex() { printf '{"id":"%s","name":"v_%s"%s}' "$1" "$1" "$2"; }
edge() { printf '{"id":"%s","name":"%s","sourceVertexId":"%s","targetVertexId":"%s"%s}' "$1" "$1" "$2" "$3" "$4"; }
blocked=',"properties":{"blocked":true}'
in='{"id":"e0","name":"e0","targetVertexId":"a"}'
shown() { tactus model import "$@" 2>&1 | grep -v -e '<?' -e '<device' -e '<appl' -e '<activity' -e '</'; echo "exit ${PIPESTATUS[0]}"; }

echo '== one model by itself; the scripts of an array are separate statements; a text is a number too'
model "$(vertex a),$(vertex b),$(vertex c "$blocked")" \
  "$in,$(edge e1 a b ',"guard":"y == 1","actions":["x = 1","y = 2"],"dependency":"85","weight":"0.5"'),$(edge e2 b c),$(edge e3 a a "$blocked")" \
  ',"actions":["x = 0","y = 1"]' > alone.json
shown alone.json
echo '== an edge to a blocked vertex is left out, an edge to nothing is a mistake'
model "$(vertex a),$(vertex c "$blocked")" "$in,$(edge e2 a c),$(edge e3 a cc)" > mistake.json
shown mistake.json
echo '== a start that is blocked'
printf '{"models":[{"name":"m","startElementId":"a","vertices":[%s],"edges":[]}]}' "$(vertex a "$blocked"),$(vertex b)" > start.json
shown start.json
echo '== no start, and every vertex is entered'
printf '{"models":[{"name":"m","vertices":[%s],"edges":[%s]}]}' "$(vertex a),$(vertex b)" "$(edge e1 a b),$(edge e2 b a)" > ring.json
shown ring.json
echo '== GraphML and dot are formats of GraphWalker'
printf '<graphml><graph><node id="n0"><data key="d"><NodeLabel>Start</NodeLabel></data></node><node id="n1"><data key="d"><NodeLabel>v_a</NodeLabel></data></node><edge id="e" source="n0" target="n1"><data key="d"><EdgeLabel>go</EdgeLabel></data></edge></graph></graphml>' > small.graphml
shown small.graphml --from graphwalker
printf 'digraph d { Start -> v_a [label="go"] }' > small.dot
shown small.dot --from graphwalker
echo '== INIT runs once, though its vertex is entered again: the second edge is possible after the first and the third'
node() { printf '<node id="%s"><data key="d"><NodeLabel>%s</NodeLabel></data>%s</node>' "$1" "$2" "$3"; }
arrow() { printf '<edge id="%s" source="%s" target="%s"><data key="d"><EdgeLabel>%s</EdgeLabel></data></edge>' "$1" "$2" "$3" "$4"; }
graph() { printf '<graphml><graph id="G">%s</graph></graphml>' "$1"; }
graph "$(node n0 Start)$(node n1 'v_List
INIT: notes = 0;')$(node n2 v_Note)$(arrow e0 n0 n1 e_open)$(arrow e1 n1 n1 e_add/notes++)$(arrow e2 n1 n2 'e_select[notes == 1]')" > init.graphml
shown init.graphml
tactus model import init.graphml -o init.xml && tactus flow cover init.xml --length 5 --goal transitions
echo '== a group is drawn around vertices; an edge to a vertex that is missing is told, also where another one is blocked'
graph "$(node g0 'the editor' "<graph id=\"g0:\">$(node g0::n0 v_Inside)</graph>")$(node n0 Start)$(arrow e0 n0 g0::n0 e_in)" > group.graphml
shown group.graphml
graph "$(node g0 'the editor' "<graph id=\"g0:\">$(node g0::n0 v_Inside)</graph>")$(node n0 Start)$(arrow e0 n0 g0 e_in)" > edge.graphml
shown edge.graphml
graph "$(node n0 Start)$(node n1 'v_a
BLOCKED')$(arrow e0 n0 n1 e_a)$(arrow e1 n0 n7 e_b)" > dangling.graphml
shown dangling.graphml
echo '== and what is none of them'
echo '{"edges":[]}' > other.json
shown other.json
echo '== a model with nothing in it, as the editor makes one'
printf '{"models":[{"name":"NewModel","vertices":[],"edges":[]},{"name":"full","vertices":[%s],"edges":[%s]}]}' "$(vertex a),$(vertex b)" "$(edge e1 a b)" > nothing.json
shown nothing.json
echo '== names that differ only in what names cannot hold stay different'
printf '{"models":[{"name":"m","startElementId":"a","vertices":[%s],"edges":[%s]}]}' "$(vertex a),$(vertex b),$(vertex c),$(vertex d)" \
    '{"id":"e1","name":"go now","sourceVertexId":"a","targetVertexId":"b"},{"id":"e2","name":"go_now","sourceVertexId":"a","targetVertexId":"c"},{"id":"e3","name":"go/now","sourceVertexId":"a","targetVertexId":"d"},{"id":"e4","name":"go now","sourceVertexId":"b","targetVertexId":"a"}' > blanks.json
shown blanks.json
tactus model import blanks.json -o blanks.xml 2> /dev/null; grep -o 'event="[^"]*"' blanks.xml | sort
# A model that starts where no element is, beside one that starts; comments in a label of yEd.
cat > pet.json <<'END'
{"models":[{"name":"A","startElementId":"e0","vertices":[{"id":"v0","name":"home","sharedState":"H"}],"edges":[{"id":"e0","name":"open","targetVertexId":"v0"}]},
{"name":"B","startElementId":"gone","vertices":[{"id":"w0","name":"home","sharedState":"H"},{"id":"w1","name":"list"}],"edges":[{"id":"f0","name":"find","sourceVertexId":"w0","targetVertexId":"w1"}]}]}
END
tactus model import pet.json -o pet.xml
tactus flow list pet.xml --length 4
printf 'digraph G { Start -> home [label="open /* of the app */ / n = 1; /* counted */"]; home -> home [label="go [n > 0] / n--;"] }' > comments.dot
tactus model import comments.dot -o comments.xml && tactus flow list comments.xml --length 4
