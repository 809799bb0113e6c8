# What every command on models says of each example: texts, drawings, formats of others and back, differences.
exec 2>&1
digest() { sed "s|$ROOT|ROOT|g" | cksum; }
X=$ROOT/examples
models="$X/shop/shop.model.xml $X/guards/login.model.xml $X/chat/chat.model.xml $X/uamp/uamp.model.xml $X/apps/player.model.xml
    $X/apps/quiz.model.xml $ROOT/tests/data/flow/cart.model.xml $ROOT/tests/data/model/broken.model.xml"
for model in $models; do
    name=$(basename "$model" .model.xml)
    echo "== $name"
    tactus model check "$model"; echo "exit $?"
    tactus model check --json "$model"
    tactus model draw "$model" --collapse
    for format in dot graphwalker xml promela; do
        tactus model export "$model" --to $format -o $name.$format; echo "$format: exit $?, $(digest < $name.$format)"
    done
    tactus model import $name.graphwalker -o $name.back.xml --verbose && tactus model diff "$model" $name.back.xml --verbose
done
cat shop.dot login.dot chat.graphwalker cart.promela login.xml
tactus model draw $X/uamp/uamp.model.xml --focus Home
tactus model draw $X/chat/chat.model.xml --all-states | digest
echo '== two models'
sed 's/Cart/Basket/; /Checkout/d' $X/shop/shop.model.xml > other.xml
tactus model diff $X/shop/shop.model.xml other.xml --verbose; echo "exit $?"
tactus model diff $X/shop/shop.model.xml $X/guards/login.model.xml --json; echo "exit $?"
tactus model diff $X/uamp/uamp.model.xml $X/apps/player.model.xml --verbose; echo "exit $?"
for match in names events; do
    for common in 1 2; do
        tactus model merge $X/uamp/uamp.model.xml $X/apps/player.model.xml --match $match --common $common --verbose; echo "exit $?"
    done
done
printf 'change: *Next *Prev\nplay: play* # all\n' > some.classes
tactus model abstract $X/uamp/uamp.model.xml --classes some.classes --verbose; echo "exit $?"
