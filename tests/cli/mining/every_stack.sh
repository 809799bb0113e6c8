# The stacks of tests/fuzz/corpus, whole and with each line left out: by what their runs are clustered.
exec 2>&1
python3 - "$ROOT"/tests/fuzz/corpus/stack/* > stacks.jsonl <<'END'
import json, pathlib, sys
for path in map(pathlib.Path, sys.argv[1:]):
    lines = path.read_text("utf-8", "replace").split("\n")
    for i in range(-1, len(lines)):
        stack = "\n".join(lines if i < 0 else lines[:i] + lines[i + 1:])
        print(json.dumps({"name": f"{path.name}-{i + 1}", "verdict": "crash", "stack": stack, "events": ["s1", "tap", "s2"]}))
for i in range(60):
    print(json.dumps({"name": f"fine-{i}", "verdict": "pass", "events": ["s1", "back", "s2"]}))
END
tactus mine stacks.jsonl --limit 1 --support 0.5
tactus mine stacks.jsonl --limit 1 --package org.acme,a,Cart --framework 'shop::' | grep -i cluster
tactus mine stacks.jsonl --limit 1 --merge --json
tactus mine stacks.jsonl --limit 1 --no-identifier-rules --rename 'constant:[0-9]+=N' | grep -i cluster
echo '== whose frames the app is: by its process'
python3 - > processes.jsonl <<'END'
import json
processes = ["org.acme.shop", "org.acme", "org.acme.shop.debug:remote", "io.github.alice.shop", "com.github.alice", "com.gitlab.bob.cart.ui",
             "shop", "com.google.shop", "io.github.alice.shop:worker", "de.test.a.b.c"]
frames = ["android.os.Handler.run(Handler.java:1)", "io.github.carol.lib.Net.get(Net.java:2)", "com.github.dan.Ui.draw(Ui.java:3)", "com.gitlab.eve.X.y(X.java:4)",
          "org.other.Lib.go(Lib.java:5)", "io.github.alice.Base.c(Base.java:6)", "org.acme.core.Base.b(Base.java:7)", "com.google.shop.A.a(A.java:8)", "de.test.a.K.k(K.java:9)"]
for n, process in enumerate(processes):
    for turn in range(len(frames)):
        lines = [f"FATAL EXCEPTION: main\nProcess: {process}, PID: 12\njava.lang.Error: x"] + [f"\tat {frame}" for frame in frames[turn:] + frames[:turn]]
        print(json.dumps({"name": f"{n}-{turn}", "verdict": "crash", "stack": "\n".join(lines), "events": ["s1", f"tap{n}", "s2"]}))
for i in range(30):
    print(json.dumps({"name": f"p{i}", "verdict": "pass", "events": ["s1", "back", "s2"]}))
END
tactus mine processes.jsonl --limit 1 | grep -A1 '^cluster'
