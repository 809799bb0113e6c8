# Which device plays which part: wrong bindings are refused with the names that are meant.
chat=$ROOT/examples/chat
app=sim:$ROOT/examples/apps/chat.json
tactus flow list $chat/chat.model.xml --length 2 --limit 1 --format jsonl -o flows.jsonl
try() { tactus run --flows flows.jsonl -o runs "$@"; echo "exit $?"; }
try
try --device $app
try --device alice=$app
try --device alice=$app --device alice=$app
try --device alice=$app --device bop=$app
try --device alice=$app --device $app
try --device alice=$app --device bob=$app#Hom
try --device alice=$app --device bob=$app#Home --scenario alice=ideal
echo "-- left out, with a serial number in the model"
ANDROID_ADB_SERVER_PORT=usb tactus run --flows flows.jsonl --model $chat/chat.model.xml -o runs --device alice=$app; echo "exit $?"
echo "-- random runs have no parts"
tactus run --device alice=$app --monkey 3 -o runs; echo "exit $?"
ls runs 2>/dev/null
