# The document, with exact counts and every pattern.
cat > small.runs <<'END'
0 s0 e0 s1 e1 s0
0 s0 e1 s0 e0 s1
1 s0 e0 s1 e0 s2
1 s0 e0 s1 e0 s2 e1
END
tactus mine small.runs --all --templates g1,g2 --min-occurrences 2 --depth 2 --json
# g1e is listed where it is named, also beside all the others.
tactus mine small.runs --all --templates g1,g1e,g2,g3,g4,g5 --blocks 2 | grep 'patterns over'
tactus mine small.runs --all --blocks 2 | grep 'patterns over'
