# Patterns as properties that tactus check understands: a run that uploads without login violates one.
tactus mine $ROOT/examples/mining/player.runs --cluster sync --top 1 --emit-properties avoid.props > out.txt
cat avoid.props
printf 't,event,state\n0,,sLibrary\n1,openSettings,sSettings\n2,upload,sSettings\n' > bad.csv
printf 't,event,state\n0,,sLibrary\n1,openSettings,sSettings\n2,logIn,sSettings\n3,upload,sSettings\n' > good.csv
tactus check -p avoid.props bad.csv; echo "exit $?"
tactus check -p avoid.props good.csv; echo "exit $?"
# Runs of events alone, in a file of any name: no states are spoken of, and the runs that were mined violate what was emitted.
for i in 1 2 3 4 5 6 7 8; do echo "1 open e$i play clear next"; echo "0 open e$i play next"; echo "0 open clear e$i play"; done > events.txt
tactus mine events.txt --emit-properties events.props | sed -n '3,5p' | sed 's/\[.*//'
tail -1 events.props
tactus check -p events.props events.txt | tail -1
# A name that no run has is warned of once.
echo 'property p: not eventually (event == "cleer")' > misspelt.props
tactus check -p misspelt.props events.txt 2>&1 > /dev/null
