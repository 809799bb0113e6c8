# Wake locks of a public Android log: matched by their id, 6 of 22 pairs exceed a second; without
# ids one sees 1 of 18.
log="${TACTUS_CORPUS:-/nonexistent}/android-2k/Android_2k.log"
if [ ! -f "$log" ]; then
    echo "the public corpus is not here"
    exit 77
fi
cat > wake.props <<'END'
property released for each lock: forall [acquire, release] duration <= 1 s
property in_time for each lock: always (acquire -> eventually[<= 1 s] release)
property without_ids: forall [acquire, release] duration <= 1 s
END
ln -s "$log" log.txt
tactus check -p wake.props log.txt --pattern '(acquire|release)[ :]lock=(\d+)=event,lock' \
    --intervals intervals.csv; echo "exit $?"
grep -c released intervals.csv
