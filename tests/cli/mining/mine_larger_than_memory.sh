# Runs beyond --memory are kept in a temporary file; what is found is the same.
python3 -c "
import random
random.seed(5)
for r in range(1100):
    states = [f's{random.randrange(6)}' for _ in range(301)]
    inputs = [f'e{random.randrange(8)}' for _ in range(300)]
    bad = [i for i in range(299) if inputs[i:i + 2] == ['e1', 'e2'] and states[i:i + 2] == ['s3', 's2']]
    n = bad[0] + 2 if bad else 300
    print(int(bool(bad)), *[w for pair in zip(states[:n], inputs[:n]) for w in pair])" > many.runs
tactus mine many.runs --depth 2 --json > memory.json; echo "exit $?"
tactus mine many.runs --depth 2 --json --memory 1 > file.json; echo "exit $?"
cmp memory.json file.json && echo same
python3 -c "
import json
d = json.load(open('file.json'))
print(d['passing'], d['failing'], d['clusters'][0]['patterns'][0]['blocks'])"
TMPDIR=/nonexistent tactus mine many.runs --depth 2 --memory 1; echo "exit $?"
