# Two rule sets on the running example: a shortest sequence that one admits and the other does not.
E="$ROOT/examples/protocol"
cmp() { tactus protocol compare "$@"; echo "exit $?"; }
cmp "$E/remover.spec" "$E/remover-unsound.spec" "$E/fixed.jsonl"
cmp "$E/remover-unsound.spec" "$E/remover.spec" "$E/fixed.jsonl"
cmp "$E/remover.spec" "$E/remover.spec" "$E/fixed.jsonl" "$E/buggy.jsonl"
cmp "$E/remover-unsound.spec" "$E/remover.spec" "$E/buggy.jsonl" --json | tr -d '\n' | sed 's/  */ /g'; echo
cmp "$E/remover.spec" "$E/missing.spec" "$E/fixed.jsonl"
cmp "$E/remover.spec" "$E/remover.spec"
# A list with a root, and the paper's reading.
printf 'examples/protocol/remover.spec\n' > set.txt
cmp set.txt "$E/remover.spec" "$E/fixed.jsonl" --rules-root "$ROOT" --as-recorded
# What fired the rule that refuses: a call of an earlier event; and of a conflict both rules.
click='[CB] [ENTRY] [l] void android.view.View$OnClickListener.onClick(b : android.view.View)'
listen='[b] void android.view.View.setOnClickListener(l : android.view.View$OnClickListener)'
(cat "$E/remover.spec"; echo "; SPEC TRUE[*]; [CI] [EXIT] $listen |- $click") > late.spec
(cat "$E/remover.spec"; echo "; SPEC TRUE[*]; [CI] [ENTRY] $listen |- $click") > both.spec
for other in late both; do
    cmp "$E/remover.spec" $other.spec "$E/fixed.jsonl" --json | grep -o '"result":.*"only_b"'
done
