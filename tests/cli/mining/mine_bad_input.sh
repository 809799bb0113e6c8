# Errors name file, line, column and what to do.
printf '0 s1\n? s1 e1\n' > unlabelled.runs
tactus mine unlabelled.runs; echo "exit $?"
{ printf '0 s1 e1\n1 s1 '; head -c 1048576 /dev/zero | tr '\0' x; echo; } > big.runs
tactus mine big.runs; echo "exit $?"
echo '{"verdict":"perhaps","events":[]}' > word.jsonl
tactus mine word.jsonl; echo "exit $?"
echo '{"verdict":"pass","events":[7]}' > event.jsonl
tactus mine event.jsonl; echo "exit $?"
tactus mine nowhere.runs; echo "exit $?"
tactus mine $ROOT/examples/mining/player.runs --support 1.5; echo "exit $?"
tactus mine $ROOT/examples/mining/player.runs --cluster nobody; echo "exit $?"
tactus mine $ROOT/examples/mining/player.runs --templates g7; echo "exit $?"
tactus mine $ROOT/examples/mining/player.runs --train; echo "exit $?"
tactus mine $ROOT/examples/mining/player.runs --emit-requirements out; echo "exit $?"
tactus mine $ROOT/examples/mining/player.runs --all --pattern-limit 10; echo "exit $?"
