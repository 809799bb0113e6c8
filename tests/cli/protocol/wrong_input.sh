# Wrong use and wrong files: clear messages, exit 2 and 4, nothing half-written.
R="$ROOT/examples/protocol/remover.spec"; T="$ROOT/examples/protocol/buggy.jsonl"
tactus protocol verify "$T"; echo "exit $?"
tactus protocol verify --rules "$R" --certificate c.json --model top "$ROOT/examples/protocol/fixed.jsonl"; echo "exit $?"
tactus protocol verify --rules "$R" --emit-requirement r.xml "$T"; echo "exit $?"
tactus protocol verify --rules missing.spec "$T"; echo "exit $?"
echo 'SPEC TRUE[*]; [CB] [ENTRY] [x] void a.A.on( |- TRUE' > broken.spec
tactus protocol verify --rules broken.spec "$T"; echo "exit $?"
tactus protocol verify --rules "$R" "$R"; echo "exit $?"
printf '\005abcde' | tactus protocol validate --rules "$R" -; echo "exit $?"
printf '\377\377\377\377\377\377\377\377\377\377\001' | tactus protocol validate --rules "$R" -; echo "exit $?"
: | tactus protocol validate --rules "$R" -; echo "exit $?"
echo '{"type":"callin_exit","class":"a.A","method":"void m()"}' | tactus protocol validate --rules "$R" -; echo "exit $?"
echo '{"type":"callback_entri"}' | tactus protocol validate --rules "$R" -; echo "exit $?"
echo '{"type":"callback_entry","class":"a.A","method":"void m()","params":[{"object":1}]' | tactus protocol validate --rules "$R" -; echo "exit $?"
echo '{"type":"callback_entry","class":"a.A","method":"void m()","params":[{"object":"1"}]}' | tactus protocol validate --rules "$R" -; echo "exit $?"
tactus protocol validate --rules "$R" missing.jsonl; echo "exit $?"
tactus protocol check-certificate --rules "$R" "$T" "$ROOT/examples/protocol/fixed.jsonl"; echo "exit $?"
ls
