#!/usr/bin/env python3
"""What goes between processes, or is kept as bytes, goes whole: every member of a struct that is packed is
in its description.

A table is packed when describe_pack, describe_unpack or describe_keep names it, or one that is does. Members
that stay behind on purpose are named in a comment of the table: `/* stays: kept */`. A copy of the tables with
any one field left out must fail too. And a field whose member has another type does not compile.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent)
NESTED = "FIELD_(?:STRUCT|POINTER|LIST|ARRAY|GROUP)"


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def members(body):
    """The names that the body of a struct declares."""
    for declaration in re.sub(r"\{[^{}]*\}", "", body).split(";"):
        for part in declaration.split(","):
            found = re.search(r"\(\s*\*\s*(\w+)\s*\)|(\w+)\s*(?:\[[^\]]*\]\s*)*$", part.strip())
            if found and declaration.strip():
                yield found.group(1) or found.group(2)


def structs(texts):
    found = {}
    for text in texts:
        for name, body in re.findall(r"\bstruct\s+(\w+)\s*(\{(?:[^{}]|\{[^{}]*\})*\})", without_comments(text)):
            found[name] = list(members(body[1:-1]))
    return found


def tables(text):
    """name: (type, the text of its fields), of one file, whose names may be another file's too."""
    fields = dict(re.findall(r"struct field (\w+)\[\]\s*=\s*\{(.*?)\};", text, flags=re.S))
    return {f"{name}_described": (kind.replace("struct ", "").strip(), fields.get(f"{name}_fields", ""))
            for name, kind in re.findall(r"\bDESCRIBE\(\s*(\w+),\s*([\w ]+)", text)}


def missing(files, known):
    """Members of packed structs that their table does not name."""
    of_file = {path: tables(text) for path, text in files.items()}
    anywhere = {name: (path, name) for path, own in of_file.items() for name in own}
    todo = []
    for path, text in files.items():
        for name in re.findall(r"\bdescribe_(?:pack|unpack|keep)\(\s*&(\w+)", text):
            todo.append((path, name) if name in of_file[path] else anywhere.get(name))
    done = set()
    while todo:
        at = todo.pop()
        if not at or at in done:
            continue
        done.add(at)
        path, name = at
        kind, fields = of_file[path][name]
        stays = set(re.findall(r"\w+", " ".join(re.findall(r"/\* stays: (.*?)\*/", fields, flags=re.S))))
        bare = without_comments(fields)
        named = set(stays)
        for group in re.findall(r"FIELD_GROUP\([^,]+,[^,]+,\s*(\w+)", bare):
            named |= set(re.findall(r"FIELD\w*\(\s*[\w ]+,\s*(\w+)", of_file[path].get(group, ("", ""))[1]))
        for inner, arguments in re.findall(rf"({NESTED})\(([^()]*)", bare):
            words = [word.strip() for word in arguments.split(",")]
            table = words[3 if inner == "FIELD_LIST" else 2]
            todo.append((path, table) if table in of_file[path] else anywhere.get(table))
        for several in re.findall(r"(?:FIELDS|HIDDEN)\([\w ]+,([^()]*)\)", bare):
            named |= {word.split(".")[0] for word in re.findall(r"[\w.]+", several)}
        for member, count in re.findall(r"FIELD\w*\(\s*[\w ]+,\s*([\w.]+)[^,)]*(?:,\s*([\w.]+))?", bare):
            named |= {member.split(".")[0], count.split(".")[0]}
        groups = {table for _, (_, text) in of_file[path].items() for table in
                  re.findall(r"FIELD_GROUP\([^,]+,[^,]+,\s*(\w+)", text)}
        if name not in groups:
            for member in known.get(kind, ["(its struct is not found)"]):
                if member not in named:
                    yield f"{path.name}: {name} lacks {kind}.{member}"


# A line of a table, and whether it compiles.
TYPES = """#include "base/describe/describe.h"
struct inner { int x; };
struct outer { const char *text; char code[4]; double number; int64_t time; struct inner in, *list; size_t n; };
static const struct field inner_fields[] = {FIELD(struct inner, x)};
static DESCRIBE(inner, struct inner);
static const struct field other_fields[] = {FIELD(struct outer, text)};
static DESCRIBE(other, struct outer);
"""
LINES = {
    "FIELD_TEXT(struct outer, text)": True, "FIELD_TEXT(struct outer, code)": True,
    "FIELD_TEXT(struct outer, number)": False, "FIELD_SECONDS(struct outer, time)": True,
    "FIELD_SECONDS(struct outer, number)": False, "FIELD(struct outer, in)": False,
    "FIELD(struct outer, missing)": False, "FIELD_STRUCT(struct outer, in, inner_described)": True,
    "FIELD_STRUCT(struct outer, in, other_described)": False, "FIELD_TEXTS(struct outer, list, n)": False,
    "FIELD_LIST(struct outer, list, n, inner_described)": True,
    "FIELD_LIST(struct outer, list, n, other_described)": False,
    "FIELD_LIST(struct outer, list, number, inner_described)": False,
}


def compiled():
    """Lines that compile though they should not, or the other way round."""
    for line, fine in LINES.items() if shutil.which("cc") else ():
        text = TYPES + f"static const struct field fields[] = {{{line}}};\nint main(void) {{ return !fields; }}\n"
        done = subprocess.run(["cc", "-std=gnu17", "-fsyntax-only", "-w", "-x", "c", f"-I{ROOT}/src",
                               f"-I{ROOT}/include", "-"], input=text, text=True, capture_output=True)
        if (done.returncode == 0) != fine:
            yield f"{line} {'does not compile: ' + done.stderr[:300] if fine else 'compiles'}"


def main():
    sources = sorted((ROOT / "src").rglob("*.[ch]")) + sorted((ROOT / "include").rglob("*.h"))
    texts = {path: path.read_text() for path in sources}
    known = structs(texts.values())
    files = {path: text for path, text in texts.items() if "DESCRIBE(" in text or "describe_" in text}
    files = {path: text for path, text in files.items() if "base/describe" not in str(path)}
    failures = list(missing(files, known)) + list(compiled())
    tried = seen = 0
    for path in files if not failures else []:
        for line in re.findall(r"\n    HIDDEN\([\w ]+,[^()]*\)[,}]", files[path]):
            tried += 1
            changed = dict(files)
            changed[path] = files[path].replace(line, "}" if line.endswith("}") else "", 1)
            seen += bool(list(missing(changed, known)))
    for failure in failures:
        print("FAILED", failure)
    if tried and tried != seen:
        print(f"FAILED a field left out is seen in {seen} of {tried} tables")
    print(f"{1 if tried == seen and not failures else 0} passed, {len(failures) + (tried != seen)} failed")
    return 1 if failures or tried != seen or not tried else 0


sys.exit(main())
