# A misspelt SPEC is tokens that belong to no rule: perhaps a rule, so nothing is proved without it; what is found stays.
T="$ROOT/examples/protocol/buggy.jsonl"; F="$ROOT/examples/protocol/fixed.jsonl"; R="$ROOT/examples/protocol/remover.spec"
EXECUTE='[CI] [ENTRY] [t] android.os.AsyncTask android.os.AsyncTask.execute(# : java.lang.Object[])'
CREATE='[CB] [ENTRY] [a] void android.app.Activity.onCreate(# : android.os.Bundle)'
printf '%s\n' "SPEC TRUE[*]; $CREATE |- $CREATE;" "SPCE TRUE[*]; $EXECUTE |- $EXECUTE" > misspelt.spec
tactus protocol verify --rules misspelt.spec "$T" 2>&1; echo "exit $?"
tactus protocol verify --json --rules misspelt.spec "$T" 2> /dev/null | grep -oE '"(verdict|left_out)":"[^"]*"|"warnings":\[[^]]*\]'
tactus protocol validate --rules misspelt.spec "$T" 2> /dev/null; echo "exit $?"
tactus protocol validate --json --rules misspelt.spec "$T" 2> /dev/null | grep -oE '"(result|left_out)":"[^"]*"'
echo "# no certificate is written, and none is accepted"
tactus protocol verify --rules misspelt.spec --certificate left.cert "$T" > /dev/null 2>&1; echo "exit $?"; ls *.cert 2> /dev/null
tactus protocol verify --rules "$R" --certificate whole.cert "$F" > /dev/null; echo "exit $?"
{ cat "$R"; echo '; SPCE TRUE[*]'; } > more.spec
tactus protocol check-certificate --rules more.spec whole.cert "$F" 2> /dev/null; echo "exit $?"
echo "# several recordings, two rule sets"
tactus protocol verify --rules misspelt.spec "$T" "$F" 2> /dev/null | head -2
tactus protocol validate --rules misspelt.spec "$T" "$F" 2> /dev/null | head -2
tactus protocol compare misspelt.spec misspelt.spec "$T" 2> /dev/null; echo "exit $?"
echo "# a violation that the other rules find stays one"
tactus protocol verify --rules more.spec "$T" 2> /dev/null | head -1
echo "# a REGEXP that replaces another is told, too"
printf '%s\n' "REGEXP E(t) = [ TRUE[*]; $EXECUTE ];" "SPEC E(t) |- $EXECUTE;" "REGEXP E(t) = [ TRUE[*]; $EXECUTE; $EXECUTE ]" > replaced.spec
tactus protocol validate --rules replaced.spec "$T"; echo "exit $?"
