# Learn from the first hundred runs, predict the others.
head -101 $ROOT/examples/mining/player.runs > train.runs
tail -60 $ROOT/examples/mining/player.runs > test.runs
tactus mine train.runs --train -o model.json
tactus predict model.json test.runs
printf '? sLibrary openSettings sSettings upload\n? sLibrary openSong sPlayer\n' > new.runs
tactus predict model.json new.runs --json
