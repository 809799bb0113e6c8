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
