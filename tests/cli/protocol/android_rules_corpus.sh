# The rule library on the public recordings: all are admitted, and the verdict of each published
# problem beside the published one (columns: recording, property, published, ours, witness events).
# Every proof is written as a certificate and accepted by the independent checker.
corpus="${TACTUS_CORPUS:-/nonexistent}/lifestate"
if [ ! -f "$corpus/reference.tsv" ]; then
    echo "skipped: the public recordings are not here (TACTUS_CORPUS)"
    exit 77
fi
work="$PWD"
cd "$ROOT/rules"
for trace in "$corpus"/traces/*.xz; do
    tactus protocol validate --rules-list android.txt --rules-root .. "$trace" | sed -n "1s|^.*/||p"
done
awk -F '\t' '$3 == "lifestate" { print $1, $2, $9 }' "$corpus/reference.tsv" |
while read -r trace property published; do
    tactus protocol verify --rules-list android/lists/$property.txt --json \
        --certificate "$work/proof.cert" "$corpus/traces/$trace.xz" > "$work/verdict.json"
    ours=$(grep -o '"verdict": *"[A-Z]*"' "$work/verdict.json" | head -1 | cut -d '"' -f 4)
    events=$(grep -o '"witness_events": *[0-9]*' "$work/verdict.json" | grep -o '[0-9]*$' | head -1)
    if [ "$ours" = SAFE ]; then
        tactus protocol check-certificate --rules-list android/lists/$property.txt \
            "$work/proof.cert" "$corpus/traces/$trace.xz" > /dev/null && events="certificate accepted"
    fi
    echo "$trace $property $published $ours ${events:--}"
done
