# Everything that is said of the small homes of tests/automation: what was read, what is wrong, the stories, the repairs.
exec 2>&1
H=$ROOT/tests/automation/homes
for home in "$H"/*.yaml; do
    echo "== ${home##*/}"
    tactus automation show "$home"; echo "exit $?"
    tactus automation check --possible --verbose "$home"; echo "exit $?"
done
tactus automation check --json --possible "$H/faults.yaml"
