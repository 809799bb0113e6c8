# A message sent on one phone and received as a system event on the other: flows generated, executed on
# two built-in phones, checked over the joint trace, decided both ways.
chat=$ROOT/examples/chat
app=$ROOT/examples/apps/chat.json
cp $chat/tunnel.json .
devices="--device alice=sim:$app --device bob=sim:$app#Home"
tactus flow list $chat/chat.model.xml --length 8 --format jsonl -o all.jsonl
echo "-- every flow of up to 8 events"
tactus run $devices --model $chat/chat.model.xml --flows all.jsonl --parallel 2 -o all; echo "exit $?"
tactus report all -o report.html
echo "-- both ways"
tactus flow list $chat/chat.model.xml --length 8 --require $chat/conversation.req.xml --witness --format jsonl -o flows.jsonl
run="tactus run $devices --flows flows.jsonl -p $chat/chat.props"
$run --scenario ideal --scenario alice=ideal,bob=tunnel.json --repeat 2 --deadline 40 -o both; echo "exit $?"
echo "-- the events of both phones in one order"
python3 - <<'P'
import json
rows = [json.loads(line) for line in open("both/traces/000000.jsonl")]
print(" ".join(rows[0]["variables"]))
for row in rows[1:]:
    if "event" in row:
        print(f'{row["t"] - rows[1]["t"]:.3f} {row["event"]}')
print([(d["name"], d["uri"].split("/")[-1]) for d in rows[0]["meta"]["devices"]])
P
echo "-- a trace can be checked again"
tactus check -p $chat/chat.props both/traces/000000.jsonl > /dev/null; echo "exit $?"
tactus check -p $chat/chat.props both/traces/000004.jsonl | head -1; echo "exit ${PIPESTATUS[0]}"
echo "-- a message that does not come in time"
$run --scenario alice=ideal,bob=tunnel.json -o late; echo "exit $?"
ls late/failures
echo "-- stopped at the violation"
$run --scenario alice=ideal,bob=tunnel.json --deadline 40 --stop-on-violation -o stopped; echo "exit $?"
