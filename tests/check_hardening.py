#!/usr/bin/env python3
"""The program and the shared library have what meson.build asks of the compiler and the linker:
position independent, read-only relocations bound at the start, no executable stack, stack protector,
fortified functions, and landing pads for indirect branches where the processor family has them.

Read with readelf and objdump; where hardening-check is installed it is asked too.
"""
import os
import pathlib
import platform
import shutil
import subprocess
import sys

TACTUS = pathlib.Path(os.environ["TACTUS"])


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def flaws(path, program):
    header, dynamic = output("readelf", "-hW", path), output("readelf", "-dW", path)
    segments, symbols = output("readelf", "-lW", path), output("readelf", "-W", "--dyn-syms", path)
    if "DYN" not in header or (program and "PIE" not in dynamic):
        yield "not position independent"
    if "GNU_RELRO" not in segments:
        yield "relocations stay writable"
    if "BIND_NOW" not in dynamic and "NOW" not in dynamic:
        yield "symbols are bound late"
    stack = [line for line in segments.splitlines() if "GNU_STACK" in line]
    if not stack or "RWE" in stack[0]:
        yield "the stack is executable"
    if "__stack_chk_fail" not in symbols:
        yield "no stack protector"
    if "asan" not in symbols and "_chk@" not in symbols.replace("__stack_chk", ""):
        yield "no fortified functions"
    if platform.machine() == "x86_64":
        code = output("objdump", "-d", "--no-show-raw-insn", "-j", ".text", path)
        if code.count("endbr64") < 100:
            yield "no landing pads for indirect branches"


def main():
    shared = TACTUS.parent / "src/libtactus.so"
    libraries = [shared] if shared.exists() else []
    failures = 0
    for path in [TACTUS] + libraries:
        for flaw in flaws(path, path == TACTUS):
            print(f"FAILED {path.name}: {flaw}")
            failures += 1
    if shutil.which("hardening-check") and "asan" not in output("readelf", "-d", TACTUS):
        asked = subprocess.run(["hardening-check", TACTUS], capture_output=True, text=True)
        if asked.returncode:
            print("FAILED hardening-check:\n" + asked.stdout)
            failures += 1
    print(f"{1 + len(libraries)} files looked at, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
