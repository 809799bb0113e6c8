app=sim:$ROOT/examples/apps/tracker.json
tactus reproduce nothing --device $app
mkdir empty && tactus reproduce empty --device $app
tactus run --device $app --monkey 30 --steps 40 -o bugs >/dev/null
tactus reproduce bugs
tactus reproduce bugs --device $app --cluster "java.lang.NullPointerException at com.example.tactus.tracker.social.Session.tokn"
tactus reproduce bugs --device $app --property cheap
tactus reproduce bugs --device $app --run 4711
tactus reproduce bugs --device $app --tries 2 --failures 3
tactus reproduce bugs --device $app --cluster a --property b
tactus reproduce bugs --device sim:nowhere.json
# another app than the one that the search was begun with
tactus reproduce bugs --device $app -o short --execution-limit 5 >/dev/null
sed 's/"Tracker"/"Other"/' $ROOT/examples/apps/tracker.json > other.json
tactus reproduce bugs --device sim:other.json -o short
# a journal that is damaged in the middle
sed -i '3s/.*/{"try":[99]}/' short/journal.jsonl
tactus reproduce bugs --device $app -o short
# nothing failed
tactus run --device sim:$ROOT/examples/apps/door.json --monkey 3 --steps 5 -o fine >/dev/null
tactus reproduce fine --device sim:$ROOT/examples/apps/door.json
tactus reproduce fine --device sim:$ROOT/examples/apps/door.json --json
