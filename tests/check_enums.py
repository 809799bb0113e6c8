#!/usr/bin/env python3
"""Who adds a kind finds every place that must change.

The compiler names the switches (-Wswitch-enum, no `default` over kinds). This names the rest:

- a table that a kind indexes has a row by name for each kind ([KIND_AND] = ...) and is tied to its enum by
  TABLE_COVERS(table, LAST), where LAST is the enum's last kind, so that a kind without a row does not compile;
- an option whose words stand for kinds (CHOICES) has a word for each kind;
- kinds are not compared by their order (<, >=), apart from ranges that end with the last one, and asserts; scales are.
"""
import collections
import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent)



def without_comments(text):
    """Comments and the contents of strings become blanks; lines stay where they are."""
    def blank(found):
        kept = found.group(0)
        if kept[0] in "\"'":
            return kept[0] + re.sub(r"[^\n]", "_", kept[1:-1]) + kept[-1]
        return re.sub(r"[^\n]", " ", kept)
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)


def read_sources():
    paths = sorted([*root.glob("src/**/*.[ch]"), *root.glob("include/**/*.h")])
    return {str(path.relative_to(root)): without_comments(path.read_text()) for path in paths}


def enumerators(body):
    names, value, plain = [], -1, True
    for part in filter(None, (p.strip() for p in body.split(","))):
        name, _, given = (p.strip() for p in part.partition("="))
        value += 1
        if given:
            if not re.fullmatch(r"-?\d+", given):
                plain = False
                continue
            value = int(given)
        names.append((name, value))
    return names if plain else []


def find_enums(sources):
    """By file and type name; enums of headers are known everywhere."""
    known = collections.defaultdict(dict)
    for name, text in sources.items():
        for found in re.finditer(r"(typedef\s+)?enum\s*(\w*)\s*\{([^{}]*)\}\s*(\w*)\s*;", text):
            rows = enumerators(found[3])
            types = {found[2] and f"enum {found[2]}", found[1] and found[4]} - {"", None}
            if not types and "=" not in found[3]:
                types = {f"the enum of {rows[0][0]}"}  # without a name: kinds, unless they are numbers
            for type_name in types if len(rows) > 1 else ():
                known["" if name.endswith(".h") else name][type_name] = rows
    return known


def enum_types(known, name):
    return {**known[""], **known[name]} if name in known else known[""]


SENTINEL = re.compile(r"(KINDS|COUNT|PARTS|CLASSES|QUANTITIES|TEMPLATES|DOMAINS|FAMILIES|ROLES|BASELINES|ATTRIBUTES|CUTS|STEPS)$")


# Kinds that an option has no word for: what it is without the option, and what another option asks for.
WORDLESS = {"TAC_EXPORT_ANY", "TAC_FLOW_WITNESS"}
SCALE = re.compile(r"(level|rank|severity)$") # these are meant to be compared


def kinds_of(rows):
    """Without the number of kinds that may stand at the end."""
    return rows[:-1] if len(rows) > 2 and SENTINEL.search(rows[-1][0]) and rows[-1][1] == len(rows) - 1 else rows


def tables_of(text):
    """(line, name, size, body) of constant tables."""
    for found in re.finditer(r"(?:static )?\bconst [^;={}()]*?\b(\w+)\[(\w*)\](?:\[[^\]]*\])*(?:\)\([^;={}]*\))?\s*=\s*\{", text):
        depth, at = 1, found.end()
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield text.count("\n", 0, found.start()) + 1, found[1], found[2], text[found.end():at - 1], at


def rows_in(body):
    """The entries of an initialiser, at its own depth."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(body + ","):
        if letter in "({[":
            depth += 1
        elif letter in ")}]":
            depth -= 1
        elif letter == "," and depth == 0:
            if body[start:at].strip():
                parts.append(body[start:at].strip())
            start = at + 1
    return parts


def types_of_index(index, text, types, members):
    """The enums that an index expression may have: of a member, a parameter or a variable."""
    last = re.search(r"(\w+)$", index.strip())
    if not last:
        return set()
    if re.search(r"(->|\.)\w+$", index.strip()):
        return members.get(last[1], set())
    declared = re.findall(r"\b(enum \w+|tac_\w+)\s+" + last[1] + r"\b(?!\s*\()", text)
    return {d for d in declared if d in types}


def find_members(sources, known):
    members = collections.defaultdict(set)
    types = set().union(*(set(t) for t in known.values()))
    for text in sources.values():
        for found in re.finditer(r"\b(enum \w+|tac_\w+)\s+(\w+)\s*(?:,\s*\w+\s*)*;", text):
            if found[1] in types:
                members[found[2]].add(found[1])
    return members


def check_tables(name, text, types, members, known):
    of_constant = {row: t for t, rows in types.items() for row, _ in rows}
    for line, table, size, body, end in tables_of(text):
        rows = rows_in(body)
        named = {m for row in rows for m in re.findall(r"^\[(\w+)\]\s*=", row)}
        owner = {of_constant[n] for n in named if n in of_constant}
        if owner:
            kinds = kinds_of(types[owner.pop()])
            tie = re.match(r"[^;]*;(?:\s*TABLE_COVERS\([^)]*\);)*?\s*TABLE_COVERS\(" + table + r",\s*(\w+)\)", text[end:])
            if not size and not tie and len(named) >= max(2, len(kinds) - 1):
                yield f"{name}:{line}: the table '{table}' is not tied to its enum: TABLE_COVERS({table}, {kinds[-1][0]})"
            elif tie and (missing := [kind for kind, _ in kinds if kind not in named]):
                yield f"{name}:{line}: '{table}' has no row for {', '.join(missing)}"
            elif tie and tie[1] != kinds[-1][0]:
                yield f"{name}:{line}: '{table}' ends with {tie[1]}, the enum with {kinds[-1][0]}"
        if named:
            continue
        uses = re.findall(r"\b" + table + r"\[([^\[\]]+)\]", text[end:])
        for type_name in sorted(set().union(*(types_of_index(u, text, types, members) for u in uses)) if uses else ()):
            kinds = kinds_of(types[type_name]) if type_name in types else []
            if kinds and len(kinds) == len(rows) and [v for _, v in kinds] == list(range(len(kinds))):
                yield f"{name}:{line}: rows of '{table}' stand by place; name them by {type_name} ([{kinds[0][0]}] = ...)"
                break


def check_choices(name, text, types):
    of_constant = {row: t for t, rows in types.items() for row, _ in rows}
    for found in re.finditer(r"\bCHOICES\(((?:[^()]|\([^()]*\))*)\)", text):
        named = re.findall(r"\{[^{},]*,\s*([A-Z]\w+)\}", found[1])
        for owner in sorted({of_constant[n] for n in named if n in of_constant}):
            if missing := [kind for kind, _ in kinds_of(types[owner]) if kind not in {*named, *WORDLESS}]:
                line = text.count("\n", 0, found.start()) + 1
                yield f"{name}:{line}: no word of the option stands for {', '.join(missing)}"


def check_order(name, text, types):
    unordered = [rows for type_name, rows in types.items() if not SCALE.search(type_name)]
    ends = {row for rows in unordered for row in (rows[-1][0], kinds_of(rows)[-1][0])}
    kinds = {row for rows in unordered for row, _ in kinds_of(rows)}
    for number, line in enumerate(text.split("\n"), 1):
        if "assert(" in line or line.startswith("#") or line.lstrip().startswith("for ("):
            continue
        for found in re.finditer(r"(?:(?<![<>-])(<=?|>=?)(?![<>])\s*([A-Z][A-Z0-9_]+)\b(?!\())|(?:\b([A-Z][A-Z0-9_]+)\s*(<=?|>=?)(?![=<>]))", line):
            kind, sign = found[2] or found[3], found[1] or found[4]
            if kind in kinds and not (kind in ends and sign in ("<", "<=", ">")):
                yield f"{name}:{number}: kinds are compared by their order: {line.strip()}"


def check(sources):
    known = find_enums(sources)
    members = find_members(sources, known)
    for name, text in sources.items():
        types = enum_types(known, name)
        yield from check_tables(name, text, types, members, known)
        yield from check_choices(name, text, types)
        yield from check_order(name, text, types)


def check_itself():
    """Each rule sees what it is for."""
    enum = "enum colour { RED, GREEN, BLUE };\nstruct pot { enum colour of; };\n"
    tied = "static const char *const words[] = {[RED] = \"r\", [GREEN] = \"g\", [BLUE] = \"b\"};\n"
    wrong = {
        "by place": "static const char *const words[] = {\"r\", \"g\", \"b\"};\nf(words[pot->of]);\n",
        "not tied": tied,
        "no row for": tied.replace("[GREEN] = \"g\", ", "") + "TABLE_COVERS(words, BLUE);\n",
        "ends with": tied + "TABLE_COVERS(words, GREEN);\n",
        "no word": "CHOICE(x, CHOICES({\"r\", RED}, {\"g\", GREEN}), y)\n",
        "order": "bool f(enum colour c) { return c >= GREEN; }\n",
    }
    missed = [what for what, text in wrong.items()
              if not any(what in found for found in check({"a.h": enum, "a.c": without_comments(text)}))]
    right = list(check({"a.h": enum, "a.c": without_comments(tied + "TABLE_COVERS(words, BLUE);\n")}))
    return [f"the check does not see: {what}" for what in missed] + right


def main():
    failures = check_itself() + list(check(read_sources()))
    print("\n".join(failures))
    print(f"{int(not failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
