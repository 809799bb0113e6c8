# One JSON document from every engine, the same but for its name and its statistics.
for engine in lean hybrid symbolic enumerative; do
    tactus rules check $ROOT/examples/rules/phoneadapter.rules --engine $engine --paths --json > $engine.json
    echo "$engine exit $?"
done
python3 - <<'PY'
import json
documents = [json.load(open(e + ".json")) for e in ("lean", "hybrid", "symbolic", "enumerative")]
for d in documents:
    d.pop("engine"), d.pop("statistics")
print("equal:", all(d == documents[0] for d in documents))
d = documents[0]
print({k: d[k] for k in ("valid_inputs", "deterministic", "truncated", "dead_rules", "dead_states", "unreachable", "cycles", "race_paths", "cycle_paths", "cycle_states", "race_states")})
for state, counts in d["states"].items():
    print(state, {k: counts[k] for k in ("nondeterministic", "stable", "one", "race", "cycle", "cycle_exists", "race_exists")})
    print("  ", counts["cycle_witness"]["states"], counts["cycle_witness"]["loop"], counts["race_witness"]["states"])
for pair in d["pairs"]:
    print(pair["state"], pair["rules"], pair["inputs"], pair["cube"])
for path in d["paths"][:3]:
    print(path["kind"], path["states"], path["rules"], path["inputs"], path["cubes"][:2])
PY
