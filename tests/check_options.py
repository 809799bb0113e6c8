#!/usr/bin/env python3
"""Options over all commands, as the descriptors (tactus help --json) tell them.

One name has one meaning, one letter and one kind, and one meaning has one name; limits, memory and
parallel work are called alike everywhere; earlier spellings work and are not shown; help fits into 80
columns; -o says what it is where it is not a file instead of standard output.
"""
import collections
import json
import os
import re
import subprocess
import sys

program = os.environ["TACTUS"]
failures, passed = [], 0


def tactus(*words):
    return subprocess.run([program, *words], capture_output=True, text=True)


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


def commands():
    for command in json.loads(tactus("help", "--json").stdout)["commands"]:
        yield " ".join(filter(None, (command["noun"], command["verb"]))), command


everything = dict(commands())
shown = [(name, option) for name, command in everything.items() for option in command["options"]
         if not option["hidden"]]

# Two lists: the first page has at most a dozen commands in all its groups, the other has every command once.
first_page, whole = (re.findall(r"^  (\S+(?: \S+)?)  ", tactus(*words).stdout, re.M) for words in (["--help"], ["help", "commands"]))
check(0 < len(first_page) <= 12, f"the first page of the help lists {len(first_page)} commands")
check(set(first_page) <= set(everything), f"{set(first_page) - set(everything)} on the first page are no commands")
check(sorted(whole) == sorted(everything), f"'help commands' and the commands differ: {set(whole) ^ set(everything)}")
check({everything[name]["group"] for name in first_page} == {command["group"] for command in everything.values()},
      "a group without a command on the first page")


def one_of_each(key, value, say):
    """Every key goes with a single value."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for name, option in shown:
        if option[key] is not None:
            found[option[key]][option[value]].append(name)
    for word, values in sorted(found.items()):
        if word == "witness":  # of flows a flag, of replay a file: both are published so
            continue
        check(len(values) == 1, f"{say} '{word}': " +
              "; ".join(f"{what!r} in {', '.join(names)}" for what, names in values.items()))


one_of_each("name", "meaning", "two meanings of")
one_of_each("name", "letter", "two letters of")
one_of_each("name", "kind", "two kinds of")
one_of_each("letter", "name", "two names of the letter")
one_of_each("meaning", "name", "two names of the meaning")

# Words that one of the rules above replaced; they may live on as earlier spellings only.
for name, option in shown:
    word = option["name"]
    check(not word.startswith(("max-", "most")) and word not in ("top", "jobs", "memory-limit"),
          f"{name}: --{word} is an earlier spelling")
    check(option["help"] == option["help"].strip() and option["help"], f"{name}: --{word} has no help")

# Within a command every spelling names one option.
for name, command in everything.items():
    spellings = []
    for option in command["options"]:
        spellings += [option["name"]] + [option["letter"]] * bool(option["letter"])
        spellings += (option["synonyms"] or "").split("|") if option["synonyms"] else []
    check(len(spellings) == len(set(spellings)), f"{name}: a spelling names two options: {sorted(spellings)}")

# Every earlier spelling is understood; it asks for the same as the new one.
for name, command in everything.items():
    for option in command["options"]:
        for old in (option["synonyms"] or "").split("|"):
            if not old:
                continue
            said = tactus(*name.split(), ("-" if len(old) == 1 else "--") + old)
            check("has no option" not in said.stderr, f"{name}: the earlier spelling --{old} is not understood")

for words in [[]] + [name.split() for name in everything] + [[command["noun"]] for command in everything.values()]:
    for line in tactus("help", *words).stdout.split("\n"):
        check(len(line) <= 80, f"help {' '.join(words)}: {len(line)} columns: {line}")

for name in ("run", "report"):
    output = [option["help"] for option in everything[name]["options"] if option["name"] == "output"]
    check(output and "instead of standard output" not in output[0], f"{name}: -o is not described as what it is")

for failure in failures:
    print("FAILED", failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
