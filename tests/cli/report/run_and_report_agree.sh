# A run that was stopped at an alarm violates the property, for the run's summary and for the report.
P=sim:$ROOT/examples/apps/player.json
tactus explore --device $P -o player.xml >/dev/null
tactus flow list player.xml --length 8 --require $ROOT/examples/demo/playback.req.xml --witness \
    --format jsonl -o all.jsonl
head -1 all.jsonl > flows.jsonl
tactus run --device $P --flows flows.jsonl --scenario cafe -p $ROOT/examples/demo/playback.props \
    --stop-on-violation -o stopped; echo "exit $?"
tactus report stopped -o report.html
python3 - <<'P'
import json, subprocess
run = json.load(open("stopped/verdicts.json"))
report = json.loads(subprocess.run(["tactus", "report", "stopped", "--json"], capture_output=True,
                                   text=True, check=True).stdout)
row, property = run["properties"][0], report["properties"][0]
print(row["violated"], "of", row["runs"], "and", property["violated"], "of", property["runs"])
print(report["runs"][0]["verdict"], report["runs"][0]["result"], report["summary"])
P
# What was never on the screen is called so by both; what never happened is called that.
cat > app.json <<'END'
{"tactus-app":1,"name":"E","code":"e","package":"com.e","variables":{"n":0},"activities":{"Main":{"screens":{"s":{"widgets":[
{"class":"TextView","id":"n","text":"{n} items"},{"class":"Button","id":"add","text":"Add","click":[{"set":{"n":"n+1"}}]}]}}}}}
END
echo "action add: do click //node[@resource-id='com.e:id/add']" > add.actions
cat > gone.props <<'END'
observe gone = number(//node[@resource-id='com.e:id/gone'])
property always_gone: always (add -> gone == 3)
property some_gone:   exists [add, add] last(gone) == 3
property inner_gone:  forall [add, add] not exists [add, add] overlaps where last(gone) == 3
property no_event:    always (remove -> gone == 3)
END
tactus run --device sim:app.json --actions add.actions --runs 2 --steps 4 -p gone.props -o gone
tactus report gone --json | python3 -c 'import json, sys
for finding in json.load(sys.stdin)["findings"]: print(finding["text"])'
