#!/usr/bin/env python3
"""check_graphwalker_judge.py: GraphWalker itself on models with guards and actions, both ways.

Its random walks are flows of the imported model (a requirement that asks for exactly these events is met),
and our samples are accepted by it step by step. The program comes from Maven Central and is kept in a cache.
TACTUS_SWEEP=1 takes a thousand of each. Skipped (77) without Java, the corpus, or the program.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request

VERSION = "4.3.2"
URL = f"https://repo1.maven.org/maven2/org/graphwalker/graphwalker-cli/{VERSION}/graphwalker-cli-{VERSION}.jar"
MODELS = ["json_Login.json", "json_UC01.json"]
sweep = bool(os.environ.get("TACTUS_SWEEP"))
here = pathlib.Path(__file__).resolve().parent


def program():
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"), "tactus-tests")
    jar = cache / f"graphwalker-cli-{VERSION}.jar"
    if not jar.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with urllib.request.urlopen(URL, timeout=60) as source, open(f"{jar}.part", "wb") as out:
            shutil.copyfileobj(source, out)
        os.replace(f"{jar}.part", jar)
    return jar


def tactus(*words):
    return subprocess.run([os.environ["TACTUS"], *map(str, words)], capture_output=True, text=True)


def requirement(path, events):
    constraints = "".join(f'<constraint type="simple"><event name="{one}"/></constraint>' for one in events)
    path.write_text('<appUserFlowRequirement xmlns="http://www.morse.uma.es/appuserflowrequirement" name="walk">'
                    f"<sequence>{constraints}</sequence></appUserFlowRequirement>")


def main():
    corpus = pathlib.Path(os.environ.get("TACTUS_CORPUS", "/nowhere"), "graphwalker")
    if not corpus.is_dir() or not shutil.which("java"):
        print("skipped: the public corpus (graphwalker) or Java is not here")
        return 77
    try:
        jar = program()
    except OSError as problem:
        print(f"skipped: GraphWalker cannot be fetched: {problem}")
        return 77
    judge = ["java", "-cp", str(jar), str(here / "GraphWalkerJudge.java")]
    count, failures, walked, accepted = (1000 if sweep else 20) // len(MODELS) + 1, 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="tactus-judge-") as work:
        work = pathlib.Path(work)
        for name in MODELS:
            model = work / "model.xml"
            done = tactus("model", "import", corpus / name, "-o", model)
            assert done.returncode == 0, done.stderr
            walks = subprocess.run([*judge, "walk", str(corpus / name), str(count), "15", "1"], capture_output=True,
                                   text=True, check=True).stdout.splitlines()
            for walk in walks:
                events = walk.split()
                requirement(work / "walk.xml", events)
                done = tactus("flow", "count", model, "--length", len(events), "--require", work / "walk.xml", "--witness")
                walked += done.stdout.startswith("1 witness ")
                if not done.stdout.startswith("1 witness "):
                    print(f"{name}: GraphWalker walked {walk}: {done.stdout}{done.stderr}")
                    failures += 1
            flows = tactus("flow", "sample", model, "--length", "15", "--count", count, "--seed", "5")
            assert flows.returncode == 0 and len(flows.stdout.splitlines()) == count, flows.stderr
            done = subprocess.run([*judge, "judge", str(corpus / name)], input=flows.stdout, capture_output=True, text=True)
            print(f"{name}: {len(walks)} walks; {done.stdout.strip()}{done.stderr.strip()[-500:]}")
            accepted += count if done.returncode == 0 else 0
            failures += done.returncode != 0
            if name == MODELS[0]:  # the judge refuses what is not open
                wrong = flows.stdout.splitlines()[0].split()
                wrong = " ".join(wrong[:1] + wrong[:1] + wrong[1:])
                refused = subprocess.run([*judge, "judge", str(corpus / name)], input=wrong + "\n", capture_output=True, text=True)
                failures += refused.returncode != 1
    print(f"{walked} walks of GraphWalker are flows, {accepted} samples are accepted by it")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
