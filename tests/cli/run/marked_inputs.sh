# Files as editors of Windows save them begin with a mark of the byte order; every kind is read as without it.
marked() { printf '\357\273\277' | cat - "$1" > "$2"; }
cd $ROOT/examples; here=$OLDPWD
for file in apps/door.json scenarios/cafe.json mining/player.model.json rules/office-to-car.context kpi/media-player.json kpi/player.json protocol/events.map.json home/night.txt; do
    marked $file $here/$(basename $file)
done
printf 'protocol/remover.spec\n' > $here/plain; marked $here/plain $here/list
tactus run --device sim:$here/door.json --monkey 1 --steps 2 --scenario $here/cafe.json -o $here/runs
tactus predict $here/player.model.json mining/player.runs | head -1
tactus rules simulate rules/phoneadapter-timed.rules --start-state Office --context $here/office-to-car.context | tail -1
tactus kpi cases $here/media-player.json $here/player.json | head -1
tactus protocol verify --rules-list $here/list --rules-root . protocol/buggy.jsonl --emit-requirement $here/r.xml --map $here/events.map.json | head -1
tactus automation check $here/night.txt > $here/found; echo "exit $?"
