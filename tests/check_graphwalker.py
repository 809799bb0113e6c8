#!/usr/bin/env python3
"""check_graphwalker.py: flows of guarded GraphWalker models, walked again by an own evaluator.

Every model of the corpus that can be imported is covered, listed and sampled; node walks each flow over
the original file, with the guards and actions evaluated as JavaScript. Known optima are compared.
Skipped (77) where the corpus or node is absent.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SETS = [["json_UC01.json"], ["json_petClinic.json"], ["json_Login.json"], ["json_example.json"],
        ["graphml_reqtags_ShoppingCart.graphml"], ["graphml_shared_state_Login.graphml"],
        ["graphml_shared_state_Login.graphml", "graphml_shared_state_Crash.graphml"],
        ["graphml_SharedA.graphml", "graphml_SharedB.graphml"]]
OPTIMA = {"json_UC01.json": 17, "json_petClinic.json": 26}
REFUSED = {"graphml_Guards.graphml": "isEthernetConnected"}


def tactus(*words):
    return subprocess.run([os.environ["TACTUS"], *map(str, words)], capture_output=True, text=True)


def main():
    corpus = pathlib.Path(os.environ.get("TACTUS_CORPUS", "/nowhere"), "graphwalker")
    if not corpus.is_dir() or not shutil.which("node"):
        print("skipped: the public corpus (graphwalker) or node is not here")
        return 77
    walker = pathlib.Path(__file__).with_name("graphwalker_walker.js")
    failures = 0
    for name, word in REFUSED.items():
        done = tactus("model", "import", corpus / name)
        if done.returncode != 4 or word not in done.stderr:
            print(f"{name} is not refused by name: {done.stderr}")
            failures += 1
    with tempfile.TemporaryDirectory(prefix="tactus-walker-") as work:
        work = pathlib.Path(work)
        for names in SETS:
            files = [corpus / name for name in names]
            model, flows = work / "model.xml", work / "flows.jsonl"
            done = tactus("model", "import", *files, "-o", model)
            assert done.returncode == 0, done.stderr
            suite = json.loads(tactus("flow", "cover", model, "--goal", "edges", "--json").stdout)
            if suite["covered"] != suite["total"] or suite["events"] != OPTIMA.get(names[0], suite["events"]):
                print(f"{names}: {suite['covered']} of {suite['total']} edges, {suite['events']} events")
                failures += 1
            text = ""
            for words in (["cover", "--goal", "edges"], ["cover", "--goal", "pairs"], ["list", "--length", "6"],
                          ["sample", "--length", "40", "--count", "50"]):
                done = tactus("flow", words[0], model, *words[1:], "--format", "jsonl")
                assert done.returncode == 0, done.stderr
                text += done.stdout
            flows.write_text(text)
            done = subprocess.run(["node", walker, flows, *files], capture_output=True, text=True)
            print(f"{' + '.join(names)}: {done.stdout.strip()}{done.stderr.strip()[-300:]}")
            failures += done.returncode != 0
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
