# A pipe can be read once; a campaign keeps what came through it, and goes on with the same.
export TMPDIR=$PWD
for again in 1 2; do
    tactus run --device "sim:$ROOT/examples/apps/player.json" --monkey 2 --steps 3 \
        --property <(cat "$ROOT/examples/demo/playback.props") -o piped
done
cmp piped/properties.txt "$ROOT/examples/demo/playback.props" && echo kept
tactus report piped -o piped.html
ls | grep tactus-inputs || echo "nothing left behind"
