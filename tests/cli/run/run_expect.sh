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
# Bounds count the time between the looks; a screen that cannot be read (media plays) is the one before the next, with nothing known of it.
cat > count.json <<'END'
{"tactus-app":1,"name":"E","code":"e","package":"com.e","variables":{"n":0},
"streams":{"song":{"seconds":295,"kbps":96,"chunk":262144,"timeout":8,"start":"Started","pause":"Paused"}},"activities":{"Main":{"screens":{"s":{"widgets":[
{"class":"TextView","id":"n","text":"{n} items"},
{"class":"Button","id":"add","text":"Add","click":[{"set":{"n":"n+1"}}]},
{"class":"Button","id":"play","text":"Play","click":[{"set":{"n":"n+1"}},{"media":"start","stream":"song"}]},
{"class":"Button","id":"pause","text":"Pause","click":[{"media":"pause"}]}]}}}}}
END
counted() { # FIRST SECONDS SECOND STATE-CONDITION TRANSITION-CONDITION: N is the number that the app shows
    python3 - "$@" <<'PYTHON'
import sys
from xml.sax.saxutils import escape
first, seconds, second, there, after = sys.argv[1:]
def way(number, event, time, expect):
    return (f'<transition from="S{number}" event="{event}" to="S{number + 1}" time="{time}"><action kind="click" '
            f'xpath="//node[@resource-id=\'com.e:id/{event}\']"/>{said(expect)}</transition>')
NUMBER = "number(//node[@resource-id='com.e:id/n'])"
def said(condition):
    return f"<expect>{escape(condition.replace('N', NUMBER))}</expect>"
print('<interactionModel xmlns="urn:tactus:interaction-model:1" name="e"><device name="phone"><application name="E" codeName="e" '
      'package="com.e" external="true"><activity name="Main" external="true"><stateMachine name="M" external="true"><initial to="S0"/>'
      f'<state name="S0"/><state name="S1"/><state name="S2">{said(there)}</state><final name="end"/>{way(0, first, seconds, "1 == 1")}'
      f'{way(1, second, 1, after)}<transition from="S2" event="back" to="end"><action kind="back"/></transition>'
      '</stateMachine></activity></application></device></interactionModel>', file=open("count.xml", "w"))
PYTHON
    tactus flow list count.xml --length 3 --limit 1 --format jsonl -o count.jsonl 2>/dev/null
    rm -rf counted
    tactus run --device sim:count.json --flows count.jsonl --model count.xml -o counted | head -2 | sed 's/number([^)]*)/N/g; s/, 0 crashed, 0 stopped at a violation//'
}
counted add 1 add "once[<= 2 s] N == 0" "once[1 s, 2 s] N == 0"
counted add 30 add "once[<= 2 s] N == 0" "1 == 1"
counted add 30 add "not once[<= 10 s] N == 0 and once[<= 40 s] N == 0" "N >= 1 since[30 s, 32 s] N == 0"
counted add 1 add "historically[<= 500 ms] N == 2" "not historically[<= 2 s] N == 2"
counted play 5 pause "N == 1" "N == previous(N)"
counted play 5 pause "N == 1" "not previously N == 0 and once[<= 2 s] N == 1"
counted play 5 pause "N == 1" "N == 2"
