# Bad input: every finding with its place, exit 4; wrong usage: exit 2.
M=$ROOT/examples/uamp/uamp.model.xml
cat > bad.xml <<'END'
<appUserFlowRequirement xmlns="http://www.morse.uma.es/appuserflowrequirement" name="bad">
  <invariants>
    <event name="playPuase" max="1"/>
    <state name="end" visit="false"/>
  </invariants>
  <sequence>
    <constraint><state name="S66"/></constraint>
  </sequence>
</appUserFlowRequirement>
END
tactus flow count $M --length 4 --require bad.xml; echo "exit $?"
sed 's/playPuase/back/; s/<state name="end" visit="false"/<state name="S1" visit="true"/' bad.xml > worse.xml
tactus flow count $M --length 4 --require worse.xml; echo "exit $?"
printf '<a/>' > wrong.xml
tactus flow count $M --length 4 --require wrong.xml; echo "exit $?"
tactus flow count missing.xml --length 4; echo "exit $?"
tactus flow count $M --length 4 --witness; echo "exit $?"
tactus flow count $M; echo "exit $?"
tactus flow count $M --length -1; echo "exit $?"
printf '{"kind":"exit","steps":[{"event":"e"}]}\n{"kind":"exit","steps":[{"evnt":"e"}]}\n' > bad.jsonl
tactus flow export bad.jsonl --to maestro -o out.yaml; echo "exit $?"; ls out.yaml
printf '{"kind":"exit","steps":[{"event":"e","time":1,"actions":[{"kind":"click","xPath":"//a"}]}]}\n' > slip.jsonl
tactus flow export slip.jsonl --to maestro; echo "exit $?"
printf '{"kind":"exit","steps":[],"stpes":[]}\n' > slip.jsonl
tactus flow export slip.jsonl --to maestro; echo "exit $?"
R='<appUserFlowRequirement xmlns="http://www.morse.uma.es/appuserflowrequirement" name="r">'
printf '%s</appUserFlowRequirement>\n' "$R" > empty.xml
tactus flow count $M --length 4 --require empty.xml; echo "exit $?"
printf '%s<invariants>\n<event name="back"/>\n<loop/></invariants></appUserFlowRequirement>\n' "$R" > loose.xml
tactus flow count $M --length 4 --require loose.xml; echo "exit $?"
tactus flow require --template start-stop selectSong; echo "exit $?"
tactus flow require --template avoid screen:S1; echo "exit $?"
