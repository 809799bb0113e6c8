# A pipe can be read once; a campaign keeps what came through it, and goes on with the same.
export TMPDIR=$PWD
for again in 1 2; do
    tactus run --device "sim:$ROOT/examples/apps/player.json" --monkey 2 --steps 3 \
        --property <(cat "$ROOT/examples/demo/playback.props") -o piped
done
cmp piped/properties.txt "$ROOT/examples/demo/playback.props" && echo kept
tactus report piped -o piped.html
ls | grep tactus-inputs || echo "nothing left behind"
# What is told of it names what was given, not the copy.
mkfifo in.props
echo 'property low: always (rxData < 3)' > in.props &
tactus run --device "sim:$ROOT/examples/apps/player.json" --monkey 1 --steps 3 -p in.props -o told --sarif told.sarif --junit told.xml > /dev/null
grep -c 'in.props' told.sarif told.xml; grep -c tactus-inputs told.sarif told.xml
echo 'property low: forall [a' > in.props &
tactus run --device "sim:$ROOT/examples/apps/player.json" --monkey 1 -p in.props -o wrong; echo "exit $?"
tactus run --device "sim:$ROOT/examples/apps/player.json" -p /dev/null --monkey 1 -o wrong; echo "exit $?"
tactus run --device "sim:$ROOT/examples/apps/player.json" --flows /dev/null -o wrong; echo "exit $?"
