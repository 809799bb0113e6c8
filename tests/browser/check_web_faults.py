#!/usr/bin/env python3
"""What goes wrong with browsers: clear errors within their deadlines, the other sessions go on, and no process and no
profile is left behind. Needs Debian's chromium and chromium-driver; skipped where they are absent.
"""
import browser_testing
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time

from browser_testing import (Server, answer, check, check_nothing_is_left, click, family, page, patience, run, tactus,
                             write_flow)
import side_by_side  # noqa: E402  (browser_testing names its folder)


def served(part):
    """The part with the address of a server for its pages, which ends with it."""
    def call(work):
        server = Server(f"{work}/pages")
        part(work, server.url)
        server.stop()
    return call


def go(work, url, *more):
    """One run of clicks on a page: what came out, and in how many seconds."""
    start = time.monotonic()
    done = run("run", "--device", f"chromium:{url}", "--flows", f"{work}/go.jsonl", "--deadline", "3", "--think", "0.2",
               "-o", f"{work}/go-{time.monotonic_ns()}", "--json", *more)
    return done, time.monotonic() - start


@served
def restless(work, url):
    done, _ = go(work, url + "/restless.html")
    check(done.returncode == 0, f"a page with a pulse of its own: {done.stderr}{done.stdout}")


@served
def alerts(work, url):
    done, seconds = go(work, url + "/alerts.html")
    said = done.stdout + done.stderr
    check(done.returncode in (1, 4) and seconds < patience(120) and "alert" in said, f"endless alerts: {seconds:.0f} s: {said[-500:]}")


def children(process, word):
    return [pid for pid, line in family(process.pid) if word in line and "--type=" not in line]


def start_campaign(work, url, name, *more):
    process = subprocess.Popen([tactus, "run", "--device", f"chromium:{url}/plain.html", "--flows", f"{work}/go.jsonl",
                                "--think", "0.1", "-o", f"{work}/{name}", "--json", *more], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    return process


def wait_for(condition, seconds):
    until = time.monotonic() + patience(seconds)
    while time.monotonic() < until and not condition():
        time.sleep(0.1)
    return condition()


def workers(process):
    """Those that drive a browser; the campaign itself opens one too, to try it."""
    return [pid for pid, parent, name in list(browser_testing.processes()) if parent == process.pid and name and
            any("chromedriver --port" in line for _, line in family(pid))]


@served
def killed_worker(work, url):
    """A worker dies: its guard ends the browser, another takes its place, and no run is lost or done twice."""
    process = start_campaign(work, url, "worker", "--repeat", "4")
    check(wait_for(lambda: workers(process), 90), "no worker has started a driver")
    killed = workers(process)
    drivers = [pid for worker in killed for pid, line in family(worker) if "chromedriver --port" in line]
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    check(wait_for(lambda: not any(driver == pid and line for driver in drivers
                                   for pid, _, line in browser_testing.processes()), 20),
          "the driver of a killed worker lives on")
    out, message = process.communicate(timeout=patience(120))
    summary = json.loads(out or "{}")
    check(process.returncode == 0 and summary.get("pass") == 4 and summary.get("runs") == 4 and
          summary.get("missing") == 0, f"a killed worker: exit {process.returncode}: {out}{message}")
    check_nothing_is_left(work, "a killed worker")


@served
def killed_workers(work, url):
    """Every worker dies before its first run ends: after a few the campaign gives up and says why."""
    process = start_campaign(work, url, "workers", "--repeat", "60")
    killed, start = set(), time.monotonic()
    while process.poll() is None and time.monotonic() - start < patience(120):
        for pid in set(workers(process)) - killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        time.sleep(0.1)
    out, message = process.communicate(timeout=patience(20))
    check(process.returncode == 4 and "a worker process died after 0 runs" in message,
          f"workers killed one after another: exit {process.returncode}: {out}{message}")
    check(len(killed) == 4, f"{len(killed)} workers died before the campaign gave up, not the first and 3 more")
    check_nothing_is_left(work, "workers killed one after another")


@served
def killed_driver(work, url):
    """One of two drivers dies in the middle: its session fails or is opened anew, the other goes on."""
    process = start_campaign(work, url, "driver", "--parallel", "2", "--repeat", "8")
    traces = pathlib.Path(f"{work}/driver/traces")
    both = wait_for(lambda: len(children(process, "chromedriver --port")) == 2 and
                    len(list(traces.glob("*.jsonl"))) >= 1, 90)
    drivers = children(process, "chromedriver --port")
    check(both, f"there are {len(drivers)} drivers")
    if drivers:
        os.kill(drivers[0], signal.SIGKILL)
    out, message = process.communicate(timeout=patience(200))
    summary = json.loads(out or "{}")
    check(summary.get("pass", 0) >= 7, f"the other session did not go on: {out}{message}")
    check(summary.get("pass") == 8 or "gone" in message + out, f"a killed driver is not named: {message}{out}")
    check_nothing_is_left(work, "a killed driver")


@served
def huge_page(work, url):
    """50 MB in paragraphs: it works, or it is refused in time, in bounded memory. Most of them is in attributes, because
    a browser takes twice as long to set as much text, which make sweep has."""
    path = pathlib.Path(work) / "pages/huge.html"
    words = "many words of a long text " * 20
    line = f"<p>{words}</p>\n" if os.environ.get("TACTUS_SWEEP") else f"<p title='{words}'>{words[:52]}</p>\n"
    with open(path, "w") as file:
        file.write("<!doctype html><title>t</title><body><button id=go>Go</button>\n")
        for _ in range(50_000_000 // len(line) + 1):
            file.write(line)
    check(path.stat().st_size >= 50_000_000, "the page is too small")
    write_flow(f"{work}/once.jsonl", [click("go")])
    start = time.monotonic()
    process = subprocess.Popen([tactus, "run", "--device", f"chromium:{url}/huge.html", "--flows", f"{work}/once.jsonl",
                                "--think", "0.1", "-o", f"{work}/huge", "--json"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    most = 0
    while process.poll() is None and time.monotonic() - start < patience(240):
        for pid in [process.pid, *[pid for pid, line in family(process.pid) if line.startswith(tactus)]]:
            try:
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
                most = max(most, int(status.split("VmHWM:")[1].split()[0]) // 1024)
            except (OSError, IndexError):
                continue
        time.sleep(0.2)
    out, message = process.communicate(timeout=patience(60))
    seconds = time.monotonic() - start
    print(f"  50 MB page: exit {process.returncode} after {seconds:.0f} s, {most} MB; {message.strip()[:200]}")
    check(process.returncode in (0, 1, 4) and (process.returncode == 0 or message or "failures" in out),
          f"a 50 MB page: exit {process.returncode}: {message}{out}")
    check(0 < most < 300, f"a 50 MB page takes {most} MB")
    check(seconds < patience(200), f"a 50 MB page takes {seconds:.0f} s")
    check_nothing_is_left(work, "a 50 MB page")
    path.unlink()


class MuteServer:
    """Serves the page until it is told to fall silent: then connections stay open and nothing is answered."""

    def __init__(self, body):
        self.body, self.mute, self.open = body, False, []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                link = self.listening.accept()[0]
            except OSError:
                return
            self.open.append(link)
            threading.Thread(target=self.serve, args=[link], daemon=True).start()

    def serve(self, link):
        try:
            while link.recv(65536):
                while self.mute:
                    time.sleep(0.1)
                head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(self.body)}\r\n\r\n"
                link.sendall(head.encode() + self.body)
        except OSError:
            pass

    def close(self):
        self.listening.close()
        for link in self.open:
            link.close()


def silent_server(work):
    """The app's server stops answering in the middle of an exploration."""
    server = MuteServer(b"<!doctype html><title>t</title><body><button id=a onclick=\"b.hidden=!b.hidden\">A</button>"
                        b"<button id=b hidden onclick=\"location.reload()\">B</button></body>")
    process = subprocess.Popen([tactus, "explore", "--device", f"chromium:{server.url}/", "--deadline", "4", "-o",
                                f"{work}/mute.xml"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: server.open, 60)
    server.mute = True
    start = time.monotonic()
    message = process.communicate(timeout=patience(200))[1]
    seconds = time.monotonic() - start
    check(process.returncode == 4 and message and seconds < patience(45),
          f"a server that stops answering: exit {process.returncode} after {seconds:.0f} s: {message}")
    server.close()
    check_nothing_is_left(work, "a server that stops answering")


class LateServer(MuteServer):
    """Its page waits for something that never comes when it is opened for the first time."""

    def serve(self, link):
        try:
            while request := link.recv(65536):
                if request.startswith(b"GET /never"):
                    self.mute = True
                    continue
                head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(self.body)}\r\n\r\n"
                link.sendall(head.encode() + self.body)
                if request.startswith(b"GET / "):
                    self.body = b"<!doctype html><title>t</title><body><button id=go>Go</button></body>"
        except OSError:
            pass


def late_page(work):
    """A page that does not answer while it is opened is no verdict of a run, and not the end of the campaign."""
    server = LateServer(b"<!doctype html><title>t</title><body><button id=go>Go</button><script>"
                        b"const wait = new XMLHttpRequest(); wait.open('GET', '/never', false); wait.send()</script></body>")
    done, _ = go(work, server.url + "/", "--repeat", "2")
    server.close()
    summary = answer(done)
    check(server.mute and done.returncode == 0 and summary["pass"] == 2 and not summary["lost_devices"],
          f"a page that does not answer at first: exit {done.returncode}: {done.stdout[-600:]} {done.stderr}")
    check_nothing_is_left(work, "a page that does not answer at first")


def gone_server(work):
    server = Server(f"{work}/pages")
    server.stop()
    done = run("explore", "--device", f"chromium:{server.url}/plain.html", "-o", f"{work}/gone.xml")
    check(done.returncode == 4, f"a server that is gone: {done.returncode} {done.stderr}")


@served
def mute_page(work, url):
    """A page that never answers, from its first script on: exploring it ends, says so, and leaves nothing behind."""
    done = run("explore", "--device", f"{url}/mute.html", "--deadline", "1", "-o", f"{work}/mute.xml")
    check(done.returncode == 4 and "answer" in done.stderr,  # which of its questions is the first, is up to the machine
          f"a page that never answers: exit {done.returncode}: {done.stderr}")
    check_nothing_is_left(work, "a page that never answers")


PARTS = {"worker": killed_worker, "workers": killed_workers, "driver": killed_driver, "restless": restless, "alerts": alerts,
         "huge": huge_page, "silent": silent_server, "gone": gone_server,
         "late": late_page, "mute": mute_page}


def test(work):
    page(work, "restless.html", "<button id=go>Go</button>", "setInterval(() => { document.title = Math.random() }, 20)")
    page(work, "alerts.html", "<button id=go>Go</button>", "go.onclick = () => { for (;;) alert('again') }")
    page(work, "plain.html", "<button id=go>Go</button>", "go.onclick = () => { document.title = 'x' }")
    page(work, "mute.html", "<button id=go>Go</button>", "for (;;) {}")
    write_flow(f"{work}/go.jsonl", [click("go")] * 10)
    for part in sys.argv[1:]:
        PARTS[part](work)


GROUPS = {"killed": [["worker"], ["workers"], ["driver"]],
          "pages": [["restless"], ["alerts"], ["huge"], ["silent", "gone"], ["late"], ["mute"]]}
if sys.argv[1:] and sys.argv[1] in PARTS:
    browser_testing.main(test)
browser_testing.need_browser()
# They mostly wait; each has a folder of its own, of which nothing may be left.
sys.exit(side_by_side.run(__file__, [group for name in sys.argv[1:] or GROUPS for group in GROUPS[name]]))
