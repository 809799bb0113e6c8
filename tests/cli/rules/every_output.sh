# What every command on rules says of each example, and of random sets.
exec 2>&1
digest() { sed "s|$ROOT|ROOT|g" | cksum; }
X=$ROOT/examples/rules
for size in '4 9 4' '6 16 8' '10 24 7'; do
    set -- $size; tactus rules generate --state-count $1 --rule-count $2 --variable-count $3 --seed $2 -o random-$1.rules
done
cat random-4.rules
for rules in $X/*.rules random-*.rules; do
    echo "== ${rules##*/}"
    tactus rules check --hazards --paths --verbose --work 50000 $rules; echo "exit $?"
    for engine in enumerative symbolic hybrid lean; do tactus rules check --engine $engine $rules | digest; done
    tactus rules check --convention table2 $rules | tail -12
    tactus rules check --json $rules | sed 's|_ms":[0-9.e-]*|_ms":0|g'
    tactus rules draw $rules | digest
done
tactus rules draw $X/phoneadapter.rules
tactus rules draw $X/phoneadapter.rules --focus Office
tactus rules draw random-4.rules --plain
for fault in nondeterminism dead cycle unreachable race hazard; do
    case $fault in dead|cycle|race) tactus rules repair $X/phoneadapter.rules --fault $fault --limit 4; echo "exit $?" ;; esac
    tactus rules repair random-4.rules --fault $fault --limit 4; echo "exit $?"
done
tactus rules repair $X/phoneadapter.rules --fault cycle --apply 1
for input in A_t,E_bt A_gps 'A_bt, A_t' '' ; do tactus rules simulate $X/phoneadapter.rules --start-state Office --input "$input"; done
tactus rules simulate $X/phoneadapter-sensors.rules --input speed=30
tactus rules simulate $X/phoneadapter-timed.rules --start-state Office --context $X/office-to-car.context
