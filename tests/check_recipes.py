#!/usr/bin/env python3
"""The recipes of ARCHITECTURE.md ("To add ...") hold.

Each recipe is carried out in a copy of the sources: with all its places it compiles and does what it is for;
with one place left out it does not compile, or the test fails that the recipe names for it. What `make regen` writes
(schemas, man pages) is a place, too. Only what includes a changed header is compiled, and linked before the library as
it is.
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

# After the line that matches `anchor` (a regular expression, its last match in the file) comes `text`, or after the
# anchor's group in that line. A place without an anchor is a file. `noticed`: the test that fails without it; None: it
# does not compile.
Place = collections.namedtuple("Place", "file anchor text noticed", defaults=[None])
Recipe = collections.namedtuple("Recipe", "name places proof")


GUARDED = """<interactionModel xmlns="urn:tactus:interaction-model:1" name="m">
<device name="d"><application name="A" external="true"><activity name="A" external="true">
<stateMachine name="A" external="true"><initial to="s"/><state name="s"/>
<transition from="s" event="one" to="s" guard="true ^^ false"/>
<transition from="s" event="both" to="s" guard="true ^^ true"/>
</stateMachine></activity></application></device></interactionModel>
"""

MODEL = re.sub(r' guard="[^"]*"', "", GUARDED)

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

SIZE_COMMAND = """/* tactus model size MODEL: how many states it has. */
#include "cli/command.h"
#include "tactus/model.h"

static void write_size(FILE *out, void *context)
{
    tac_model_statistics sizes;
    tac_model_count(context, &sizes);
    fprintf(out, "%u state%s\\n", sizes.states, sizes.states == 1 ? "" : "s");
}

static int model_size_run(struct invocation *in)
{
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_error err;
    const tac_status status = tac_model_load(in->args[0], &findings, &model, &err);
    const int code = status == TAC_OK ? finish_text(in, write_size, model, 0) : fail(in, &err);
    tac_model_free(model);
    tac_diagnostics_free(&findings);
    return code;
}

const struct command cmd_model_size = {
    .noun = "model", .verb = "size", .group = GROUP_MODELS, .args = "MODEL",
    .summary = "count the states of a model", .description = "Prints how many states the model has.",
    .example = "tactus model size examples/uamp/uamp.model.xml",
    .common = HAS_OUTPUT, .run = model_size_run,
};
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
    Recipe("a command", [
        Place("src/cli/cmd_model_size.c", None, SIZE_COMMAND),
        Place("src/cli/commands.def", r"^COMMAND\(model_merge\)", "COMMAND(model_size)\n",
              noticed="tests/check_house.py commands"),
        Place("tests/cli/model/model_size.sh", None, "tactus model size examples/uamp/uamp.model.xml\n",
              noticed="tests/check_house.py commands"),
    ], Proof("tactus", ["model", "size", "m.xml"], (("m.xml", MODEL),), "1 state\n")),
    Recipe("a word of an option", [
        Place("src/cli/cmd_model_export.c", r"^enum exported \{ TO_PROMELA,()", " TO_LINES,"),
        Place("src/cli/cmd_model_export.c", r"\[TO_DOT\] = ", "    [TO_LINES] = tac_model_write,\n",
              noticed="tests/check_enums.py"),
        Place("src/cli/cmd_model_export.c", r'\{"promela", TO_PROMELA\},()', ' {"lines", TO_LINES},',
              noticed="tests/check_enums.py"),
    ], Proof("tactus", ["model", "export", "m.xml", "--to", "lines"], (("m.xml", MODEL),), "<interactionModel")),
    Recipe("a result field", [
        Place("src/model/tools.h", r"^typedef struct tac_model_risks \{", "    size_t guarded;\n"),
        Place("src/cli/cmd_model_check.c", r"FIELDS\(tac_model_risks,()", " guarded,",
              noticed="tests/check_schemas.py"),
    ], Proof("tactus", ["model", "check", "m.xml", "--json"], (("m.xml", MODEL),), '"guarded":0')),
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
                inside = re.search(place.anchor, lines[at])
                if inside.re.groups:
                    lines[at] = lines[at][:inside.end(1)] + place.text + lines[at][inside.end(1):]
                else:
                    lines.insert(at + 1, place.text)
                changed = "".join(lines)
            path.unlink(missing_ok=True)
            path.write_text(changed)

    def restore(self, places):
        for place in places:
            path = self.folder / place.file
            path.unlink(missing_ok=True)
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
        listed = any(place.file.endswith(("meson.build", "commands.def")) for place in places)
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
    program = proof.program if not proof.program.startswith("tests/check_") else "tactus"
    copy.apply(places)
    try:
        objects = []
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for output, wrong in pool.map(lambda name: compiler.compile(copy, name),
                                          compiler.sources_of(places, program)):
                if wrong:
                    return "compiler", wrong
                objects.append(output)
        output, wrong = compiler.link(copy, program, objects)
        if wrong:
            return "compiler", wrong
        if program != proof.program:
            run = subprocess.run([sys.executable, *str(ROOT / proof.program).split()], capture_output=True, text=True,
                                 env=os.environ | {"TACTUS_SOURCE_ROOT": str(copy.folder), "TACTUS": str(output)})
            return (proof.program, run.stdout + run.stderr) if run.returncode else None
        wrong = run_proof(copy, proof, output)
        return (program, wrong) if wrong else None
    finally:
        copy.restore(places)


REGENERATED = {"man": (["help", "--man-pages"], "tests/check_manual.py"),
               "schemas": (["help", "--schemas"], "tests/check_schemas.py")}


def regenerate(compiler, copy, recipe):
    """The files that `make regen` writes otherwise now, as places."""
    if try_out(compiler, copy, recipe.places, recipe.proof):
        return
    for folder, (words, test) in REGENERATED.items():
        with tempfile.TemporaryDirectory(dir=copy.folder) as made:
            subprocess.run([copy.build / "changed/tactus", *words, made], check=True)
            for path in pathlib.Path(made).iterdir():
                kept = ROOT / folder / path.name
                if path.name != "report.schema.json" and (not kept.exists() or kept.read_text() != path.read_text()):
                    yield Place(f"{folder}/{path.name}", None, path.read_text(), noticed=test)


def check(compiler, copy, recipe):
    made = list(regenerate(compiler, copy, recipe)) if recipe.proof.program == "tactus" else []
    for proof in [recipe.proof, *{Proof(place.noticed) for place in recipe.places + made if place.noticed}]:
        wrong = try_out(compiler, copy, recipe.places + made, proof)
        if wrong:
            yield f"{recipe.name}: with all its places: {wrong[0]}: {wrong[1][:1500]}"
    for test in sorted({place.noticed for place in made}):
        if not try_out(compiler, copy, recipe.places, Proof(test)):
            yield f"{recipe.name}: {test} does not notice that 'make regen' is missing"
    for left_out in recipe.places:
        rest = [place for place in recipe.places if place is not left_out] + made
        wrong = try_out(compiler, copy, rest, Proof(left_out.noticed) if left_out.noticed else recipe.proof)
        by = (left_out.noticed,) if left_out.noticed else ("compiler", recipe.proof.program)
        if not wrong:
            yield f"{recipe.name}: nobody notices that the place in {left_out.file} is missing"
        elif wrong[0] not in by:
            yield f"{recipe.name}: without the place in {left_out.file} not {by[0]} but {wrong[0]} fails: {wrong[1][:300]}"


def main():
    failures, compiler = [], Compiler()
    with tempfile.TemporaryDirectory(prefix="tactus-recipes-") as folder:
        copy = Copy(folder)
        tried = [recipe for recipe in RECIPES if sys.argv[1:] in ([], [recipe.name])]
        for recipe in tried:
            failures += check(compiler, copy, recipe)
    print("\n".join(failures))
    print(f"{len(tried) - len({f.split(':')[0] for f in failures})} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
