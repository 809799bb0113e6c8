# JSON Lines: clusters are named by the topmost frame of the app, behind the cause.
tactus mine $ROOT/examples/mining/crashes.jsonl --min-occurrences 3 --top 1
# Stacks in which nothing is known are one cluster, and not said to have one exception.
for i in 1 2; do printf '{"name":"f%d","verdict":"crash","stack":"panic: %d\\n\\ngoroutine 1 [running]:","events":["s1","e1"]}\n' $i $i; done > unknown.jsonl
for i in 1 2 3; do printf '{"name":"p%d","verdict":"pass","events":["s1","e2"]}\n' $i; done >> unknown.jsonl
tactus mine unknown.jsonl | sed -n 3,4p
