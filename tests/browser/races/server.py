"""Serves the pages beside it and a small api: items, orders, searches."""
import functools
import http.server
import json
import pathlib
import threading
import time
import urllib.parse


class Api(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self):
        """One message, then nothing for as long as somebody listens."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            time.sleep(0.1)
            self.wfile.write(b"event: news\ndata: hello\n\n")
            for _ in range(60):
                time.sleep(1)
                self.wfile.write(b": still here\n\n")
        except OSError:
            pass

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        if url.path.endswith("/api/item"):
            self.answer({"name": "milk"})
        elif url.path.endswith("/api/events"):
            self.stream()
        elif url.path.endswith("/api/search"):
            word = urllib.parse.parse_qs(url.query).get("q", [""])[0]
            self.answer([f"{word} {number}" for number in range(len(word))])
        else:
            super().do_GET()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer({"ok": True})


def serve(folder=pathlib.Path(__file__).parent):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Api, directory=str(folder)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


if __name__ == "__main__":
    print(serve(), flush=True)
    threading.Event().wait()
