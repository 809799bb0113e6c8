# From 30 states on counts are unknown, existence and witnesses are not.
tactus rules generate --states 60 --rules 180 --vars 60 --seed 3 -o large.rules
tactus rules check large.rules | head -20; echo "exit ${PIPESTATUS[0]}"
tactus rules check large.rules --json > large.json; echo "exit $?"
python3 - <<'PY'
import json
d = json.load(open("large.json"))
print({k: d[k] for k in ("truncated", "cycle_states", "race_states", "cycles", "race_paths")})
s = d["states"]["s0"]
print({k: s[k] for k in ("race", "cycle", "cycle_exists", "race_exists", "cycle_at_least", "cycle_at_most", "race_or_cycle")})
print(s["cycle_witness"]["states"], s["cycle_witness"]["shortest"], len(s["cycle_witness"]["input"]))
PY
