# A recording becomes a scenario that can be run; what it does not say is said.
printf 'time,down,up,delay_ms,loss_percent,segment\n0,8000,2000,30,1,street\n5,900,200,80,5,fade\n7.5,4000,800,40,2,street\n' > walk.csv
tactus scenario import walk.csv; echo "exit $?"
printf 'timestamp,Downlink_Mbps,uplink_mbps,direction\n2021-01-15 23:59:58,166.5,0.2,downlink\n2021-01-15 23:59:59,,0.2,downlink\n2021-01-16 00:00:00,1420.3,300,downlink\n2021-01-16 00:00:00,3,3,downlink\n' > phone.csv
tactus scenario import phone.csv --name phone --loss 0.01 -o phone.json; echo "exit $?"
cat phone.json
printf 'when;dl\n0;5\n1;6\n' > odd.csv
tactus scenario import odd.csv; echo "exit $?"
tactus scenario import odd.csv --columns time=when,down=dl | tail -3; echo "exit $?"
tactus scenario import odd.csv --columns time=when,up=nothing; echo "exit $?"
printf 'time,down\n0,100\n1,x\n' > word.csv; tactus scenario import word.csv; echo "exit $?"
printf 'time,down\n5,100\n1,5\n' > back.csv; tactus scenario import back.csv; echo "exit $?"
printf 'time,down,loss\n5,100,7\n' > loss.csv; tactus scenario import loss.csv; echo "exit $?"
printf 'time,down\n' > none.csv; tactus scenario import none.csv; echo "exit $?"
: > empty.csv; tactus scenario import empty.csv; echo "exit $?"
tactus scenario import walk.csv --loss 2; echo "exit $?"
# Times in milliseconds, by the column's name or because no year is that large; decimal commas where semicolons part cells.
printf 'time_ms,down_mbps,up_mbps\n0,8,2\n1500,9,3\n' > ms.csv; tactus scenario import ms.csv | grep -E 'seconds|down|up"'; echo "exit $?"
printf 'timestamp,down_mbps,up_mbps\n1700000000000,8,2\n1700000001500,9,3\n' > epoch.csv; tactus scenario import epoch.csv | grep -E 'seconds|down|up"'; echo "exit $?"
printf 'time;down_mbps;up_mbps\n0;8,5;2,25\n1,5;9;3\n' > comma.csv; tactus scenario import comma.csv | grep -E 'seconds|down|up"'; echo "exit $?"
# Units in brackets, also of columns that are named by hand; one that is not known is said.
printf 'time,Throughput (Mbps),RTT (ms),Loss (%%)\n0,10,35,1\n1,12,40,2\n' > meter.csv
tactus scenario import meter.csv --columns 'down=Throughput (Mbps),delay=RTT (ms),loss=Loss (%)' | grep -E '"(down|up|delay|loss)"'
printf 'Time [s];Download [Mbit/s];Upload [kB/s];RTT [ms]\n0,0;10,5;150;35\n1,0;12,5;150;40\n' > brackets.csv
tactus scenario import brackets.csv | grep -E '"(seconds|down|up|delay|loss)"'
printf 'time (UTC),Download (avg),segment (id),up\n2021-01-15 23:59:58,10,a,1\n2021-01-15 23:59:59,12,b,1\n' > average.csv
tactus scenario import average.csv | grep -E '"(name|down)"'
# Rates as meters write them (a small b is a bit, a large one a byte), and times in minutes; of a time in no known unit it is said.
for unit in 'Mb/s' 'Mbits/sec' 'MB/s' 'MBps' 'kbps' 'parsec'; do
    printf 'Time (min),Download [%s],Upload (kb/s)\n0,10,150\n1,12,150\n' "$unit" > rates.csv
    echo "$unit: $(tactus scenario import rates.csv | grep -E '"(seconds|down|up)"' | head -3 | tr -d '\n')"
done
printf 'time (ticks),down,up\n0,10,1\n1,12,1\n' > ticks.csv; tactus scenario import ticks.csv | grep notes
