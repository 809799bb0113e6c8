# CSV as it comes: another time column, ISO dates, numbers that are names, holding empty cells.
printf 'when,mode,level\n0,1,5\n1,,\n2,2,7\n3,1,9\n' > a.csv
printf 'property a: forall [mode == 1, mode == 2] diff(level) < 2\nproperty b: always level > 4\n' > a.props
tactus check -p a.props a.csv --time-column when --json; echo "exit $?"
tactus check -p a.props a.csv --time-column when --discrete mode --json; echo "exit $?"
printf 'timestamp,nr\n2021-01-07 18:19:50,ON\n2021-01-07 18:19:52,OFF\n2021-01-07 18:19:55,ON\n' > iso.csv
printf 'property a: forall [nr == ON] duration < 1 s\n' > iso.props
tactus check -p iso.props iso.csv --json; echo "exit $?"
printf 't,event\n' > empty.csv
printf 'property a: forall [x, y] duration < 1 s\nproperty b: exists [x, y] duration < 1 s\nproperty c: always x\n' > none.props
tactus check -p none.props empty.csv; echo "exit $?"
# the trace gives a unit, the properties another: values are converted
printf 't,event,rx [kB]\n0,a,500\n1,b,2100\n' > unit.csv
printf 'unit rx MB\nproperty a: forall [a, b] diff(rx) <= 1600 kB\n' > unit.props
tactus check -p unit.props unit.csv; echo "exit $?"
printf 'unit rx J\nproperty a: forall [a, b] diff(rx) <= 1600 J\n' > other.props
tactus check -p other.props unit.csv; echo "exit $?"
# and stay exact: 8,000,000 B are not less than 8000 kB, whatever the values at both ends
printf 't,event,rx [B]\n0,a,123456\n1,b,8123456\n' > exact.csv
printf 'unit rx kB\nproperty less: forall [a, b] diff(rx) < 8000 kB\nproperty most: forall [a, b] diff(rx) <= 8000\n' > exact.props
tactus check -p exact.props exact.csv; echo "exit $?"
# a trace that was cut off: only what cannot change any more is decided
printf 't,event\n0,a\n1,b\n' > cut.csv
printf 'property all: forall [a, b] duration < 5 s\nproperty one: exists [a, b] duration < 5 s\n' > cut.props
tactus check -p cut.props cut.csv --cut; echo "exit $?"
# intervals that wait together for an inner one are listed one by one, and the greatest margin of `exists` is that of any of them
printf 't,event\n0,a\n3,b\n4,a\n9,b\n10,a\n11,b\n12,r\n13,s\n14,a\n17,b\n' > wait.csv
printf 'property e: exists [a, b] duration < 10 s and exists [r, s] before\nproperty f: forall [a, b] duration < 10 s and forall [r, s] before\n' > wait.props
tactus check -p wait.props wait.csv --intervals - | grep '^wait.csv'
tactus check -p wait.props wait.csv --json | grep -o '"margin":[0-9.]*' | head -1
# a figure divided by 0 is infinite, never on a bound; in the exported monitor, too
printf 't,event,e,rx\n0,a,5,10\n1,b,7,10\n2,a,7,10\n2,b,9,10\n' > zero.csv
{
    printf 'unit e J\nunit rx MB\n'
    for op in '<=' '<' '>' '>=' '==' '!='; do printf 'property p%d: forall [a, b] diff(e) / diff(rx) %s 0.1 J/MB\n' "$((++i))" "$op"; done
    printf 'property neg:  forall [a, b] -2 * diff(e) / diff(rx) >= -0.1 J/MB\nproperty rate: forall [a, b] diff(e) / duration <= 5 W\n'
} > zero.props
tactus check -p zero.props zero.csv --json | grep -o '"name":"[a-z0-9]*","verdict":"[a-z]*"'
tactus check -p zero.props --emit c -o zero.c && cc -std=c99 -Wall -Werror -DMONITOR_MAIN zero.c -o zero && ./zero < zero.csv | paste -sd ' '
printf 'property mean: mean [a, b] diff(e) / duration <= 5\n' > mean.props
tactus check -p mean.props zero.csv; echo "exit $?"
# figures are in the unit of the bound, of a negative one, too
printf 'unit e J\nunit rx MB\nproperty neg: forall [a, b] -last(e) / last(rx) >= -0.5 J/MB\n' > negative.props
tactus check -p negative.props zero.csv | sed -n 2p
