# Operators in a row without end are refused, where they were followed until the stack was full.
row() { python3 -c "print('$2'.join(['$1'] * $3))"; }
printf 'property p: always (%s)\n' "$(row A ' and ' 400000)" > p.props
printf 't,event\n0,A\n' > t.csv
tactus check -p p.props t.csv; echo "exit $?"
printf '<interactionModel xmlns="urn:tactus:interaction-model:1" name="m" setup="v=0"><device name="d"><application name="a" external="true"><activity name="A" external="true"><stateMachine name="M" external="true"><initial to="S"/><state name="S"/><transition from="S" event="e" to="S" guard="%s"/></stateMachine></activity></application></device></interactionModel>' "$(row v + 200000)" > m.xml
tactus flow count m.xml --length 2 2>&1 | cut -c -240; echo "exit ${PIPESTATUS[0]}"
printf '{"tactus-app":1,"name":"D","package":"a.b","activities":{"A":{"screens":{"s":{"widgets":[{"class":"Button","id":"x","if":"%s"}]}}}}}' "$(row 1 + 400000)" > app.json
tactus screen --device sim:app.json 2>&1 | cut -c -320; echo "exit ${PIPESTATUS[0]}"
