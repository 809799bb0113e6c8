# Files that are no models: one clear message, exit 4, nothing half-written.
: > empty.xml
tactus model check empty.xml 2>&1; echo "exit $?"
head -c 900 "$ROOT/examples/uamp/uamp.model.xml" > cut.xml
tactus model check cut.xml 2>&1; echo "exit $?"
tactus model check missing.xml 2>&1; echo "exit $?"
tactus model check "$ROOT/examples/uamp/uamp.req1.xml" 2>&1; echo "exit $?"
printf '<!DOCTYPE a [<!ENTITY b "c">]>\n<interactionModel/>' > entity.xml
tactus model check entity.xml 2>&1; echo "exit $?"
tactus model check 2>&1; echo "exit $?"
tactus model import empty.xml -o out.xml 2>&1; echo "exit $?"
tactus model import cut.xml --from droidbot -o out.xml 2>&1; echo "exit $?"
printf 'var utg = {"nodes": [\n{"id": "a"},\n{"id": "a"}], "edges": []}' > twice.js
tactus model import twice.js -o out.xml 2>&1; echo "exit $?"
printf 'var utg = {"nodes":[{"id":"a"}],"edges":[{"from":"a","to":"a","events":[]}]}; extra' > quiet.js
tactus model import quiet.js -o quiet.xml 2>&1; echo "exit $?"
printf '\0\0\0' > zeros.json
tactus model import zeros.json -o out.xml 2>&1; echo "exit $?"
tactus model export "$ROOT/examples/uamp/uamp.model.xml" --to svg > /dev/full; echo "exit $?"
gzip -c "$ROOT/examples/uamp/uamp.model.xml" > uamp.xml.gz
tactus model check uamp.xml.gz; echo "exit $?"
ls
