# Flows of the examples: counts for every length and kind, lists, every goal, every draw; requirements.
exec 2>&1
X=$ROOT/examples
for model in $X/shop/shop.model.xml $X/guards/login.model.xml $X/uamp/uamp.model.xml $X/chat/chat.model.xml $ROOT/tests/data/flow/cart.model.xml; do
    echo "== ${model##*/}"
    for length in 0 1 2 3 5 8; do
        for kind in exit stuck truncated all; do
            printf '%s %s: ' $length $kind; tactus flow count "$model" -n $length --kind $kind
        done
    done
    tactus flow count "$model" -n 6 --distinct --interleavings all
    tactus flow count "$model" -n 4 --json
    tactus flow list "$model" -n 5 --limit 12
    tactus flow list "$model" -n 3 --format jsonl --limit 2
    for goal in states transitions pairs edges tuples:3; do
        echo "-- $goal"; tactus flow cover "$model" -n 6 --goal $goal; tactus flow cover "$model" --goal $goal --restart-cost 2
    done
    tactus flow cover "$model" -n 6 --goal transitions --json
    tactus flow cover "$model" -n 6 --budget 20
    tactus flow cover "$model" -n 6 --diverse 4 --seed 3
    tactus flow sample "$model" -n 6 --count 4 --seed 5
    tactus flow sample "$model" -n 6 --count 3 --seed 5 --weighted
    tactus flow sample "$model" --count 2 --generator 'random(edge_coverage(60))'
    tactus flow sample "$model" --generator 'weighted_random(length(7))'
done
echo '== requirements'
for requirement in $X/uamp/*.req*.xml; do
    tactus flow count $X/uamp/uamp.model.xml -n 7 -r $requirement
    tactus flow list $X/uamp/uamp.model.xml -n 7 -r $requirement --witness --limit 5
    tactus flow cover $X/uamp/uamp.model.xml -n 8 --goal requirements -r $requirement
done
tactus flow list $X/chat/chat.model.xml -n 5 -r $X/chat/conversation.req.xml --limit 5
for template in start-stop visit-in-order avoid; do
    tactus flow require --template $template selectSong playPause back --model $X/uamp/uamp.model.xml; echo "exit $?"
    tactus flow require --template $template selectSong playPaus; echo "exit $?"
done
