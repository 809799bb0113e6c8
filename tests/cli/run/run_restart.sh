# A folder in which nothing was measured yet takes corrected files; one with a run, or with what a run left, does not.
cp $ROOT/examples/apps/notes.json app.json
printf 'observe shown = count(//node[@clickable="true"])\nproperty some: always (shown > 0)\n' > a.props
echo 'action a: do click any //node[@clickable="true"]' > a.actions
campaign() { local p=a.props; [ "$1" = -p ] && p=$2 && shift 2; tactus run --device sim:app.json --actions a.actions --runs 2 --steps 2 -p $p "$@" -o runs; echo "exit $?"; }
printf 'observe typed = count(//node[@clickable="true"])\nproperty some: always (typed > 0)\n' > wrong.props
echo "-- a mistake that the first run finds, then another, then the corrected file"
campaign -p wrong.props
sed -i 's/typed/activity/' wrong.props
campaign -p wrong.props
campaign
cmp runs/properties.txt a.props && echo "the copy is that of the runs"
sha256sum runs/traces/* runs/properties.txt > before
echo "-- now it has runs"
campaign --steps 3
echo >> a.props
campaign
sha256sum --quiet -c before && echo "nothing was touched"
echo "-- what a run left without a row counts as measured"
rm -rf runs; campaign -p wrong.props 2>/dev/null
touch runs/traces/000000.jsonl
campaign
rm runs/traces/000000.jsonl; campaign | tail -3
echo "-- what the old plan copied must not stay behind"
rm -rf runs; campaign -p wrong.props 2>/dev/null
tactus run --device sim:app.json --actions a.actions --runs 2 --steps 2 -o runs; echo "exit $?"
echo "-- subjects: each in its folder"
echo 'action a: do click css:"a"' > css.actions
tactus run --subject one=sim:app.json --actions css.actions --runs 2 --steps 2 -o many; echo "exit $?"
tactus run --subject one=sim:app.json --actions a.actions --runs 2 --steps 2 -o many; echo "exit $?"
