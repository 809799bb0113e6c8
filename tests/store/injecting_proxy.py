"""A proxy between libpq and its server on a UNIX socket that disturbs the n-th message of a client.

Messages are counted over all connections, from the first statement on: a statement is what libpq sends as one (a query, or
parse to sync). Disturbances: `freeze` holds the message for some seconds, as a stopped process does; `delay` holds it
shortly; `cut` breaks the link before it, `answerless` after it, so that nobody knows whether it was carried out;
`twice` carries it out twice and answers once."""
import contextlib
import pathlib
import socket
import struct
import tempfile
import threading
import time

KINDS = ["freeze", "delay", "cut", "answerless", "twice"]


def receive(link, count):
    data = b""
    while len(data) < count:
        part = link.recv(count - len(data))
        if not part:
            raise ConnectionError
        data += part
    return data


def message(link):
    head = receive(link, 5)
    return head + receive(link, struct.unpack("!i", head[1:])[0] - 4)


class Connection:
    def __init__(self, proxy, client):
        self.proxy, self.client, self.swallow = proxy, client, 0
        self.server = socket.socket(socket.AF_UNIX)
        self.server.connect(str(proxy.target))
        for work in (self.forward, self.answer):
            threading.Thread(target=self.guard, args=[work], daemon=True).start()

    def guard(self, work):
        with contextlib.suppress(OSError):
            work()
        self.close()

    def close(self):
        for link in (self.client, self.server):
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def forward(self):
        length = receive(self.client, 4)
        self.server.sendall(length + receive(self.client, struct.unpack("!i", length)[0] - 4))
        while True:
            statement = message(self.client)
            while statement[:1] in b"PBDECH":  # up to sync
                part = message(self.client)
                statement += part
                if part[:1] == b"S":
                    break
            kind = self.proxy.next_kind(statement) if statement[:1] in b"PQ" else None
            if kind == "freeze":
                time.sleep(self.proxy.frozen)
            elif kind == "delay":
                time.sleep(0.2)
            elif kind == "cut":
                raise ConnectionError
            elif kind == "twice":
                self.swallow = 1
                self.server.sendall(statement)
            self.server.sendall(statement)
            if kind == "answerless":
                time.sleep(0.05)
                raise ConnectionError

    def answer(self):
        """Of a statement that was sent twice the first answer is passed on."""
        skipping = False
        while True:
            part, skipped = message(self.server), skipping
            if part[:1] == b"Z":  # before the client has it and sends the next statement
                skipping = self.swallow > 0 and not skipping
                self.swallow -= skipping
            if not skipped:
                self.client.sendall(part)


class Proxy:
    def __init__(self, target, frozen):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tactus-proxy-"))
        self.target, self.frozen = target, frozen
        self.lock, self.seen, self.plan = threading.Lock(), 0, {}
        self.done = []  # what happened, and where
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.folder / ".s.PGSQL.5432"))
        self.listener.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                with contextlib.suppress(OSError):
                    Connection(self, client)

    def next_kind(self, statement):
        with self.lock:
            self.seen += 1
            words = next((words for words in self.plan if isinstance(words, bytes) and words in statement), None)
            kind = self.plan.pop(words) if words else self.plan.get(self.seen)
            if kind:
                self.done.append((self.seen, kind))
            return kind

    def arm(self, plan):
        """{number of a statement from now on, or words of one: kind}"""
        with self.lock:
            self.seen, self.plan, self.done = 0, plan, []

    def address(self, campaign):
        return f"postgresql://lab@{str(self.folder).replace('/', '%2F')}/postgres#{campaign}"
