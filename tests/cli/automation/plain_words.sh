# Automations in plain words: a finding, the normal form, and errors with their place.
tactus automation check $ROOT/examples/home/night.txt; echo "exit $?"
tactus automation show $ROOT/examples/home/night.txt
bad() { printf '%b' "$1" > bad.txt; tactus automation check bad.txt; echo "exit $?"; }
bad 'tactus automations 2\n'
bad 'tactus automations 1\nautomaton x\n'
bad 'tactus automations 1\nautomation x\n  when a.b changes too c\n'
bad 'tactus automations 1\nautomation x\n  when time 25:00\n'
bad 'tactus automations 1\nautomation x\n  when start\n  if a.b above high\n'
bad 'tactus automations 1\nautomation x\n  when start\n'
bad 'tactus automations 1\nautomation x\n  when start\n  then\n'
bad 'tactus automations 1\nautomation x\n  when start\n  then\n    light.a := dim\n'
bad 'tactus automations 1\nautomation x\n  when start\n  then\n    wait 5 years\n'
bad 'tactus automations 1\nautomation x, mode queued 0\n  when start\n  then\n    a.b := c\n'
bad 'tactus automations 1\nautomation x\n  when start\n  if (a.b is c\n  then\n    a.b := c\n'
bad 'tactus automations 1\nautomation x, mode paralel\n  when start\n'
bad 'tactus automations 1\nautomation x\n  whn start\n'
bad 'tactus automations 1\nautomation x\n  when start\n  if a.b is c adn d.e is f\n  then\n    a.b := c\n'
bad 'tactus automations 1\nautomation x\n  when start\n  if weekday is mon or fry\n  then\n    a.b := c\n'
