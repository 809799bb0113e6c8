# What can be said about record, replay and hunt without a browser.
try() { echo "\$ $*"; "$@"; echo "exit $?"; } 2>&1
{
try tactus protocol record -o r.jsonl
try tactus protocol record --device sim:"$ROOT"/examples/apps/player.json -o r.jsonl
try tactus protocol record --device chromium:page.html
try tactus protocol record --device chromium:page.html --monkey 2 --script s -o r.jsonl
try tactus protocol record --device chromium:page.html --budget 0 -o r.jsonl
try tactus protocol record --device chromium:page.html -o r.jsonl -- java -jar app.jar
try tactus protocol record --device chromium:page.html --rules none.spec -o r.jsonl
try tactus protocol replay --device chromium:page.html r.jsonl
tactus protocol verify --rules "$ROOT"/examples/protocol/remover.spec "$ROOT"/examples/protocol/fixed.jsonl --json > safe.json
try tactus protocol replay --device chromium:page.html --witness safe.json "$ROOT"/examples/protocol/fixed.jsonl
try tactus protocol hunt --device chromium:page.html
} 2>&1
