# What a model expects is checked on every phone of a team, each with its own past, and in adaptive runs.
chat=$ROOT/examples/chat/chat.model.xml
app=$ROOT/examples/apps/chat.json
devices="--device alice=sim:$app --device bob=sim:$app#Home"
expect() { # ALICE'S WAITING, BOB'S LOCKED, BOB'S notification
    python3 - "$@" <<'PYTHON'
import os, sys
text = open(os.environ["ROOT"] + "/examples/chat/chat.model.xml").read()
waiting, locked, notified = (f"<expect>{one}</expect>" for one in sys.argv[1:])
text = text.replace('<state name="Waiting"/>', f'<state name="Waiting">{waiting}</state>', 1)
text = text.replace('<state name="Locked"/>', f'<state name="Locked">{locked}</state>', 1)
text = text.replace('receives="message"/>', f'receives="message">{notified}</transition>', 1)
open("model.xml", "w").write(text)
PYTHON
}
export ROOT
tactus flow list $chat --length 5 --format jsonl | grep -v dismiss >flows.jsonl # that shows the launcher
sent="visible(//node[contains(@text,'Bob has not answered')])"
clock="visible(//node[@text='12:00'])"
other="texts(//node) != previous(texts(//node))"
expect "$sent" "$clock" "$other"
tactus model check model.xml | head -1
tactus run $devices --flows flows.jsonl --model model.xml -o good | head -1
echo "-- on Bob's phone, before the first step"
expect "$sent" "visible(//node[@text='13:00'])" "$other"
tactus run $devices --flows flows.jsonl --model model.xml -o start | head -2
echo "-- on Bob's phone, after what Alice did"
expect "$sent" "$clock" "texts(//node) == previous(texts(//node))"
tactus run $devices --flows flows.jsonl --model model.xml -o bob | grep -m1 expects
echo "-- on Alice's phone"
expect "$clock" "$clock" "$other"
tactus run $devices --flows flows.jsonl --model model.xml -o alice | grep -m1 expects
echo "-- states are compared on one phone only"
tactus run $devices --flows flows.jsonl --model model.xml --conform -o none; echo "exit $?"
echo "-- an adaptive run"
notes=sim:$ROOT/examples/apps/notes.json
tactus explore --device $notes -o plain.xml >/dev/null
for condition in "count(//node) &gt; 2" "texts(//node) == previous(texts(//node))"; do
    rm -rf adaptive
    python3 - "$condition" <<'PYTHON'
import sys
head, tail = open("plain.xml").read().split('event="menu" to="S1">', 1)
open("model.xml", "w").write(head + 'event="menu" to="S1">' + tail.replace("</transition>", f"<expect>{sys.argv[1]}</expect></transition>", 1))
PYTHON
    tactus run --device $notes --goal transitions --model model.xml -o adaptive | head -3
done
