# A recording that ends in the middle of an event: what its rest could change is inconclusive, and
# what the reader left out stands beside the verdict. An array that is only not closed is whole.
printf '[{"ph":"X","name":"load","ts":1000,"dur":500,"pid":1,"tid":2},\n{"ph":"s","ts":1,"id":1}' > open.json
(cat open.json; printf ',\n{"ph":"X","na') > cut.json
cat > load.props <<'END'
property quick: forall [slice load] duration < 1 ms
property slow: exists [slice load] duration < 1 ms
END
tactus check -p load.props cut.json; echo "exit $?"
tactus check -p load.props cut.json --json | grep -o '"warnings":.*'
tactus check -p load.props open.json; echo "exit $?"
# Documents over several lines are traces, not runs.
printf '{"traceEvents": [\n{"ph":"X","name":"load","ts":1000,"dur":500,"pid":1,"tid":2}\n]}\n' > lines.json
tactus check -p load.props lines.json; echo "exit $?"
# So is what a temporal formula only presumes: neither "holds" nor "violated" without the rest.
printf 't,event,heap\n0,tap,5\n1,b,6\n' > rest.csv
printf 'property answered: always (tap -> eventually done)\nproperty small: always heap < 9\nproperty both: answered and small\n' > rest.props
tactus check -p rest.props rest.csv >/dev/null; echo "exit $?"
tactus check -p rest.props rest.csv --cut; echo "exit $?"
tactus check -p rest.props --follow - --cut < rest.csv | sed 's/"kind".*//'; echo "exit ${PIPESTATUS[0]}"
