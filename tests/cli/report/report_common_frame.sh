# Five and more causes teach that a frame they share decides nothing; a campaign with fewer names the same crashes by that
# frame. Compared with each other they are the same crashes, and a crash at a place of its own is new.
cp $ROOT/tests/data/apps/one_check.json app.json
tactus run --device sim:app.json --monkey 40 --steps 60 --seed 1 -o before >/dev/null
tactus run --device sim:app.json --monkey 3 --steps 60 --seed 1 -o now >/dev/null
tactus report now --baseline before --fail-on new -o page.html; echo "exit $?"
tactus report before --baseline now --fail-on new -o page.html 2>&1 | grep '^tactus: new'; echo "exit ${PIPESTATUS[0]}"
# the same exception as one of the baseline's, below the shared frame another one
sed 's/SiteC.c/SiteG.g/; s/SiteC.java/SiteG.java/' app.json > other.json
tactus run --device sim:other.json --monkey 3 --steps 60 --seed 1 -o other >/dev/null
tactus report other --baseline before --fail-on new -o page.html 2>&1 >/dev/null; echo "exit $?"
tactus report now --baseline before --json | python3 -c '
import json, sys
for trend in json.load(sys.stdin)["trends"]:
    print(trend["name"], [(p["runs"], p["failing"]) for p in trend["points"]])'
