# What is missing is a screen that was not visited: the property that catches it speaks of the screen, and every run of
# the campaign that crashed violates it, no other.
cp $ROOT/tests/data/apps/unseen_terms.json app.json
tactus run --device sim:app.json --monkey 200 --steps 60 -o bugs >/dev/null
tactus reproduce bugs --device sim:app.json -o short | grep confirmed
grep ^property short/crash-1/catch.props
tactus check -p short/crash-1/catch.props bugs/traces/*.jsonl 2>/dev/null | tail -1
python3 - <<'END'
import json, sqlite3
print(sqlite3.connect("bugs/index.sqlite").execute("select verdict, count(*) from run group by verdict").fetchall())
print(json.load(open("short/reproduce.json"))["causes"][0]["counterfactuals"][0]["is_state"])
END
