# DOT is stable; SVG needs dot, and says so when it is not there.
tactus model draw "$ROOT/examples/chat/chat.model.xml" | sed -n '1,30p'
tactus model draw "$ROOT/examples/chat/chat.model.xml" | grep -c -- '->'
if command -v dot > /dev/null; then
    tactus model draw "$ROOT/examples/chat/chat.model.xml" -o chat.svg && grep -c '<g ' chat.svg | sed 's/[0-9]*/drawn/'
else
    echo drawn
fi
mkdir empty
program=$(command -v tactus)
PATH="$PWD/empty" "$program" model draw "$ROOT/examples/chat/chat.model.xml" -o missing.svg; echo "exit $?"
test -e missing.svg || echo "nothing written"
# Above 40 states: the part nearest to the start, boxes for the rest; or what is asked for.
{
    echo '<interactionModel xmlns="urn:tactus:interaction-model:1" name="large"><device name="d">'
    echo '<application name="App" external="true"><activity name="Main" external="true"><stateMachine name="Main" external="true">'
    echo '<initial to="s1"/>'
    for i in $(seq 60); do echo "<state name=\"s$i\"/>"; done
    echo '<connection name="help" calls="App/Help/Help" returns="s1"/><connection name="jump" calls="App/More/More" enters="m2"/><final name="out"/>'
    for i in $(seq 59); do echo "<transition from=\"s$i\" event=\"next\" to=\"s$((i + 1))\"/>"; done
    for e in a b c d e; do echo "<transition from=\"s2\" event=\"$e\" to=\"s1\"/>"; done
    echo '<transition from="s1" event="help" to="help"/><transition from="s3" event="more" to="jump"/>'
    echo '<transition from="s1" event="back" to="out"/></stateMachine></activity>'
    echo '<activity name="Help"><stateMachine name="Help"><initial to="h1"/><state name="h1"/><final name="e"/>'
    echo '<transition from="h1" event="back" to="e"/></stateMachine></activity>'
    echo '<activity name="More"><stateMachine name="More"><initial to="m1"/><state name="m1"/><state name="m2"/>'
    echo '<transition from="m1" event="x" to="m2"/><transition from="m2" event="a_very_long_name_of_an_event" to="m1"/></stateMachine></activity>'
    echo '</application></device></interactionModel>'
} > large.xml
tactus model draw large.xml --collapse
tactus model draw large.xml --activity More
tactus model draw large.xml | grep -c 'n[0-9]* \[label'
tactus model draw large.xml --focus Main/s30 | grep -e penwidth -e 'more state'
tactus model draw large.xml --all-states | grep -c 'label="s[0-9]*"'
tactus model draw large.xml --activity Mian; echo "exit $?"
tactus model draw large.xml --focus s999; echo "exit $?"
tactus model draw large.xml --focus s1 --collapse; echo "exit $?"
if command -v dot > /dev/null; then
    tactus model draw large.xml -o large.svg 2> /dev/null
    tactus model draw large.xml --engine fdp -o fdp.svg 2> /dev/null
    sed -n 's/^<svg width="\([0-9]*\)pt".*/\1/p' large.svg fdp.svg | awk '{ print ($1 <= 900 ? "a page wide" : "too wide: " $1) }'
else
    echo "a page wide"; echo "a page wide"
fi
# Linked pages: an overview, a drawing of each activity, what stays in a state below its name.
tactus model draw large.xml --pages; echo "exit $?"
if command -v dot > /dev/null; then
    tactus model draw large.xml "$ROOT/examples/uamp/uamp.model.xml" --pages -o pages
    ls pages
    grep -ho 'href="[^"]*"' pages/index.svg pages/1_Help.svg | sort -u
    grep -o '>[0-9]* states, [0-9]* transitions<' pages/index.svg | sort
    grep -ho '>↺ [^<]*<' pages/*MusicPlayerActivity.svg | sort | head -3
fi
