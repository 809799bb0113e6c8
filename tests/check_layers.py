#!/usr/bin/env python3
"""Fails when an #include under src/ or include/ breaks a line of src/LAYERS, when a line permits what
nothing uses, and when a file lies in src/ itself.

A public header tactus/NAME.h belongs to the folder NAME, or to the folder that a line
"tactus/NAME.h: FOLDER" of src/LAYERS gives it; who may not include the folder may not include it.
"""
import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent)
MOST_FILES = 30  # of one folder, src/cli aside

allowed, owner = {}, {}
for line in (root / "src/LAYERS").read_text().splitlines():
    if line and not line.startswith("#"):
        name, words = line.split(":")
        if name.startswith("tactus/"):
            owner[name] = words.strip()
        else:
            allowed[name] = {name, *words.split()}

used = {folder: {folder} for folder in allowed}
failures = []


def includes(source):
    for number, line in enumerate(source.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
        if found:
            yield f"{source.relative_to(root)}:{number}", found.group(1)


def folder_of(header):
    """The folder of src/ that a header belongs to; None for one that is not ours."""
    if header.startswith("tactus/"):
        return owner.get(header, header[len("tactus/"):-len(".h")])
    top = header.split("/")[0]
    return top if "/" in header and (root / "src" / top).is_dir() else None


def check(source, folder):
    for place, header in includes(source):
        if re.fullmatch(r"(bdd|fdd|bvec)\.h", header) and source.name != "bdd.c":
            failures.append(f"{place}: only src/base/bdd/bdd.c may include BuDDy")
        target = folder_of(header)
        if target:
            used[folder].add(target)
        if target and target not in allowed[folder]:
            failures.append(f"{place}: {folder} may not include {header}, which belongs to "
                            f"{target} (see src/LAYERS)")


passed = 0
for top in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
    if top.name not in allowed:
        failures.append(f"src/{top.name} has no line in src/LAYERS")
        continue
    for source in sorted(top.rglob("*.[ch]")):
        check(source, top.name)
        passed += 1
    for folder in [top, *(path for path in top.rglob("*") if path.is_dir())]:
        count = sum(path.is_file() and path.name != "meson.build" for path in folder.iterdir())
        if count > MOST_FILES and top.name != "cli":
            failures.append(f"{folder.relative_to(root)} has {count} files, more than {MOST_FILES}: "
                            "give it rooms")
for header in sorted((root / "include/tactus").glob("*.h")):
    folder = folder_of(f"tactus/{header.name}")
    if folder not in allowed:
        failures.append(f"include/tactus/{header.name} belongs to no folder of src/LAYERS")
        continue
    check(header, folder)
    for place, included in includes(header):
        if folder_of(included) and not included.startswith("tactus/"):
            failures.append(f"{place}: a public header includes the private {included}")
    passed += 1

for folder in allowed:
    for needless in sorted(allowed[folder] - used[folder]):
        failures.append(f"src/LAYERS: {folder} may include {needless}, and does not: take it out of the line")
for header in owner:
    if not (root / "include" / header).is_file():
        failures.append(f"src/LAYERS: there is no {header}")
for path in sorted((root / "src").iterdir()):
    if path.is_file() and path.name not in ("LAYERS", "meson.build"):
        failures.append(f"src/{path.name}: every file under src/ is in a folder of src/LAYERS")

for failure in failures:
    print(failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
