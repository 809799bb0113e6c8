# Obfuscated stacks cluster by the names of the mapping file: two methods with one short name are two clusters.
cat > mapping.txt <<'END'
# compiler: R8
org.app.Player -> a.b:
    int volume -> c
    1:4:void play(java.lang.String):40:43 -> a
    5:9:void stop():50:54 -> a
org.app.Store -> a.c:
    void load() -> b
END
python3 - <<'END'
import json

frames = ["\tat a.b.a(SourceFile:3)", "\tat a.b.a(SourceFile:6)", "\tat a.c.b(Unknown Source)", "\tat a.b.a(SourceFile:2)"]
inputs = ["play", "stop", "load", "play"]
with open("runs.jsonl", "w") as out:
    for i in range(32):
        run = {"verdict": "pass", "events": [{"input": "open"}, {"input": "idle"}, {"input": "close"}]}
        if i % 2:
            kind = i // 2 % 4
            run = {"verdict": "crash", "exception": "java.lang.IllegalStateException",
                   "stack": [frames[kind], "\tat android.os.Handler.dispatchMessage(Handler.java:106)"],
                   "events": [{"input": "open"}, {"input": inputs[kind]}]}
        out.write(json.dumps(run) + "\n")
END
echo "--- without"
tactus mine runs.jsonl --json | python3 -c 'import json,sys; print([(c["name"], c["runs"]) for c in json.load(sys.stdin)["clusters"]])'
echo "--- with"
tactus mine runs.jsonl --mapping mapping.txt --json | python3 -c 'import json,sys; print([(c["name"], c["runs"]) for c in json.load(sys.stdin)["clusters"]])'
printf 'org.app.Player -> a.b:\n    broken line\n' > bad.txt
tactus mine runs.jsonl --mapping bad.txt; echo "exit $?"
tactus mine runs.jsonl --mapping missing.txt; echo "exit $?"
