# Actions: one that makes the app oscillate, one that breaks a constraint.
cat > phone.rules <<'RULES'
variable silent, vibrate
constraint not (silent and vibrate)
state Day initial; state Night
rule Sleep: Day -> Night when not silent do silent=on
rule Wake: Night -> Day when silent do silent=off
RULES
tactus rules check phone.rules; echo "exit $?"
