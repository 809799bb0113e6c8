# Every error with its place and a remedy; exit 4.
cat > bad.rules <<'RULES'
app Bad
group GPS: A_gps, B_gps
state Home initial; state Ofice
rule Go: Home -> Office when A_gps
rule Stay: Home -> Home when B_gpss priority 99999999999
rule Loop: Home -> Ofice when not Pool
rule Pool: Ofice -> Home when Loop
what is this
RULES
tactus rules check bad.rules; echo "exit $?"
printf 'variable x\nconstraint x\nconstraint not x\nstate A initial\n' > none.rules
tactus rules check none.rules; echo "exit $?"
printf 'variable x\nstate A initial; state B\nrule a: A -> B when b\nrule b: B -> A when a\n' > circle.rules
tactus rules check circle.rules; echo "exit $?"
head -c 104857600 /dev/zero | tr '\0' '#' > large.rules
tactus rules check large.rules; echo "exit $?"
rm large.rules
printf '{"states": ["A"], "initial": "A", "rules": [\n  {"name": "r", "from": "A", "to": "B", "when": "true"}]}' > bad.json
tactus rules check bad.json; echo "exit $?"
printf '{"states": ["A"' > cut.json
tactus rules check cut.json; echo "exit $?"
tactus rules check nothing.rules; echo "exit $?"
tactus rules check $ROOT/examples/rules/phoneadapter.rules --engine fast; echo "exit $?"
tactus rules repair $ROOT/examples/rules/phoneadapter.rules; echo "exit $?"
python3 - <<'PY'
n = 27
with open("wide.rules", "w") as f:
    f.write("".join(f"variable v{i}\n" for i in range(n)) + "state A initial; state B\nrule r: A -> B when v0\n")
PY
tactus rules check wide.rules --engine enumerative; echo "exit $?"
tactus rules check wide.rules; echo "exit $?"
