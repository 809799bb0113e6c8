# Traces and properties, a bit other in many ways (tests/vary.py): what is decided, where, by what margin.
exec 2>&1
X=$ROOT/examples/properties C=$ROOT/tests/fuzz/corpus
vary() { python3 $ROOT/tests/vary.py "$@"; }
for props in intervals operators temporal combined nested network states; do
    vary --lines --words --every 5 $X/session.csv tactus check -p $X/$props.props --verbose {}
done
vary --words --every 9 $X/operators.props tactus check -p {} $X/session.csv
vary --words --every 7 $X/intervals.props tactus check -p {} $X/session.csv
vary --words --every 4 $X/temporal.props tactus check -p {} --verbose $X/session.csv
vary --words --every 4 $X/states.props tactus check -p {} $X/session.csv
vary --words --every 5 $X/network.props tactus check -p {} $X/session.csv
