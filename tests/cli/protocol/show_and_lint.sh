# The dialogue of figure 4, with and without the effect of the rules; lint's findings.
cd "$ROOT"
tactus protocol show --rules examples/protocol/remover.spec examples/protocol/fixed.jsonl
tactus protocol show --returns --events 1 --from 2 examples/protocol/buggy.jsonl
tactus protocol show --format svg --rules examples/protocol/remover.spec examples/protocol/fixed.jsonl | grep -c '<line'
tactus protocol lint examples/protocol/remover.spec; echo "exit $?"
cd - >/dev/null
cat > bad.spec <<'X'
REGEXP unused(x) = [ TRUE[*]; [CB] [ENTRY] [x] void a.A.on() ];
REGEXP twice(x) = [ FALSE ];
REGEXP twice(x) = [ [CB] [ENTRY] [x] void a.A.off() ];
SPEC [CB] [ENTRY] [x] void a.A.on() |- [CI] [ENTRY] [x] void a.A.call();
SPEC TRUE[*]; twice(x) |+ [CI] [ENTRY] [x] void a.A.call();
SPEC TRUE[*]; (twice(y) | [CB] [ENTRY] [y] void a.A.on()) |- [CI] [ENTRY] [y] void a.A.call();
SPEC TRUE[*]; [CB] [ENTRY] [x] void a.A.on() & [CB] [ENTRY] [x] void a.A.off() |- [CI] [ENTRY] [x] void a.A.call();
SPEC TRUE[*]; twice(x) |+ [CI] [ENTRY] [x] void a.A.other();
stray ) tokens
SPEC TRUE[*]; unknown(x) |- [CI] [ENTRY] [x] void a.A.call()
X
tactus protocol lint bad.spec; echo "exit $?"
sed -i 's/unknown(x)/twice(x)/' bad.spec
tactus protocol lint bad.spec; echo "exit $?"
tactus protocol lint --json bad.spec | head -c 120; echo
# A file without rules, and more definitions than can be resolved: neither is without fault.
: > empty.spec
tactus protocol lint empty.spec; echo "exit $?"
seq -f 'REGEXP n%g(x) = [ [CB] [ENTRY] [x] void a.A.m() ];' 10001 | sed '$s/;$//' > many.spec
tactus protocol lint many.spec; echo "exit $?"
