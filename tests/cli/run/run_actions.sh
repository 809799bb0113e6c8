# Observables, guarded actions, what was never tested, a shortest failing run, many subjects.
P=sim:$ROOT/examples/apps/notes.json
cat > a.props <<'X'
observe shown = count(//node[@clickable='true'])
observe texts = texts(//node[@clickable='true'])
observe gone  = text(//node[@resource-id='nothing'])
property listed: always (size(texts) == shown)
property tap:    always (tap -> shown < 4)
property never:  always (tap -> gone == "x")
X
cat > a.actions <<'X'
action tap (4): when shown_controls do click any //node[@clickable='true']
X
tactus run --device $P --actions a.actions --runs 3 --steps 8 -p a.props -o runs; echo "exit $?"
cat > a.actions <<'X'
action tap (4): when count(//node[@clickable='true']) > 0
                do click any //node[@clickable='true']
action leave:   do back
X
tactus run --device $P --actions a.actions --runs 3 --steps 8 -p a.props -o runs; echo "exit $?"
tactus check -p a.props --json runs/traces/000000.jsonl | python3 -c 'import json,sys
for p in json.load(sys.stdin)["traces"][0]["properties"]: print(p["name"], p["verdict"], p["exercised"], p["untested"])'
tactus reproduce runs --device $P | head -3
tactus run --subject notes=$P --subject none=sim:none.json --actions a.actions --runs 2 --steps 5 -p a.props -o many --json | python3 -c 'import json,sys
for s in json.load(sys.stdin)["subjects"]: print(s["subject"], s["started"], s["reason"], s["runs"], s["properties"])'
tactus run --subject notes=$P --subject none=sim:none.json --actions a.actions --runs 2 --steps 5 -p a.props -o many; echo "exit $?"
tactus report many --json | python3 -c 'import json,sys
for s in json.load(sys.stdin)["subjects"]: print(s["subject"], s["started"], [(p["property"], p["violated"], p["first_run"], p["first_step"]) for p in s["properties"]])'
tactus run --subject notes=$P --device $P --actions a.actions -o two; echo "exit $?"
tactus run --device $P --monkey 2 --choose novelty -o two; echo "exit $?"
tactus run --device $P --actions a.actions --choose best -o two; echo "exit $?"
tactus run --device $P --actions a.actions --monkey-share 2 -o two; echo "exit $?"
printf 'observe x = text(css:"a")\nproperty p: always x == "a"\n' > css.props
tactus run --device $P --actions a.actions -p css.props -o css; echo "exit $?"
tactus run --device $P --actions a.actions --runs 2 --steps 6 --monkey-share 0.5 --choose novelty -p a.props -o mixed; echo "exit $?"
# What is never told is never tested; names that hide others; what a file says wrongly, with its place.
printf 'observe gone = text(//node[@resource-id="none"])\nproperty a: always (gone == "x")\nproperty b: eventually (gone == "x")\n' > gone.props
tactus run --device $P --actions a.actions --steps 3 -p gone.props -o gone; echo "exit $?"
printf 'observe tap = visible(//node)\nproperty p: always (tap -> false)\n' > hides.props
tactus run --device $P --actions a.actions -p hides.props -o hides; echo "exit $?"
printf 'observe typed = text(//node)\nproperty p: always (typed == "x")\n' > taken.props
tactus run --device $P --actions a.actions -p taken.props -o taken; echo "exit $?"
printf 'action a:\n  do back; click css:"a"\n' > css.actions
tactus run --device $P --actions css.actions -o css2; echo "exit $?"
# A file of subjects from another system; a name that the table needs; a mistake in what all subjects share is no subject's.
printf '\xef\xbb\xbf# two\r\none=%s\r\n\r\n  none=sim:none.json \t# not there\r\n' $P > many.txt
tactus run --subjects many.txt --actions a.actions --steps 2 -p gone.props -o listed; echo "exit $?"
tactus run --subject matrix.json=$P --actions a.actions -o listed; echo "exit $?"
tactus run --subject a=$P --subject a=$P --actions a.actions -o listed; echo "exit $?"
printf 'property p: always (\n' > open.props
tactus run --subject a=$P --actions a.actions -p open.props -o open; echo "exit $?"; [ -e open ] || echo "no folder"
# A run in which no action makes sense ends early, and says so.
printf 'action tap: when visible(//node[@resource-id="none"]) do back\n' > never.actions
tactus run --device $P --actions never.actions --steps 5 --deadline 2 -o idle; echo "exit $?"
tactus run --device $P --actions never.actions --steps 5 --deadline 2 -o idle --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["notes"])'
# A time that cannot be is not the default.
for time in '--deadline -1' '--think 0' '--sample 0'; do tactus run --device $P --actions a.actions $time -o two; echo "exit $?"; done
