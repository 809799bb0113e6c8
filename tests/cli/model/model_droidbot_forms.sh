# DroidBot's graph as it is found: from Windows, with backslashes, and from tools made from it that call a touch a click.
node() { printf '{"id":"%s","image":"states\\\\screen_%s.png","label":"%s","package":"org.example","activity":".Main"}' "$1" "$1" "$1"; }
edge() { printf '{"from":"%s","to":"%s","events":[{"event_str":"%s","event_id":1,"event_type":"%s"}]}' "$1" "$2" "$3" "$4"; }
{ printf 'var utg = \n{"nodes":[%s,%s],"edges":[%s,%s],"app_package":"org.example"}' "$(node aaaaaa)" "$(node bbbbbb)" \
    "$(edge aaaaaa bbbbbb 'TouchEvent(state=aaaaaa, view=11(Main/Button-Settings))' click)" \
    "$(edge bbbbbb aaaaaa 'LongTouchEvent(state=bbbbbb, view=22(Main/TextView-Back))' long_click)"; } > utg.js
tactus model import utg.js | grep -e '<state ' -e '<transition' -e '<action'
