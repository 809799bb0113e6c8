# Wrong properties and traces: the file, the place, the remedy; exit 4.
printf 'unit rx kB\nunit energy J\nproperty a: forall [p, q] diff(rx) < 5 J\nproperty b: forall [p q] x\nproperty c: eventually[<= 2 kB] p\n' > wrong.props
tactus check -p wrong.props t.csv; echo "exit $?"
printf 't,event,rxData\n0,StartPlaying,1\n1,PausePlaying,2\n' > t.csv
printf 'unit rxData kB\nproperty a: forall [StartPlaying, PausePlaying] diff(rxDate) < 5\n' > typo.props
tactus check -p typo.props t.csv; echo "exit $?"
printf 'property a: forall [StartPlaying, PausePlaying] diff(rxData) < 5 kB\n' > unit.props
tactus check -p unit.props t.csv; echo "exit $?"
printf 'property a: forall [StartPlaying, PausePlaying] diff(event) < 5\n' > kind.props
tactus check -p kind.props t.csv; echo "exit $?"
printf 'property a: rxData == "high"\n' > text.props
tactus check -p text.props t.csv; echo "exit $?"
printf 'unit rxData kB\nproperty a: forall [StartPlaying, PausePlaying] diff(rxData) < 5\nproperty b: event == StartPlaying\n' > bare.props
tactus check -p bare.props t.csv; echo "exit $?"
tactus check -p nowhere.props t.csv; echo "exit $?"
tactus check -p bare.props nowhere.csv; echo "exit $?"
tactus check -p bare.props; echo "exit $?"
tactus check t.csv; echo "exit $?"
tactus check -p bare.props t.csv --semantics eq4; echo "exit $?"
printf 't,event,rxData\n5,a,1\n1,b,2\n' > back.csv
tactus check -p bare.props t.csv back.csv --json; echo "exit $?"
printf 't,event,rxData\n0,StartPlaying,\n1,,5\n2,PausePlaying,7\n' > late.csv
tactus check -p bare.props late.csv; echo "exit $?"
printf 'unit rxData kB\nproperty a: forall [StartPlayng, PausePlaying] diff(rxData) < 5 kB\n' > event.props
tactus check -p event.props t.csv; echo "exit $?"
# An option that would have no effect is refused: exit 0 would be taken for a verdict.
for words in "--emit c t.csv" "--emit c --json" "--emit dot --follow" "--calibrate --intervals i.csv t.csv" \
    "--follow - --margins m.csv" "--property b t.csv"; do
    tactus check -p bare.props $words < /dev/null; echo "exit $?"
done
