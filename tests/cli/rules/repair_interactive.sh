# Choosing repairs one after another; the rules are written when the fault is gone.
cp $ROOT/examples/rules/phoneadapter.rules phone.rules
printf 'x\n1\n' | tactus rules repair phone.rules --fault cycle --most 2 --interactive -o done.rules; echo "exit $?"
grep ActivateMeeting: done.rules
tactus rules repair phone.rules --fault cycle --most 1 --interactive < /dev/null > /dev/null 2>&1; echo "exit $?"
tactus rules repair $ROOT/examples/rules/phoneadapter.rules --fault cycle --interactive --json < /dev/null; echo "exit $?"
