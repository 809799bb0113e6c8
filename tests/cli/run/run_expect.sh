# What a model expects of its screens is checked while its flows run; what cannot be read is refused.
P=sim:$ROOT/examples/apps/notes.json
N=com.example.tactus.notes:id
tactus explore --device $P -o plain.xml >/dev/null
expect() { # STATE CONDITION: the model with it
    python3 - "$1" "$2" <<'PYTHON'
import re, sys
from xml.sax.saxutils import escape
text = open("plain.xml").read()
state, condition = sys.argv[1:]
filled = f'<state name="{state}">\n<expect>\n  {escape(condition)}\n</expect><expect>1 == 1</expect></state>'
text = text.replace(f'<state name="{state}"/>', filled, 1)
after = f'<expect>texts(//node) != previous(texts(//node))</expect></transition>'
head, tail = text.split('event="menu" to="S1">', 1)
open("model.xml", "w").write(head + 'event="menu" to="S1">' + tail.replace("</transition>", after, 1))
PYTHON
}
tactus flow list plain.xml --length 2 --limit 4 --format jsonl -o flows.jsonl 2>/dev/null
expect S1 "visible(//node[@resource-id='$N/settings']) and count(//node) > 2"
tactus model check model.xml | head -1
tactus run --device $P --flows flows.jsonl --model model.xml -o good | head -1
tactus model export model.xml --to graphwalker -o walker.json && tactus model import walker.json -o back.xml && grep -c "<expect>" back.xml
tactus model merge model.xml model.xml -o merged.xml && grep "<expect>" merged.xml | sed 's/^ *//'
expect S1 "text(//node[@resource-id='$N/settings']) == \"Preferences\""
tactus run --device $P --flows flows.jsonl --model model.xml -o bad | head -3; echo "exit $?"
expect S1 "count(//node > 3"
tactus model check model.xml; echo "exit $?"
tactus run --device $P --flows flows.jsonl --model model.xml -o none; echo "exit $?"
# The place is that of the expectation, whatever stands before it; of a transition's too.
python3 - <<'PYTHON'
text = open("plain.xml").read()
text = text.replace('<state name="S1"/>', '<state\n  name="S1"><!-- <expect>1 +</expect> -->\n<expect>1 == 1</expect>   <expect>\n 1 &lt;\n</expect></state>', 1)
head, tail = text.split('event="menu" to="S1">', 1)
open("model.xml", "w").write(head + 'event="menu" to="S1">' + tail.replace("</transition>", "\n\n   <expect>nothing</expect></transition>", 1))
PYTHON
tactus model check model.xml; echo "exit $?"
grep -n "1 == 1\|>nothing<" model.xml
# A question for a permission is answered, as exploring did: what is expected is behind it, and so is where 'back' leads.
expect S0 "visible(//node[@resource-id='$N/menu'])"
tactus flow cover plain.xml --length 8 --goal transitions --format jsonl 2>/dev/null | grep backup | head -1 > asked.jsonl
tactus run --device $P --flows asked.jsonl --model model.xml -o asked | head -2
# A comment in it ends with its line.
expect S1 "count(//node) == 99 # not that many
  or visible(//node[@resource-id='$N/settings'])"
tactus run --device $P --flows flows.jsonl --model model.xml -o comment | head -1
