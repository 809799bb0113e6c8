# What is said of dumps and logs of phones, and of copies that are a bit wrong (tests/vary.py).
exec 2>&1
C=$ROOT/tests/fuzz/corpus
for file in $C/android_*/* $C/facts/* $C/trace_*/*; do
    $FIGURES "$file" > said 2>&1; code=$?
    [ $code = 4 ] && grep -q 'not of a known kind' said || { cat said; echo "exit $code"; }
done
for kind in activities amstart anr gfxinfo media meminfo netstats ps qtaguid tombstone batterystats bugreport capture chrome firefox \
    har perfetto safari systrace logcat stack; do
    $FIGURES --as $kind $C/android_dump/seed; echo "exit $?"
done
vary() { python3 $ROOT/tests/vary.py "$@"; }
for file in $C/android_frames/{android_12,crlf} $C/android_{meminfo/block_without_a_total,network/seed,activities/seed}; do
    vary --lines --words --every 5 $file $FIGURES {}
done
for file in $C/android_crash/{native,seed,traces} $ROOT/examples/traces/battery.txt; do
    vary --lines --words --every 9 $file $FIGURES {}
done
for file in $C/facts/{batterystats,chrome,har,systrace-text,systrace-html}*; do vary --lines --words --every 17 $file $FIGURES {}; done
for file in $C/facts/{pcap,perfetto}*; do vary --bytes --every 29 $file $FIGURES {}; done
