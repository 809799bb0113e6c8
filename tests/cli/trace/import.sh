# Several sources become one trace; what is wrong with them is told with its place.
T=$ROOT/examples/traces
tactus trace import $T/download.logcat $T/download.scpi --year 2015 \
    --pattern 'CONTROL -(\w+)=event' --offset download.scpi=0.25 -o all.jsonl
head -c 350 all.jsonl; echo ...; grep -n event all.jsonl | tail -n +2; tail -1 all.jsonl
tactus trace import all.jsonl -o all.tacb && tactus trace import all.tacb -o back.jsonl &&
    cmp all.jsonl back.jsonl && echo "binary and back: the same"
tactus trace import all.jsonl --to csv | head -3
echo "--- aligned, as JSON"
printf 't,x [kB]\n100,1\n101,2\n' > a.csv
printf 't,event\n5,tap\n5.5,shown\n' > b.csv
tactus trace import a.csv b.csv --align --offset b=0.25 -o m.csv --json; cat m.csv
echo "--- far apart"
tactus trace import $T/download.logcat a.csv --pattern 'CONTROL -(\w+)' -o m.jsonl
echo "--- no line matches"
tactus trace import $T/download.logcat --pattern 'NOSUCH (\w+)' -o m.jsonl
echo "--- errors"
tactus trace import a.csv b.csv --offset c=1 -o m.jsonl; echo "exit $?"
tactus trace import a.csv --offset a=x -o m.jsonl; echo "exit $?"
tactus trace import a.csv --json; echo "exit $?"
printf 't,x [J]\n100,1\n' > c.csv
tactus trace import a.csv c.csv -o m.jsonl; echo "exit $?"
printf 't,x\n100,one\n' > d.csv
tactus trace import a.csv d.csv -o m.jsonl; echo "exit $?"
tactus trace import a.csv nothing.csv -o new.jsonl; echo "exit $?"; ls new.jsonl 2>&1
