# Runs that can be read only once, as from a pipe: each is what it would be in a file, whatever its form, also packed.
cd $ROOT/examples/mining
tactus mine player.runs > "$OLDPWD/disk"; tactus mine - < player.runs | cmp - "$OLDPWD/disk" && echo same
tactus mine <(cat player.runs) | head -1
gzip -c player.runs | tactus mine - | head -1
cat crashes.jsonl | tactus mine - | head -1
tactus mine <(xz -c crashes.jsonl) | head -1
tactus predict player.model.json <(cat player.runs) | head -1
cat player.runs | tactus predict player.model.json - | sed -n 1,2p
cat ../properties/session.csv | tactus mine --label-by property after_tap -p ../properties/states.props - | head -1
# Mistakes name the source as it was given.
printf '{"events": [3]}\n' | tactus mine -; echo "exit $?"
mkfifo "$OLDPWD/runs"; printf '{"events": [3]}\n' > "$OLDPWD/runs" & timeout 60 tactus mine "$OLDPWD/runs"; echo "exit $?"
