# A violated property: events, waits and nothing else are left that the violation needs.
app=sim:$ROOT/examples/apps/player.json
tactus explore --device $app -o model.xml >/dev/null
tactus flow list model.xml --require $ROOT/examples/demo/playback.req.xml --length 8 --witness --format jsonl -o flows.jsonl
tactus run --device $app --model model.xml --flows flows.jsonl --scenario cafe -p $ROOT/examples/demo/playback.props -o runs | tail -1
tactus reproduce runs --device $app --property cheap_playback -o short
cat short/property-cheap_playback/steps.txt
# the flow that was written violates it again, with the property that was written
tactus run --device $app --flows short/property-cheap_playback/flow.jsonl --scenario cafe \
  -p short/property-cheap_playback/catch.props -o again | tail -1
