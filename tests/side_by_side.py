"""The parts of a check that mostly waits, each group of parts in a process of its own."""
import os
import re
import subprocess
import sys


def run(script, groups):
    """Calls `script PART...` once per group, all at the same time; prints what they say, adds up their closing
    lines, and returns an exit code: 1 where one failed or ended without such a line."""
    calls = [subprocess.Popen([sys.executable, os.path.abspath(script), *group], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for group in groups]
    passed = failed = 0
    for group, call in zip(groups, calls):
        said = call.communicate()[0]
        closing = re.findall(r"^(\d+) passed, (\d+) failed.*\n?", said, re.M)
        print(re.sub(r"^\d+ passed, \d+ failed.*\n?", "", said, flags=re.M), end="")
        if not closing or call.returncode not in (0, 1):
            print(f"FAILED {' '.join(group)} ended with exit code {call.returncode}")
            failed += 1
        for count in closing:
            passed, failed = passed + int(count[0]), failed + int(count[1])
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
