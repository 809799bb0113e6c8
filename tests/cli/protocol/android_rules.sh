# The rule library: no mistakes that lint knows, and the right answer on the paper's running example.
work="$PWD"; cd "$ROOT"
tactus protocol lint rules/android/*.spec; echo "exit $?"
for app in buggy fixed; do
    tactus protocol validate --rules-list rules/android.txt examples/protocol/$app.jsonl | head -1
    tactus protocol verify --rules-list rules/android.txt examples/protocol/$app.jsonl | head -1
done
# Each property has a list of its own, which names files that exist; all of them together are the library.
for list in rules/android/lists/*.txt; do
    sed "s|^|rules/android/|" "$list" | xargs ls > /dev/null || echo "$list names a missing file"
done
sed "s|^|rules/android/|" rules/android/lists/*.txt | sort -u > "$work/listed.txt"
sort rules/android.txt | diff - "$work/listed.txt" && ls rules/android/*.spec | sort | diff - "$work/listed.txt" && echo "lists agree"
