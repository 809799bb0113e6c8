# Bad input: the file, the line, the column, what was expected; or a count with --lenient.
try() { tactus trace stat "$@"; echo "exit $?"; }
printf 't,x\n1,2\n2,oops\n3,4\n' > name.csv; try name.csv; try name.csv --lenient
printf 't,x\n1,2\n2,NaN\n' > nan.csv; try nan.csv
printf 't,x\n2,2\n1,3\n' > back.csv; try back.csv
printf 't,x,x\n2,2,3\n' > twice.csv; try twice.csv
printf 't,x,y\n1,2,3\n2,3' > cut.csv; try cut.csv
printf 'when,x\n1,2\n' > notime.csv; try notime.csv; try notime.csv --time-column when
printf 't [kB],x\n1,2\n' > unit.csv; try unit.csv
tactus trace import $ROOT/examples/traces/cafe-1.csv -o whole.jsonl
head -c 3000 whole.jsonl > cut.jsonl; try cut.jsonl
head -50 whole.jsonl > short.jsonl; try short.jsonl
tactus trace import whole.jsonl -o whole.tacb
head -c 2000 whole.tacb > cut.tacb; try cut.tacb
{ printf 't,event\n1,a\n2,'; head -c 10485760 /dev/zero | tr '\0' x; printf '\n3,b\n'; } > long.csv
try long.csv; try long.csv --lenient
printf 'hello\n' > what.dat; try what.dat
: > empty.csv; try empty.csv
try missing.csv
try name.csv --format logcat
