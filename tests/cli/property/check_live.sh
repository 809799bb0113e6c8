# A silent app is reported; a file is awaited, followed through rotation, and merged with another.
cat > live.props <<'END'
property responds: always (tap -> eventually[<= 300 ms] shown)
END
printf 't,event\n0,start\n0.5,tap\n' > silent.csv
tactus check -p live.props --follow silent.csv --grace 0.1 --stop-on-violation > silent.out; echo "exit $?"
grep -o '"verdict":"[a-z]*"' silent.out
cat > order.props <<'END'
property pairs: forall [a, b] duration <= 2 s
property last: eventually done
property heap_seen: always (done -> heap > 3)
END
(
    sleep 0.3
    printf 't,event\n0,a\n1,b\n2,a\n' > log.csv
    sleep 0.5
    mv log.csv log.csv.1
    printf 't,event\n3,b\n4,a\n' > log.csv
    sleep 0.5
    mv log.csv log.csv.2
    echo 6,5 >> heap.csv
    printf 't,event\n6.5,b\n7,done\n' > log.csv
) &
printf 't,heap\n-1,1\n' > heap.csv
timeout 20 tactus check -p order.props --follow log.csv heap.csv --stop-on-violation --grace 60 > live.out 2> live.err
echo "exit $?"
wait
grep -c 'was rotated' live.err
grep -o '"name":"[a-z_]*","verdict":"[a-z]*"' live.out
grep -o '"intervals":[0-9]*,"violated":[0-9]*' live.out | tail -1
printf 't,event\n0,tap\n0.1,shown\n' | tactus check -p live.props --follow - ; echo "exit $?"
