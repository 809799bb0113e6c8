# Every state of a run of actions is of one moment: what the app announces stands on the look before it. Bounds in guards count time.
cat > app.json <<'END'
{"tactus-app":1,"name":"E","code":"e","package":"com.e","variables":{"n":0,"v":""},"activities":{"Main":{"screens":{"s":{"widgets":[
{"class":"TextView","id":"n","text":"{n} items"},
{"class":"EditText","id":"f","input":"v","text":"{v}"},
{"class":"TextView","id":"last","text":"last {v}"},
{"class":"Button","id":"add","text":"Add","click":[{"set":{"n":"n+1"}},{"emit":"Added"}]}]}}}}}
END
cat > add.actions <<'END'
action add: do type //node[@resource-id='com.e:id/f'] any of ["milk", "tea"]; click //node[@text='Add']
END
cat > last.props <<'END'
observe last = text(//node[@resource-id='com.e:id/last'])
observe n    = number(//node[@resource-id='com.e:id/n'])
property shown: always (typed == "milk" -> last == "last milk")
property counted: always (add -> n == previous(n) + 1)
END
tactus run --device sim:app.json --actions add.actions --steps 3 -p last.props -o runs; echo "exit $?"
python3 - runs/traces/000000.jsonl <<'END'
import json, sys
held = {}
for line in list(open(sys.argv[1]))[1:]:
    state = json.loads(line)
    held.update(state)
    if state.get("event"):
        print(state["event"], held.get("typed"), held.get("target"), held["last"], held["n"])
END
cat > bounds.actions <<'END'
action first: when number(//node[@resource-id='com.e:id/n']) == 0 do click //node[@text='Add']
action rest:  when number(//node[@resource-id='com.e:id/n']) == 1 do wait 60
action soon:  when once[<= 2 s] number(//node[@resource-id='com.e:id/n']) == 0 and number(//node[@resource-id='com.e:id/n']) > 0 do back
action late:  when once[30 s, 600 s] number(//node[@resource-id='com.e:id/n']) == 0 do click //node[@text='Add']
END
tactus run --device sim:app.json --actions bounds.actions --choose novelty --steps 12 -o bounds --json | python3 -c 'import json,sys
for a in json.load(sys.stdin)["actions"]: print(a["action"], a["looks"], a["enabled"], a["chosen"])'
# The monkey's events are not those of the actions; an action is not named as what is recorded.
cat > only.actions <<'END'
action add: do type //node[@resource-id='com.e:id/f'] "milk"; click //node[@text='Add']
END
printf 'property typed: always (add -> typed == "milk")\n' > typed.props
tactus run --device sim:app.json --actions only.actions --steps 12 --monkey-share 0.5 -p typed.props -o mixed; echo "exit $?"
grep -o '"event":"[a-z-]*add"' mixed/traces/000000.jsonl | sort -u
printf 'action power: do back\n' > power.actions
tactus run --device sim:app.json --actions power.actions --steps 2 -o power; echo "exit $?"
# What could not be told is inconclusive on one device and in a table of subjects; what was stopped is counted there.
cat > untold.props <<'END'
observe x = number(//node[@text='none'])
property some: exists [add, add] last(x) > 0
END
tactus run --device sim:app.json --actions only.actions --steps 5 -p untold.props -o one; echo "exit $?"
tactus run --subject a=sim:app.json --actions only.actions --steps 5 -p untold.props -o table; echo "exit $?"
tactus run --subject a=sim:app.json --actions only.actions --steps 5 -p untold.props -o table --json | grep -o '"inconclusive": *[0-9]*'
printf 'property never: always (not add)\n' > never.props
tactus run --subject a=sim:app.json --actions only.actions --steps 5 --stop-on-violation -p never.props -o stopped; echo "exit $?"
# Numbers and blanks in texts beyond ASCII.
cat > numbers.json <<'END'
{"tactus-app":1,"name":"B","code":"b","package":"com.b","activities":{"Main":{"screens":{"s":{"widgets":[
{"class":"TextView","id":"a","text":"5\u00a0\u2003 items\u3000"},{"class":"TextView","id":"b","text":"Caf\u00e9-5"},{"class":"TextView","id":"c","text":"0,500 kg"},
{"class":"TextView","id":"d","text":"\u20ac-5"},{"class":"TextView","id":"e","text":"\u6570-7"},{"class":"TextView","id":"f","text":"\u00d7\u22128"},{"class":"TextView","id":"g","text":"1,234.5"}]}}}}}
END
for id in a b c d e f g; do echo "observe $id = $([ $id = a ] && echo text || echo number)(//node[@resource-id='com.b:id/$id'])"; done > numbers.props
echo 'property p: always (a == "5 items" and b + c + d + e + f + g == 0)' >> numbers.props
printf 'action rest: do wait 1\n' > rest.actions
tactus run --device sim:numbers.json --actions rest.actions --steps 1 -p numbers.props -o numbers > /dev/null
sed -n 2p numbers/traces/000000.jsonl | grep -o '"[a-g]":[^,}]*' | paste -sd ' '
