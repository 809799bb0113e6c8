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
