# Bounds on both sides and into the past, for each, shares, ends that look ahead, relations, the
# tables and the drawing.
cat > t.csv <<'END'
t,event,lock,heap
0,acquire,a,10
1,tap,a,10
2,acquire,b,31
2.5,release,b,20
3,shown,b,20
4,tap,b,25
4.5,release,a,50
5,,a,25
5.5,,a,25
6,shown,a,25
7,,a,25
END
cat > t.props <<'END'
unit heap MB
property released for each lock: always (acquire -> eventually[<= 1 s] release)
property short for each lock: forall [acquire, release] duration <= 1 s
property window: always (tap -> eventually[1 s, 3 s] shown)
property late: always (tap -> eventually[2500 ms, 3 s] shown)
property settles: always (tap -> eventually[<= 10 s] always[<= 1 s] heap < 30 MB)
property apart: always (tap -> not once(0 s, 3 s] tap)
property most: share [tap, shown] (duration < 2 s) >= 50 %
property p95: percentile(95) [tap, shown] duration <= 2 s
property usual: mean [tap, shown] duration < 2 s
property inside: forall [tap, shown] exists [heap > 20 MB] overlaps and not exists [heap < 1 MB] overlaps
property until_peak: forall [tap, not shown until heap > 40 MB] duration < 4 s
property again: forall [tap, tap] duration > 0 s
property never: always (nope -> eventually yes)
property sum: forall [acquire, release] diff(heap) <= 0.3 MB
END
tactus check -p t.props t.csv --intervals intervals.csv --margins margins.csv; echo "exit $?"
cat intervals.csv
cat margins.csv
tactus check -p t.props --emit dot --property released; echo "exit $?"
tactus check -p t.props --emit dot --property window; echo "exit $?"
tactus check -p t.props --emit c > /dev/null; echo "exit $?"
cat > round.csv <<'END'
t,event,x
0,a,0.1
1,b,0.4
END
echo 'property exact: forall [a, b] diff(x) <= 0.3' > round.props
tactus check -p round.props round.csv; echo "exit $?"
printf 't,event,on\n0,a,False\n1,b,True\n2,c,\n' > bool.csv
echo 'property on_late: always (b -> on) and always (a -> not on)' > bool.props
tactus check -p bool.props bool.csv; echo "exit $?"
