#!/usr/bin/env python3
"""The library as others get it: installed into an empty folder and used through pkg-config.

The shared library exports what the public headers declare and nothing else; the static one leaks no other
name, so a program may have an unit_parse and an interval_end of its own; the programs of examples/library
are built against both and run; a C++ program includes every header and links; the API page tells every
function. The static library is not made in sanitizer builds.

The interface is a promise, and stays small: at most MOST functions, each called by a program of examples/library or
of tests/library; a header speaks of no function that is not in it.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent)
build = pathlib.Path(os.environ.get("TACTUS") or root / "build/tactus").resolve().parent
failures, passed = [], 0
MOST = 150
EXAMPLES = {
    "check_home": (["examples/home"], 1, "never-fires: 'Door left open' never fires"),
    "check_rules": (["examples/rules/phoneadapter.rules"], 1, "fire together on 72 inputs"),
    "check_stream": ([], 1, "after 9 s: the bound is passed"),
    "check_traces": (["examples/traces/playback.props", "examples/traces/cafe-1.csv"], 1, '"verdict": "false"'),
    "choose_flows": (["examples/uamp/uamp.model.xml", "examples/uamp/uamp.req1.xml", "10", "transitions"], 0,
                     "31 of 31 covered by 8 flows"),
    "count_flows": (["examples/uamp/uamp.model.xml", "10"], 0, "flows of at most 10 events"),
    "keep_events": (["examples/traces/cafe-1.csv"], 0, '{"t":6.034,"event":"selectSong"}'),
    "mine_runs": (["examples/mining/player.runs", "examples/mining/player.runs"], 0, "160 runs judged: {"),
    "verify_recording": (["examples/protocol/remover.spec", "examples/protocol/buggy.jsonl"], 1, "VIOLATED"),
}


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)


def names(*words):
    """The defined global names that nm prints."""
    lines = [line.split() for line in run("nm", *words).stdout.split("\n")]
    return {line[2] for line in lines if len(line) == 3}


def check_promise(declared):
    check(50 < len(declared) <= MOST, f"include/tactus has {len(declared)} functions, more than {MOST}")
    programs = [path.read_text() for folder in ("examples", "tests")
                for path in sorted((root / folder / "library").glob("*.c"))]
    called = set(re.findall(r"\b(tac_\w+)\(", re.sub(r"/\*.*?\*/", "", "".join(programs), flags=re.S)))
    check(declared <= called, f"no program of examples/library or tests/library calls {sorted(declared - called)}")
    for path in sorted((root / "include/tactus").glob("*.h")):
        known = set(re.findall(r"\btac_\w+", re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S))) | declared
        for comment in re.findall(r"/\*.*?\*/", path.read_text(), re.S):
            strange = set(re.findall(r"\btac_\w+", comment)) - known
            check(not strange, f"include/tactus/{path.name} speaks of {sorted(strange)}, which it does not have")


def main():
    declared = set(run(root / "tools/api-page", "--functions", root / "include/tactus").stdout.split())
    check_promise(declared)
    with tempfile.TemporaryDirectory(prefix="tactus-library-") as place:
        done = run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", place)
        check(done.returncode == 0, f"meson install: {done.stdout}{done.stderr}")
        package = next(pathlib.Path(place).rglob("tactus.pc"))
        prefix = [line[7:] for line in package.read_text().split("\n") if line.startswith("prefix=")][0]
        env = dict(os.environ, PKG_CONFIG_PATH=str(package.parent))
        libraries = package.parent.parent

        def flags(*words):
            return run("pkg-config", f"--define-variable=prefix={place}{prefix}", *words, "tactus",
                       env=env).stdout.split()

        exported = names("-D", "--defined-only", libraries / "libtactus.so")
        check(exported == declared, f"exported and declared differ: {sorted(exported ^ declared)[:20]}")
        check("libtactus.so.0" in run("objdump", "-p", libraries / "libtactus.so").stdout, "no soname")
        ways = {"shared": flags("--libs")}
        archive = libraries / "libtactus.a"
        if archive.exists():
            foreign = {name for name in names("-g", "--defined-only", archive) if not name.startswith("tac_")}
            check(not foreign, f"the static library leaks {sorted(foreign)[:20]}")
            rest = [word for word in flags("--static", "--libs") if word != "-ltactus"]
            ways["static"] = [str(archive)] + rest
        page = next(pathlib.Path(place).rglob("doc/tactus/api.md")).read_text()
        check(all(f"{name}(" in page for name in declared), "the API page lacks a function")

        every = pathlib.Path(place) / "every_header.cpp"
        every.write_text("".join(f"#include <tactus/{path.name}>\n" for path in
                                 sorted((root / "include/tactus").glob("*.h"))) +
                         "#include <cstdio>\n#include <cstring>\nint main()\n{\n    tac_error err;\n"
                         "    tac_fail(&err, TAC_E_INPUT, \"%d\", 7);\n"
                         "    return std::strcmp(tac_version(), TACTUS_VERSION) ||"
                         " tac_exit_code(err.status, TAC_HOLDS) != 4;\n}\n")
        programs = {path.stem: path for path in sorted((root / "examples/library").glob("*.c"))}
        check(set(programs) == set(EXAMPLES), "examples/library and this test name different programs")
        programs |= {path.stem: path for path in sorted((root / "tests/library").glob("*.c"))}
        programs["every_header"] = every
        expected = dict(EXAMPLES, names_of_its_own=([], 0, "2 2 1 same version"), every_header=([], 0, ""),
                        interface=([place], 0, "every answer is as expected"))
        strict = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wno-missing-field-initializers"]
        for way, libs in ways.items():
            for name, source in programs.items():
                compiler = ["g++", "-std=c++17"] if source.suffix == ".cpp" else ["gcc", "-std=c17"]
                made = pathlib.Path(place) / f"{name}-{way}"
                done = run(*compiler, *strict, source, *flags("--cflags"), *libs, "-o", made)
                check(done.returncode == 0, f"{name}, {way}: {done.stderr[:2000]}")
                if done.returncode:
                    continue
                words, code, text = expected[name]
                done = run(made, *words, cwd=root, env=dict(os.environ, LD_LIBRARY_PATH=str(libraries)))
                check(done.returncode == code and text in done.stdout,
                      f"{name}, {way}: exit {done.returncode}: {done.stdout}{done.stderr}")
                if way == "static":
                    needed = run("objdump", "-p", made).stdout
                    check("libtactus.so" not in needed, f"{name} is not linked statically")
    for failure in failures:
        print("FAILED", failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or not passed else 0


sys.exit(main())
