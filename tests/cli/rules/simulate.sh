# One input, a witness played again, the paper's story with and without refresh rates, errors.
cd $ROOT
tactus rules simulate examples/rules/phoneadapter.rules --state Office --input 'A_t, E_bt, C_bt'; echo "exit $?"
tactus rules simulate examples/rules/phoneadapter.rules --state Office --input 'A_t, B_t, E_bt, C_bt'; echo "exit $?"
tactus rules simulate examples/rules/phoneadapter.rules --input B_bt=on,C_bt=1 --json; echo "exit $?"
tactus rules simulate --state Office --events examples/rules/office-to-car.context examples/rules/phoneadapter.rules; echo "exit $?"
tactus rules simulate --state Office --events examples/rules/office-to-car.context examples/rules/phoneadapter-timed.rules; echo "exit $?"
tactus rules simulate examples/rules/phoneadapter-sensors.rules --state Driving --input 'car, gps_valid, speed=80'; echo "exit $?"
input=$(tactus rules check examples/rules/phoneadapter.rules --json | python3 -c 'import json,sys; print(json.dumps(json.load(sys.stdin)["states"]["Jogging"]["cycle_witness"]["input"]))')
tactus rules simulate examples/rules/phoneadapter.rules --state Jogging --input "$input" | tail -6
tactus rules simulate examples/rules/phoneadapter.rules --state Offfice; echo "exit $?"
tactus rules simulate examples/rules/phoneadapter.rules --input A_gpss; echo "exit $?"
printf '5 s A_bt\n1 s B_bt\nsoon A_bt\n9 s A_bt=maybe\n' > /tmp/bad.$$.context
tactus rules simulate examples/rules/phoneadapter.rules --events /tmp/bad.$$.context 2>&1 | sed 's/bad\.[0-9]*/bad/'; echo "exit ${PIPESTATUS[0]}"
rm /tmp/bad.$$.context
