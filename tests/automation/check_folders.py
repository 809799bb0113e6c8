#!/usr/bin/env python3
"""Where a configuration may lie in a folder, and that nothing in it counts twice."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TACTUS = os.environ.get("TACTUS", "build/tactus")
AUTOMATIONS = """- id: one
  trigger: {platform: state, entity_id: input_select.mode, to: Away}
  action: {service: light.turn_off, entity_id: light.hall}
- id: two
  trigger: {platform: state, entity_id: input_select.mode, to: Wrong}
  action: {service: light.turn_on, entity_id: light.hall}
"""
CONFIGURATION = """automation: !include automations.yaml
input_select:
  mode: {options: [Home, Away]}
"""
passed, failures = 0, []


def write(root, files):
    for name, text in files.items():
        path = pathlib.Path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def check(what, files, automations, findings, code, message="", options=()):
    global passed
    with tempfile.TemporaryDirectory() as root:
        write(root, files)
        done = subprocess.run([TACTUS, "automation", "check", "--json", *options, root], capture_output=True, text=True)
        seen = json.loads(done.stdout) if done.stdout else {"automations": 0, "findings": []}
        got = (seen["automations"], [f["class"] for f in seen["findings"]], done.returncode)
        if got == (automations, findings, code) and message in done.stderr + done.stdout:
            passed += 1
        else:
            failures.append(f"{what}: {got} {done.stderr}")


def home(folder, **more):
    files = {"automations.yaml": AUTOMATIONS, "configuration.yaml": CONFIGURATION, **more}
    return {folder + name: text for name, text in files.items()}


wrong = ["never-fires"]
DOOR = "triggers: [{trigger: state, entity_id: binary_sensor.door, from: 'off', to: 'on'}]"
SCRIPTS = {"configuration.yaml": "automation: !include automations.yaml\nscript: !include scripts.yaml\n",
           "scripts.yaml": "dark: {use_blueprint: {path: me/dark.yaml, input: {lamp: light.hall}}}\n",
           "automations.yaml": f"- {{id: on, {DOOR}, actions: [{{action: light.turn_on, target: {{entity_id: light.hall}}}}]}}\n"
                               f"- {{id: dark, {DOOR}, actions: [{{action: script.dark}}]}}\n"}
DARK = {"blueprints/script/me/dark.yaml": "blueprint: {name: dark, domain: script, input: {lamp: {}}}\n"
                                          "sequence: [{action: light.turn_off, target: {entity_id: !input lamp}}]\n"}

check("at the top", home(""), 2, wrong, 1)
check("a script made from a blueprint", {**SCRIPTS, **DARK}, 2, ["opposite-writes"], 1)
check("a script whose blueprint is not there", SCRIPTS, 2, [], 0, '"unreadable":1')
SCENES = {"configuration.yaml": "automation: !include automations.yaml\nscene: !include scenes.yaml\n",
          "scenes.yaml": "- {name: Küche hell, entities: {light.hall: 'on'}}\n- {name: 'Große Øl-Nacht!', entities: {light.hall: 'off'}}\n",
          "automations.yaml": f"- {{id: bright, {DOOR}, actions: [{{scene: scene.kuche_hell}}]}}\n"
                              f"- {{id: night, {DOOR}, actions: [{{scene: scene.grosse_ol_nacht}}]}}\n"}
check("scenes named with marked letters", SCENES, 2, ["opposite-writes"], 1)
check("a section with a name of its own, no configuration",
      {"kitchen.yaml": "automation kitchen:\n" + AUTOMATIONS}, 2, [], 0)
check("a key that stands twice", {"automations.yaml": AUTOMATIONS.replace("- id: two\n", "- id: two\n  trigger: []\n")},
      2, [], 0, "'trigger' stands at line 5 already")
check("two documents", {"automations.yaml": AUTOMATIONS + "---\n" + AUTOMATIONS}, 2, [], 0, "a second document begins here")
check("a blueprint by itself", {"automations.yaml": "blueprint: {name: b, domain: automation}\ntrigger: []\naction: []\n"}, 0, [], 4)
check("in config", home("config/"), 2, wrong, 1)
check("deeper", home("docker/home/"), 2, wrong, 1)
check("the one nearest to the top", {**home("ha/"), **home("old/ha/")}, 2, wrong, 1)
check("two homes", {**home("a/"), **home("b/")}, 0, [], 4, "holds 2 configurations")
check("a package that includes, no configuration",
      {"package.yaml": CONFIGURATION, "automations.yaml": AUTOMATIONS}, 2, wrong, 1)
check("a broken configuration", {**home(""), "configuration.yaml": "a: [b\n"}, 2, [], 3, "was read instead")
check("a broken file among others", home("", **{"automations.yaml": AUTOMATIONS.replace("Wrong", "Home"), "packages/p.yaml": "automation: [\n",
                                                "configuration.yaml": CONFIGURATION + "homeassistant: {packages: !include_dir_named packages}\n"}),
      2, [], 3, "this file is left out")
check("a broken file and a finding", home("", **{"packages/p.yaml": "automation: [\n",
                                                 "configuration.yaml": CONFIGURATION + "homeassistant: {packages: !include_dir_named packages}\n"}),
      2, wrong, 1, "this file is left out")
check("a select defined twice has the options of both",
      home("", **{"packages/more.yaml": "input_select:\n  mode: {options: [Wrong, Other, Third, Fourth]}\n",
                  "configuration.yaml": CONFIGURATION + "homeassistant:\n  packages: !include_dir_named packages\n"}),
      2, [], 0)
REGISTRY = {".storage/core.entity_registry": '{"data": {"entities": [{"entity_id": "binary_sensor.m"}, {"entity_id": "light.a"}]}}'}
DEFINED = {"configuration.yaml": """automation: !include automations.yaml
template: [{sensor: [{name: Outdoor feels, state: '{{ 5 }}'}]}]
sensor: [{platform: time_date, display_options: [time]}, {platform: rest, name: Grid price, resource: x}]
mqtt: {sensor: [{name: Boiler temp, state_topic: x}]}
light: [{platform: group, name: Downstairs, entities: [light.a, light.typo]}]
cover: [{platform: template, covers: {garage: {friendly_name: G}}}]
zone: [{name: Work, latitude: 1, longitude: 2}]
input_boolean: {guest: }
timer: {laundry: {duration: 60}}
"""}


def listening(*entities):
    triggers = ", ".join(f"{{trigger: state, entity_id: {entity}}}" for entity in entities)
    return {"automations.yaml": f"- {{id: x, triggers: [{triggers}], actions: [{{action: light.turn_on, target: {{entity_id: light.a}}}}]}}\n"}


KNOWN = listening("binary_sensor.m", "sensor.outdoor_feels", "sensor.time", "sensor.grid_price", "sensor.boiler_temp", "light.downstairs",
                  "cover.garage", "zone.work", "zone.home", "sun.sun", "input_boolean.guest", "timer.laundry")
check("entities that the files define", {**REGISTRY, **DEFINED, **KNOWN}, 1, [], 0, options=["--possible"])
check("a misspelt entity of an integration, which may have named it so",
      {**REGISTRY, **DEFINED, **listening("binary_sensor.mm", "light.typo")}, 1, ["unknown-entity"] * 2, 1, '"possible"', ["--possible"])
check("a misspelt helper", {**REGISTRY, **DEFINED, **listening("input_boolean.gest")}, 1, ["unknown-entity"], 1, '"exact"')
SLOW = {"configuration.yaml": "automation: !include automations.yaml\nscript:\n  slow: {mode: restart, sequence: [{delay: '00:10:00'}, "
                              "{service: light.turn_off, entity_id: light.hall}]}\n"}
START = "- {id: x, trigger: {platform: state, entity_id: binary_sensor.v, to: 'on'}, action: [{service: light.turn_on, entity_id: light.hall}, "
check("a script that is started and not waited for",
      {**SLOW, "automations.yaml": START + "{service: script.turn_on, entity_id: script.slow}]}\n"}, 1, [], 0)
check("a script that is waited for", {**SLOW, "automations.yaml": START + "{service: script.slow}]}\n"}, 1, ["retrigger-ignored"], 1)
check("options that an automation sets",
      home("", **{"more.yaml": "", "automations.yaml": AUTOMATIONS + "- {id: three, trigger: {platform: homeassistant, event: start}, action: "
                  "{service: input_select.set_options, target: {entity_id: input_select.mode}, data: {options: [Home, Wrong]}}}\n"}), 3, [], 0)
check("the members of a group as one text",
      {"configuration.yaml": "automation: !include automations.yaml\ngroup: {down: {entities: 'light.k1, light.k2'}}\n",
       "automations.yaml": f"- {{id: on, {DOOR}, actions: [{{action: homeassistant.turn_on, target: {{entity_id: group.down}}}}]}}\n"
                           f"- {{id: off, {DOOR}, actions: [{{action: light.turn_off, target: {{entity_id: light.k2}}}}]}}\n"},
      2, ["opposite-writes"], 1)
CALLED = """- alias: reset
  trigger: {platform: state, entity_id: binary_sensor.m, to: 'on'}
  action:
    - choose: [{conditions: {condition: state, entity_id: binary_sensor.m, state: 'off'}, sequence: {service: light.turn_off, entity_id: light.a}}]
"""
check("a branch that contradicts its trigger", {"automations.yaml": CALLED}, 1, ["dead-branch"], 1)
check("the same of an automation that another one runs",
      {"automations.yaml": CALLED + "- {alias: nightly, trigger: {platform: time, at: '23:00:00'}, action: "
                                    "{service: automation.trigger, entity_id: automation.reset}}\n"}, 2, [], 0)
check("more states of one entity than are told apart prove nothing, and it is said",
      {"automations.yaml": "".join(f"- {{id: t{i}, triggers: [{{trigger: state, entity_id: sensor.tag, to: t{i}}}], "
                                   f"actions: [{{action: scene.turn_on, target: {{entity_id: scene.s{i}}}}}]}}\n" for i in range(600))},
      600, [], 3, '"incomplete":1')
TEST = "{if: [{condition: state, entity_id: light.c%d, state: 'on'}], then: [{action: light.turn_on, target: {entity_id: light.d%d}}]}"
check("more ways through an automation than are followed, and it is said",
      {"automations.yaml": f"- {{id: x, {DOOR}, actions: [{', '.join(TEST % (i, i) for i in range(10))}]}}\n"}, 1, [], 3, '"incomplete":1')
for text in failures:
    print("FAILED", text)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(bool(failures))
