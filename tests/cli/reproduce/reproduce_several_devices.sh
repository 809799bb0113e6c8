# Flows that two phones play together: a violated property over both is reduced to what the sender did, and a
# message that does not come keeps its sending, because waiting for what nobody sent would fail as well.
cd $ROOT # scenarios and apps are named in the campaigns
out=$OLDPWD
two="--device alice=sim:examples/apps/chat.json --device bob=sim:examples/apps/chat.json#Home"
tunnel="--scenario alice=ideal,bob=examples/chat/tunnel.json"
tactus flow list examples/chat/chat.model.xml --length 8 --require examples/chat/conversation.req.xml --witness --format jsonl -o $out/flows.jsonl
tactus run $two --flows $out/flows.jsonl -p examples/chat/chat.props $tunnel --deadline 40 -o $out/chat | tail -1
tactus reproduce $out/chat $two -o $out/short | head -3; cat $out/short/property-delivered/steps.txt
tactus run $two --flows $out/flows.jsonl $tunnel -o $out/late | head -1
tactus reproduce $out/late $two -o $out/late-short | head -3
