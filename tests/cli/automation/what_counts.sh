# Wired nodes are not automations; questions that were given up leave the answer open; --fix names the file in any way.
cat > flows.json <<'J'
[{"id":"a1","type":"tab","label":"Hall"},
 {"id":"a2","type":"api-call-service","z":"a1","action":"light.turn_on","data":"","wires":[[]]},
 {"id":"a3","type":"server-state-changed","z":"a1","entityid":"light.a","wires":[["a2"]]}]
J
tactus automation check flows.json; echo "exit $?"
{ echo '- alias: many'; echo '  trigger: {platform: state, entity_id: binary_sensor.m, to: "on"}'; echo '  action:'
  for i in $(seq 12); do
      echo "    - choose: [{conditions: {condition: state, entity_id: input_boolean.b$i, state: 'on'}, sequence: {service: light.turn_on, entity_id: light.l$i}}]"
  done; } > many.yaml
tactus automation check many.yaml --junit many.xml; echo "exit $?"; grep -c '<skipped' many.xml
tactus automation check --json many.yaml | grep -o '"incomplete":[0-9]*'
mkdir home
wrong() { printf -- '- alias: door\n  trigger: {platform: state, entity_id: binary_sensor.d, to: "open"}\n  action: {service: light.turn_on, entity_id: light.d}\n' > home/automations.yaml; }
fix() { wrong; tactus automation check "$1" --fix "$2" > /dev/null; echo "exit $?"; grep -c 'to: .on.' home/automations.yaml; }
fix home/automations.yaml automations.yaml
fix home/automations.yaml ./home/automations.yaml
fix home/ home/automations.yaml
fix ./home automations.yaml
wrong; cd home; tactus automation check . --fix automations.yaml > /dev/null; grep -c 'to: .on.' automations.yaml
cd ..
# What a play shows that leaves something open is possible; without --possible it is not told.
for wanted in '' --possible; do
    tactus automation check $wanted --json $ROOT/tests/automation/homes/unknown.yaml | grep -o '"class":"[^"]*","certainty":"[^"]*"' | sort; echo "exit ${PIPESTATUS[0]}"
done
