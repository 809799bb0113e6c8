# One class only: nothing can be told apart, exit 3; with --json still one document.
printf '0 s1 e1 s2\n0 s1\n' > pass.runs
printf '1 s1 e1 s2\n' > fail.runs
: > none.runs
tactus mine pass.runs; echo "exit $?"
tactus mine fail.runs; echo "exit $?"
tactus mine none.runs; echo "exit $?"
tactus mine pass.runs --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["verdicts"][0]["explanation"])'
tactus mine pass.runs --train -o model.json; echo "exit $?"
ls model.json 2>&1
