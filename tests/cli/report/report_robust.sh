# What must not be fatal: a dot that fails or hangs, a model, flows or a trace that is damaged, no runs.
P=sim:$ROOT/examples/apps/player.json
tactus explore --device $P -o player.xml >/dev/null
tactus flow list player.xml --length 6 --require $ROOT/examples/demo/playback.req.xml --witness \
    --format jsonl -o flows.jsonl
tactus run --device $P --model player.xml --flows flows.jsonl -p $ROOT/examples/demo/playback.props -o runs >/dev/null
mkdir bin
drawn() { python3 -c '
import json, sys
models = json.load(sys.stdin)["models"]
print([activity["drawing"]["width"] > 0 for model in models for activity in model["activities"]])'; }
echo "== dot works"; tactus report runs --json | drawn
echo "== dot fails"; printf '#!/bin/sh\nexit 1\n' > bin/dot; chmod +x bin/dot
PATH=$PWD/bin:$PATH tactus report runs --json | drawn
echo "== dot says nonsense"; printf '#!/bin/sh\ncat >/dev/null; echo graph 1 x; echo edge n0\n' > bin/dot
PATH=$PWD/bin:$PATH tactus report runs --json | drawn
echo "== dot hangs"; printf '#!/bin/sh\nexec sleep 100\n' > bin/dot
PATH=$PWD/bin:$PATH tactus report runs -o page.html; echo "exit $?"
grep -c 'data-run="0"' page.html
echo "== a damaged model, then no flows"
cp -r runs broken; echo '<interactionModel' > broken/model.xml; tactus report broken -o page.html; echo "exit $?"
cp runs/model.xml broken; echo '{' > broken/flows.jsonl; tactus report broken -o page.html; echo "exit $?"
echo "== a damaged trace"
cp -r runs cut; truncate -s 500 cut/traces/000000.jsonl; tactus report cut -o page.html > cut.txt 2>&1; code=$?
sed 's/written with [0-9]*/written with N/' cut.txt; echo "exit $code"
echo "== a damaged result of reproduce"
cp -r runs odd; echo '{"causes":[{"property":"cheap_playback","steps":[1,{"text":5}],"replays":7}, 3]}' > odd/reproduce.json
tactus report odd -o page.html; echo "exit $?"
echo "== no runs"
python3 - <<'PYTHON'
import os, sqlite3, shutil
shutil.copytree("runs", "none")
db = sqlite3.connect("none/index.sqlite")
db.execute("delete from run")
db.execute("delete from verdict")
db.commit()
PYTHON
tactus report none -o page.html; echo "exit $?"
tactus report none --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["summary"])'
