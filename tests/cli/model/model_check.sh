# The golden figures, the second example, every error of a broken model with its line, exit codes.
tactus model check "$ROOT/examples/uamp/uamp.model.xml" --json; echo "exit $?"
tactus model check "$ROOT/examples/uamp/uamp.model.xml"; echo "exit $?"
tactus model check "$ROOT/examples/chat/chat.model.xml" --json; echo "exit $?"
tactus model check "$ROOT/tests/data/model/broken.model.xml" 2>&1; echo "exit $?"
tactus model check "$ROOT/tests/data/model/broken.model.xml" --json |
    python3 -c 'import json, sys; d = json.load(sys.stdin); print(len(d["errors"]), len(d["warnings"]), sorted(d))'
tactus model check "$ROOT/tests/data/model/broken.model.xml" --json > /dev/null; echo "exit $?"
