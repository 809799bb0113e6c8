# What counts and what does not: tagged and loopback traffic, frames of other threads, stacks before the one that kills, steps
# between samples, the most frequent events.
printf 'idx iface acct_tag_hex uid_tag_int cnt_set rx_bytes rx_packets tx_bytes tx_packets\n2 wlan0 0x0 10058 0 100 1 50 1\n3 wlan0 0x0 10077 0 9000 1 1 1\n4 wlan0 0x3010000000000000 10077 0 8000 1 1 1\n5 lo 0x0 10077 0 70 1 70 1\n6 rmnet0 0x0 10058 1 11 1 22 1\n' > qtaguid
printf -- '----- pid 42 at 2026-09-30 15:21:36 -----\nCmd line: com.x\n\nDALVIK THREADS (2):\n"main" prio=5 tid=1 Native\n  | group="main"\n  native: #00 pc 1  libc.so\n\n"Worker" prio=5 tid=7 Runnable\n  - waiting to lock <0x1> (a com.x.Store)\n  at com.x.Work.run(Work.java:3)\n\n----- end 42 -----\n' > anr
printf 'java.lang.IllegalStateException: logged\n\tat com.x.Net.call(Net.java:4)\n\tat com.x.Net.loop(Net.java:9)\njava.lang.Error: logged, too\n\tat com.x.Net.end(Net.java:5)\nE AndroidRuntime: FATAL EXCEPTION: main\nE AndroidRuntime: Process: com.x, PID: 7\nE AndroidRuntime: java.lang.RuntimeException: a\nE AndroidRuntime: \tat android.os.Looper.loop(Looper.java:1)\nE AndroidRuntime: Caused by: java.io.IOException: b\nE AndroidRuntime: \tat java.io.File.open(File.java:2)\nE AndroidRuntime: \tat com.x.Main.save(Main.java:8)\njava.lang.Error: later\n\tat com.x.Late.run(Late.java:1)\n' > stacks
printf '{"meta":{"interval":2,"version":28,"preprocessedProfileVersion":48},"threads":[{"name":"R","samples":{"timeDeltas":[1000,500,300],"length":3},"markers":{"length":1}}]}' > deltas.json
printf '{"recording":{"startTime":1.5,"endTime":4,"records":[{},{}],"instrumentTypes":["timeline-record-type-network","timeline-record-type-cpu"]},"version":1}' > safari.json
for f in qtaguid anr stacks deltas.json safari.json; do tactus facts $f; done
for tag in a b c d e f g h i j; do printf '05-01 10:00:00.000  1  1 I %s       : x\n' $tag $tag j i; done > many
tactus facts many
# A log that is one stack and no more.
printf '05-01 10:00:00.000  7  7 E AndroidRuntime: FATAL EXCEPTION: main\n05-01 10:00:00.000  7  7 E AndroidRuntime: java.lang.RuntimeException: a\n05-01 10:00:00.000  7  7 E AndroidRuntime: \tat com.x.Main.save(Main.java:8)\n05-01 10:00:00.000  7  7 E AndroidRuntime: \tat com.x.Main.tap(Main.java:3)\n' > one
tactus facts one
# A paste whose first line is a remark, and the same text in lines of a table.
printf 'It crashed when I tapped save:\n\njava.lang.RuntimeException: a\n\tat com.x.Main.save(Main.java:8)\n\tat com.x.Main.tap(Main.java:3)\n' > remark
printf 'name,count\nshop,1\n' > table
tactus facts remark
tactus facts table; echo "exit $?"
tactus facts table --as csv; echo "exit $?"
