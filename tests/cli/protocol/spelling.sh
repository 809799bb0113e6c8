# A typo in a rule: validate and lint name its line and the name that was meant.
E="$ROOT/examples/protocol"
sed 's/setEnabled(FALSE/setEnable(FALSE/' "$E/remover.spec" > typo.spec
tactus protocol validate --rules typo.spec "$E/fixed.jsonl"; echo "exit $?"
tactus protocol lint typo.spec --recording "$E/fixed.jsonl"; echo "exit $?"
tactus protocol lint typo.spec; echo "exit $?"
cat > alias.spec <<'END'
SPEC FALSE[*] |- [CB] [ENTRY] [a] void android.app.Activity.onStart()
    ALIASES android.app.Activty.onStart = [android.app.ListActivity.onStart];
SPEC FALSE[*] |- [CB] [ENTRY] [t] int android.os.AsyncTask.onPostExecute(# : java.lang.Object)
END
tactus protocol lint alias.spec --recording "$E/fixed.jsonl"; echo "exit $?"
# What readers tolerate, and say.
head -c -30 "$E/fixed.jsonl" > cut.jsonl
tactus protocol verify --rules "$E/remover.spec" cut.jsonl; echo "exit $?"
tactus protocol verify --rules "$E/remover.spec" cut.jsonl --json | grep -o '"truncated":[a-z]*'
{ printf '\357\273\277'; sed 's/$/\r/; s/"class"/"clas": 1, &/' "$E/fixed.jsonl"; } > windows.jsonl
{ printf '\357\273\277'; sed 's/$/\r/' "$E/remover.spec"; } > windows.spec
tactus protocol verify --rules windows.spec windows.jsonl; echo "exit $?"
sed '2s/"params": \[[^]]*\]/"params": []/' "$E/fixed.jsonl" > short.jsonl
tactus protocol verify --rules "$E/remover.spec" short.jsonl; echo "exit $?"
