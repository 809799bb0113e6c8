# DroidBot's graph as it is found: from Windows, with backslashes, and from tools made from it that call a touch a click.
node() { printf '{"id":"%s","image":"states\\\\screen_%s.png","label":"%s","package":"org.example","activity":".Main"}' "$1" "$1" "$1"; }
edge() { printf '{"from":"%s","to":"%s","events":[{"event_str":"%s","event_id":1,"event_type":"%s"}]}' "$1" "$2" "$3" "$4"; }
{ printf 'var utg = \n{"nodes":[%s,%s],"edges":[%s,%s],"app_package":"org.example"}' "$(node aaaaaa)" "$(node bbbbbb)" \
    "$(edge aaaaaa bbbbbb 'TouchEvent(state=aaaaaa, view=11(Main/Button-Settings))' click)" \
    "$(edge bbbbbb aaaaaa 'LongTouchEvent(state=bbbbbb, view=22(Main/TextView-Back))' long_click)"; } > utg.js
tactus model import utg.js | grep -e '<state ' -e '<transition' -e '<action'
# A run that was stopped before it wrote its utg.js: the records are enough.
mkdir -p run/states run/events
state() { printf '{"state_str":"%s","tag":"%s","foreground_activity":"%s","views":[{"temp_id":0,"class":"android.widget.Button","text":"Go","bounds":[[0,0],[9,9]]}]}' "$1" "$2" "$3" > "run/states/state_$2.json"; }
event() { printf '{"tag":"%s","start_state":"%s","stop_state":"%s","event_str":"TouchEvent(state=%s, view=11(Main/Button-Go))","event":{"event_type":"touch","view":{"temp_id":0,"class":"android.widget.Button","text":"Go","bounds":[[0,0],[9,9]]}}}' "$1" "$2" "$3" "$2" > "run/events/event_$1.json"; }
state aaaaaa 1 org.example/.Main
state bbbbbb 2 org.example/.Other
event 1 aaaaaa bbbbbb
event 2 bbbbbb bbbbbb
tactus model import run | grep -e '<state ' -e '<transition' -e '<action'
mkdir empty
tactus model import empty
