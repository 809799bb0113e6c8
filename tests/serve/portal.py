"""A server under test and a client that speaks HTTP by itself, so that it can also speak it badly."""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)


class Portal:
    """`tactus serve` on a folder; a context manager. Every request has a connection of its own."""

    def __init__(self, tactus, folder, *options, name="127.0.0.1", env=None):
        self.folder = folder
        self.name = name
        self.process = subprocess.Popen([tactus, "serve", folder, *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=env and dict(os.environ, **env))
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{64})", line)
        if not found:
            raise AssertionError(f"no address: {line!r} {self.process.stderr.read()!r}")
        self.address = found.group(0)
        self.port, self.start = int(found.group(1)), found.group(2)
        self.cookie = self.token = None
        answer = self.ask("GET", f"/?token={self.start}")
        assert answer.status == 303, answer.status
        self.cookie = answer.headers["set-cookie"].split(";")[0]
        self.set_cookie = answer.headers["set-cookie"]
        self.token = self.ask("GET", "/api/session").json["token"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def ask(self, method, path, body=None, headers=None, drop=(), timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        wanted = {"Cookie": self.cookie, "X-Tactus-Token": self.token if method != "GET" else None}
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        wanted.update(headers or {})
        wanted = {name: value for name, value in wanted.items() if value and name not in drop}
        try:
            connection.request(method, path, body=body, headers=wanted)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body, **more):
        return self.ask("POST", path, body, **more)

    def put(self, path, text, match=None, **more):
        headers = {"If-Match": f'"{match}"'} if match else {"If-None-Match": "*"}
        return self.ask("PUT", f"/api/file?path={path}", text, headers=headers, **more)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.process.stdout.close()
        self.process.stderr.close()

    def kill(self):
        self.process.kill()
        self.process.wait(60)


def wait_until(condition, seconds=60):
    """Waits for a condition; the time is a limit, not an expectation."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError("it did not happen in time")


def scratch():
    return tempfile.TemporaryDirectory(prefix="tactus-serve-")


def write(folder, path, text):
    full = os.path.join(folder, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def read(folder, path):
    with open(os.path.join(folder, path), encoding="utf-8", newline="") as file:
        return file.read()
