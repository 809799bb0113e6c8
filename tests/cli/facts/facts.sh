# What a file is and the figures it holds; several files; a file of no known kind.
cd $ROOT/examples/traces
tactus facts battery.txt
tactus facts battery.txt --json
printf 'nothing\n' > "$OLDPWD/odd.txt"
cd "$OLDPWD"
tactus facts odd.txt $ROOT/examples/traces/battery.txt; echo "exit $?"
tactus facts odd.txt --json; echo "exit $?"
tactus facts odd.txt --kind nothing; echo "exit $?"
