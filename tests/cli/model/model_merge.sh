# Merging, abstracting and comparing.
model="$ROOT/examples/uamp/uamp.model.xml"
sed 's/"S\([0-9]*\)"/"screen\1"/g; s/PlaceholderActivity_0/Placeholder_A/g; /event="seek"/d' "$model" > other.xml
tactus model diff "$model" other.xml; echo "exit $?"
tactus model diff "$model" other.xml --json; echo "exit $?"
tactus model merge "$model" other.xml -o by_names.xml 2>&1 | tail -2
tactus model merge "$model" other.xml --match events -o by_events.xml; echo "exit $?"
tactus model diff "$model" by_events.xml; echo "exit $?"
grep -c 'weight="2"' by_events.xml
tactus model merge "$model" other.xml --match events --common 2 -o common.xml
tactus model diff other.xml common.xml; echo "exit $?"
tactus model merge "$model" other.xml --common 3; echo "exit $?"
printf '# the player\nskip: skip*\nchoose: selectGenre selectSong selectCategori\n' > classes
tactus model abstract "$model" --classes classes -o folded.xml; echo "exit $?"
tactus model check folded.xml
grep 'S12' folded.xml
# A time that only one of the models gives is kept; of different ones the mean.
sed 's/ time="[^"]*"//' $ROOT/examples/chat/chat.model.xml > timeless.xml
tactus model merge timeless.xml $ROOT/examples/chat/chat.model.xml -o timed.xml
sed 's/ time="\([0-9]*\)"/ time="1\1"/; s/ time="\([0-9]*\)\./ time="1\1./' $ROOT/examples/chat/chat.model.xml > later.xml
tactus model merge later.xml $ROOT/examples/chat/chat.model.xml -o mean.xml
grep -ho ' time="[^"]*"' $ROOT/examples/chat/chat.model.xml | tr '\n' ' '
grep -ho ' time="[^"]*"' timed.xml | tr '\n' ' '
grep -ho ' time="[^"]*"' mean.xml
# A final that leaves the app from the middle of its stack: flows, the way through GraphWalker's format, a merge, SPIN's text.
cat > leave.xml <<'END'
<interactionModel xmlns="urn:tactus:interaction-model:1" name="leave"><device name="p"><application name="A" external="true"><activity name="V" external="true">
<stateMachine name="M" external="true"><initial to="s"/><state name="s"/><connection name="c" calls="N" returns="s"/><final name="end"/><transition from="s" event="open" to="c"/><transition from="s" event="back" to="end"/></stateMachine>
<stateMachine name="N"><initial to="n"/><state name="n"/><final name="end"/><final name="left" leaves="true"/><transition from="n" event="back" to="end"/><transition from="n" event="logout" to="left"/></stateMachine>
</activity></application></device></interactionModel>
END
tactus flow count leave.xml --length 4
tactus flow list leave.xml --length 3 --kind exit
tactus model export leave.xml --to graphwalker | tactus model import - | grep leaves
tactus model merge leave.xml leave.xml 2>/dev/null | grep leaves
tactus model export leave.xml --to promela --length 3 | grep 'define LEAVES'
