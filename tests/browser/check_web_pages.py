#!/usr/bin/env python3
"""What pages are made of and what they do: frames, shadow roots, alerts, windows, storage, console, late changes; and
what is measured of them. Needs Debian's chromium and chromium-driver; skipped where they are absent.
"""
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import time

import browser_testing
from browser_testing import Server, answer, check, click, free_port, page, patience, run, tactus, together, write_flow

FRAME = ("<button id=inside onclick=\"parent.document.title='x';"
         "this.outerHTML='<input id=field><p id=typed></p>';"
         "field.oninput=()=>{if(field.value==='Ada')parent.grow('done')}\">Inside</button>")
# Parts of one page: body, script, and a walk through it.
PARTS = {
    "storage": ("<div id=visit></div>",
                "const first = !localStorage.been && !document.cookie; localStorage.been = 1; document.cookie = 'been=1';"
                "if (first) visit.innerHTML = '<button id=hello>Hello</button>'", ["hello"]),
    "frame": (f"<div style='height:900px'></div><iframe srcdoc='{FRAME.replace(chr(39), '&#39;')}'></iframe><div id=framed></div>",
              "window.grow = (id) => { framed.innerHTML = `<button id=${id}>Done</button>` }",
              ["inside", ("field", "Ada"), "done"]),
    "shadow": ("<x-box></x-box>",
               "customElements.define('x-box', class extends HTMLElement { constructor() { super();"
               "this.attachShadow({mode: 'open'}).innerHTML = '<button id=first>First</button>';"
               "this.shadowRoot.getElementById('first').onclick = () => {"
               "this.shadowRoot.innerHTML = '<button id=second>Second</button>' } } })", ["first", "second"]),
    "dialogs": ("<button id=ask>Ask</button><div id=asked></div>",
                "let asks = 0; ask.onclick = () => { alert('a'); asks++; if (confirm('b') && asks === 1)"
                "asked.innerHTML = '<button id=sure>Sure</button>' }", ["ask", "sure"]),
    "windows": ("<a id=more href=late.html target=_blank>More</a><button id=pop>Pop</button>",
                "pop.onclick = () => { open('late.html') }", ["more", "pop", "ask"]),
    # The page is told later that its address has changed: till then it is at work.
    "fragment": ("<button id=turn>Turn</button><div id=view></div>",
                 "let why = ''; turn.onclick = () => { location.hash = 'other'; why = __tactus.own(0, 0).why };"
                 "addEventListener('hashchange', () => { if (why) view.innerHTML = '<button id=there>There</button>' })",
                 ["turn", "there"]),
    # Clears every timer there may be while it is waited for, and keeps a part of the browser's library for itself.
    "sweep": ("<button id=clean>Clean</button><div id=floor></div>",
              "clean.onclick = () => setTimeout(() => { for (let last = setTimeout(() => {}); last; last--) clearTimeout(last);"
              "Math.min = () => { throw Error('mine') }; setTimeout(() => { floor.innerHTML = '<button id=swept>Swept</button>' }, 60) }, 60)",
              ["clean", "swept"]),
    # The answer comes later: by a timer, then by a script that is loaded.
    "late": ("<button id=go>Go</button><div id=out></div>",
             "go.onclick = () => setTimeout(() => { out.innerHTML = '<button id=load>More</button>';"
             "load.onclick = () => { const s = document.createElement('script'); s.src = 'late.js';"
             "document.body.append(s) } }, 60)", ["go", "load", "late"]),
}
# Choices: a navigation, an accordion, a list whose links its container listens for. Data: rows of one shape.
CHOICES = ("<button id=first>First</button><nav><a id=out href='http://example.com/'>Out</a> <a id=top href='#top'>Top</a>"
           "<a id=one href='#/one'>One</a> <a id=two href='choices.html?two'>Two</a></nav><ul id=faq>"
           + "".join(f"<li><a id=ask_{name} href='#{name}'>Ask</a><div class=accordion-content>Told</div></li>" for name in "ab")
           + "</ul><ul id=rows>" + "<li><span>Milk</span> <button class=buy>Buy</button><button class=drop>Drop</button></li>" * 3
           + "</ul><ul id=links style='padding:0'>" + "".join(f"<li><a id=to_{name} href='#{name}' style='display:block'>To</a></li>" for name in "cd")
           + "</ul>", "links.addEventListener('click', () => {}); rows.addEventListener('click', () => {})")
# What is chosen or pressed, told by a class or an attribute alone: two tabs and a button that stays down are four screens.
# What follows the scrolling (a table of contents) or moves by itself (the dots of a slideshow) makes none.
CHOSEN = ("<ul id=bar><li class=is-active><a id=news href='#'>News</a></li><li><a id=mail href='#'>Mail</a></li></ul>"
          "<button id=bold aria-pressed=false>Bold</button>"
          "<ul id=contents><li class=active><a id=to_one href='#one'>One</a></li><li><a id=to_two href='#two'>Two</a></li></ul>"
          "<p id=one>One</p><p id=two>Two</p>"
          "<div class=carousel-dots><button class=active id=dot_a>A</button><button id=dot_b>B</button></div>",
          "const choose = (around, name) => { for (const one of document.querySelectorAll(around)) one.addEventListener('click', (event) => {"
          "event.preventDefault(); const item = one.closest('li') || one;"
          "for (const each of item.parentNode.children) each.classList.toggle(name, each === item) }) };"
          "choose('#bar a', 'is-active'); choose('#contents a', 'active'); choose('.carousel-dots button', 'active');"
          "bold.onclick = () => bold.setAttribute('aria-pressed', bold.getAttribute('aria-pressed') === 'false')")
# What a browser shows by itself: the options of a select, the part that a summary opens.
OFFERS = ("<details><summary id=more>More</summary><p id=told>Told</p></details>"
          "<select id=size><option>Small<option>Large</select><div id=out></div>",
          "size.onchange = () => { out.innerHTML = size.value === 'Large' ? '<p id=much>Much</p>' : '' }")
CONSOLE = ("<button id=say>Say</button><button id=fail>Fail</button>",
           "say.onclick = () => { console.log('order 7 placed') };"
           "fail.onclick = () => { function inner() { throw new RangeError('too many') }"
           "try { inner() } catch (error) { console.error('caught', error) } }")


# A button that is shown under the pointer only, and three states of a model for the one page: without that button, with it,
# and with one that is really gone.
UNDER = ("<style>li button { display: none } li:hover button { display: inline }</style><ul><li id=item style='height: 60px'>"
         "milk <button id=drop>x</button></li></ul><button id=far>Far</button>",
         "item.onclick = far.onclick = far.ondblclick = drop.onclick = () => {}")
UNDER_STATES = {"Bare": ["item", "far"], "Shown": ["item", "far", "drop"], "More": ["item", "far", "gone"]}


def walk(work, url, name, flows, *more):
    path = f"{work}/{time.monotonic_ns()}"
    pathlib.Path(path + ".jsonl").write_text("".join(
        pathlib.Path(write_flow(path + ".one", steps)).read_text() for steps in flows))
    return run("run", "--device", f"chromium:{url}/{name}", "--flows", path + ".jsonl", "--think", "0.02", "--deadline",
               f"{patience(3):.0f}", "-o", path, "--json", *more)


def step(what):
    if isinstance(what, str):
        return click(what)
    typed = click(what[0])
    typed["actions"][0].update(kind="text", value=what[1])
    return typed


def parts(work, url, *mode):
    names = list(PARTS)
    flows = [[step(what) for what in PARTS[name][2]] for name in names]
    done = walk(work, url, "parts.html", flows, *mode)
    summary = answer(done)
    check(summary.get("runs") == len(names), f"parts {mode}: {done.stdout}{done.stderr}")
    bad = {row["run"]: row["message"] for row in summary.get("failures", [])}
    for number, name in enumerate(names):
        check(number not in bad, f"{name} {mode}: {bad.get(number)}")


def late_screens(work, url, *mode):
    """The explorer sees the screen that comes late as the event's own, by real touches and inside the page, where two
    browsers explore together."""
    model = f"{work}/late{len(mode)}.xml"
    done = run("explore", "--device", f"chromium:{url}/late.html", "-o", model, "--json", *mode)
    figures = answer(done)
    check(done.returncode == 0 and figures.get("states") == 3 and not figures.get("nondeterministic"),
          f"late.html {mode}: {done.stdout}{done.stderr}")


def choices(work, url):
    """What is tried of a page, and by the novelty strategy first."""
    done = run("screen", "--device", f"{url}/choices.html", "--json")
    elements = answer(done).get("elements", [])
    check(elements, f"no elements: exit {done.returncode}: {done.stderr}")
    of = lambda key: sorted(one["resourceId"] for one in elements if key in one or key in one["gestures"])
    check(of("leads") == ["one", "two"] and of("leaves") == ["out"], f"links: {of('leads')}, out of the app {of('leaves')}")
    check("links" not in of("click") and {"to_c", "to_d", "ask_a", "ask_b"} <= set(of("click")), f"clicks: {of('click')}")
    names = lambda *more: set(re.findall(r'event="([^"]+)"', choices_model(work, url, *more)))
    first = names("--strategy", "novelty", "--event-limit", "1")
    check("one" in first and "first" not in first, f"novelty tries {first} first")
    every = names("--ignore", "//node[@resource-id='two']", "--ignore", "//node[@resource-id='out']")
    check(every == {"first", "top", "one", "askA", "askB", "rows", "buy", "drop", "toC", "toD"}, f"tried: {every}")


def chosen(work, url):
    done = run("explore", "--device", f"{url}/chosen.html", "--gestures", "click", "--watch", "0", "--json")
    figures = answer(done)
    check(figures.get("states") == 4 and figures.get("transitions") == 28, f"chosen.html: {done.stdout}{done.stderr}")


def offers(work, url):
    model = f"{work}/offers.xml"
    done = run("explore", "--device", f"{url}/offers.html", "--gestures", "click", "--watch", "0", "-o", model, "--json")
    figures = answer(done)
    events = set(re.findall(r'event="([^"]+)"', pathlib.Path(model).read_text()))
    check(figures.get("states") == 4 and {"small", "large", "more"} <= events, f"offers.html: {events} {done.stdout}{done.stderr}")


def under_pointer(work, url):
    """Where the pointer happens to be is not a difference to the model; what is gone is, and alone. The mouse, once used,
    is where the finger was: what that brought out stays."""
    states = "".join(f'<state name="{name}"/>' for name in UNDER_STATES)
    ways = "".join(f'<transition from="{name}" event="{control}" to="Bare"><action kind="click" xpath="//node[@resource-id=\'{control}\']"/>'
                   "</transition>" for name, controls in UNDER_STATES.items() for control in controls)
    model = pathlib.Path(f"{work}/under.xml")
    model.write_text('<interactionModel xmlns="urn:tactus:interaction-model:1" name="m"><device name="d"><application name="a" external="true"><activity name="v" external="true">'
                     f'<stateMachine name="s" external="true"><initial to="Bare"/>{states}{ways}</stateMachine></activity></application></device></interactionModel>')
    to = lambda state, one: {**one, "states": [f"a/v/s/{state}"]}  # noqa: E731
    rest = {"event": "rest", "kind": "user", "actions": [{"kind": "wait", "value": "0.4"}]}
    twice = click("far")
    twice["actions"][0]["kind"] = "doubleClick"
    flows = [[to("Bare", click("item")), to("Shown", rest), to("Bare", click("drop"))],
             [twice, click("item"), {**rest, "states": []}, click("drop")],
             [to("More", click("item"))]]
    done = walk(work, url, "under.html", flows, "--model", str(model), "--conform")
    told = {row["run"]: row["message"] for row in answer(done).get("failures", [])}
    check(answer(done).get("runs") == 3 and set(told) == {2} and "missing" in told[2] and "gone" in told[2] and "new" not in told[2],
          f"under the pointer: {told} {done.stderr}")


def choices_model(work, url, *more):
    model = f"{work}/choices.xml"
    done = run("explore", "--device", f"{url}/choices.html", "--gestures", "click", "--watch", "0", "-o", model, "--json", *more)
    check(pathlib.Path(model).exists(), f"choices.html {more}: {done.stdout}{done.stderr}")
    return pathlib.Path(model).read_text()


def console(work, url):
    done = walk(work, url, "console.html", [[click("say")]], "--pattern", "console: (order [0-9]+) placed")
    folder = pathlib.Path(answer(done).get("folder", work))
    trace = (folder / "traces/000000.jsonl").read_text()
    check('"event":"order 7"' in trace.replace('": "', '":"'), f"no event of the console: {trace[-400:]}{done.stderr}")
    done = walk(work, url, "console.html", [[click("fail"), click("say")]])
    folder = pathlib.Path(answer(done).get("folder", work))
    last = (folder / "traces/000000.jsonl").read_text().splitlines()[-1]
    check(answer(done).get("crash") == 1 and "RangeError" in last and "inner" in last, f"a reported error: {last}")


class Counting(http.server.BaseHTTPRequestHandler):
    """Answers everything, and counts the bytes of the requests as they came in."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        size = int(self.headers.get("Content-Length") or 0)
        head = len(self.raw_requestline) + sum(len(k) + len(v) + 4 for k, v in self.headers.items()) + 2
        self.rfile.read(size)
        if self.path.startswith("/post"):
            self.server.taken.append(head + size)
        body = PAGE if self.path.startswith("/index") else b"{}"
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if body is PAGE else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer


PAGE = b"""<!doctype html><title>t</title><body><button id=send>Send</button><script>
send.onclick = () => fetch('/post', {method: 'POST', body: 'x'.repeat(3000), headers: {'X-Kind': 'test'}})
</script></body>"""


def sent_bytes(work):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    server.taken = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    done = walk(work, url, "index.html", [[click("send")] * 10], "--pattern", "request: (POST) .* sent [0-9]+")
    server.shutdown()
    server.server_close()
    folder = pathlib.Path(answer(done).get("folder", work))
    lines = [json.loads(line) for line in (folder / "traces/000000.jsonl").read_text().splitlines()]
    measured = max(line.get("txData", 0) for line in lines)
    real = sum(server.taken)
    check(len(server.taken) == 10 and abs(measured - real) <= 0.02 * real, f"sent {measured} of {real} bytes")
    check(sum(line.get("event") == "POST" for line in lines) == 10, "not every request is in the log")
    names = set().union(*lines)
    for probe in ("rxData", "txData", "heap", "cpuTime", "responseTime"):
        check(probe in names, f"{probe} is not measured")


def sessions(work, url):
    """One driver that serves several sessions, as a grid does: each has storage of its own."""
    port = free_port()
    driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    capabilities = f"{work}/grid.json"
    pathlib.Path(capabilities).write_text(json.dumps({"browserName": "chrome", "goog:chromeOptions": {
        "binary": "/usr/bin/chromium", "args": ["--headless", "--no-sandbox", "--disable-gpu",
                                                 "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup"]}}))
    time.sleep(0.5)
    # Held open until the other session has been here too: storage that they share would show.
    page(work, "shared.html", "<div id=out></div>",
         "const others = Number(localStorage.count || 0); localStorage.count = others + 1;"
         "out.innerHTML = others ? '<p>taken</p>' : '<button id=alone>Alone</button>'")
    flows = write_flow(f"{work}/alone.jsonl", [dict(click("alone"), time=0.5)] * 3)
    device = ["--device", f"webdriver+http://127.0.0.1:{port}", "--capabilities", capabilities, "--app"]
    done = run("run", *device, f"{url}/shared.html", "--flows", flows, "--repeat", "4", "--parallel", "2", "-o",
               f"{work}/grid", "--json")
    summary = answer(done)
    check(summary.get("pass") == 4, f"sessions of one driver: {done.stdout}{done.stderr}")
    traces = [json.loads(line) for path in pathlib.Path(f"{work}/grid/traces").glob("*.jsonl")
              for line in path.read_text().splitlines()[1:2]]
    check("cpuTime" not in json.dumps(traces), "processes of another machine are measured")
    left = [line for _, line in browser_testing.family(driver.pid) if "--type=" not in line and "/chromium" in line]
    check(not left, f"sessions are left open: {left[:2]}")
    driver.kill()
    driver.wait()


def tried_first(work, url):
    """What a campaign cannot do shows before a browser starts, and no folder is made."""
    driver = pathlib.Path(work) / "bin/chromedriver"
    driver.parent.mkdir()
    driver.write_text(f"#!/bin/sh\nexec {shutil.which('chromedriver')} --log-path={work}/driver.log \"$@\"\n")
    driver.chmod(0o755)
    words = [tactus, "run", "--device", f"chromium:{url}/late.html", "--monkey", "1", "--steps", "1", "-o", f"{work}/tried"]
    env = dict(os.environ, PATH=f"{driver.parent}:{os.environ['PATH']}")
    for option, wrong, wanted in (("--probe", "warmth", "rxData"), ("--scenario", "nonsuch", "pedestrian")):
        done = subprocess.run([*words, option, wrong], env=env, capture_output=True, text=True, timeout=patience(60))
        check(done.returncode in (2, 4) and wanted in done.stderr and not pathlib.Path(f"{work}/tried").exists(),
              f"{option} {wrong}: exit {done.returncode}: {done.stderr}")
        log = pathlib.Path(f"{work}/driver.log")
        check(not log.exists() or "InitSession" not in log.read_text(), f"{option} {wrong}: a browser was started")
    subprocess.run([*words, "--fast"], env=env, capture_output=True, timeout=patience(60))
    check("InitSession" in log.read_text(), "the log of the driver does not show sessions")


def test(work):
    page(work, "parts.html", "".join(body for body, _, _ in PARTS.values()),
         "".join(f"{{{script}}}" for _, script, _ in PARTS.values()))
    page(work, "late.html", *PARTS["late"][:2])
    page(work, "console.html", *CONSOLE)
    page(work, "choices.html", *CHOICES)
    page(work, "chosen.html", *CHOSEN)
    page(work, "offers.html", *OFFERS)
    page(work, "under.html", *UNDER)
    (pathlib.Path(work) / "pages/late.js").write_text("document.getElementById('out').innerHTML = '<button id=late>Late</button>'")
    server = Server(f"{work}/pages")
    together((parts, work, server.url), (parts, work, server.url, "--fast"), (console, work, server.url), (choices, work, server.url), (chosen, work, server.url), (offers, work, server.url), (under_pointer, work, server.url), (sent_bytes, work),
             (sessions, work, server.url), (tried_first, work, server.url), most=2)
    late_screens(work, server.url)  # how soon a screen comes matters, so nothing of ours runs beside
    late_screens(work, server.url, "--fast", "--parallel", "2")
    server.stop()


browser_testing.main(test)
