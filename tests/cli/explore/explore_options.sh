# Excluded controls, texts, rules that never match, and what is wrong with wrong options.
P=com.example.tactus.notes:id
cd "$ROOT"
tactus explore --device sim:examples/apps/notes.json --ignore "//node[@resource-id='$P/share']" \
    --ignore "//node[@resource-id='$P/color']" --ignore "//node[@resource-id='$P/account']" \
    --ignore "//node[@resource-id='$P/nothing']" --text "//node[@resource-id='$P/title']=Milk" \
    -o "$OLDPWD/notes.xml"
tactus explore --device sim:examples/apps/notes.json --events click,tap
echo "exit $?"
tactus explore --device sim:examples/apps/notes.json --ignore '//node[' --json
echo "exit $?"
tactus explore --device sim:examples/apps/note.json --json
echo "exit $?"
tactus explore --device phone: --json 2>&1 | sed 's/one of .*, for example/one of ..., for example/'
echo "exit ${PIPESTATUS[0]}"
tactus explore
echo "exit $?"
tactus explore --device sim:examples/apps/notes.json --scenario cafe --network 100,300,300
echo "exit $?"
