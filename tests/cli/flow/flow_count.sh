# Golden counts, kinds, witnesses, and folded flows.
M=$ROOT/examples/uamp/uamp.model.xml R=$ROOT/examples/uamp
for length in 4 6 8 10; do tactus flow count $M --length $length --json; done
tactus flow count $M --length 10 --kind exit --json
for i in 1 2 3; do
    tactus flow count $M --length 10 --require $R/uamp.req$i.xml --json
    tactus flow count $M --length 10 --require $R/uamp.req$i.xml --witness --json
done
tactus flow count $M --length 50 --json
tactus flow count $M --length 10
tactus flow count $M --length 10 --distinct --require $R/uamp.req2.xml
tactus flow count $M --length 2 --require $R/uamp.req2.xml
# What the counting took; the time is the machine's.
tactus flow count $M --length 10 --statistics | grep -v time
tactus flow count $M --length 10 --require $R/uamp.req3.xml --witness --statistics --json | sed 's/"seconds":[^}]*/"seconds":T/'
# Several devices: orders that a requirement tells apart are different flows.
C=$ROOT/examples/chat/chat.model.xml
tactus flow require --template visit-in-order event:dismiss event:scrollChats -o chat.xml
tactus flow count $C --length 6 --json
tactus flow count $C --length 9 --require chat.xml --json
tactus flow count $C --length 9 --require chat.xml --interleavings all --json
tactus flow list $C --length 9 --require chat.xml --witness --limit 1
tactus flow cover $C --length 9 --require chat.xml --goal states
