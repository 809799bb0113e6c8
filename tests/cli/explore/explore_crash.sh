# The explorer meets planted bugs: exit 1, the crash in words and in the JSON document.
cd "$ROOT"
tactus explore --device sim:examples/apps/tracker.json -o "$OLDPWD/tracker.xml"
echo "exit $?"
grep -c 'state name="Crash' "$OLDPWD/tracker.xml"
