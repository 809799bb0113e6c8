#!/usr/bin/env python3
"""Fails when two files of the project share a name, so that a name alone finds a file."""
import collections
import os
import pathlib
import sys

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent)
places = collections.defaultdict(list)
for top in ("include", "src", "tests", "bench", "docs", "man", "tools"):
    for path in (root / top).rglob("*"):
        parts = path.relative_to(root).parts
        if path.is_file() and path.name != "meson.build" and not \
                {"corpus", "__pycache__", "data", "node_modules"} & set(parts):
            places[path.name].append("/".join(parts))
shared = {name: paths for name, paths in places.items() if len(paths) > 1}
for name, paths in sorted(shared.items()):
    print(f"{name} names {len(paths)} files: {', '.join(paths)}")
print(f"{len(places) - len(shared)} passed, {len(shared)} failed")
sys.exit(1 if shared else 0)
