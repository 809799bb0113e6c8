# The music player: the three strategies see the same model; figures as JSON, words for people.
cd "$ROOT"
for strategy in dfs bfs nearest; do
    tactus explore --device sim:examples/apps/player.json --strategy $strategy --json \
        -o "$OLDPWD/$strategy.xml"
done
cd "$OLDPWD"
cmp dfs.xml nearest.xml && cmp bfs.xml nearest.xml && echo same model
ls
tactus explore --device "sim:$ROOT/examples/apps/player.json" -o again.xml
tactus model check again.xml
