#!/usr/bin/env python3
"""The Makefile's promises: plain make installs nothing and says what is missing; demo and test list what
they install; the demo builds the program only; install honours PREFIX although build/ is there.

Packages are looked for and installed by fake dpkg-query and apt-get in front of the path.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent)
failures, passed = [], 0
FAKES = {
    "dpkg-query": '#!/bin/sh\nfor last; do :; done\n[ "$last" = libpcre2-dev ] || printf installed\n',
    "apt-get": '#!/bin/sh\necho "$@" >> "$CALLS"\n',
    "apt-cache": "#!/bin/sh\nexit 0\n",
    "sudo": '#!/bin/sh\nexec "$@"\n',
}


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


def run(*words, env=None):
    return subprocess.run(words, cwd=root, env=env, capture_output=True, text=True)


with tempfile.TemporaryDirectory(prefix="tactus-door-") as place:
    for name, text in FAKES.items():
        path = pathlib.Path(place) / name
        path.write_text(text)
        path.chmod(0o755)
    calls = pathlib.Path(place) / "calls"
    env = dict(os.environ, PATH=f"{place}:{os.environ['PATH']}", CALLS=str(calls))
    done = run("make", "check-deps", env=env)
    check(done.returncode != 0, "make goes on although a package is missing")
    check("libpcre2-dev" in done.stderr and "make deps" in done.stderr, f"make does not say what to do: {done.stderr}")
    check(not calls.exists(), "plain make installs packages")
    done = run("make", "deps", env=env)
    check(done.returncode == 0 and re.search(r"installing.*libpcre2-dev", done.stdout), "make deps does not list")
    check(calls.exists() and "install" in calls.read_text() and "libpcre2-dev" in calls.read_text(),
          "make deps does not install")

plan = {target: run("make", "-n", target, "PREFIX=/somewhere/else").stdout for target in ("all", "demo", "test", "install")}
check("tools/setup --check build" in plan["all"] and "tools/setup build" not in plan["all"], "make installs packages")
check("tools/setup build" in plan["demo"] and "tools/setup build" in plan["test"] and
      "tools/setup test" in plan["test"], "make demo and make test do not install what they need")
check("ninja -C build tactus\n" in plan["demo"] and "ninja -C build\n" not in plan["demo"],
      "make demo builds more than the program")
check("meson configure build --prefix=/somewhere/else" in plan["install"], "make install forgets PREFIX")

for failure in failures:
    print("FAILED", failure)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
