# One flow in every format.
tactus flow list $ROOT/examples/chat/chat.model.xml --length 3 --limit 1 --format jsonl -o one.jsonl
for format in maestro webdriver wdio promela; do
    echo "== $format"
    tactus flow export one.jsonl --to $format
done
tactus flow export one.jsonl --to uiautomator | grep -v import
tactus flow export one.jsonl --to maestro -o folder/ && ls folder
tactus model export $ROOT/examples/shop/shop.model.xml --to promela --length 3
