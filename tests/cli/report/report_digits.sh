# Properties and scenarios whose names differ in a digit are findings of their own.
app=$ROOT/examples/apps/player.json
for n in 3 4 5; do
    echo '{"tactus-scenario":1,"name":"'${n}g'","title":"x","segments":[{"name":"a","seconds":20,"down":4000,"up":1500,"delay":0.03,"jitter":0,"loss":0}]}' > ${n}g.json
done
echo 'property cheap: forall [StartPlaying, PausePlaying] diff(rxData) < 8000' > before.props
(cat before.props; sed 's/cheap/limit_1/' before.props; sed 's/cheap/limit_2/' before.props) > now.props
tactus run --device sim:$app --monkey 3 --steps 10 -o before -p before.props >/dev/null
tactus run --device sim:$app --monkey 3 --steps 10 --scenario 3g.json --scenario 4g.json --scenario 5g.json -p now.props -o now >/dev/null
tactus report now --baseline before --annotations -o page.html 2>&1 >/dev/null | grep baseline
tactus report now --baseline before --format sarif | python3 -c '
import json, sys
results = json.load(sys.stdin)["runs"][0]["results"]
print(len(results), len({json.dumps(r["partialFingerprints"]) for r in results}))'
