# The same findings for a merge request, a build server and a code host; several baselines.
cp $ROOT/examples/apps/tracker.json app.json
cat > some.props <<'PROPS'
unit rxData kB
property modest: forall [event == layers, event == layers] diff(rxData) < 1 kB
property never: forall [event == next_0_0, event == back] diff(rxData) < 5 kB
PROPS
for seed in 1 2 3; do
    tactus run --device sim:app.json --monkey 12 --steps 30 -p some.props --seed $seed -o runs$seed >/dev/null
done
echo "== markdown"; tactus report runs1 --format markdown
echo "== junit"; tactus report runs1 --format junit -o junit.xml; echo "exit $?"
python3 - <<'P'
import xml.etree.ElementTree as tree
suite = tree.parse("junit.xml").getroot()[0]
print(suite.attrib)
for case in suite.iter("testcase"):
    print(case.get("classname"), "|", case.get("name"), "|", [child.tag for child in case])
P
echo "== sarif"; tactus report runs1 --format sarif -o out.sarif; echo "exit $?"
python3 - <<'P'
import json
document = json.load(open("out.sarif"))
run = document["runs"][0]
rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
for one in run["results"]:
    assert one["ruleId"] in rules
    places = [(p["physicalLocation"]["artifactLocation"]["uri"], p["physicalLocation"].get("region", {}))
              for p in one["locations"]]
    print(one["ruleId"], one["level"], one.get("kind", ""), places)
P
echo "== trends"
tactus report runs3 --baseline runs1 --baseline runs2 --json | python3 -c '
import json, sys
for trend in json.load(sys.stdin)["trends"]:
    print(trend["kind"], trend["name"], [(p["campaign"], p["failing"], p["runs"], p["p"] is None) for p in trend["points"]])'
echo "== wrong use"
tactus report runs1 --format pdf; echo "exit $?"
tactus report runs1 --open --json; echo "exit $?"
