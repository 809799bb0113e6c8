# The report on PhoneAdapter as printed, in words.
cd $ROOT; tactus rules check examples/rules/phoneadapter.rules; echo "exit $?"
