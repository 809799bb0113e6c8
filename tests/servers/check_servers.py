#!/usr/bin/env python3
"""What listens: `web serve` serves nothing outside its folder, nothing hidden, nobody who asks for
another host, is not kept waiting by slow clients, and hangs up on one that sends its request byte by byte
for ever; `tactus phone` answers while other connections say nothing, or part of a packet."""
import concurrent.futures
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from patience import patience  # noqa: E402

ROOT = pathlib.Path(os.environ.get("TACTUS_SOURCE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent)
TACTUS = os.environ["TACTUS"]
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print(f"FAILED {what}")


def start(*words):
    process = subprocess.Popen([TACTUS, *map(str, words)], stdout=subprocess.PIPE, text=True)
    return process, int(re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline()).group(1))


def get(port, path, host=None):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as to:
        to.sendall(f"GET {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\n"
                   "Connection: close\r\n\r\n".encode())
        data = b""
        while piece := to.recv(65536):
            data += piece
    return int(data.split()[1]), data.partition(b"\r\n\r\n")[2]


def check_web(scratch):
    site = scratch / "site"
    (site / "in").mkdir(parents=True)
    (site / "index.html").write_text("page")
    (site / ".secret").write_text("hidden")
    (site / "in" / "a.txt").write_text("inner")
    (scratch / "outside.txt").write_text("outside")
    (site / "out").symlink_to(scratch / "outside.txt")
    (site / "up").symlink_to("..")
    (site / "inner").symlink_to("in/a.txt")
    process, port = start("web", "serve", site)
    try:
        check(get(port, "/") == (200, b"page"), "the page is not served")
        check(get(port, "/inner") == (200, b"inner"), "a link inside the folder is not followed")
        check(get(port, "/", f"localhost:{port}")[0] == 200, "localhost is refused")
        for path in ("/out", "/up/outside.txt", "/.secret", "/in/../.secret", "/../outside.txt",
                     "/%2e%2e/outside.txt", "//etc/passwd", "/in"):
            check(get(port, path)[0] in (400, 403, 404), f"{path} is served")
        for host in ("evil.example", "127.0.0.1.evil.example", f"evil.example:{port}"):
            check(get(port, "/", host)[0] == 421, f"the host {host} is served")
        slow = []
        for i in range(120):
            to = socket.create_connection(("127.0.0.1", port), timeout=10)
            to.sendall(b"GET / HT" if i % 2 else
                       f"GET /bytes/60000000 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            slow.append(to)
        began = time.monotonic()
        check(get(port, "/")[0] == 200, "slow clients keep others from the page")
        check(time.monotonic() - began < patience(5), "slow clients keep others waiting")
        for to in slow:
            to.close()
    finally:
        process.terminate()
        process.communicate()


def trickle(to, data, seconds):
    """Sends a byte every 0.2 s; the seconds after which the other side hung up, None when it did not."""
    began = time.monotonic()
    to.settimeout(0.2)
    for i in range(int(seconds * 5)):
        try:
            to.sendall(data[i:i + 1] or b"x")
            if not to.recv(4096):
                return time.monotonic() - began
        except TimeoutError:
            pass  # nothing was answered yet
        except OSError:
            return time.monotonic() - began
    return None


def check_trickle(scratch):
    """Never idle, never done: the whole request has a deadline, and others are served meanwhile."""
    site = scratch / "small"
    site.mkdir()
    (site / "index.html").write_text("page")
    process, port = start("web", "serve", site)
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as slow, \
                socket.create_connection(("127.0.0.1", port), timeout=10) as steady:
            head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode()
            steady.sendall(head + b"X-Some: ")
            check(trickle(slow, head + b"X-Long: ", 3) is None, "a request of three seconds is refused")
            check(get(port, "/") == (200, b"page"), "a trickling client keeps others from the page")
            steady.sendall(b"thing\r\n\r\n")
            check(steady.recv(12) == b"HTTP/1.1 200", "a request in two parts is not answered")
            after = trickle(slow, b"", patience(60))
            check(after is not None, "a client that sends a byte at a time is kept for ever")
        check(get(port, "/") == (200, b"page"), "nothing is served after a trickling client")
    finally:
        process.terminate()
        process.communicate()


def check_phone():
    process, port = start("phone", "--adb", 0, f"sim:{ROOT}/examples/apps/notes.json")
    try:
        idle = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(20)]
        for i, to in enumerate(idle[::2]):
            to.sendall(struct.pack("<I", 0x4e584e43)[:1 + i % 4])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as to:
            banner = b"host::\0"
            command = 0x4e584e43  # CNXN
            to.sendall(struct.pack("<6I", command, 0x01000001, 65536, len(banner), sum(banner),
                                   command ^ 0xffffffff) + banner)
            to.settimeout(10)
            try:
                check(to.recv(4) == b"CNXN", "the phone does not answer as an adb daemon")
            except TimeoutError:
                check(False, "idle connections starve the phone")
        for to in idle:
            to.close()
    finally:
        process.terminate()
        process.communicate()


def main():
    with tempfile.TemporaryDirectory() as scratch:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:  # one waits, the other works
            jobs = [pool.submit(part, pathlib.Path(scratch)) for part in (check_trickle, check_web)]
            for job in jobs:
                job.result()
    check_phone()
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
