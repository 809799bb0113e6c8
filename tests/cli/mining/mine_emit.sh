# Patterns as properties that tactus check understands: a run that uploads without login violates one.
tactus mine $ROOT/examples/mining/player.runs --cluster sync --top 1 --emit-properties avoid.props > out.txt
cat avoid.props
printf 't,event,state\n0,,sLibrary\n1,openSettings,sSettings\n2,upload,sSettings\n' > bad.csv
printf 't,event,state\n0,,sLibrary\n1,openSettings,sSettings\n2,logIn,sSettings\n3,upload,sSettings\n' > good.csv
tactus check -p avoid.props bad.csv; echo "exit $?"
tactus check -p avoid.props good.csv; echo "exit $?"
