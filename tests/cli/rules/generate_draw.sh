# Generated rules are repeatable; drawings mark the faulty edges.
tactus rules generate --states 3 --rules 6 --vars 4 --seed 5
tactus rules generate --states 3 --rules 6 --vars 4 --seed 5 -o a.rules && tactus rules generate --states 3 --rules 6 --vars 4 --seed 5 | cmp - a.rules && echo same
tactus rules generate --states 3 --rules 2 --vars 4; echo "exit $?"
tactus rules draw $ROOT/examples/rules/phoneadapter.rules -o phone.dot && grep -c 'class=' phone.dot
grep -E 'crimson|dashed' phone.dot
# Large sets: the faulty part, the surroundings of a state, or everything.
tactus rules generate --states 60 --rules 180 --vars 20 --seed 5 -o large.rules
tactus rules draw large.rules | grep -c '^  "[^"]*"[^-]*;$'
tactus rules draw large.rules --all-states | grep -c '^  "[^"]*"[^-]*;$'
tactus rules draw large.rules --focus s7 | grep -v -e '->' 
tactus rules draw large.rules --focus nowhere; echo "exit $?"
