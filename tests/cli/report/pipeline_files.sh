# The files for build servers and code hosts that the commands write, as they are.
exec 2>&1
X=$ROOT/examples
cp $X/properties/*.props $X/properties/session.csv $X/rules/phoneadapter.rules $X/protocol/* .; cp -r $X/home home
files() {
    echo "== $*"; "$@" --junit j.xml --sarif s.json --summary s.md --annotations > out.txt; echo "exit $?"
    cat j.xml; echo; cat s.json; echo; cat s.md
}
files tactus check -p operators.props -p intervals.props session.csv
files tactus check -p temporal.props session.csv --cut
files tactus check -p wrong.props session.csv
files tactus rules check phoneadapter.rules
files tactus protocol verify --rules remover.spec buggy.jsonl fixed.jsonl
files tactus automation check home --possible
