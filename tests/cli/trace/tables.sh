# Tables of other programs: decimal commas where semicolons part the cells, a unit behind the time's name in other ways.
printf 'Time;CPU [%%];Memory [MB];event\n0,0;12,5;100;start\n0,5;13,25;101;\n1,0;-1,5E1;102;stop\n' > german.csv
tactus trace show german.csv
printf 'Timestamp(ms),Current(uA)\n0.0,34.5\n0.01,35.1\n' > profiler.csv
printf 'time_ms,x\n0,1\n10,2\n' > under.csv
printf 'elapsed ms,x\n0,1\n10,2\n' > blank.csv
printf 't [ms],x\n0,1\n10,2\n' > brackets.csv
printf 'Time (min),x\n0,1\n10,2\n' > minutes.csv
tactus trace show profiler.csv | tail -1
tactus trace show profiler.csv --time-column 'Timestamp(ms)' | tail -1
tactus trace show under.csv | tail -1
tactus trace show blank.csv --time-column 'elapsed ms' | tail -1
tactus trace show brackets.csv --time-column 't [ms]' | tail -1
tactus trace show minutes.csv --time-column 'Time (min)'; echo "exit $?"
# Where the first number has no comma, the first that has one is told just the same: thousands look like it.
printf 't\tx\n0\t900\n1\t1,200\n2\t1,300\n' > thousands.tsv
printf 'property low: always (x < 1000)\n' > low.props
tactus check -p low.props thousands.tsv; echo "exit $?"
# Times that count since 1970 in smaller units than seconds, as JMeter, Grafana and loggers of Node.js write them; dates with a
# blank before the zone, as Swift prints them.
printf 'timeStamp,elapsed,label\n1714550400123,100,Home\n1714550400500,50,Cart\n' > jmeter.csv
printf 'timestamp,x\n1714550400123456,1\n1714550401123456,2\n' > micros.csv
printf 'timestamp,x\n1714550400123456789,1\n1714550401123456789,2\n' > nanos.csv
printf '{"level":30,"time":1714550400123,"msg":"start"}\n{"level":50,"time":1714550400500,"msg":"bad"}\n' > pino.jsonl
printf 'time,x\n2024-05-01 10:00:00 +0200,1\n2024-05-01 10:00:01.500 +02:00,2\n2024-05-01 08:00:02 UTC,3\n2024-05-01 08:00:03,4\n' > zones.csv
for f in jmeter.csv micros.csv nanos.csv pino.jsonl zones.csv; do tactus trace show $f | grep -E "start:|notes|0\.|1\.|2\.|3\."; done
tactus trace stat pino.jsonl | grep note
printf 'time [s],x\n1714550400123,1\n' | tactus trace show -; echo "exit $?"
printf 'time,x\n17145504001234,1\n' | tactus trace show -; echo "exit $?"
# A duration beside the time is no time, though it has a unit behind a usual name; nanoseconds since a phone was started are not of 1973.
printf 'timestamp,time_ms,status\n1700000000,120,200\n1700000001,80,500\n' > requests.csv
tactus trace show requests.csv | tail -1
printf 'timestamp,x\n123456789012,1\n123956789012,2\n' > uptime.csv
tactus trace show uptime.csv; echo "exit $?"
printf 'timestamp,x\n123456789012345,1\n' | tactus trace show -; echo "exit $?"
# Such dates in JSON Lines, too.
printf '{"t":"2024-05-01 10:00:00 +0200","x":1}\n{"t":"2024-05-01 08:00:01.500 UTC","x":2}\n' > zones.jsonl
tactus trace show zones.jsonl | tail -1
