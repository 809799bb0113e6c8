"""What the tests of the Java agent share: a JDK, the agent, and the small programs compiled once."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or pathlib.Path(__file__).resolve().parent.parent.parent)
tactus = os.environ.get("TACTUS") or str(root / "build/tactus")
agent = pathlib.Path(os.environ.get("TACTUS_JVM_AGENT") or
                     pathlib.Path(tactus).resolve().parent / "src/jvm/agent/libtactus-jvm.so")
failures, passed = [], 0


def need_jdk():
    if not shutil.which("javac") or not shutil.which("java"):
        print("skipped: no JDK (default-jdk-headless)")
        sys.exit(77)
    if not agent.exists():
        print(f"skipped: {agent} is not built")
        sys.exit(77)


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)
        print("FAILED", message, flush=True)
    return condition


def finish():
    print(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


class Workshop:
    """A folder with the programs in it, gone at the end."""

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="tactus-jvm-")
        self.folder = pathlib.Path(self.temporary.name)
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def compile(self, *sources):
        subprocess.run(["javac", "-nowarn", "-d", self.folder, *[root / "tests/jvm/programs" / s for s in sources]],
                       check=True)

    def run(self, *words, timeout=300, **env):
        return subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=timeout,
                              cwd=self.folder, env=dict(os.environ, **env))


class Screen:
    """A screen for programs with windows; its name, or None with a message where there is no X server or no AWT."""

    def __enter__(self):
        home = pathlib.Path(shutil.which("javac")).resolve().parent.parent
        self.server = None
        if not shutil.which("Xvfb") or not (home / "lib/libawt_xawt.so").exists():
            print("skipped: programs with windows (Debian's packages xvfb and default-jdk)")
            return None
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten",
                                        "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            print("skipped: programs with windows (Xvfb does not start)")
        return f":{number}" if number else None

    def __exit__(self, *_):
        if self.server:
            self.server.terminate()
            self.server.wait()
