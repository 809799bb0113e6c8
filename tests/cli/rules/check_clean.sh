# No faults: exit 0. An expectation that is met and one that is not.
cat > lamp.rules <<'RULES'
app Lamp
group ROOM: dark "it is dark", moving "someone moves"
state Off initial
state On
rule SwitchOn: Off -> On when dark and moving
rule SwitchOff: On -> Off when not SwitchOn
expect On when dark and moving
RULES
tactus rules check lamp.rules; echo "exit $?"
echo "expect On when dark" >> lamp.rules
tactus rules check lamp.rules; echo "exit $?"
tactus rules check --json lamp.rules | python3 -c "
import json, sys
d = json.load(sys.stdin)
print(d['expectations'])"
