# The public models of DroidBot and GraphWalker: imported, checked, exported, read back, counted.
models="${TACTUS_CORPUS:-/nonexistent}/models"
if ! test -d "$models"; then
    echo "the public corpus is not here"
    exit 77
fi
for name in airunlocker.utg.js droidbotexp.utg.js onelist.utg.js login.graphwalker.json petclinic.graphwalker.json; do
    echo "== $name"
    tactus model import "$models/$name" -o model.xml --verbose 2> findings; echo "import: exit $?, $(wc -l < findings) findings"
    tactus model check model.xml --json | python3 -c 'import json, sys; d = json.load(sys.stdin); print(d["states"], "states", d["transitions"], "transitions", d["events"], "events", len(d["errors"]), "errors")'
    tactus model export model.xml --to graphwalker -o project.json
    tactus model import project.json -o again.xml 2> /dev/null
    cmp model.xml again.xml && echo "comes back unchanged"
    tactus flow count model.xml --length 5 --json
    tactus flow list model.xml --length 3 --limit 2
done
