#!/usr/bin/env python3
"""Flows exported to Playwright, run by Playwright itself on Debian's chromium: what holds passes, each expectation that is
wrong by one word fails, each step that Playwright has nothing for fails with its reason, and on an empty page every flow fails.

@playwright/test is installed once into the cache (XDG_CACHE_HOME); skipped where npm, node or chromium is absent, or the
registry cannot be reached.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import browser_testing
from browser_testing import Server, check, run

PAGE = """<!doctype html><meta charset=utf-8><title>Shop</title><h1>Shop</h1>
<button onclick="told.textContent = 'Milk was added'; count.textContent = 1">Add milk</button>
<button onclick="told.textContent = 'Nothing'" style="display:none">Add milk</button>
<label>Name <input id=name onkeydown="if (event.key === 'Enter') told.textContent = 'Hello ' + value"></label>
<span data-testid=cart onclick="told.textContent = 'The cart is open'">cart</span>
<div aria-label="Help me" tabindex=0 onclick="told.textContent = 'Help is here'">?</div>
<ul><li onclick="told.textContent = 'first'">a <b>1</b></li><li onclick="told.textContent = 'second'">b <b>2</b></li></ul>
<select id=size onchange="told.textContent = 'size ' + value"><option>small<option>large</select>
<p id=told>Welcome</p><p>Items: <span id=count>0</span></p>"""
ADD = {"kind": "click", "xpath": "//node[@role='button'][@name='Add milk']"}
TYPE = {"kind": "text", "xpath": "//node[@role='textbox'][@name='Name']", "value": "Ada\\n"}
ENTER = 'text(css:"#told") == "Hello Ada"'
FLOWS = [ # name, actions, what must hold then, whether the flow passes
    ("role and name", [ADD], ['text(css:"#told") == "Milk was added" and number(css:"#count") >= 1'], True),
    ("a word less", [ADD], ['text(css:"#told") == "Milk was"'], False),
    ("a word more", [ADD], ['text(css:"#told") == "Milk was not added"'], False),
    ("not that text", [ADD], ['text(css:"#told") != "Milk was added"'], False),
    ("a piece", [ADD], ['contains(text(css:"#told"), "was added")'], True),
    ("another piece", [ADD], ['contains(text(css:"#told"), "were added")'], False),
    ("text and Enter", [TYPE], [ENTER, 'value(css:"#name") == "Ada"'], True),
    ("another value", [TYPE], ['value(css:"#name") == "Eve"'], False),
    ("test id", [{"kind": "click", "xpath": "//node[@data-testid='cart']"}], ['text(css:"#told") == "The cart is open"'], True),
    ("label", [{"kind": "click", "xpath": "//node[@content-desc='Help me']"}], ['text(css:"#told") == "Help is here"'], True),
    ("own text", [{"kind": "click", "xpath": "//node[@text='b']"}], ['text(css:"#told") == "second"'], True),
    ("place", [{"kind": "click", "xpath": "(//node[@class='web.li'])[1]"}], ['text(css:"#told") == "first"'], True),
    ("option", [{"kind": "click", "xpath": "//node[@role='option'][@name='large']"}], ['text(css:"#told") == "size large"'], True),
    ("css", [{"kind": "click", "xpath": "css[2]:li"}], ['count(css:"li") == 2 and visible(css:"h1")'], True),
    ("another count", [ADD], ['count(css:"li") == 3'], False),
    ("not visible", [ADD], ['not visible(css:"h1")'], False),
    ("or", [ADD], ['text(css:"#told") == "Milk" or count(css:"li") > 1'], True),
    ("or none", [ADD], ['text(css:"#told") == "Milk" or count(css:"li") > 2'], False),
    ("several fit", [{"kind": "click", "xpath": "//node[@class='web.li']"}], [], False),
    ("pinch", [{"kind": "pinch", "xpath": "//node[@role='button'][@name='Add milk']"}], [], False),
    ("shown", [ADD], [], True),
]


def playwright():
    """The folder that @playwright/test is installed in; installs it."""
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tactus-tests/playwright"
    if not (home / "node_modules/@playwright/test").exists():
        home.mkdir(parents=True, exist_ok=True)
        try:
            done = subprocess.run(["npm", "install", "@playwright/test@1", "--no-audit", "--no-fund", "--silent", "--prefix", str(home)],
                                  capture_output=True, timeout=300, env={**os.environ, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"})
            failed = done.returncode
        except subprocess.TimeoutExpired:
            failed = True
        if failed:
            shutil.rmtree(home, ignore_errors=True)
            print("skipped: npm cannot install @playwright/test here")
            sys.exit(77)
    return home


def write_flows(path):
    with open(path, "w") as out:
        for _, actions, expect, _ in FLOWS:
            step = {"event": "go", "device": "d", "kind": "user", "actions": actions, "states": ["A/index.html/M/b"], "expect": expect,
                    "shows": ["//node[@role='button'][@name='Add milk']"]}
            print(json.dumps({"kind": "exit", "model": "m", "steps": [step], "start": [
                {"device": "d", "application": "A", "package": "127.0.0.1", "states": ["A/index.html/M/a"]}]}), file=out)


def results(home, folder):
    """Title -> (whether it passed, the message) of the spec file in the folder."""
    (folder / "playwright.config.js").write_text(
        "module.exports = { workers: 2, timeout: 90000, expect: { timeout: 4000 }, reporter: [['json', { outputFile: 'told.json' }]], use: { actionTimeout: 4000,"
        " launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] } } }\n")
    if not (folder / "node_modules").exists():
        (folder / "node_modules").symlink_to(home / "node_modules")
    done = subprocess.run(["node", "node_modules/@playwright/test/cli.js", "test"], cwd=folder, capture_output=True, text=True, timeout=900)
    check((folder / "told.json").exists(), f"playwright: {done.stdout[-800:]}{done.stderr[-800:]}")
    told = {}
    for suite in json.loads((folder / "told.json").read_text())["suites"]:
        for spec in suite["specs"]:
            error = spec["tests"][0]["results"][-1].get("error") or {}
            told[spec["title"]] = (spec["ok"], error.get("message", ""))
    return told


def test(work):
    for program in ("npm", "node", "/usr/bin/chromium"):
        if not shutil.which(program):
            print(f"skipped: {program} is not installed")
            sys.exit(77)
    home, folder = playwright(), pathlib.Path(work) / "flows"
    pages = pathlib.Path(work) / "pages"
    for name, text in (("", PAGE), ("empty", "<!doctype html><title>Empty</title>")):
        (pages / name).mkdir(parents=True)
        (pages / name / "index.html").write_text(text)
    folder.mkdir()
    server = Server(pages)
    write_flows(f"{work}/flows.jsonl")
    done = run("flow", "export", f"{work}/flows.jsonl", "--to", "playwright", "--url", f"{server.url}/index.html", "-o", f"{folder}/shop.spec.js")
    check(done.returncode == 0, f"export: {done.stderr}")
    check(done.stderr.startswith("flow 20, step 1 'go': pinch on //node[@role='button'][@name='Add milk'] cannot be expressed in Playwright\n1 step"),
          f"listed: {done.stderr}")
    told = results(home, folder)
    for number, (name, _, _, passes) in enumerate(FLOWS, 1):
        passed, message = told.get(f"flow {number} (exit)", (None, ""))
        check(passed is passes, f"{name}: {'passed' if passed else message[:400]}")
        check(name != "pinch" or "not expressible in Playwright: pinch" in message, f"{name}: {message}")
    run("flow", "export", f"{work}/flows.jsonl", "--to", "playwright", "--url", f"{server.url}/empty/index.html", "-o", f"{folder}/shop.spec.js")
    for title, (passed, _) in results(home, folder).items():
        check(not passed, f"{title} passes on an empty page")
    server.stop()


if __name__ == "__main__":
    browser_testing.main(test)
