#!/usr/bin/env python3
"""tools/mutate on a project of a few files: every mutant of the one that is tested is caught, none of the others is.

And what a mutant is not: nothing in comments, texts, assertions, sizes and lines of the preprocessor is changed, nor what
only gives memory back. A test runs where it comes by, whatever the statement. The project's own table names what is there.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent)
failures, passed = [], 0
FILES = {
    "meson.build": """project('tiny', 'c')
tiny = shared_library('tiny', 'src/tested/sum.c', 'src/forgotten/sum.c', 'src/still/still.c', 'src/forms/forms.c')
test('test_sum', executable('test_sum', 'tests/test_sum.c', link_with: tiny))
""",
    "meson_options.txt": "option('mutants', type: 'boolean', value: false)\n",
    "src/tested/sum.c": """int sum_of_even(const int *number, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        if (number[i] % 2 == 0)
            sum += number[i];
    return sum;
}
""",
    "src/forgotten/sum.c": """int sum_of_odd(const int *number, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        if (number[i] % 2 == 0)
            continue;
        sum += number[i];
    }
    return sum;
}
""",
    "src/still/still.c": """#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#define SAY(x) \\
    puts(1 > 0 ? (x) : "")
/* if (a == 0) return 1; */
static_assert(sizeof(int) >= 2, "an int is too small");
char *still(char *text, int *length);
static void put_away(char **text)
{
    free(*text);
}
static void free_two(char **texts)
{
    for (int i = 0; i < 2; i++)
        put_away(&texts[i]);
    free(texts[0]);
    texts[0] = NULL;
}

static int is_short(int length)
{
    return length < 100;
}

char *still(char *text, int *length)
{
    char small[64]; // 64 + 1
    assert(text && *length < 100 && is_short(*length));
    free(text);
    free_two(&text);
    char *other = malloc(2 * sizeof *text + sizeof small - 1);
    SAY("a < b && c == 0");
    abort();
}
""",
    "src/forms/forms.c": """struct two { int a, b; };
static const int most[] = {7, 9}; // line 2: outside of functions
#define for_each(i, n) for (int i = 0; i < (n); i++)
int forms(int kind);

static int never(int x)
{
    return x + 8; // never
}

int forms(int kind)
{
    int sum = kind * 2;
    if (kind == 5)
        return never(9); // never
    else if (kind == 6)
        sum += 12; // never
    else
        sum -= 13;
    for (int i = 4; i < kind; i++)
        if (i > 5) // never
            sum += 14; // never
    for_each (i, kind)
        sum += 15;
    for_each (i, kind - 1)
        sum += 16; // never
    switch (kind) {
    case 1: {
        struct two two = {.a = kind + 3, .b = (struct two){kind > 2 ? 17 : 18}.a};
        sum += two.a;
        break;
    }
    case 3:
        sum *= 3; // never
        break; // never
    default:
        return sum > 19 ? 20 : 21; // never
    }
    do
        sum -= 22;
    while (sum > 23);
    return sum + most[sum > 99];
}
""",
    "tests/test_sum.c": """#include <limits.h>
int sum_of_even(const int *number, int count);
int forms(int kind);

int main(void)
{
    forms(1); // whatever it is
    static const int numbers[] = {2, 3, 4, 8, 1, 5, INT_MIN, 6};
    for (int i = 0; i <= 6; i++)
        if (sum_of_even(numbers, i) != (int[]){0, 2, 2, 6, 14, 14, 14}[i])
            return 1;
    return sum_of_even(numbers + 7, 1) != 6;
}
""",
    "tests/mutants.tsv": "# a comment\nsrc\ttest_sum\n",
}


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


def mutate(place, *words):
    done = subprocess.run([sys.executable, root / "tools/mutate", "--root", place, "--jobs", "2", *words],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def check_tiny(place):
    for name, text in FILES.items():
        path = pathlib.Path(place) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    code, text = mutate(place, "--n", "10", "--files", "src/tested", "--at-least", "100")
    check(code == 0 and re.search(r"^10 mutants, 10 caught \(100\.0 %\), 0 survived, \d+ s$", text, re.M),
          f"a mutant of the file that is tested survived, exit code {code}:\n{text}")
    code, text = mutate(place, "--n", "4", "--files", "src/forgotten/*.c", "--at-least", "50")
    check(code == 1 and "4 mutants, 0 caught" in text, f"a mutant that no test sees was caught, exit code {code}:\n{text}")
    check(len(re.findall(r"^survived: src/forgotten/sum\.c:\d+: \w+\n@@ .*\n(?:[-+ ].*\n)+  ran: no test comes by \(\d+ s\)$",
                         text, re.M)) == 4, f"a survivor is not shown with its diff and its tests:\n{text}")
    check_places(place)
    first, again, other = (mutate(place, "--n", "6", "--list", "--seed", seed)[1] for seed in ("a", "a", "b"))
    check(first == again, "the same seed drew other mutants")
    check(first != other, "another seed drew the same mutants")
    code, text = mutate(place, "--n", "1000", "--list", "--files", "src/still")
    changed = re.findall(r"^-(?!--)(.*)$", text, re.M)
    check(set(changed) <= {'    SAY("a < b && c == 0");', "    abort();"} and 'abort()' in text and 'SAY' in text,
          f"changed what is not to be changed:\n{text}")
    check(all((pathlib.Path(place) / name).read_text() == wanted for name, wanted in FILES.items()),
          "a source is not as it was")
    check(not list((pathlib.Path(place) / "build-mutants").glob("worker-*")), "a worker's folder was left behind")
    (pathlib.Path(place) / "tests/mutants.tsv").write_text("src/nothing\ttest_sum\n")
    code, text = mutate(place, "--n", "1")
    check(code == 4 and "mutants.tsv:1: " in text and "'src/nothing\ttest_sum'" in text,
          f"a row for a folder that is not there: exit code {code}, {text}")


def check_places(place):
    """Of which lines of src/forms a test is said to come by."""
    text = mutate(place, "--n", "1000", "--files", "src/forms", "--verbose")[1]
    seen = set(map(int, re.findall(r"^caught: src/forms/forms\.c:(\d+):", text, re.M))) # one that hangs
    unseen = set()
    for line, ran in re.findall(r"^survived: src/forms/forms\.c:(\d+):[^@]*@@(?:.*\n)+?  ran: (.*) \(", text, re.M):
        (unseen if ran == "no test comes by" else seen).add(int(line))
    lines = FILES["src/forms/forms.c"].splitlines()
    never = {number for number, line in enumerate(lines, 1) if line.endswith("// never")}
    check(unseen == never and not seen & never and len(seen) >= 12,
          f"tests come by at {sorted(seen)}, not at {sorted(unseen)} instead of {sorted(never)}:\n{text}")


def check_table():
    """What the project's own table names is there, and every folder of src/ has a row."""
    build = pathlib.Path(os.environ.get("TACTUS") or root / "build/tactus").resolve().parent
    tests = {test["name"] for test in json.loads((build / "meson-info/intro-tests.json").read_text())}
    rows = dict(line.split("\t") for line in (root / "tests/mutants.tsv").read_text().splitlines() if line[:1] != "#")
    for where, words in rows.items():
        check(any(root.glob(where)), f"tests/mutants.tsv: no file or folder is '{where}'")
        for word in words.split():
            name, _, script = word.lstrip("-").partition(":")
            check((root / "tests/unit" / script).is_dir() if name == "unit" else
                  name in tests and (not script or (root / f"tests/cli/{name[4:]}/{script}.sh").exists()),
                  f"tests/mutants.tsv: there is no test '{word}', which the row of '{where}' names")
    for folder in (path for path in (root / "src").iterdir() if path.is_dir()):
        check(f"src/{folder.name}" in rows, f"tests/mutants.tsv: no row says which tests judge src/{folder.name}")


check_table()
with tempfile.TemporaryDirectory(prefix="tactus-mutate-") as folder:
    check_tiny(folder)
for failure in failures:
    print("FAILED", failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
