# Text and JSON Lines, limits, witnesses, several devices, several files.
M=$ROOT/examples/uamp/uamp.model.xml
tactus flow list $M --length 3
tactus flow list $M --length 6 --require $ROOT/examples/uamp/uamp.req3.xml --witness --limit 4
tactus flow list $M --length 10 --limit 0
tactus flow list $ROOT/examples/chat/chat.model.xml --length 3 --limit 1 --format jsonl
tactus flow list $ROOT/examples/chat/chat.model.xml --length 2
tactus flow list $M $ROOT/examples/shop/shop.model.xml --length 2 --limit 5
tactus flow list $M --length 2 -o flows.txt && cat flows.txt
