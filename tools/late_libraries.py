#!/usr/bin/env python3
"""late_libraries.py OBJECT OUTPUT.h libNAME=VERSION...: under which names libraries are found by a program that runs.

OBJECT is a shared object that is linked with each of the libraries. OUTPUT.h defines for each SONAME_<NAME>, "libcurl.so.4";
PACKAGE_<NAME>, "libcurl4", which is Debian's package of it; and VERSION_<NAME>, with whose headers the program is built.
"""
import re
import subprocess
import sys


def main():
    linked, output, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    needed = re.findall(r"^\s*NEEDED\s+(\S+)$", subprocess.run(["objdump", "-p", linked], capture_output=True, text=True,
                                                               check=True).stdout, flags=re.M)
    lines = []
    for name, version in (word[3:].split("=") for word in names):
        found = [soname for soname in needed if re.match(rf"lib{re.escape(name)}(-[a-z]+)?\.so\b", soname)]
        if len(found) != 1:
            raise SystemExit(f"late_libraries.py: {linked} is not linked with lib{name}: {needed}")
        base, _, number = found[0].partition(".so.")
        package = base + ("-" if base[-1:].isdigit() and number else "") + number
        lines += [f'#define SONAME_{name.upper()} "{found[0]}"', f'#define PACKAGE_{name.upper()} "{package}"',
                  f'#define VERSION_{name.upper()} "{version}"']
    with open(output, "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")


main()
