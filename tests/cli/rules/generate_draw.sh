# Generated rules are repeatable; drawings mark the faulty edges.
tactus rules generate --states 3 --rules 6 --vars 4 --seed 5
tactus rules generate --states 3 --rules 6 --vars 4 --seed 5 -o a.rules && tactus rules generate --states 3 --rules 6 --vars 4 --seed 5 | cmp - a.rules && echo same
tactus rules generate --states 3 --rules 2 --vars 4; echo "exit $?"
tactus rules draw $ROOT/examples/rules/phoneadapter.rules -o phone.dot && grep -c 'class=' phone.dot
grep -E 'crimson|dashed' phone.dot
