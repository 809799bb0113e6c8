#!/usr/bin/env python3
"""The recipes of ARCHITECTURE.md ("To add ...") hold.

Each recipe is carried out in a copy of the sources: with all its places it compiles and does what it is for;
with one place left out it does not compile, or the test fails that the recipe names for it. Only what includes a
changed header is compiled, and linked before the library as it is.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent)
BUILD = pathlib.Path(os.environ.get("TACTUS") or ROOT / "build/tactus").resolve().parent

# The proof of a recipe: a program of the build, its words (None: it is a test), what is in its input files, and what
# it has to print.
Proof = collections.namedtuple("Proof", "program words files expected", defaults=[None, (), ""])

# After the line that matches `anchor` (a regular expression, its last match in the file) comes `text`. A place
# without an anchor is a new file. `noticed`: the test that fails without it; None: it does not compile.
Place = collections.namedtuple("Place", "file anchor text noticed", defaults=[None])
Recipe = collections.namedtuple("Recipe", "name places proof")


GUARDED = """<interactionModel xmlns="urn:tactus:interaction-model:1" name="m">
<device name="d"><application name="A" external="true"><activity name="A" external="true">
<stateMachine name="A" external="true"><initial to="s"/><state name="s"/>
<transition from="s" event="one" to="s" guard="true ^^ false"/>
<transition from="s" event="both" to="s" guard="true ^^ true"/>
</stateMachine></activity></application></device></interactionModel>
"""

RULED = """app X
variable a
variable b
state S initial
state T
rule Go: S -> T when (a xor b) and a and b
rule Back: T -> S when a
"""

ONE_STATE = """#include "trace/read/format.h"

static int sniff(const struct trace_probe *probe)
{
    (void)probe;
    return 0;
}

static tac_status open_one(tac_trace_source *source, tac_error *err)
{
    size_t variable;
    return source_add_variable(source, "x", 1, TAC_CONTINUOUS, "", false, &variable, err);
}

static tac_status fill(tac_trace_source *source, tac_error *err)
{
    (void)err;
    source_begin(source);
    source_set_number(source, 0, 42);
    source_commit(source, 0);
    source->ended = true;
    return TAC_OK;
}

static void close_one(tac_trace_source *source)
{
    (void)source;
}

const struct trace_format trace_format_one = {
    .id = TRACE_ONE_STATE, .endings = "|.one|", .sniff = sniff, .open = open_one, .fill = fill, .close = close_one};
"""

RECIPES = [
    Recipe("an operator of properties", [
        Place("src/property/language/ast.h", r'X\(AST_OR, "or",',
              '    X(AST_XOR, "xor", BOOLEAN, LEFT, 2, TRUTH(0, 1, 1, 0))                                       \\\n'),
        Place("docs/properties.md", r"^Comparisons `<", "`and`, `or`, `not`, `->`, `xor`;\n",
              noticed="tests/unit/test_property_operators"),
    ], Proof("tactus", ["check", "-p", "a.props", "t.csv"],
             (("a.props", "property a: always (x == 1 xor x == 2)\n"), ("t.csv", "t,x\n0,1\n1,2\n2,1\n")), "held: 1 of 1")),
    Recipe("an operator of adaptation rules", [
        Place("include/tactus/rules.h", r"^    TAC_RULES_OR,", "    TAC_RULES_XOR,\n"),
        Place("src/rules/language/operator.c", r'"or", TAC_RULES_OR,',
              '    {"xor", TAC_RULES_XOR, 2, SYNTAX_LEFT, NULL},\n'),
        Place("src/rules/language/operator.c", r"\[TAC_RULES_OR\] = ", "    [TAC_RULES_XOR] = {2, 0x6},\n",
              noticed="tests/check_enums.py"),
    ], Proof("tactus", ["rules", "check", "a.rules"], (("a.rules", RULED),), "Go never fires in S")),
    Recipe("an operator of guards", [
        Place("src/model/script/nodes.h", r'X\(OP_OR, "\|\|",',
              '    X(OP_XOR, "^^", 2, SYNTAX_LEFT)                                                              \\\n'),
        Place("src/model/script/evaluate.c", r"BOTH\(OP_EQUAL,",
              "        BOTH(OP_XOR, of_bool(truth_of(scripts, o.a) != truth_of(scripts, o.b)))\n"),
    ], Proof("tactus", ["flow", "list", "m.xml", "--length", "1"], (("m.xml", GUARDED),), "one\n")),
    Recipe("a column of what a campaign keeps", [
        Place("src/store/table.h", r"const char \*kind, \*name, \*document;", "    const char *extra;\n"),
        Place("src/store/table.c", r"document_columns\[\] = \{", "    COLUMN(extra, STORE_TEXT, document.extra),\n",
              noticed="tests/unit/test_store_places"),
        Place("src/store/sqlite_open.c", r"CREATE TABLE document\(", '    " extra TEXT NOT NULL,"\n',
              noticed="tests/unit/test_store_places"),
    ], Proof("tests/unit/test_store_places")),
    Recipe("a trace format", [
        Place("src/trace/read/one.c", None, ONE_STATE),
        Place("src/trace/meson.build", r"^  'read':", "  'read/.': 'one',\n"),
        Place("src/trace/read/formats.def", r"^TRACE_FORMAT\(HAR,", 'TRACE_FORMAT(ONE_STATE, one, "one state")\n'),
    ], Proof("tactus", ["trace", "show", "a.one", "--input-format", "one"], (("a.one", "one state\n"),), "42")),
]


class Copy:
    """The sources as links, so that a changed file is a file of its own, with a build folder beside them."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.build = self.folder / "build"
        for name in ("src", "include", "tests", "docs", "schemas", "man"):
            subprocess.run(["cp", "-rs", ROOT / name, self.folder / name], check=True)
        self.build.mkdir()
        for entry in BUILD.iterdir():
            (self.build / entry.name).symlink_to(entry)

    def apply(self, places):
        for place in places:
            path = self.folder / place.file
            text = path.read_text() if path.exists() else ""
            if place.anchor is None:
                changed = place.text
            else:
                lines = text.splitlines(keepends=True)
                at = max((i for i, line in enumerate(lines) if re.search(place.anchor, line)), default=None)
                if at is None:
                    sys.exit(f"{place.file}: no line matches '{place.anchor}'; the recipe is out of date")
                lines.insert(at + 1, place.text)
                changed = "".join(lines)
            path.unlink(missing_ok=True)
            path.write_text(changed)

    def restore(self, places):
        for place in places:
            path = self.folder / place.file
            path.unlink()
            if (ROOT / place.file).exists():
                path.symlink_to(ROOT / place.file)


class Compiler:
    """The commands of the build, carried out in a copy."""

    def __init__(self):
        self.commands = {entry["file"].removeprefix("../"): entry
                         for entry in json.loads((BUILD / "compile_commands.json").read_text())}
        listed = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True)
        self.users, target = collections.defaultdict(set), None
        sources = {entry["output"]: name for name, entry in self.commands.items()}
        for line in listed.stdout.splitlines():
            if line and not line.startswith(" "):
                target = sources.get(line.split(":")[0])
            elif target and line.startswith("    ../"):
                self.users[line.strip()[3:]].add(target)

    def sources_of(self, places, program):
        """What has to be compiled again for a program of the library and one file of its own."""
        changed = set().union(*(self.users[place.file] | {place.file} for place in places))
        own = f"{program}.c" if program.startswith("tests/") else "src/cli/"
        listed = any(place.file.endswith("meson.build") for place in places)
        return sorted(name for name in changed if name in self.commands or listed and name.endswith(".c")
                      if name.startswith("src/") and not name.startswith("src/cli/") or own in name)

    def compile(self, copy, source):
        like = source  # a new file is compiled as those beside it are
        if source not in self.commands:
            like = min(name for name in self.commands if pathlib.Path(name).parent == pathlib.Path(source).parent)
        words = [word.replace(like, source) for word in shlex.split(self.commands[like]["command"])]
        output = copy.build / "changed" / (source.replace("/", "_") + ".o")
        output.parent.mkdir(exist_ok=True)
        words = ["-O0" if word == "-O2" else word for word in words if word != "-D_FORTIFY_SOURCE=2"]
        words[words.index("-o") + 1] = str(output)
        for flag in ("-MQ", "-MF"):
            words[words.index(flag) + 1] = "/dev/null"
        run = subprocess.run(words, cwd=copy.build, capture_output=True, text=True)
        return output, run.stderr if run.returncode else None

    def link(self, copy, program, objects):
        listed = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", program], capture_output=True, text=True,
                                check=True)
        words = shlex.split(listed.stdout.strip().splitlines()[-1])
        output = copy.build / "changed" / pathlib.Path(program).name
        words[words.index("-o") + 1] = str(output)
        names = {obj.name for obj in objects}
        own = {entry["output"]: name.replace("/", "_") + ".o" for name, entry in self.commands.items()}
        words = [word for word in words if own.get(word) not in names]
        first = words.index("-o") + 2
        run = subprocess.run(words[:first] + [str(obj) for obj in objects] + words[first:], cwd=copy.build,
                             capture_output=True, text=True)
        return output, run.stderr if run.returncode else None


def run_proof(copy, proof, output):
    """What is wrong, or None."""
    with tempfile.TemporaryDirectory(dir=copy.folder) as folder:
        for name, text in dict(proof.files).items():
            (pathlib.Path(folder) / name).write_text(text)
        run = subprocess.run([output, *(proof.words or [])], capture_output=True, text=True, cwd=folder,
                             env=os.environ | {"TACTUS_SOURCE_ROOT": str(copy.folder)})
    good = proof.expected in run.stdout if proof.words else run.returncode == 0
    return None if good else run.stdout + run.stderr


def try_out(compiler, copy, places, proof):
    """None when it compiles and is proved, else what is wrong: ("compiler" or the test, text)."""
    program = proof.program
    copy.apply(places)
    try:
        objects = []
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for output, wrong in pool.map(lambda name: compiler.compile(copy, name),
                                          compiler.sources_of(places, program)):
                if wrong:
                    return "compiler", wrong
                objects.append(output)
        if program.endswith(".py"):
            run = subprocess.run([sys.executable, ROOT / program], capture_output=True, text=True,
                                 env=os.environ | {"TACTUS_SOURCE_ROOT": str(copy.folder)})
            return (program, run.stdout + run.stderr) if run.returncode else None
        output, wrong = compiler.link(copy, program, objects)
        if wrong:
            return "compiler", wrong
        wrong = run_proof(copy, proof, output)
        return (program, wrong) if wrong else None
    finally:
        copy.restore(places)


def check(compiler, copy, recipe):
    for proof in [recipe.proof, *{Proof(place.noticed) for place in recipe.places if place.noticed}]:
        wrong = try_out(compiler, copy, recipe.places, proof)
        if wrong:
            yield f"{recipe.name}: with all its places: {wrong[0]}: {wrong[1][:1500]}"
    for left_out in recipe.places:
        rest = [place for place in recipe.places if place is not left_out]
        wrong = try_out(compiler, copy, rest, Proof(left_out.noticed) if left_out.noticed else recipe.proof)
        by = (left_out.noticed or "compiler", recipe.proof.program)
        if not wrong:
            yield f"{recipe.name}: nobody notices that the place in {left_out.file} is missing"
        elif wrong[0] not in by:
            yield f"{recipe.name}: without the place in {left_out.file} not {by[0]} but {wrong[0]} fails: {wrong[1][:300]}"


def main():
    failures, compiler = [], Compiler()
    with tempfile.TemporaryDirectory(prefix="tactus-recipes-") as folder:
        copy = Copy(folder)
        for recipe in RECIPES:
            failures += check(compiler, copy, recipe)
    print("\n".join(failures))
    print(f"{len(RECIPES) - len({f.split(':')[0] for f in failures})} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
