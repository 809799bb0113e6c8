# A violated property of runs of 150 events, half an hour each of virtual time: seven events are left.
app=sim:$ROOT/examples/apps/player.json
tactus explore --device $app -o model.xml >/dev/null
tactus flow sample model.xml --length 150 --count 6 --seed 3 --format jsonl -o flows.jsonl
tactus run --device $app --model model.xml --flows flows.jsonl --think 30 --scenario festival -p $ROOT/examples/demo/playback.props -o runs | tail -1
tactus reproduce runs --device $app -o short | head -3
tactus run --device $app --flows short/property-cheap_playback/flow.jsonl --scenario festival --think 30 \
  -p short/property-cheap_playback/catch.props -o again | tail -1
