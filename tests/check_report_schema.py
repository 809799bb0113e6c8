#!/usr/bin/env python3
"""schemas/report.schema.json against what the program writes and against what the page reads.

Documents of the demo and of a campaign with a baseline must fit; with any required key left out, any
value of another type, or a key too many, they must not. The interfaces of web/src/report.ts must say
the same as the schema. Where python3-jsonschema is installed it is asked too.
"""
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent)
SCHEMA = json.loads((ROOT / "schemas/report.schema.json").read_text())
TYPES = {"string": str, "number": (int, float), "integer": int, "boolean": bool, "array": list,
         "object": dict, "null": type(None)}
KNOWN = {"$schema", "$id", "$defs", "$ref", "title", "description", "type", "enum", "const",
         "pattern", "minimum", "maximum", "minItems", "maxItems", "items", "prefixItems",
         "properties", "required", "additionalProperties"}


def is_a(value, name):
    if isinstance(value, bool) and name != "boolean":
        return False
    return isinstance(value, TYPES[name])


def errors(value, schema, at=""):
    """Where the value does not fit, for the part of JSON Schema that the file uses."""
    if schema is False:
        yield f"{at}: one too many"
        return
    assert not set(schema) - KNOWN, f"the check does not know {set(schema) - KNOWN}"
    if "$ref" in schema:
        yield from errors(value, SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]], at)
        return
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(is_a(value, name) for name in names):
        yield f"{at}: {json.dumps(value)[:40]} is no {' or '.join(names)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    if "const" in schema and (value != schema["const"] or isinstance(value, bool)):
        yield f"{at}: {value!r} is not {schema['const']!r}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{at}: {value!r} does not fit {schema['pattern']}"
    if "minimum" in schema and value < schema["minimum"] or \
            "maximum" in schema and value > schema["maximum"]:
        yield f"{at}: {value} is out of range"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{at}: {len(value)} items"
        first = schema.get("prefixItems", [])
        for index, item in enumerate(value):
            yield from errors(item, first[index] if index < len(first) else schema["items"],
                              f"{at}/{index}")
    if isinstance(value, dict):
        for key in schema["required"]:
            if key not in value:
                yield f"{at}: {key} is missing"
        for key, item in value.items():
            if key in schema["properties"]:
                yield from errors(item, schema["properties"][key], f"{at}/{key}")
            elif not schema.get("additionalProperties", True):
                yield f"{at}: {key} is one too many"


def fits(document):
    return next(errors(document, SCHEMA), None) is None


# --- the page's interfaces ---

def type_text(schema):
    """The TypeScript type of a part of the schema."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "enum" in schema:
        return " | ".join(f"'{one}'" for one in schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    if schema["type"] == "array":
        if "prefixItems" in schema:
            parts = [type_text(one) for one in schema["prefixItems"]]
            if schema["items"]:
                parts.append(f"...({type_text(schema['items'])})[]")
            return f"[{', '.join(parts)}]"
        inner = type_text(schema["items"])
        union = " | " in inner and not inner.startswith("[")
        return f"({inner})[]" if union else f"{inner}[]"
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " | ".join("number" if name == "integer" else name for name in names)


def interfaces_of_schema():
    found = {}
    for name, schema in {**SCHEMA["$defs"], "Report": SCHEMA}.items():
        found[name] = {key + ("" if key in schema["required"] else "?"): type_text(part)
                       for key, part in schema["properties"].items()}
    return found


def interfaces_of_page():
    text = re.sub(r"//.*", "", (ROOT / "web/src/report.ts").read_text())
    return {name: dict(line.strip().split(": ", 1) for line in body.strip().splitlines())
            for name, body in re.findall(r"export interface (\w+) \{\n(.*?)\n\}", text, re.S)}


# --- documents ---

def tactus(*arguments, folder):
    program = os.path.abspath(os.environ.get("TACTUS", ROOT / "build/tactus"))
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True,
                          text=True, timeout=300)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"tactus {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def documents(folder):
    tactus("demo", "tour", folder=folder)
    page = (folder / "tour/report.html").read_text()
    inside = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    yield "the demo's", json.loads(inside.group(1))
    flows = ("--flows", "tour/flows.jsonl", "-p", "tour/inputs/playback.props")
    tactus("run", "--device", "sim:tour/inputs/player.json", *flows, "--scenario", "cafe", "-o",
           "now", folder=folder)
    yield "a campaign's", json.loads(tactus("report", "now", "--json", folder=folder))
    yield "a comparison's", json.loads(tactus("report", "now", "--baseline", "now", "--json", "--kpi",
                                              ROOT / "examples/kpi/media-player.json", "--kpi-app",
                                              ROOT / "examples/kpi/player.json", folder=folder))
    (folder / "any.actions").write_text("action leave: do back\naction lost: do click //node[@text='nobody']\n")
    tactus("run", "--subject", "here=sim:tour/inputs/player.json", "--subject", "gone=sim:none.json", "--subject",
           "there=sim:tour/inputs/player.json", "--deadline", "1", "--actions",
           "any.actions", "--runs", "1", "--steps", "9", "-p", "tour/inputs/playback.props", "-o", "many", folder=folder)
    yield "a campaign's over subjects", json.loads(tactus("report", "many", "--json", folder=folder))


def broken(document):
    """The document with one thing wrong, once for each key of each kind of object."""
    seen = set()

    def visit(value, schema, path):
        schema = SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema
        if isinstance(value, dict):
            for key in list(value):
                kind = (id(schema), key)
                if kind in seen:
                    continue
                seen.add(kind)
                for what, change in (("left out", None), ("a list of lists", [[[]]])):
                    if what == "left out" and key not in schema["required"]:
                        continue
                    other = copy.deepcopy(document)
                    place = other
                    for step in path:
                        place = place[step]
                    if change is None:
                        del place[key]
                    else:
                        place[key] = change
                    yield f"{'/'.join(map(str, path + [key]))} {what}", other
                yield from visit(value[key], schema["properties"][key], path + [key])
        elif isinstance(value, list) and schema.get("items"):
            for index, item in enumerate(value[:3]):
                yield from visit(item, schema["items"], path + [index])

    yield from visit(document, SCHEMA, [])
    yield "a key too many", {**document, "more": 1}


def lean(document):
    """Long lists cut, so that many copies are cheap."""
    if isinstance(document, list):
        return [lean(item) for item in document[:3]]
    if isinstance(document, dict):
        return {key: lean(value) for key, value in document.items()}
    return document[:100] if isinstance(document, str) else document


def main():
    passed, failures = 0, []

    def check(good, message):
        nonlocal passed
        passed += bool(good)
        if not good:
            failures.append(message)
            print(f"FAILED {message}")

    schema, page = interfaces_of_schema(), interfaces_of_page()
    check(set(schema) == set(page), f"only one side has {set(schema) ^ set(page)}")
    for name in sorted(set(schema) & set(page)):
        check(schema[name] == page[name],
              f"{name}: the schema says {schema[name]}, the page {page[name]}")
    with tempfile.TemporaryDirectory(prefix="tactus-schema-") as scratch:
        for name, document in documents(pathlib.Path(scratch)):
            wrong = list(errors(document, SCHEMA))
            check(not wrong, f"{name} document: {wrong[:3]}")
            if jsonschema:
                validator = jsonschema.Draft202012Validator(SCHEMA)
                other = [one.message for one in validator.iter_errors(document)]
                check(not other, f"{name} document, says jsonschema: {other[:2]}")
            count = 0
            for what, spoiled in broken(lean(document)):
                count += 1
                check(not fits(spoiled), f"{name} document fits with {what}")
                if jsonschema:
                    check(not validator.is_valid(spoiled), f"jsonschema takes {what}")
            check(count > 60, f"only {count} ways to spoil {name} document")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
