# What crashes are one by; one defect of two browsers is one; verdicts that look exchanged.
python3 - <<'END'
import json
stacks = {"chromium": "TypeError: Cannot read properties of null (reading 'id')\n    at Board.remove (http://h/assets/board-3fa9c1d2.js:6:21)\n    at open (http://h/assets/board-3fa9c1d2.js:9:2)",
          "firefox": "remove@http://h/board.js:6:16\nopen@http://h/board.js:9:2",
          "other": "remove@http://h/board.js:6:16\nshow@http://h/board.js:19:2"}
with open("runs.jsonl", "w") as out:
    for i in range(30):
        run = {"verdict": "pass", "events": [{"input": "open"}, {"input": "close"}]}
        if i % 2:
            engine = list(stacks)[i // 2 % 3]
            run = {"verdict": "crash", "exception": "TypeError", "stack": stacks[engine].replace("\\\n", "\n"),
                   "message": f"card {i} is null" if engine == "firefox" else "no card", "events": [{"input": "open"}, {"input": "remove"}]}
        out.write(json.dumps(run) + "\n")
    run = {"verdict": "pass", "exception": "E", "events": [{"input": "open"}]}
END
for by in frame stack message; do
    echo "== $by"; tactus mine runs.jsonl --cluster-by $by | grep ^cluster
done
tactus mine runs.jsonl --cluster-by line; echo "exit $?"
echo "== exchanged"; sed 's/"pass"/"x"/; s/"crash"/"pass"/; s/"x"/"fail"/' runs.jsonl > exchanged.jsonl
tactus mine exchanged.jsonl | head -2; tactus mine exchanged.jsonl --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["exchanged"])'
