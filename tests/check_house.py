#!/usr/bin/env python3
"""House rules that a reader would otherwise have to hold by hand.

- library messages name no command-line option: the command adds the advice;
- words that stopped readers do not come back into messages, help and documents;
- no mutable global but those that ARCHITECTURE.md names;
- an analysis that includes the devices' header, folders that include each other in a circle, and a
  prototype that hides it make tests/check_layers.py fail;
- commands ask tac_exit_code for their exit code, stand in commands.def and have a golden test;
- no regular expressions but those of base/data/pattern.h, no goto;
- files that comments name are there.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent)
build = pathlib.Path(os.environ.get("TACTUS") or root / "build/tactus").resolve().parent
failures, passed = [], 0

GLOBALS = {"oom_handler", "manager", "open_temporaries", "interrupted", "heard", "hearing", "terminal", "raw_output",
           "raw_error"}
WORDS = [r"(?<!here )\bis no (?!longer|more|other|such|better|worse|faster|way|need|reason|protection|error)", r"\bknows no\b",
         r"\bknown are\b", r"\bso long after\b", r"\bat most so many\b", r"\bno \w+ is called\b",
         r"\bwants [A-Z]+ after it\b", r"\bas W3C says\b", r"\bwhichever it is\b", r"\bas it falls\b"]

FILES_OF_OTHERS = {"utg.js", "pan.c", "ResourceTypes.h", "jvmti.h", "file.js", "app.js"}


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


def literals(text):
    """(line, text) of the string literals of C; comments and characters are skipped."""
    for found in re.finditer(r'/\*.*?\*/|//[^\n]*|\'(?:\\.|[^\'\\])+\'|"((?:\\.|[^"\\])*)"', text, re.S):
        if found.group(1) is not None:
            yield text.count("\n", 0, found.start()) + 1, found.group(1)


def sources(*patterns):
    for pattern in patterns:
        for path in sorted(root.glob(pattern)):
            yield path, str(path.relative_to(root)), path.read_text()


def descriptors():
    """The names of all options, earlier spellings too, as the program tells them."""
    told = subprocess.run([build / "tactus", "help", "--json"], capture_output=True, text=True, check=True).stdout
    return {"json", "help", "quiet", "verbose"} | {
        name for command in json.loads(told)["commands"] for option in command["options"]
        for name in [option["name"], *re.findall(r"[-a-z0-9]+", option["synonyms"] or "")]}


def names_option(text, options):
    """Other programs' switches (adb's, Chromium's) are not ours; "--port=" is how those take values."""
    return (any(name in options for name in re.findall(r"(?<![-\w!<])--([a-z][-a-z0-9]*)(?![-a-z0-9=])", text)) or
            re.search(r"\btactus( [a-z]+)* -[a-z]\b", text) is not None)


def check_option_names():
    options = descriptors()
    check(len(options) > 80, "the descriptors do not tell their options")
    for text in ("go on with --resume", "the folder that 'tactus run -o' wrote", "--limit", "%s (--depth N)"):
        check(names_option(text, options), f"'{text}' does not count as an option")
    for text in ("--headless", "another tactus is writing", "cmd package resolve-activity --brief %s"):
        check(not names_option(text, options), f"'{text}' counts as an option")
    for path, name, text in sources("src/**/*.c", "src/**/*.h", "src/**/*.def"):
        if not name.startswith("src/cli/"):
            for line, literal in literals(text):
                check(not names_option(literal, options), f"{name}:{line}: the library names an option: {literal}")


def check_words():
    for path, name, text in sources("src/**/*.c", "src/**/*.h"):
        for line, literal in literals(text):
            if any(re.search(word, literal) for word in WORDS):
                yield f"{name}:{line}: {literal}"
    for path, name, text in sources("docs/*.md", "README.md"):
        for number, line in enumerate(text.split("\n"), 1):
            if any(re.search(word, line) for word in WORDS):
                yield f"{name}:{number}: {line}"


def check_globals():
    objects = sorted(build.glob("src/libtactus-whole.a.p/*.o")) + sorted(build.glob("tactus.p/*.o"))
    if not objects or "asan" in build.name or "coverage" in build.name:
        return
    table = subprocess.run(["objdump", "-t", *map(str, objects)], capture_output=True, text=True).stdout
    for line in table.split("\n"):
        words = line.split()
        if " O " in line and len(words) >= 6 and words[-3] in (".bss", ".data", ".tbss", ".tdata"):
            name = words[-1].split(".")[0]
            check(name in GLOBALS, f"the mutable global '{words[-1]}' ({words[-3]})")


def check_layers_can_fail():
    with tempfile.TemporaryDirectory(prefix="tactus-layers-") as copy:
        for folder in ("src", "include"):
            shutil.copytree(root / folder, pathlib.Path(copy) / folder)
        env = dict(os.environ, TACTUS_SOURCE_ROOT=copy)

        def layers():
            return subprocess.run([sys.executable, root / "tests/check_layers.py"], env=env, capture_output=True,
                                  text=True)
        check(layers().returncode == 0, "the layers do not hold in a copy of the tree")
        for place in ("src/property/check/files.c", "src/rules/engine/lean.c", "src/mining/mine.c",
                      "src/protocol/verify/verify.c", "src/flow/count.c", "include/tactus/property.h"):
            path = pathlib.Path(copy) / place
            before = path.read_text()
            path.write_text(before.replace("#include", '#include "device/device.h"\n#include', 1))
            done = layers()
            check(done.returncode == 1 and "device/device.h" in done.stdout, f"{place} may include device/device.h")
            path.write_text(before)
        for place, old, new, said in (
                ("src/LAYERS", "\nfindings: base", "\nfindings: base model", "take it out"),
                ("src/LAYERS", "\n  bdd: . data", "\n  bdd: . data io", "has no line above"),
                ("src/LAYERS", "\nmodel: base\n", "\nmodel: base flow\n", "has no line above"),
                ("src/LAYERS", "\n  engine: ", "\n  motor: ", "has no line in src/LAYERS"),
                ("src/flow/flow.h", "#include", '#include "flow/describe.h"\n#include', "which is the module's own"),
                # a circle between siblings, of modules and of folders in a module
                ("src/property/language/ast.h", "#include", '#include "property/plan/plan.h"\n#include',
                 "property/language may not include property/plan/plan.h"),
                ("src/model/read.c", "#include", '#include "flow/describe.h"\n#include',
                 "model may not include flow/describe.h"),
                # the same hidden behind a prototype
                ("src/rules/engine/engine.h", "tac_status", "double rules_repair_worth(void);\ntac_status", None),
                ("src/rules/repair/rank.c", "static", "double rules_repair_worth(void)\n{\n    return 0;\n}\nstatic",
                 "rules_repair_worth is declared in another folder"),
                ("src/rules/engine/lean.c", "static", "double rules_repair_worth(void);\nstatic",
                 "declares rules_repair_worth")):
            path = pathlib.Path(copy) / place
            before = path.read_text()
            path.write_text(before.replace(old, new, 1))
            check(said is None or said in layers().stdout, f"{place}: '{said}' is not said")
            if said:
                path.write_text(before)
        stray = pathlib.Path(copy) / "src/notes"
        stray.write_text("")
        check("src/notes" in layers().stdout, "a file that lies in src/ itself is not seen")


# Golden tests have no device, no database and no browser: these are tested by the suite live.
COMMANDS_OF_LIVE_TESTS = {"phone", "store remove", "trace record", "web serve"}


def check_commands():
    listed = set(re.findall(r"COMMAND\((\w+)\)", (root / "src/cli/commands.def").read_text()))
    files = {path.stem.removeprefix("cmd_") for path in (root / "src/cli").glob("cmd_*.c")}
    check(listed == files, f"src/cli/commands.def and the files of commands differ: {sorted(listed ^ files)}")
    golden = "\n".join(text for _, _, text in sources("tests/cli/*/*.sh"))
    for name in sorted(files):
        text = (root / f"src/cli/cmd_{name}.c").read_text()
        words = " ".join(re.findall(r'\.(?:noun|verb) = "([^"]+)"', text))
        check(words in COMMANDS_OF_LIVE_TESTS or f"tactus {words}" in golden, f"no golden test runs 'tactus {words}'")
    for path, name, text in sources("src/cli/*.c"):
        for line, code in enumerate(text.split("\n"), 1):
            check(not re.search(r"\b(code|exit_code) = .*\? *[0-9] *: *[0-9]", code) and
                  not re.search(r"return [^;]*\? *[0-4] *: *[0-4];", code) and not re.search(r"return [1-4];", code),
                  f"{name}:{line}: an exit code that tac_exit_code did not decide: {code.strip()}")
    for path, name, text in sources("src/**/*.c"):
        check("regcomp(" not in text, f"{name}: regular expressions are base/data/pattern.h's")
    for path, name, text in sources("src/**/*.h"):
        check(re.search(r"^#pragma once$", text, re.M), f"{name}: a private header begins with #pragma once")


def check_named_files():
    """A comment that sends its reader to 'walk.c' or 'space/setup.c' has such a file in the tree."""
    ends = set()
    for path in (path for folder in ("src", "include", "tests", "bench") for path in (root / folder).rglob("*.*")):
        parts = path.relative_to(root).parts
        ends.update("/".join(parts[i:]) for i in range(len(parts)))
    named = lambda text: re.findall(r"(?<![\w<\"./*-])([A-Za-z_][\w/]*\.(?:c|h|js))(?![\w(*]|\.\w)", text)  # noqa: E731
    check(named("see a.h, b/c.c. And d.js") == ["a.h", "b/c.c", "d.js"], "files in comments are not seen")
    for path, name, text in sources("src/**/*.[ch]", "include/**/*.h", "src/**/*.js"):
        for comment in re.finditer(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", text, re.S):
            for file in named(comment.group()):
                line = text.count("\n", 0, comment.start()) + 1
                check(file in ends or file in FILES_OF_OTHERS, f"{name}:{line}: a comment names {file}, which is not there")


if sys.argv[1:] != ["commands"]:
    check_option_names()
    check_named_files()
    for place in check_words():
        failures.append(f"words that stop readers: {place}")
    check_globals()
    check_layers_can_fail()
check_commands()
for failure in failures:
    print("FAILED", failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
