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
