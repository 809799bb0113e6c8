# What "no faults" may be said of. Groups read together at their rates can end as no order of them does.
cat > rates.rules <<'RULES'
group G every 2 s: a
group H every 3 s: b
state S initial; state X; state Y
rule r1: S -> X when a and not b
rule r2: S -> X when b and not a
rule r3: S -> Y when a and b
RULES
tactus rules check --hazards --junit rates.xml rates.rules | head -9; echo "exit ${PIPESTATUS[0]}"
cat rates.xml
# Hazards that were asked for and are too many to count are not known to be none.
{
    for i in $(seq 18); do echo "group G$i: v$i"; done
    echo 'state S initial; state T'
    echo "rule r: S -> T when $(seq -s ' and ' -f 'v%.0f' 18)"
    echo 'rule q: T -> S when not r'
} > many.rules
tactus rules check --hazards --junit many.xml many.rules | head -7; echo "exit ${PIPESTATUS[0]}"
cat many.xml
tactus rules check many.rules | head -3; echo "exit ${PIPESTATUS[0]}"
# Hazards are findings beside others.
tactus rules check --hazards --junit both.xml "$ROOT/examples/rules/phoneadapter-fixed.rules" > all.txt; echo "exit $?"
grep -c 'classname="race"' both.xml
grep -A 1 'classname="hazard"' both.xml
# A file without a rule, by every engine.
printf 'variable v\nstate A initial; state B\n' > none.rules
for engine in lean enumerative symbolic hybrid; do
    tactus rules check --engine $engine none.rules > $engine.txt; echo "$engine exit $?"
    cmp lean.txt $engine.txt
done
