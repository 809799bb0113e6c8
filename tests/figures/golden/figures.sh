# Figures of a battery history; of dumps and logs in odd forms.
$FIGURES $ROOT/examples/traces/battery.txt | tail -n +2
# Rows without a header, a start that failed, a network called like a key, a dump of all processes,
# an old tombstone, logs in colour, in seconds and with users.
printf '$ grep 10058 stats\n12 wlan0 0x0 10058 0 1000 10 500 8\nstats:13 lo 0x0 10058 1 7 1 8 1\n' > q
printf 'Starting: Intent { cmp=com.x/.Main }\nError: Activity class {com.x/com.x.Main} does not exist.\n' > s
printf 'UID stats:\n  ident=[{type=WIFI, networkId="a uid=5 b"}] uid=10123 set=DEFAULT tag=0x0\n    NetworkStatsHistory: bucketDuration=7200\n      st=1600000000 rb=100 rp=1 tb=50 tp=1 op=0\n' > n
printf 'Applications Memory Usage (in Kilobytes):\n\nTotal PSS by process:\n    356,789K: system (pid 1000)\n     50,000K: com.x (pid 3000 / activities)\n\nTotal PSS by OOM adjustment:\n    356,789K: System\n' > m
printf '*** *** *** *** *** ***\npid: 2363, tid: 2368  >>> com.x <<<\nsignal 11 (SIGSEGV), fault addr deadbaad\n   #00  pc 00015ef0  /system/lib/libc.so\n   #01  pc 00013852  /system/lib/libc.so (abort)\n\n' > t
for f in q s n m t; do $FIGURES $f; done
printf '\033[0;33m05-17 12:01:02.123  9  9 W Tag     : a\033[0m\n\033[38;5;196m05-17 12:01:02.124  9  9 E Tag: b\033[0m\n' > colour
printf '1589700000.123  9  9 W Tag     : a\n1589700000.024  9  9 W Tag     : a\n' > epoch
printf '05-17 12:01:02.123 u0_a12  9  9 W Tag     : a\n05-17 12:01:02.124  1000 9  9 W Tag     : a\n' > users
printf '[ 05-17 12:01:02.124  1234:0x4d8 I/Foo ]\nb\n\n[ 05-17 12:01:02.125  1234:0x4d9 I/Foo ]\nc\n\n' > long
for f in colour epoch users long; do $FIGURES $f | grep -E 'layout|records|back|pids'; tactus trace import $f -o $f.jsonl; done
# A profile as profiler.firefox.com saves it: columns instead of rows, times or the steps between them.
cat > processed.json <<'END'
{"meta":{"interval":1,"startTime":1700000000000.5,"version":28,"preprocessedProfileVersion":48},"threads":[
{"name":"GeckoMain","pid":"4242","tid":77,"samples":{"stack":[0,1,1],"time":[1.5,2.5,4.25],"length":3},
 "markers":{"name":[0,0],"startTime":[1,2],"endTime":[null,3],"phase":[0,1],"category":[0,0],"data":[null,{"type":"x"}],"length":2}},
{"name":"Renderer","pid":"4242","tid":"78","samples":{"stack":[0,1],"timeDeltas":[1.5,2.25],"length":2},"markers":{"length":0}}]}
END
$FIGURES processed.json
