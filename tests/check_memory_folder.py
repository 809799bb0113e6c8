#!/usr/bin/env python3
"""The folder in memory for what tests write: a killed run's is removed by the next, a living run's is not."""
import importlib.machinery
import importlib.util
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent)
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("run_tests", str(root / "tools/run-tests"))
runner = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tests", loader))
loader.exec_module(runner)
RUN = """
import os, subprocess, sys
sys.path.insert(0, {here!r})
import check_memory_folder as check
check.runner.MEMORY_FOLDER, check.runner.MEMORY_WANTED = sys.argv[1], 0
os.environ.pop("TMPDIR", None)
with check.runner.temporary_files() as inherited:
    child = subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=inherited)
    print(os.environ.get("TMPDIR"), child.pid, flush=True)
    open(os.environ["TMPDIR"] + "/something", "w").close()
    sys.stdin.readline()
    child.kill()
    child.wait()
"""
failures, passed = [], 0


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)


class Run:
    """A process that has such a folder until it is told to end, and a child that inherits as `meson test` does."""

    def __init__(self, memory):
        text = RUN.format(here=str(pathlib.Path(__file__).resolve().parent))
        self.process = subprocess.Popen([sys.executable, "-c", text, memory], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        folder, child = self.process.stdout.readline().split()
        self.folder, self.child = pathlib.Path(folder), int(child)

    def end(self):
        self.process.communicate("\n")

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def kill_child(self):
        # the lock goes with the last who holds it: when the child's files are closed
        handle = os.pidfd_open(self.child)
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        os.close(handle)
        while pathlib.Path(f"/proc/{self.child}/fd").exists():
            try:
                if not os.listdir(f"/proc/{self.child}/fd"):
                    break
            except OSError:
                break


def main():
    with tempfile.TemporaryDirectory(prefix="tactus-memory-") as memory:
        foreign = pathlib.Path(memory, "b")
        foreign.mkdir()
        living = Run(memory)
        check(living.folder.name == "a", f"the first folder is {living.folder}")
        killed = Run(memory)
        check(killed.folder.name == "c", f"somebody's folder is not taken: {killed.folder}")
        killed.kill()
        check(killed.folder.exists(), "a killed run leaves its folder")
        third = Run(memory)
        check(killed.folder.exists() and third.folder.name == "d", "tests of a killed run go on in their folder")
        third.end()
        check(not third.folder.exists(), "a run that ends leaves nothing")
        killed.kill_child()
        fourth = Run(memory)
        check(fourth.folder.name == "c" and [e.name for e in fourth.folder.iterdir() if e.name != runner.MARK] in
              ([], ["something"]), "the next run removes the folder of a dead one and may take its name")
        check((living.folder / "something").exists(), "a living run's folder stays")
        fourth.end()
        living.end()
        check(sorted(os.listdir(memory)) == ["b"], f"left: {os.listdir(memory)}")
    for failure in failures:
        print("FAILED", failure)
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
