# Two rules that both go before all others, one before the other: two changes of priority are enough.
cat > levels.rules <<'RULES'
variable v0; variable v1; variable v2; variable v3
state s initial
state t
rule r0: s -> t when not v1 priority 0
rule r1: s -> t when v2 and not v1 priority 0
rule r2: s -> t when v1 or v0 priority 0
rule r3: s -> t when v3 priority 0
rule r4: s -> t when v1 and not v2 priority 0
rule r5: s -> t when not v1 and v2 priority 0
RULES
tactus rules repair levels.rules --fault nondeterminism | head -8; echo "exit ${PIPESTATUS[0]}"
tactus rules repair levels.rules --fault nondeterminism --apply 1 -o repaired.rules | tail -1
grep '^rule' repaired.rules
tactus rules check --json repaired.rules | grep -o '"deterministic": *[a-z]*'
