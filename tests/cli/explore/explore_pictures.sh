# Pictures of the screens stand beside the model, which names them; a campaign takes them along.
tactus explore --device "sim:$ROOT/examples/apps/player.json" --pictures
echo "exit $?"
mkdir models
tactus explore --device "sim:$ROOT/examples/apps/player.json" --pictures -o models/player.model.xml | tail -1
ls models
ls models/player.pictures | wc -l
grep -c 'image="player.pictures/[0-9a-f]*\.png"' models/player.model.xml
tactus flow cover models/player.model.xml --goal states --length 8 --format jsonl -o flows.jsonl 2> words
tactus run --device "sim:$ROOT/examples/apps/player.json" --model models/player.model.xml --flows flows.jsonl -o runs
ls runs/screens/*.png | wc -l
tactus report runs --json | grep -o '"picture"' | wc -l
