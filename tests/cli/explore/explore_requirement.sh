# The extracted player satisfies the paper's third requirement as often as the reference model does.
cd "$ROOT"
tactus explore --device sim:examples/apps/player.json -o "$OLDPWD/player.xml" > /dev/null
for model in "$OLDPWD/player.xml examples/apps/player.req3.xml" \
    "examples/uamp/uamp.model.xml examples/uamp/uamp.req3.xml"; do
    set -- $model
    tactus flow count "$1" --length 10 --require "$2" --json | cut -d, -f1
    tactus flow count "$1" --length 10 --require "$2" --witness --json
done
