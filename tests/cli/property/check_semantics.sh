# The other readings of interval ends: open intervals, p and q in one state, a new p.
cat > s.props <<'P'
property all: forall [p == 1, q == 1] diff(x) < 2
P
printf 't,p,q,x\n0,1,0,0\n1,0,0,5\n' > open.csv
printf 't,p,q,x\n0,1,1,0\n1,0,0,5\n2,0,1,9\n' > together.csv
printf 't,p,q,x\n0,1,0,0\n1,0,0,4\n2,1,0,8\n3,0,1,9\n' > again.csv
printf 't,p,q,x\n0,1,0,0\n1,0,0,1\n2,1,1,5\n3,0,1,9\n' > edge.csv
for trace in open together again edge; do
    for reading in def eq3 rising spin2015; do
        tactus check -p s.props $trace.csv --json --semantics $reading |
            sed "s/.*\"verdict\":\"\([a-z]*\)\".*\"intervals\":\([0-9]*\),.*\"open\":\([0-9]*\).*/$trace $reading \1 \2 closed \3 open/"
    done
done
