# Patterns of time are played; a corrected state is quoted where `on` would be a boolean; lines that are put in end as the file's do.
cat > tz.yaml <<'Y'
- alias: half hours
  trigger: {platform: time_pattern, minutes: '/30'}
  action: {service: light.turn_on, entity_id: light.c}
- alias: a quarter past every hour
  trigger: {platform: time_pattern, hours: '*', minutes: 15}
  action: {service: light.turn_off, entity_id: light.c}
- alias: noon
  trigger: {platform: time, at: '12:00:00'}
  action: {service: light.turn_on, entity_id: light.d}
Y
printf '2026-01-05T11:10:00 is light.c off\n2026-01-05T12:20:00 end\n' > hour.events
tactus automation simulate tz.yaml --events hour.events
cat > open.yaml <<'Y'
- alias: four
  trigger:
    platform: state
    entity_id: binary_sensor.m
    to:
      - open   # wide
      - "on"
  action: {service: light.turn_on, entity_id: light.r}
Y
tactus automation check open.yaml --fix open.yaml > /dev/null; cat open.yaml
printf -- '- alias: stairs\r\n  trigger: {platform: state, entity_id: binary_sensor.s, to: "on"}\r\n  action:\r\n    - {service: light.turn_on, entity_id: light.s}\r\n    - {delay: 60}\r\n    - {service: light.turn_off, entity_id: light.s}\r\n' > crlf.yaml
tactus automation check crlf.yaml --fix crlf.yaml > /dev/null; cat -A crlf.yaml
for i in $(seq 1 40); do echo "- {alias: lamp $i, trigger: {platform: state, entity_id: binary_sensor.all, to: 'on'}, action: {service: light.turn_on, entity_id: light.l$i}}"; done > forty.yaml
printf '\357\273\2772026-01-05T11:10:00 is binary_sensor.all off\r\n+1 set binary_sensor.all on\r\n' > all.events
tactus automation simulate forty.yaml --events all.events > all; grep -c -e '->' all; grep -c ':= on' all
printf -- "- {alias: tick, trigger: {platform: time_pattern, seconds: '/1'}, action: {service: light.turn_on, entity_id: light.c}}\n" > tick.yaml
printf '2026-01-05T11:10:00 is light.c off\n2026-01-09T11:10:00 end\n' > days.events
tactus automation simulate tick.yaml --events days.events; echo "exit $?"
for day in 2026-02-30T12:00:00 2026-01-05T25:00:00 +5; do echo "$day is light.c off" > day.events; tactus automation simulate tick.yaml --events day.events; echo "exit $?"; done
cat > bells.yaml <<'Y'
- alias: two in a row
  mode: queued
  max: 2
  trigger: {platform: event, event_type: ring}
  action: [{service: light.turn_on, entity_id: light.c}, {delay: 60}, {service: light.turn_off, entity_id: light.c}]
Y
{ echo '2026-01-05T11:10:00 event ring'; for i in 1 2 3; do echo '+1 event ring'; done; echo '+300 end'; } > bells.events
tactus automation simulate bells.yaml --events bells.events
sed -i 's/max: 2/max_exceeded: silent/; s/queued/parallel/' bells.yaml
{ echo '2026-01-05T11:10:00 event ring'; for i in $(seq 11); do echo '+1 event ring'; done; echo '+300 end'; } > bells.events
tactus automation simulate bells.yaml --events bells.events | grep -c ignored
# `max` of a blueprint counts: the third ring is dropped.
mkdir -p blue/blueprints/automation/me
printf -- '- alias: Bell\n  use_blueprint: {path: me/bell.yaml, input: {lamp: light.q}}\n' > blue/automations.yaml
echo 'automation: !include automations.yaml' > blue/configuration.yaml
cat > blue/blueprints/automation/me/bell.yaml <<'Y'
blueprint: {name: Bell, domain: automation, input: {lamp: {name: Lamp}}}
mode: queued
max: 2
triggers: [{trigger: event, event_type: ring}]
actions:
  - {action: light.turn_on, target: {entity_id: !input lamp}}
  - {delay: 60}
  - {action: light.turn_off, target: {entity_id: !input lamp}}
Y
{ echo '2026-01-05T11:10:00 event ring'; for i in 1 2; do echo '+1 event ring'; done; echo '+300 end'; } > blue.events
tactus automation simulate blue --events blue.events
# Any number of parts may be joined, and comparisons chained.
parts=$(for i in $(seq 70); do printf "is_state('switch.s%d', 'on') and " $i; done)
chain=$(for i in $(seq 20); do printf "states('sensor.n')|float < %d and " $((100 - i)); done)
printf -- '- alias: %s\n  trigger: {platform: state, entity_id: binary_sensor.m, to: "on"}\n  condition: "{{ %s }}"\n  action: {service: light.turn_on, entity_id: light.r}\n' \
    many "$parts true" chained "0 < 1 < 2 < states('sensor.n')|float < 50" both "$chain true" > long.yaml
tactus automation show long.yaml | grep -E '^automation|sensor.n <|sensor.n ' | cut -c -120
tactus automation show long.yaml | grep -o 'switch.s[0-9]* is on' | tail -1
