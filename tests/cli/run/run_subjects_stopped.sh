# A campaign over subjects that is stopped, at several moments and in several ways: its rows count the runs that are kept,
# in the text, in JSON, in matrix.json and in the report; the same call goes on, and nothing is done twice or lost.
cat > app.json <<'J'
{"tactus-app": 1, "name": "Count", "code": "count", "package": "org.example.count", "main": "Main", "variables": {"n": 0},
 "activities": {"Main": {"screens": {"only": {"widgets": [{"id": "n", "text": "{n}"},
   {"class": "Button", "id": "more", "text": "More", "click": [{"set": {"n": "n + 1"}}]}]}}}}}
J
B=org.example.count:id
cat > a.actions <<X1
action more: do click //node[@resource-id='$B/more']
action edit: do click //node[@resource-id='$B/edit']
X1
cat > a.props <<X1
observe n = number(//node[@resource-id='$B/n'])
property small: always (n <= 5)
X1
cat > watch.py <<'P'
import json, os, sqlite3, subprocess, sys, time
def rows(folder, subject):
    """The ids of the runs that the subject's index has."""
    path = f"{folder}/{subject}/index.sqlite"
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20) as index:
            return [row[0] for row in index.execute("select id from run order by id")]
    except sqlite3.OperationalError:
        return []
def figures(table):
    return {row["subject"]: (row["runs"], row["missing"], row["complete"]) for row in table["subjects"]}
def kept(folder):
    return {s: (len(rows(folder, s)), 250 - len(rows(folder, s)), len(rows(folder, s)) == 250) for s in "abc"}
def report(folder):
    done = subprocess.run(["tactus", "report", folder, "--json"], capture_output=True)
    return figures(json.loads(done.stdout))
command, folder, how, subject, least = sys.argv[1].split(), sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5])
before = {s: {(i, os.stat(f"{folder}/{s}/traces/{i:06d}.jsonl").st_mtime_ns) for i in rows(folder, s)} for s in "abc"}
process = subprocess.Popen(command + ["-o", folder] + ["--json"] * (how != "TEXT"), stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True)
least += len(before[subject])  # of this call
while len(rows(folder, subject)) < least and process.poll() is None:
    time.sleep(0.005)
process.send_signal({"INT": 2, "TEXT": 2, "TERM": 15, "KILL": 9}[how])
out = process.communicate()[0]
after = {s: {(i, os.stat(f"{folder}/{s}/traces/{i:06d}.jsonl").st_mtime_ns) for i in rows(folder, s)} for s in "abc"}
print(how, "stopped in the middle:", process.returncode != 0 and least <= len(after[subject]) and sum(len(after[s]) for s in "abc") < 750,
      "- nothing done twice or lost:", all(before[s] <= after[s] for s in "abc"))
told = kept(folder)
if how == "TEXT":
    for s, (runs, missing, complete) in told.items():
        if runs:
            print(f"  {s}:", complete or f"not complete, {missing} of 250 runs are missing:" in out, f"; {runs} runs, " in out)
elif how != "KILL":
    print("  JSON counts what is kept:", figures(json.loads(out)) == told)
if how != "KILL":
    print("  matrix.json counts what is kept:", figures(json.load(open(f"{folder}/matrix.json"))) == told)
print("  the report counts what is kept:", report(folder) == told)
P
run="tactus run --subject a=sim:app.json --subject b=sim:app.json --subject c=sim:app.json --actions a.actions -p a.props --runs 250 --steps 8 --deadline 1"
python3 watch.py "$run" many INT a 20
python3 watch.py "$run --parallel 2" many KILL b 15
python3 watch.py "$run" many TEXT a 15
python3 watch.py "$run --parallel 3" many TERM c 10
# To its end: the same as without a stop, and once more there is nothing left to do.
$run -o many > many.txt; echo "exit $?"
$run -o whole > whole.txt; echo "exit $?"
diff many.txt whole.txt && echo "the same words"
sed 's/"many"/"whole"/' many/matrix.json | diff - whole/matrix.json && echo "the same table"
head -4 whole.txt
$run -o many | diff - many.txt && echo "nothing left to do"
