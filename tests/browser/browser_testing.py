"""What the browser tests share: counting checks, running Tactus, serving pages, looking for what is left behind."""
import atexit
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from patience import patience  # noqa: E402

root = pathlib.Path(os.environ["TACTUS_SOURCE_ROOT"])
tactus = os.path.abspath(os.environ["TACTUS"])
passed, failures = 0, []


def check(condition, message):
    global passed
    passed += bool(condition)
    if not condition:
        failures.append(message)
        print("FAILED " + message)


def run(*words, timeout=240):
    return subprocess.run([tactus, *words], capture_output=True, text=True, timeout=patience(timeout))


def together(*jobs, most=3):
    """Calls (function, argument...) at the same time, because browsers wait more than they work; their results."""
    with concurrent.futures.ThreadPoolExecutor(most) as pool:
        return [job.result() for job in [pool.submit(*job) for job in jobs]]


def answer(done):
    """The JSON document of a command, or an empty one."""
    return json.loads(done.stdout or "{}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def can_shape():
    """Whether this account may make networks (namespaces and TUN devices)."""
    done = run("scenario", "run", "ideal", "--", "true")
    if done.returncode:
        print(f"without networks: {done.stderr.strip()}")
    return done.returncode == 0


class Server:
    """tactus web serve, with what it says it sent."""

    def __init__(self, folder):
        self.process = subprocess.Popen([tactus, "web", "serve", str(folder)], stdout=subprocess.PIPE,
                                        text=True)
        atexit.register(self.process.kill)
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline()).group(1))
        self.url = f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        out = self.process.communicate(timeout=20)[0]
        return int(re.search(r"(\d+) bytes", out).group(1))


def page(work, name, body, script=""):
    (pathlib.Path(work) / "pages").mkdir(exist_ok=True)
    (pathlib.Path(work) / "pages" / name).write_text(
        f"<!doctype html><title>t</title><body>{body}<script>{script}</script></body>")


def click(name):
    return {"event": name, "kind": "user", "states": [],
            "actions": [{"kind": "click", "xpath": f"//node[@resource-id='{name}']"}]}


def write_flow(path, steps):
    pathlib.Path(path).write_text(json.dumps({"kind": "witness", "model": "t", "start": [], "steps": steps}) + "\n")
    return str(path)


def processes():
    """(pid, parent, command line) of every living process, from /proc: a minimal system has no pgrep."""
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                yield int(entry.name), parent, (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (OSError, IndexError, UnicodeDecodeError):
            continue


def family(pid):
    """The process and all that descend from it: (pid, command line)."""
    all_of_them, found, todo = list(processes()), [], [pid]
    while todo:
        parent = todo.pop()
        for child, its_parent, line in all_of_them:
            if its_parent == parent:
                found.append((child, line))
                todo.append(child)
    return found


def leftovers(work):
    """Browsers and drivers that use a folder of this test."""
    return [line for _, _, line in processes() if "chrom" in line and str(work) in line]


def check_nothing_is_left(work, after):
    until = time.monotonic() + patience(15)
    while True:
        left = leftovers(work) + [str(path) for path in pathlib.Path(work).glob("tactus-browser-*")]
        if not left or time.monotonic() > until:
            break
        time.sleep(0.1)
    check(not left, f"{after}: left behind: {left[:3]}")


def closing():
    """Says how many checks passed; the exit code."""
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


def need_browser():
    """Skips the test where there is none."""
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        print("  skipped: chromium or chromium-driver is not installed\n0 passed, 0 failed, 1 skipped")
        sys.exit(77)


def main(test):
    """Runs test(work) in a folder of its own, or skips where there is no browser."""
    need_browser()
    with tempfile.TemporaryDirectory(prefix="tactus-web-", ignore_cleanup_errors=True) as work:
        os.environ["TMPDIR"] = work
        test(work)
        check_nothing_is_left(work, "at the end")
    sys.exit(closing())
