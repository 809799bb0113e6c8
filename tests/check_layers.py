#!/usr/bin/env python3
"""Fails when an #include under src/ or include/ breaks a line of src/LAYERS, when a line permits what
nothing uses or names what stands below it (so that nothing can go round), when a folder of src/ has no
line or too many files, and when a function is declared elsewhere than beside its definition, which
would hide what depends on it.

A public header tactus/NAME.h belongs to the module NAME, or to the one that a line
"tactus/NAME.h: MODULE" gives it; who may not include the module may not include it. So do the headers of a
module's line "interface:", which are what other modules use of it and free to all its folders.
"""
import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent)
MOST_FILES = 30  # of one folder, src/cli aside

# Modules are "property", their folders "property/check" and "property/." (the module's own files).
allowed, owner, failures = {}, {}, []
interfaces = set()  # "flow/export.h"
module = ""
for number, line in enumerate((root / "src/LAYERS").read_text().splitlines(), 1):
    if not line or line.startswith("#"):
        continue
    name, words = line.split(":")
    inner = name.startswith("  ")
    if name.startswith("tactus/"):
        owner[name] = words.strip()
        continue
    if inner and name.strip() == "interface":
        interfaces |= {f"{module}/{word}" for word in words.split()}
        continue
    if not inner:
        module = name
    name = f"{module}/{name.strip()}" if inner else name
    names = [f"{module}/{word}" if inner else word for word in words.split()]
    for word in names:
        if word not in allowed:
            failures.append(f"src/LAYERS:{number}: '{word}' has no line above this one")
    if name in allowed:
        failures.append(f"src/LAYERS:{number}: a second line for '{name}'")
    allowed[name] = {name, *names}

used = {name: {name} for name in allowed}
layered = {name.split("/")[0] for name in allowed if "/" in name}  # modules with lines for their folders


def includes(source):
    for number, line in enumerate(source.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
        if found:
            yield f"{source.relative_to(root)}:{number}", found.group(1)


def module_of(header):
    """The module that a header belongs to; None for one that is not ours."""
    if header.startswith("tactus/"):
        return owner.get(header, header[len("tactus/"):-len(".h")])
    top = header.split("/")[0]
    return top if "/" in header and (root / "src" / top).is_dir() else None


def folder_of(path):
    """The folder "property/check" or "property/." of "property/check/files.c" or "property/x.h"."""
    parts = path.split("/")
    return f"{parts[0]}/{'/'.join(parts[1:-1]) or '.'}"


def check(source, module, folder):
    for place, header in includes(source):
        if re.fullmatch(r"(bdd|fdd|bvec)\.h", header) and source.name != "bdd.c":
            failures.append(f"{place}: only src/base/bdd/bdd.c may include BuDDy")
        pairs = [(module, module_of(header))]
        inside = pairs[0][1] == module and (root / "src" / header).is_file() and header not in interfaces
        if inside and str(source.relative_to(root)).removeprefix("src/") in interfaces:
            failures.append(f"{place}: an interface of {module} includes {header}, which is the module's own")
        elif inside and folder in allowed:
            pairs.append((folder, folder_of(header)))
        for who, target in pairs:
            if target:
                used[who].add(target)
            if target and target not in allowed[who]:
                failures.append(f"{place}: {who} may not include {header}, which belongs to "
                                f"{target} (see src/LAYERS)")


def functions(text, end):
    """Names of functions that are not static, with `end` behind their parameters."""
    text = re.sub(r"/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.S | re.M)
    return re.findall(r"^(?!static|typedef|\s|\}|else|return)\w[\w \*\n]*?[ \*\n](\w+)\([^;{}]*\)" + end,
                      text, re.M)


def check_declarations():
    declared = {}
    for header in sorted((root / "src").rglob("*.h")):
        for name in functions(header.read_text(), r"[^;{}]*;"):
            declared[name] = header
    for source in sorted((root / "src").rglob("*.c")):
        text = source.read_text()
        for name in functions(text, r"\n\{"):
            header = declared.get(name)
            beside = header and (header.parent == source.parent or source.is_relative_to(header.parent) and
                                 str(header.relative_to(root / "src")) in interfaces)
            if header and not beside:
                failures.append(f"{source.relative_to(root)}: {name} is declared in another folder, in "
                                f"{header.relative_to(root)}")
        for name in functions(text, r"[^;{}]*;"):
            if not name.startswith("__"):  # the compiler's
                failures.append(f"{source.relative_to(root)}: declares {name}, which is a header's to do")


passed = 0
for top in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
    if top.name not in allowed:
        failures.append(f"src/{top.name} has no line in src/LAYERS")
        continue
    for source in sorted(top.rglob("*.[ch]")):
        folder = folder_of(str(source.relative_to(root / "src")))
        outer = str(source.relative_to(root / "src")) in interfaces
        if folder not in allowed and not outer and (top.name in layered or source.parent != top):
            failures.append(f"{source.relative_to(root)}: the folder {folder} has no line in src/LAYERS")
        check(source, top.name, folder)
        passed += 1
    for folder in [top, *(path for path in top.rglob("*") if path.is_dir())]:
        count = sum(path.is_file() and path.name != "meson.build" for path in folder.iterdir())
        if count > MOST_FILES and top.name != "cli":
            failures.append(f"{folder.relative_to(root)} has {count} files, more than {MOST_FILES}: "
                            "give it rooms")
check_declarations()
for header in sorted((root / "include/tactus").glob("*.h")):
    module = module_of(f"tactus/{header.name}")
    if module not in allowed:
        failures.append(f"include/tactus/{header.name} belongs to no module of src/LAYERS")
        continue
    check(header, module, "")
    for place, included in includes(header):
        if module_of(included) and not included.startswith("tactus/"):
            failures.append(f"{place}: a public header includes the private {included}")
    passed += 1

for name in allowed:
    if not (root / "src" / name).is_dir():
        failures.append(f"src/LAYERS: there is no folder src/{name}")
    for needless in sorted(allowed[name] - used[name]):
        failures.append(f"src/LAYERS: {name} may include {needless}, and does not: take it out of the line")
for header in owner:
    if not (root / "include" / header).is_file():
        failures.append(f"src/LAYERS: there is no {header}")
for header in interfaces:
    if not (root / "src" / header).is_file():
        failures.append(f"src/LAYERS: there is no src/{header}")
for path in sorted((root / "src").iterdir()):
    if path.is_file() and path.name not in ("LAYERS", "meson.build"):
        failures.append(f"src/{path.name}: every file under src/ is in a folder of src/LAYERS")

for failure in failures:
    print(failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
