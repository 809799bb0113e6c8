#!/usr/bin/env python3
"""Response times by cause. A page has one button per cause: a request to the end of its body, timers, frames, animations,
promises, workers, storage, a frame, another page. An observer in the page, which knows nothing of Tactus, looks at what is
shown all the time and says when it last changed after a click; Tactus must say the same within 50 ms or 10 %, and the
time between two looks of the observer.

With TACTUS_SWEEP=1 in three networks; else in one, and only some causes. Skipped where there is no browser.
"""
import browser_testing
import functools
import http.server
import json
import os
import pathlib
import re
import sys
import threading
import time

from browser_testing import check, run, write_flow

WHOLE = os.environ.get("TACTUS_SWEEP") == "1"
SLACK = 0.05 if WHOLE else 0.5  # beside other tests a page is drawn when the machine gets to it
NETWORKS = ["ideal", "40,2000,500", "150,1000,300"] if WHOLE else ["40,2000,500"]
PIXEL = bytes.fromhex("47494638396101000100800000ff0000ffffff21f90400000000002c00000000010001000002024401003b")
OBSERVER = """
let clicked = null, before = '', last = 0
const shown = () => [...document.querySelectorAll('.seen')].map((e) => {
  const box = e.getBoundingClientRect(), style = getComputedStyle(e)
  return [e.innerText, e.value, e.naturalWidth, Math.round(box.left), Math.round(box.width), Math.round(style.opacity * 50),
    e.localName === 'iframe' ? e.contentDocument?.body?.innerText : ''].join() }).join('|')
addEventListener('click', (event) => { clicked = event.timeStamp; before = shown()
  sessionStorage.clicked = performance.timeOrigin + event.timeStamp }, true)
const look = () => {
  const now = shown(), time = performance.now()
  if (clicked !== null && now !== before) console.log('ORACLE ' + ((time - clicked) / 1000).toFixed(3) + '-' + ((time - last) / 1000).toFixed(3))
  before = now
  last = time
  realTimer(look, 4)
}
const realTimer = setTimeout.bind(window)
realTimer(look, 4)
"""
# What each button does; out('text') shows something.
CAUSES = {
    "at_once": "out('now')",
    "body": "fetch('/data?100000').then((r) => r.text()).then((t) => out('body ' + t.length))",
    "request": "const x = new XMLHttpRequest(); x.open('GET', '/data?60000'); x.onload = () => out('xhr'); x.send()",
    "timer": "setTimeout(() => out('timer'), 800)",
    "timers": "setTimeout(() => { out('one'); setTimeout(() => out('two'), 300) }, 300)",
    "frames": "let n = 0; const f = () => { bar.style.width = ++n + 'px'; if (n < 30) requestAnimationFrame(f) }; f()",
    "transition": "bar.style.transition = 'width 0.6s linear'; bar.getBoundingClientRect(); bar.style.width = (bar.offsetWidth > 150 ? 50 : 250) + 'px'",
    "animation": "bar.style.transition = ''; bar.animate([{opacity: 1}, {opacity: 0.2}], {duration: 500, fill: 'forwards'})",
    "promises": "(async () => { for (let i = 0; i < 50; i++) await null; out('promises') })()",
    "worker": "worker.postMessage(400)",
    "picture": "picture.src = '/picture?' + Math.random()",
    "chain": "fetch('/data?20000').then((r) => r.text()).then(() => setTimeout(() => fetch('/data?20000').then((r) => r.text()).then(() => out('chain')), 200))",
    "progress": "let n = 0; const id = setInterval(() => { out('progress ' + ++n); if (n === 5) clearInterval(id) }, 100)",
    "hidden": "out('seen'); setTimeout(() => { secret.textContent = Math.random() }, 900)",
    "script": "const s = document.createElement('script'); s.src = '/late.js?' + Math.random(); document.body.append(s)",
    "storage": "const r = indexedDB.open('t' + Math.random()); r.onupgradeneeded = () => r.result.createObjectStore('s'); r.onsuccess = () => out('storage')",
    "channel": "const c = new MessageChannel(); c.port1.onmessage = () => setTimeout(() => out('channel'), 150); c.port2.postMessage(1)",
    "frame": "frame.src = '/inner.html?' + Math.random()",
    "poll": "out('asked'); if (!window.polls) { window.polls = setInterval(() => { window.nothing = Date.now() }, 50) }",
    "leave": "location.href = '/second.html?' + Math.random()",
}
FEW = ["body", "timer", "frames", "transition", "worker", "hidden", "leave"]


def index():
    buttons = "".join(f"<button id='b_{name}' onclick=\"document.activeElement.blur(); act.{name}()\">{name}</button> " for name in CAUSES)
    acts = ",\n".join(f"{name}() {{ {text} }}" for name, text in CAUSES.items())
    return f"""<!doctype html><meta name=viewport content="width=device-width"><title>causes</title>
<script>{OBSERVER}</script><body style="margin:4px">
<p id=said class=seen>nothing</p><div id=bar class=seen style="height:10px;width:50px;background:red"></div>
<img id=picture class=seen width=20 height=20><iframe id=frame class=seen width=90 height=30></iframe>
<p id=secret style="display:none">x</p><p id=clock>0</p>{buttons}
<script>
let count = 0
const out = (text) => {{ said.textContent = text + ' ' + ++count }}
const worker = new Worker('/worker.js')
worker.onmessage = () => out('worker')
const act = {{ {acts} }}
setInterval(() => {{ clock.textContent = Number(clock.textContent) + 1 }}, 150)
</script>"""


class Pages(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_GET(self):
        path, _, query = self.path.partition("?")
        kind, body = "text/html", b"<p>inner</p>"
        if path == "/":
            body = index().encode()
        elif path == "/data":
            kind, body = "text/plain", b"x" * int(query)
        elif path == "/picture":
            kind, body = "image/gif", PIXEL
            time.sleep(0.2)
        elif path == "/worker.js":
            kind, body = "text/javascript", b"onmessage = (e) => setTimeout(() => postMessage(1), e.data)"
        elif path == "/late.js":
            kind, body = "text/javascript", b"out('script')"
        elif path == "/second.html":
            body = (b"<!doctype html><p id=said class=seen>loading</p><script>const start = Number(sessionStorage.clicked) - performance.timeOrigin;"
                    b"setTimeout(() => { said.textContent = 'there'; console.log('ORACLE ' + ((performance.now() - start) / 1000).toFixed(3) + '-0.010') }, 300)</script>")
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)


def values(trace):
    """For each step: what Tactus measured and what the observer saw, from the trace."""
    found, current = {}, None
    for line in pathlib.Path(trace).read_text().splitlines():
        row = json.loads(line)
        event = row.get("event") or ""
        if event in CAUSES:
            current = event
            found[current] = [None, None, 0]
        elif current and re.fullmatch(r"\d+\.\d{3}-\d+\.\d{3}", event):
            found[current][1:] = map(float, event.split("-"))
        if current and event not in CAUSES and row.get("responseTime") is not None:
            found[current][0] = row["responseTime"]
    return found


def main(work):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    causes = list(CAUSES) if WHOLE else FEW
    steps = [{"event": name, "kind": "user", "states": [], "actions": [{"kind": "click", "xpath": f"//node[@resource-id='b_{name}']"}]}
             for name in causes]
    flow = write_flow(f"{work}/causes.jsonl", steps)
    networks = [word for network in NETWORKS for word in ("--network", network)]
    done = run("run", "--device", url, "--flows", flow, *networks, "--think", "1.2", "--sample", "0.4", "--pattern",
               r"ORACLE ([0-9.-]+)", "-o", f"{work}/runs", "--json", timeout=900)
    check(done.returncode == 0, f"the run: {done.stderr[-400:]}{done.stdout[-400:]}")
    for number, network in enumerate(NETWORKS):
        traces = sorted((pathlib.Path(work) / "runs/traces").glob("*.jsonl*"))
        trace = traces[number] if number < len(traces) else None
        if not trace:
            check(False, f"{network}: no trace")
            continue
        for name, (measured, seen, between) in values(trace).items():
            print(f"{network:14} {name:12} tactus {measured} observer {seen} (looked {between} s before)")
            good = measured is not None and seen is not None and abs(measured - seen) <= max(SLACK, 0.1 * seen) + between
            check(good, f"{network}: {name}: Tactus says {measured}, the observer {seen}")



if __name__ == "__main__":
    browser_testing.main(main)
