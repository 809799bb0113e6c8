#!/usr/bin/env python3
"""Fails when an #include under src/ breaks a line of src/LAYERS."""
import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent)
allowed = {}
for line in (root / "src/LAYERS").read_text().splitlines():
    if line and not line.startswith("#"):
        folder, below = line.split(":")
        allowed[folder] = {folder, *below.split()}

passed, failures = 0, []
for folder in sorted(path.name for path in (root / "src").iterdir() if path.is_dir()):
    if folder not in allowed:
        failures.append(f"src/{folder} has no line in src/LAYERS")
        continue
    for source in sorted((root / "src" / folder).rglob("*.[ch]")):
        for number, line in enumerate(source.read_text().splitlines(), 1):
            place = f"{source.relative_to(root)}:{number}"
            quoted = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if re.match(r"\s*#\s*include\s+<(bdd|fdd|bvec)\.h>", line) and source.name != "bdd.c":
                failures.append(f"{place}: only src/base/bdd/bdd.c may include BuDDy")
            if not quoted or "/" not in quoted.group(1):
                continue
            target = quoted.group(1).split("/")[0]
            if target != "tactus" and target not in allowed[folder]:
                failures.append(f"{place}: {folder} may not include {target} (see src/LAYERS)")
        passed += 1
for header in sorted((root / "include/tactus").glob("*.h")):
    for number, line in enumerate(header.read_text().splitlines(), 1):
        quoted = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if quoted and not quoted.group(1).startswith("tactus/"):
            failures.append(f"include/tactus/{header.name}:{number}: a public header includes "
                            f"the private {quoted.group(1)}")
    passed += 1

for failure in failures:
    print(failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
