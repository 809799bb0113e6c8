# Out to GraphWalker and back is the same file; a foreign project keeps its guards as notes.
for name in uamp chat; do
    model="$ROOT/examples/$name/$name.model.xml"
    tactus model export "$model" --to xml -o "$name.xml"
    tactus model export "$model" --to graphwalker -o "$name.json"
    tactus model import "$name.json" --from graphwalker -o "$name.again.xml"
    cmp "$name.xml" "$name.again.xml" && echo "$name comes back unchanged"
    tactus model diff "$model" "$name.again.xml"
done
cat > shop.json <<'END'
{"name": "Shop", "models": [
  {"name": "Browse", "startElementId": "v1",
   "vertices": [{"id": "v1", "name": "v_List"}, {"id": "v2", "name": "v_Item", "sharedState": "ITEM"}],
   "edges": [{"id": "e1", "name": "e_Open", "sourceVertexId": "v1", "targetVertexId": "v2"},
             {"id": "e2", "name": "e_Back", "sourceVertexId": "v2", "targetVertexId": "v1"}]},
  {"name": "Buy",
   "vertices": [{"id": "v1", "name": "v_Product", "sharedState": "ITEM"}, {"id": "v2", "name": "v_Paid"}],
   "edges": [{"id": "e1", "name": "e_Pay", "guard": "money > 0", "actions": ["money--;"],
              "sourceVertexId": "v1", "targetVertexId": "v2"}]}]}
END
tactus model import shop.json
tactus model import shop.json -o shop.xml 2> /dev/null && tactus flow list shop.xml --length 3

echo '== variables begin alike for GraphWalker, which does not know our setup'
sed 's/wrong = 0/wrong = 1/' "$ROOT/examples/guards/login.model.xml" > begun.xml
tactus model export begun.xml --to graphwalker | sed 's/"setup":"[^"]*",//; s/"properties":{"tactus":{[^{}]*}},\?//g; s/,}/}/g' > walker.json
grep -o '"actions":\["wrong = 1"\]' walker.json
tactus flow list begun.xml --length 5
tactus model import walker.json -o walker.xml
tactus flow list walker.xml --length 5
