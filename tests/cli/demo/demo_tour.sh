# The demo: exit 0 although violations are shown; verdicts by scenario; a report without links.
tactus demo tour > story.txt; echo "exit $?"
sed 's/[0-9][0-9]* runs crashed/N runs crashed/; s/([0-9]* runs)/(N runs)/; s/in [0-9]* of [0-9]* runs/in K of N runs/; s/(0 of [0-9]* runs/(0 of N runs/' story.txt
ls tour
python3 - <<'P'
import json
verdicts = json.load(open("tour/verdicts.json"))
for row in verdicts["properties"]:
    print(row["scenario"], "violated in all" if row["violated"] == row["runs"] else "holds in all" if row["violated"] == 0 else "mixed")
P
grep -c -E 'https?://' tour/report.html
tactus demo tour --json | python3 -c 'import json,sys; print(sorted(json.load(sys.stdin)))'
tactus demo /proc/nowhere; echo "exit $?"
