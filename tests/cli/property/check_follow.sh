# Verdicts as they fall, one JSON line each; the early alarm before its interval closes.
cat > live.props <<'P'
unit rx kB
monotone rx
property cheap: forall [start, stop] diff(rx) < 10 kB
property quick: first [start, stop] duration < 5 s
property seen: eventually done
property never: always not crash
P
cat > live.csv <<'T'
t,event,rx
0,,0
1,start,1
2,,12
3,stop,13
4,start,13
5,done,14
6,stop,15
T
tactus check -p live.props --follow - < live.csv; echo "exit $?"
tactus check -p live.props --follow --stop-on-violation - < live.csv; echo "exit $?"
# nobody closes the pipe, and it still ends at the violation
(cat live.csv; sleep 20) | (timeout 15 tactus check -p live.props --follow --stop-on-violation - > /dev/null; echo "exit $?")
# The verdicts go where -o says.
printf 'property said: exists [a, b] duration < 2 s\n' > said.props
printf 't,event\n0,a\n1,b\n' | tactus check -p said.props --follow - -o said.jsonl; echo "exit $?"
grep -c '"event":"verdict"' said.jsonl
