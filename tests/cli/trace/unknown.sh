# What readers mark as unknown: lines that logd dropped, packets that were dropped, marks in files.
cat > lost.log <<'LOG'
11-19 10:00:00.000  100  101 I tap: x
11-19 10:00:01.000  100  101 I chatty: uid=10123(u0_a123) com.example expire 25 lines
11-19 10:00:02.000  100  101 I shown: x
LOG
cat > lost.props <<'PROPS'
property calm: always not crash
property quick: forall [tap, shown] duration < 5 s
PROPS
tactus check -p lost.props lost.log; echo "exit $?"
tactus trace show lost.log
# a section, an interface (Ethernet), a packet without IP, statistics: 7 dropped by the interface
printf '\012\015\015\012\034\000\000\000\115\074\053\032\001\000\000\000\377\377\377\377\377\377\377\377\034\000\000\000' > drop.pcapng
printf '\001\000\000\000\024\000\000\000\145\000\000\000\000\000\000\000\024\000\000\000' >> drop.pcapng
printf '\006\000\000\000\064\000\000\000\000\000\000\000\000\000\000\000\001\000\000\000\024\000\000\000\024\000\000\000' >> drop.pcapng
printf '\105\000\000\024\000\000\000\000\100\021\000\000\012\000\000\001\012\000\000\002\064\000\000\000' >> drop.pcapng
printf '\005\000\000\000\050\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\005\000\010\000\007\000\000\000\000\000\000\000\000\000\000\000\050\000\000\000' >> drop.pcapng
tactus trace stat --host 10.0.0.1 drop.pcapng; echo "exit $?"
cat > marks.jsonl <<'TRACE'
{"tactus":"trace","version":1,"variables":{"event":{"kind":"discrete"},"heap":{"kind":"continuous"},"wifi":{"kind":"discrete"}}}
{"t":0,"event":"tap","heap":5,"wifi":"on"}
{"t":1,"heap":{"unknown":"the sensor paused"}}
{"t":2,"event":"shown","heap":7,"wifi":{"unknown" : "lost \"lines\"" }}
{"t":3,"heap":8,"wifi":"off"}
TRACE
tactus trace import marks.jsonl -o marks.tacb && tactus trace import marks.tacb -o again.jsonl && tail -n +2 again.jsonl
tactus trace stat marks.tacb --json | grep -o '"unknown":{[^}]*}'
tactus trace import marks.jsonl -o marks.csv; echo "exit $?"
printf 't,heap\n0,?\n1,3\n2,?\n' > marks.csv
tactus trace import marks.csv -o -
echo '{"t":4,"heap":{"missing":"x"}}' >> marks.jsonl
tactus trace stat marks.jsonl; echo "exit $?"
