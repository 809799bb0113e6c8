#!/usr/bin/env python3
"""embed.py INPUT OUTPUT SYMBOL: writes a C header that holds the bytes of INPUT.

The header defines `static const char SYMBOL[]` (with a terminating NUL) and `SYMBOL_size` without it.
"""
import sys

source, target, symbol = sys.argv[1:4]
with open(source, "rb") as file:
    data = file.read()
with open(target, "w", encoding="ascii") as out:
    out.write(f"static const char {symbol}[] = {{\n")
    for start in range(0, len(data), 16):
        values = (str(byte - 256 if byte > 127 else byte) for byte in data[start:start + 16])
        out.write("    " + ", ".join(values) + ",\n")
    out.write("    0};\n")
    out.write(f"static const unsigned long {symbol}_size = sizeof {symbol} - 1;\n")
