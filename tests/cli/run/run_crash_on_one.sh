# A crash on one of two phones ends the run and says which.
chat=$ROOT/examples/chat
python3 - $ROOT/examples/apps/chat.json <<'P'
import json, sys
app = json.load(open(sys.argv[1]))
app["crashes"] = [{"name": "shade", "exception": "java.lang.IllegalStateException", "message": "no prompt",
                   "stack": ["org.example.chat.Home.onPull(Home.java:7)"],
                   "when": {"contiguous": ["notification", "scroll:shade"]}}]
json.dump(app, open("chat.json", "w"))
P
tactus flow list $chat/chat.model.xml --length 8 --require $chat/conversation.req.xml --witness --limit 1 --format jsonl -o flows.jsonl
tactus run --device alice=sim:chat.json --device bob=sim:chat.json#Home --flows flows.jsonl -o runs --json > summary.json; echo "exit $?"
python3 - <<'P'
import json
summary = json.load(open("summary.json"))
print(summary["crashes"])
rows = [json.loads(line) for line in open("runs/traces/000000.jsonl")]
print([row["event"] for row in rows[1:] if "event" in row][-1])
print(rows[-1])
P
echo "-- what the crashing runs have in common"
tactus flow list $chat/chat.model.xml --length 7 --format jsonl -o all.jsonl
tactus run --device alice=sim:chat.json --device bob=sim:chat.json#Home --flows all.jsonl -o all; echo "exit $?"
tactus report all -o report.html; echo "exit $?"
tactus mine all/traces --state bob.state --top 1 | sed -n 1,7p
