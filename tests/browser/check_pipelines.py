#!/usr/bin/env python3
"""The commands of the example pipelines and of `tactus init --for web`, run as they stand.

The script lines of examples/pipelines/*.yml, without those that install, are run in a copy of the folder: on a page that
is well, on one with a violation that the baseline has, and on one with a violation that it has not. Only the last may
stop the pipeline. Skipped where chromium or chromedriver is absent.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.append("/usr/lib/python3/dist-packages")
import pipeline_files  # noqa: E402

if not all(map(shutil.which, ("chromium", "chromedriver"))):
    print("skipped: no chromium or no chromedriver")
    sys.exit(77)
try:
    import yaml
except ImportError:
    print("skipped: no python3-yaml")
    sys.exit(77)
ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or HERE.parent.parent)
TACTUS = os.path.abspath(os.environ["TACTUS"])
passed, failed = 0, 0


def check(what, condition, more=""):
    global passed, failed
    passed += bool(condition)
    failed += not condition
    if not condition:
        print("FAILED", what, more)


def github():
    """The steps with commands, by name; the one that installs is not run."""
    document = yaml.safe_load((ROOT / "examples/pipelines/github.yml").read_text())
    steps = {step["name"]: step["run"] for step in document["jobs"]["gate"]["steps"] if "run" in step}
    check("GitHub: steps", list(steps) == ["Install", "Serve and run", "Gate", "Keep the baseline"], list(steps))
    return steps


def gitlab():
    document = yaml.safe_load((ROOT / "examples/pipelines/gitlab.yml").read_text())
    return "\n".join(document["gate"]["script"])


def shell(text, folder, **more):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    path = f"{folder}/bin:{os.environ['PATH']}"
    return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text.replace("8000", port).replace("--runs 5", "--runs 2")], cwd=folder, text=True,
                          capture_output=True, timeout=500, env=dict(os.environ, PATH=path, **more))


def break_page(folder, what, by):
    page = pathlib.Path(folder, "page.html")
    text = page.read_text()
    check("the page can be broken", what in text)
    page.write_text(text.replace(what, by))


def workshop(folder):
    for name in ("page.html", "app.actions", "app.props"):
        shutil.copy(ROOT / "examples/pipelines" / name, folder)
    os.mkdir(f"{folder}/bin")
    os.symlink(TACTUS, f"{folder}/bin/tactus")


def files(what, folder, bad):
    errors, found, _ = pipeline_files.junit_errors(pathlib.Path(folder, "tactus.xml").read_text())
    check(f"{what}: JUnit", not errors and (found > 0) == bad, f"{found} {errors}")
    errors, results = pipeline_files.sarif_errors(pathlib.Path(folder, "tactus.sarif").read_text(), folder)
    check(f"{what}: SARIF", not errors, errors)


def check_github(folder):
    steps = github()
    summary = {"GITHUB_STEP_SUMMARY": f"{folder}/summary.md"}

    def once(what, code, bad, anew=True):
        if anew:
            shutil.rmtree(f"{folder}/now", ignore_errors=True)
            done = shell(steps["Serve and run"], folder)
            check(f"{what}: run", done.returncode == 0, done.stdout + done.stderr)
        done = shell(steps["Gate"], folder, **summary)
        check(f"{what}: gate", done.returncode == code, f"{done.returncode}: {done.stdout} {done.stderr}")
        files(what, folder, bad)
        return done

    break_page(folder, "list.replaceChildren(); show();", "list.firstChild?.remove(); show();")
    once("GitHub, a violation without a baseline", 1, True)
    check("GitHub: kept", shell(steps["Keep the baseline"], folder).returncode == 0)
    once("GitHub, a violation that is known", 0, True, anew=False)
    break_page(folder, "textContent = list.children.length", "textContent = Math.min(2, list.children.length)")
    done = once("GitHub, another violation", 1, True)
    check("GitHub: said", "new: counted" in done.stderr and "new: clears" not in done.stderr and
          "::error file=app.props,line=4" in done.stderr, done.stderr)
    check("GitHub: summary", "counted" in pathlib.Path(folder, "summary.md").read_text())


def check_gitlab(folder):
    branch = {"CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}
    done = shell(gitlab(), folder, **branch)
    check("GitLab, all well", done.returncode == 0, done.stdout + done.stderr)
    check("GitLab: kept", os.path.isdir(f"{folder}/baseline"))
    files("GitLab", folder, False)
    shutil.rmtree(f"{folder}/now")
    break_page(folder, "textContent = list.children.length", "textContent = Math.min(2, list.children.length)")
    done = shell(gitlab(), folder, CI_COMMIT_BRANCH="topic", CI_DEFAULT_BRANCH="main")
    check("GitLab, a violation", done.returncode == 1 and "new: counted" in done.stderr, done.stdout + done.stderr)


def check_init(folder):
    done = subprocess.run([TACTUS, "init", f"{folder}/shop", "--for", "web", "--json"], capture_output=True, text=True)
    commands = "\n".join(json.loads(done.stdout)["commands"])
    os.mkdir(f"{folder}/shop/bin")
    os.symlink(TACTUS, f"{folder}/shop/bin/tactus")
    done = shell(commands, f"{folder}/shop")
    check("init: a verdict", done.returncode == 0 and len(re.findall("holds in all 3 runs", done.stdout)) == 4,
          done.stdout + done.stderr)


def in_a_room(check_one):
    with tempfile.TemporaryDirectory(prefix="tactus-pipelines-") as room:
        if check_one is not check_init:
            workshop(room)
        check_one(room)


with concurrent.futures.ThreadPoolExecutor() as pool:
    list(pool.map(in_a_room, (check_init, check_github, check_gitlab)))
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed))
