# Findings that are known: tactus.known, for reports, runs and checks; every asked file at exit 4.
cp $ROOT/examples/apps/tracker.json app.json
tactus run --device sim:app.json --monkey 12 --steps 30 --seed 1 -o runs >/dev/null
ids() { tactus report runs "$@" --json | python3 -c '
import json, sys
for one in json.load(sys.stdin)["findings"]: print(one["kind"], one["id"], one.get("known", "-"), one["text"][:40])'; }
echo "== nobody knows"; ids; tactus report runs --fail-on any -o page.html >/dev/null 2>&1; echo "exit $?"
id=$(tactus report runs --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["findings"][0]["id"])')
echo "== no such finding"; tactus report runs -o page.html --known ffff --reason why; echo "exit $?"
echo "== no reason"; tactus report runs -o page.html --known $id 2>&1 | tail -1
echo "== written"; tactus report runs -o page.html --known $(echo $id | cut -c1-6) --reason 'vendor bug' >/dev/null; cat tactus.known
echo "== known"; ids; tactus report runs --fail-on any -o page.html >/dev/null; echo "exit $?"
tactus run --device sim:app.json --monkey 12 --steps 30 --seed 1 -o runs --junit j.xml --sarif s.json --summary s.md 2>&1 | grep known; echo "exit $?"
tactus run --device sim:app.json --monkey 12 --steps 30 --seed 1 -o runs >/dev/null 2>&1; echo "exit $?"
grep -c skipped j.xml; grep -c suppressions s.json; grep '^##' s.md
echo "== below"; mkdir -p deep/er; (cd deep/er; tactus report ../../runs --fail-on any -o page.html >/dev/null; echo "exit $?"; mkdir .git
tactus report ../../runs --fail-on any -o page.html >/dev/null 2>&1; echo "exit $?")
echo "== its date has passed"; printf '%s known until=2020-01-01 who=anna # once\n0123456789ab known\n' $id > tactus.known
tactus report runs --fail-on any -o page.html 2>&1 >/dev/null | sed 's/.*tactus.known/tactus.known/'
echo "== intended"; echo "$id intended # by design" > tactus.known
ids; ids --intended
for line in "xyz known" "$id" "$id fine" "$id known until=soon" "$id known why"; do
    echo "$line" > tactus.known; tactus report runs -o page.html 2>&1 >/dev/null | sed 's/.*tactus.known/tactus.known/'
done
rm tactus.known
cp $ROOT/examples/properties/session.csv .; echo 'property low: always heap < 0' > low.props
echo "== check"; tactus check -p low.props session.csv --sarif s.json >/dev/null 2>&1; echo "exit $?"
id=$(python3 -c 'import json; print(json.load(open("s.json"))["runs"][0]["results"][0]["partialFingerprints"]["tactusFinding/v2"])')
echo "$id known # later" > tactus.known; tactus check -p low.props session.csv >/dev/null; echo "exit $?"
echo "== could not do it"; tactus report nothing --junit j.xml --sarif s.json --summary s.md --annotations; echo "exit $?"
cat j.xml s.json s.md
PYTHONPATH=$ROOT/tests python3 -c '
import pipeline_files as files
print(files.junit_errors(open("j.xml").read()), files.sarif_errors(open("s.json").read()))'
