#!/usr/bin/env python3
"""What only some commands use is loaded by those alone.

Neither the program nor the shared library is linked with libmicrohttpd, libcurl or libpq. What the loader maps while a
command runs is told by itself (LD_DEBUG=files): none of the three, nor the TLS library that comes with them, in commands
that have no use for them; a server in `serve`, the client of browsers for a browser, the client of databases for a
database. A library that cannot be opened is told with its package, and nothing is begun.
"""
import glob
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TACTUS = pathlib.Path(os.environ["TACTUS"]).resolve()
ROOT = pathlib.Path(os.environ["TACTUS_SOURCE_ROOT"])
LATE = ("libmicrohttpd.so", "libcurl.so", "libpq.so", "libgnutls.so")
failures, passed = [], 0


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


def linked_with(path):
    told = subprocess.run(["objdump", "-p", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^\s*NEEDED\s+(\S+)$", told, flags=re.M)


def loaded(place, *words, code=0):
    """The late libraries that the loader opened for a command, and those of the programs it started."""
    for old in glob.glob(f"{place}/loader.*"):
        os.unlink(old)
    env = dict(os.environ, LD_DEBUG="files", LD_DEBUG_OUTPUT=f"{place}/loader")
    done = subprocess.run([TACTUS, *words], cwd=ROOT, env=env, capture_output=True, text=True)
    check(done.returncode == code, f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    told = "".join(pathlib.Path(one).read_text(errors="replace") for one in glob.glob(f"{place}/loader.*"))
    check("libjansson.so" in told, f"{' '.join(words)}: the loader told nothing")
    return {name for name in LATE if f"file={name}" in told or f"/{name}" in told}


def serve(place):
    """What the server has mapped once it can be reached."""
    server = subprocess.Popen([TACTUS, "serve", place], stdout=subprocess.PIPE, text=True)
    try:
        check("open http://127.0.0.1" in server.stdout.readline(), "the server did not begin")
        return pathlib.Path(f"/proc/{server.pid}/maps").read_text()
    finally:
        server.terminate()
        server.wait()


def main():
    shared = TACTUS.parent / "src/libtactus.so"
    for path in [TACTUS] + [shared] * shared.exists():
        check(not [name for name in linked_with(path) if name.startswith(LATE)], f"{path.name} is linked with a late library")
    with tempfile.TemporaryDirectory(prefix="tactus-late-") as place:
        for words, code in ((("--version",), 0), (("help", "serve"), 0), (("model", "check", "examples/uamp/uamp.model.xml"), 0),
                            (("flow", "count", "examples/uamp/uamp.model.xml", "--length", "5"), 0),
                            (("rules", "check", "no.rules"), 4), (("serve", "--listen", "::1", place), 2)):
            check(not loaded(place, *words, code=code), f"{' '.join(words)} loads {loaded(place, *words, code=code)}")
        maps = serve(place)
        check("libmicrohttpd.so" in maps, "serve has no server")
        check("libcurl.so" not in maps and "libpq.so" not in maps, "serve loads what it does not use")
        used = loaded(place, "store", "list", "postgresql://nobody@127.0.0.1:1/none", code=4)
        check("libpq.so" in used or "built without" in used, f"a database is asked without its client: {used}")
        check("libmicrohttpd.so" not in used, "a database loads a server")
        broken = pathlib.Path(place) / "broken"
        broken.mkdir()
        for name, words in (("libmicrohttpd.so.12", ("serve", place)),
                            ("libcurl.so.4", ("explore", "--device", "chromium:http://127.0.0.1:1/", "-o", f"{place}/none.xml"))):
            (broken / name).write_text("")
            done = subprocess.run([TACTUS, *words], cwd=place, env=dict(os.environ, LD_LIBRARY_PATH=str(broken)),
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True)
            check(done.returncode == 4 and f"the library {name} cannot be opened; install Debian's package" in done.stderr and
                  not done.stdout, f"{words[0]} without {name}: exit {done.returncode}: {done.stdout}{done.stderr}")
    for failure in failures:
        print("FAILED", failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or not passed else 0


sys.exit(main())
