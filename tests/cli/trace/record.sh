# Usage of trace record; what it does with a JVM is tests/jvm/check_jvm.py's.
$TACTUS trace record -o t.jsonl -- java X
echo "exit $?"
$TACTUS trace record --methods 'A.b' --json -- java X
echo "exit $?"
$TACTUS trace record --methods 'A.b' -o t.jsonl
echo "exit $?"
