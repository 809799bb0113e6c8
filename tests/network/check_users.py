#!/usr/bin/env python3
"""Networks for programs of an ordinary user: with a TUN device that users may open they work, without one the message
says what to do, and nothing stays either way.

Only root can play both parts, in a mount namespace with another /dev/net/tun; skipped for others, and where the kernel
lets users make no namespaces."""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

TACTUS = os.path.abspath(os.environ.get("TACTUS", "build/tactus"))
USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
FETCH = ("import socket, sys\npeer = socket.create_connection(('198.18.77.1', int(sys.argv[1])))\ngot = 0\n"
         "while True:\n data = peer.recv(65536)\n if not data: break\n got += len(data)\nprint(got)")
failed = 0


def check(what, good, why=""):
    global failed
    failed += not good
    if not good:
        print(f"FAILED {what}: {why}")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def serve(size):
    listener = socket.create_server(("127.0.0.1", 0))

    def answer():
        while True:
            peer = listener.accept()[0]
            peer.sendall(bytes(size))
            peer.close()

    threading.Thread(target=answer, daemon=True).start()
    return listener.getsockname()[1]


def as_user(folder, mode, *command):
    """The command as an ordinary user, who may open the TUN device (mode 666) or not (600)."""
    os.chmod(f"{folder}/tun", mode)
    script = f'mount --bind {folder}/tun /dev/net/tun && cd {folder} && exec "$@"'
    return subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *USER, f"{folder}/tactus", "scenario", "run",
                           *command], capture_output=True, text=True, timeout=120)


def leftovers(folder):
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.readlink(f"/proc/{entry}/exe").startswith(folder):
                found.append(entry)
        except OSError:
            pass
    return found


def main():
    python = shutil.which("python3", path="/usr/bin:/bin")  # one that every user may run
    if os.geteuid() != 0 or not all(map(shutil.which, ("setpriv", "unshare", "mount"))) or not python:
        skip("needs root, setpriv, unshare, mount and /usr/bin/python3")
    if subprocess.run([*USER, "unshare", "-Urn", "true"], capture_output=True).returncode:
        skip("users may make no namespaces here")
    with tempfile.TemporaryDirectory(prefix="tactus-users-") as folder:
        os.chmod(folder, 0o755)
        shutil.copy(TACTUS, f"{folder}/tactus")
        try:
            os.mknod(f"{folder}/tun", 0o20666, os.makedev(10, 200))
        except OSError as why:
            skip(f"no device can be made here: {why}")
        done = as_user(folder, 0o666, "ideal", "--", "true")
        if "mount" in done.stderr or "Operation not permitted" in done.stderr and "TUN" not in done.stderr:
            skip(f"no other /dev/net/tun can be shown here: {done.stderr.strip()}")
        port = serve(300000)
        done = as_user(folder, 0o666, "20,20000,20000", "--", python, "-c", FETCH, str(port))
        check("a user with a TUN device has networks", done.returncode == 0 and done.stdout.strip() == "300000", done)
        check("nothing stays", not leftovers(folder), leftovers(folder))
        done = as_user(folder, 0o600, "ideal", "--", "true")
        check("a user without one is told what to do", done.returncode == 4 and "let users open /dev/net/tun" in done.stderr,
              done)
        check("nothing is half set up", not leftovers(folder), leftovers(folder))
    print("networks of an ordinary user: " + ("FAILED" if failed else "passed"))
    return 1 if failed else 0


sys.exit(main())
