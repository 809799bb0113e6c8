#!/usr/bin/env python3
"""Hostile strings through the commands: names, texts and file names with escape sequences, C1
controls, bidirectional controls, line separators and stray bytes.

Text output has no byte below 0x20 but newline and tab, no C1, no bidirectional control and no line
separator; a model, an app, rules and properties that define such a name are refused and say which
character it is; flows that carry such names through are exported so that node, javac, a YAML parser
and spin read as many statements as with harmless names."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent)
TACTUS = os.environ["TACTUS"]
HOSTILE = ["\x1b]0;owned\x07", "\x1b[2J", "\x9b31m", "a\u2028globalThis.owned=1//", "b\u2029c",
           "\u202egnp.exe", "\u2066x\u2069", "\u200f", "\u061c", "\x85next", "\r\nInjected: 1",
           "\\u000a}}class Owned{static{int x=0;", "*/ owned(); /*", "'); owned(); ('", "`${owned}`",
           "\"); owned(); //", "# x\n- owned", "</script><script>owned()</script>", "\x7f", "\\",
           "%s%n", "${jndi:x}", "\ufeff", "a\tb", "x\nEVIL::error::a", "x\r\nEVIL", "\nEVIL##[error]b", "::error::EVIL",
           "##[error]EVIL", "##vso[task.complete]EVIL", "##teamcity[EVIL]"]
BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
# A line of somebody else's, or a command of a build server.
FOREIGN = re.compile(r"^\s*(EVIL|::\w+|##\[|##vso\[|##teamcity\[)", re.M)
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print(f"FAILED {ascii(what)[:600]}")


def tactus(*words, codes=(0, 1, 2, 3, 4), cwd=None):
    """Runs a command and looks at everything that it prints."""
    done = subprocess.run([TACTUS, *map(str, words)], capture_output=True, timeout=120, cwd=cwd)
    for name, data in (("stdout", done.stdout), ("stderr", done.stderr)):
        try:
            found = BAD.search(data.decode("utf-8"))
        except UnicodeDecodeError:
            found = True
        check(not found, f"{words}: raw {found} in {name}: {data[:300]}")
        ours = "--annotations" in words and name == "stderr" or "csv" in words # what is asked for
        foreign = None if ours else FOREIGN.search(data.decode("utf-8", "replace"))
        check(not foreign, f"{words}: a foreign line in {name}: {foreign}")
    check(done.returncode in codes, f"{words}: exit {done.returncode}: {done.stderr[-300:]}")
    return done.returncode, done.stdout.decode("utf-8", "replace"), \
        done.stderr.decode("utf-8", "replace")


def xml(text):
    return "".join(f"&#{ord(c)};" if ord(c) > 0x7e or c in "<>&\"'\t\r\n" else c for c in text)


MODEL = """<interactionModel xmlns="urn:tactus:interaction-model:1" name="m">
<device name="d"><application name="a" external="true"><activity name="A" external="true">
<stateMachine name="M" external="true"><initial to="S0"/>
<state name="S0"/><state name="S1"/><final name="F"/>
<transition from="S0" event="%s" to="S1" kind="user"><action kind="click" text="%s"/></transition>
<transition from="S1" event="end" to="F" kind="user"/>
</stateMachine></activity></application></device></interactionModel>
"""


def carried(scratch, path, text):
    """A text that a model only carries, in every file that is made of the model."""
    check(tactus("model", "check", path)[0] == 0, f"a model that carries {text!r} is refused")
    out = scratch / "carried"
    for words in (("export", "--to", "graphwalker"), ("export", "--to", "promela"),
                  ("export", "--to", "dot"), ("export", "--to", "xml"), ("draw",)):
        code, _, errors = tactus("model", words[0], path, *words[1:], "-o", out)
        check(code == 0, f"model {words} of a model that carries {text!r}: exit {code}: {errors}")
        written = out.read_bytes().decode("utf-8")
        check(not BAD.search(written), f"model {words}: raw {BAD.search(written)} in the file")


def definitions(scratch):
    for number, text in enumerate(HOSTILE):
        if any(ord(c) < 0x20 and c not in "\t\r\n" for c in text):
            continue  # XML cannot hold them
        hidden = bool(BAD.search(text)) or any(c in text for c in "\t\n")
        path = scratch / f"m{number}.xml"
        path.write_text(MODEL % (xml(text), xml(text)))
        code, _, errors = tactus("model", "check", path)
        why = "U+" if hidden else "attribute 'event'" if " " in text else ""
        check(code == (4 if why else 0) and why in errors,
              f"a model defines the event {text!r}: exit {code}: {errors}")
        path.write_text(MODEL % ("go", xml(text)))
        carried(scratch, path, text)
    for number, text in enumerate(HOSTILE):
        app = json.loads((ROOT / "examples/apps/notes.json").read_text())
        app["name"] = text
        path = scratch / f"a{number}.json"
        path.write_text(json.dumps(app))
        code, _, errors = tactus("explore", "--device", f"sim:{path}", "--depth", 1, "-o",
                                 scratch / "x.xml")
        if BAD.search(text) or any(c in text for c in "\t\n"):
            check(code == 4 and "U+" in errors, f"an app is called {text!r}: {code} {errors}")
        props = scratch / f"p{number}.props"
        props.write_text(f"property p: always `{text}` == 1\n")
        tactus("check", props, scratch / "t.jsonl")
        rules = scratch / f"r{number}.rules"
        rules.write_text(f"state {text}\n", errors="surrogateescape")
        tactus("rules", "check", rules)


def passing_through(scratch):
    """Values, symbols, messages and file names that are only shown."""
    states = "".join(json.dumps({"t": i, "event": text, "x": i}) + "\n"
                     for i, text in enumerate(HOSTILE))
    header = {"tactus": "trace", "version": 1,
              "variables": {"event": {"kind": "discrete"}, "x": {"kind": "continuous"}},
              "meta": {"app": HOSTILE[0], "message": HOSTILE[5]}, "ends": True}
    (scratch / "t.jsonl").write_text(json.dumps(header) + "\n" + states)
    (scratch / "p.props").write_text("property p: always x < 3\n")
    for words in (("trace", "show", "t.jsonl"), ("trace", "show", "t.jsonl", "--json"),
                  ("trace", "stat", "t.jsonl"), ("trace", "stat", "t.jsonl", "--json"),
                  ("trace", "import", "t.jsonl"), ("trace", "import", "t.jsonl", "--to", "csv"),
                  ("check", "p.props", "t.jsonl"), ("check", "p.props", "t.jsonl", "--json"),
                  ("mine", "t.jsonl", "t.jsonl"), ("trace", "plot", "t.jsonl", "--variable", "x")):
        tactus(*words, cwd=scratch)
    for number, text in enumerate(HOSTILE):
        if "/" in text or "\0" in text:
            continue
        for words in (("model", "check"), ("flow", "list"), ("check",), ("rules", "check"),
                      ("protocol", "verify"), ("trace", "show"), ("report",), ("store", "verify"),
                      ("run",), ("explore", "--device"), ("screen", "--device"), (text,),
                      ("flow", text), ("flow", "list", f"--{text}"), ("help", text)):
            tactus(*words, "./" + text + ".none", cwd=scratch)
    bad = scratch / "\x1b[31m.csv"
    bad.write_bytes(b"t,a\n0,\xff\x9b\n1,\x1b]0;x\x07\n")
    tactus("trace", "show", bad)


def campaigns(scratch):
    """A device whose screens, logs and crashes say such things."""
    app = json.loads((ROOT / "examples/apps/tracker.json").read_text())
    text = json.dumps(app)
    for n, hostile in enumerate(HOSTILE[:6] + [text for text in HOSTILE if "EVIL" in text]):
        loud = json.loads(text)

        def replace(value):
            if isinstance(value, dict):
                return {k: hostile + v if k in ("text", "message", "log") and isinstance(v, str)
                        and "{" not in v else replace(v) for k, v in value.items()}
            return [replace(v) for v in value] if isinstance(value, list) else value
        path = scratch / f"loud{n}.json"
        path.write_text(json.dumps(replace(loud)))
        folder = scratch / f"runs{n}"
        tactus("run", "--device", f"sim:{path}", "--monkey", 6, "--steps", 8, "-o", folder)
        tactus("screen", "--device", f"sim:{path}")
        code, _, _ = tactus("explore", "--device", f"sim:{path}", "--depth", 2, "--event-limit", 60,
                            "-o", scratch / "loud.xml")
        if code in (0, 1, 3):
            check(tactus("model", "check", scratch / "loud.xml")[0] != 4,
                  f"the model of an app that shows {hostile!r} cannot be read")
        if (folder / "index.sqlite").exists():
            tactus("report", folder, "-o", scratch / "r.html")
            tactus("store", "verify", folder)


def values_of(text):
    """Keys of JSON or YAML whose values are texts."""
    return sorted(set(re.findall(r'"(\w+)": *"', text)) | set(re.findall(r"^ *-? *(\w+): +[^\s{\[&!|>]", text, re.M)))


def with_foreign_line(text, key):
    """The text with a line break in each value of the key."""
    text = re.sub(rf'("{key}": *"(?:[^"\\]|\\.)*)"', r'\1\\nEVIL::error::x"', text)
    return re.sub(rf"^( *-? *{key}: +)([^\s{{\[&!|>'\"#][^#\n]*)$", r'\1"\2\\nEVIL::error::x"', text, flags=re.M)


def every_value(scratch):
    """Inputs of every kind, each of whose values in turn has a line break: no line begins with what comes after it."""
    examples = ROOT / "examples"
    spec = examples / "protocol/remover.spec"
    automations = scratch / "automations.yaml"
    automations.write_text((examples / "home/automations.yaml").read_text())
    inputs = [
        (examples / "protocol/buggy.jsonl", [("protocol", "validate", "--rules", spec), ("protocol", "verify", "--rules", spec),
                                             ("protocol", "show"), ("protocol", "lint", "--recording", None, spec)]),
        (automations, [("automation", "check", "--possible", "--verbose"), ("automation", "show")]),
        (examples / "apps/player.json", [("screen", "--device", "sim:%s"), ("run", "--monkey", 2, "--steps", 4, "--device", "sim:%s",
                                                                            "-o", scratch / "values")]),
        (examples / "mining/player.model.json", [("predict", None, examples / "mining/player.runs")]),
    ]
    for path, commands in inputs:
        text = path.read_text()
        place = scratch / f"value{path.suffix}"
        for key in values_of(text):
            place.write_text(with_foreign_line(text, key))
            for words in commands:
                shutil.rmtree(scratch / "values", ignore_errors=True)
                named = [str(place) if word is None else str(word).replace("%s", str(place)) for word in words]
                tactus(*named, *([] if None in words or any("%s" in str(word) for word in words) else [place]))


def files_for_a_person(scratch):
    """What crashes say, in every text file that a campaign and the search for its causes leave."""
    text = (ROOT / "examples/apps/tracker.json").read_text()
    said, count = re.subn(r'"message": *"', lambda found: found.group() + json.dumps(
        "\u2066x\u2069\x9b31m\u2028y\r\nproperty owned: always false\x1b[2J")[1:-1], text)
    check(count > 2, "no message of the app was changed")
    folder = scratch / "said"
    folder.mkdir()
    (folder / "app.json").write_text(said)
    device = ("--device", "sim:app.json")
    code, _, _ = tactus("run", *device, "--monkey", 40, "--steps", 50, "-o", "runs", "--summary", "summary.md",
                        "--junit", "junit.xml", "--sarif", "found.sarif", "--annotations", cwd=folder)
    check(code == 1, f"no run crashed: exit {code}")
    code, _, errors = tactus("reproduce", "runs", *device, "--replays", 1, "-o", "short", cwd=folder)
    check(code == 1, f"nothing was reproduced: exit {code}: {errors}")
    kinds = set()
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix not in (".sqlite", ".lock", ".png"):
            kinds.add(path.suffix)
            written = path.read_bytes().decode("utf-8")
            check(not BAD.search(written), f"raw {BAD.search(written)} in {path}")
            if path.name == "catch.props":
                check(len(re.findall("^property", written, re.M)) == 1, f"{path}: {written}")
    check({".md", ".xml", ".sarif", ".log", ".txt", ".props", ".yaml", ".java"} <= kinds, f"only {kinds}")


def flow_file(path, names):
    with open(path, "w") as file:
        for name in names:
            step = {"device": "d", "event": name, "kind": "user",
                    "states": [f"a/A/M/{name}"], "time": 1,
                    "actions": [{"kind": "click", "text": name},
                                {"kind": "text", "text": name, "value": name}]}
            file.write(json.dumps({"model": "m", "kind": "exit", "start": [
                {"device": "d", "package": name, "states": ["a/A/M/S0"]}], "steps": [step]}) + "\n")


def statements(kind, path):
    """How many statements the language's own reader finds; None where it is not installed."""
    if kind in ("wdio",):
        script = ("const fs=require('fs');let n=0;const f=new Proxy(function(){},{get:()=>f,apply:"
                  "()=>f});let its=0,steps=0;globalThis.describe=(t,b)=>b();globalThis.it=(t,b)=>"
                  "{its++;steps+=b.toString().split('\\n').length};globalThis.owned=()=>{throw new "
                  "Error('owned')};new Function(fs.readFileSync(process.argv[1],'utf8'))();"
                  "console.log(its, steps)")
        if not shutil.which("node"):
            return None
        done = subprocess.run(["node", "-e", script, path], capture_output=True, text=True)
        return done.stdout or done.stderr
    if kind == "maestro":
        try:
            import yaml
        except ImportError:
            return None
        return [len(d) if isinstance(d, list) else sorted(d) for d in
                yaml.safe_load_all(path.read_text()) if d]
    if kind == "uiautomator":
        if not shutil.which("javac"):
            return None
        text = re.sub(r"public class \w+", "class Flows", path.read_text())
        java = path.with_name("Flows.java")
        java.write_text(text)
        done = subprocess.run(["javac", "-proc:none", "-encoding", "UTF-8", "-Xmaxerrs", "100000",
                               "-d", path.parent, java], capture_output=True, text=True)
        kinds = re.findall(r"error: (.*)", done.stderr)
        wrong = [k for k in kinds if not re.search(r"does not exist|cannot find symbol", k)]
        return len(kinds), wrong
    if kind == "promela":
        if not shutil.which("spin"):
            return None
        done = subprocess.run(["spin", "-a", path.name], capture_output=True, text=True,
                              cwd=path.parent)
        return done.returncode, len(re.findall("Error", done.stdout + done.stderr))
    return None


def exports(scratch):
    flow_file(scratch / "calm.jsonl", [f"name{i}" for i in range(len(HOSTILE))])
    flow_file(scratch / "hostile.jsonl", HOSTILE)
    for kind, suffix in (("wdio", "js"), ("maestro", "yaml"), ("uiautomator", "java"),
                         ("promela", "pml"), ("webdriver", "json")):
        found = []
        for name in ("calm", "hostile"):
            folder = scratch / f"{kind}-{name}"
            folder.mkdir()
            path = folder / f"flows.{suffix}"
            code, out, errors = tactus("flow", "export", scratch / f"{name}.jsonl", "--to", kind)
            check(code in (0, 3), f"export to {kind}: exit {code}: {errors}")
            path.write_text(out)
            check(not BAD.search(out), f"export to {kind}: raw {BAD.search(out)}")
            found.append(statements(kind, path))
        check(found[0] == found[1], f"{kind} reads {found[1]} instead of {found[0]}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        passing_through(scratch)
        definitions(scratch)
        every_value(scratch)
        campaigns(scratch)
        files_for_a_person(scratch)
        exports(scratch)
    print(f"{len(HOSTILE)} hostile strings, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
