#!/usr/bin/env python3
"""Reads reports in a real browser as a person does: the worst finding first, every cited run two
clicks away, its trace as it was recorded, search and filters in the address, by keyboard alone; texts
of a hostile app, which execute nothing; sizes and schemes, with axe where it is installed (make web).
Screenshots stay in the build folder."""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from reader import ENTER, ESCAPE, TAB, Reader, wait_for

HERE = pathlib.Path(__file__).resolve().parent
AXE = HERE.parent.parent / "web/node_modules/axe-core/axe.min.js"
MANY = 10000 if os.environ.get("TACTUS_SWEEP") else 1200  # 10,000 take some 20 s of a processor
SECTIONS = ["findings", "causes", "properties", "model", "runs", "protocol", "rules", "provenance"]


def text_of(reader, selector):
    return reader.do("return document.querySelector(arguments[0])?.textContent ?? ''", selector)


def embedded(reader):
    return set(reader.do("return [...document.querySelectorAll('script[data-run]')].map(s => +s.dataset.run)"))


def check_file(page):
    html = page.read_text()
    yield not re.search(r"https?://", html), "the report names an address outside"
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html).group(1)
    yield "unsafe" not in policy and "*" not in policy and "http" not in policy, f"the policy makes exceptions: {policy}"
    yield re.search(r"default-src 'none'", policy), f"the policy begins with everything: {policy}"


def check_contents(reader, page):
    yield reader.open(page), "the page does not draw itself"
    for section in SECTIONS:
        yield reader.do(f"return !!document.querySelector('section#{section}')"), f"no section {section}"
    first = text_of(reader, "#findings .finding .mark")
    yield first == "Crash", f"the first finding is {first!r}, not a crash"
    data = json.loads(text_of(reader, "#data"))
    inside = embedded(reader)
    for cause in data["causes"]:
        cited = set(cause["examples"]).union(*(pattern["examples"] for pattern in cause["patterns"]))
        yield cited <= inside, f"runs {cited - inside} of {cause['cluster']} have no trace"
        yield cause["stack"] and any(line["app"] for line in cause["stack"]), "a cause without a stack"
        yield "reproduce" in cause or "reproduction" in cause, "a cause without script and command"
    yield not reader.console(), f"the console says {reader.console()[:2]}"


def check_path(reader, page, folder):
    """From the worst finding to the evidence: the cause with one click, a run with the second."""
    reader.open(page)
    reader.click("#findings .finding .headline")
    cause = wait_for(lambda: reader.do("return document.activeElement.id"))
    yield cause.startswith("cause-"), f"the finding leads to {cause!r}"
    yield "Session.token" in text_of(reader, f"#{cause} .stack .app"), "the app's frame does not stand out"
    script = text_of(reader, f"#{cause} .copy pre")
    yield "tactus reproduce" in script or script.startswith("1. "), f"no script and no command for it: {script!r}"
    reader.click(f"#{cause} a.run")
    heads = "return [...document.querySelectorAll('dialog[open] th')].map(h => h.textContent)"
    yield wait_for(lambda: {"event", "on screen", "energy, J"} <= set(reader.do(heads))), \
        f"the timeline has {reader.do(heads)}"
    run = int(re.search(r"Run (\d+)", text_of(reader, "#run-title")).group(1))
    yield f"run={run}" in reader.do("return location.hash"), "the run is not in the address"
    yield reader.do("const h = document.querySelector('dialog header').getBoundingClientRect(); return h.top >= 0 && h.bottom < 200"), \
        "the run's header is out of sight"
    exported = reader.wait_do("""const done = arguments[0]
        URL.createObjectURL = (blob) => { blob.text().then(done); return 'blob:none' }
        HTMLAnchorElement.prototype.click = () => {}
        ;[...document.querySelectorAll('dialog button')].find(b => b.textContent.startsWith('export')).click()""")
    kept = (folder / f"bugs/traces/{run:06d}.jsonl").read_text()
    yield exported == kept, "the exported trace is not the recorded one"
    reader.press(ESCAPE)
    yield wait_for(lambda: not reader.do("return document.querySelector('dialog').open")), "Escape does not close the run"
    reader.do("history.back()")
    yield wait_for(lambda: reader.do("return document.querySelector('dialog').open")), "back does not open it again"


def check_pictures(reader, page):
    """What the screens look like: along a run, and at the states of the model."""
    reader.open(page)
    reader.do("document.querySelector('#findings a.run').click()")
    drawn = "return [...document.querySelectorAll('dialog[open] .film img')].map(i => i.complete && i.naturalWidth)"
    widths = wait_for(lambda: (found := reader.do(drawn)) and all(found) and found) or []
    yield len(widths) > 1, f"the run of the worst finding shows pictures {widths}"
    names = reader.do("return [...document.querySelectorAll('dialog[open] .film img')].map(i => i.alt)")
    yield all(re.match(r"the screen \S", name) for name in names), f"pictures are called {names}"
    order = reader.do("return [...document.querySelectorAll('dialog[open] .film figcaption')].map(c => parseFloat(c.textContent))")
    yield order == sorted(order), f"screens are not in the order of time: {order}"
    reader.press(ESCAPE)
    reader.open(page, "#model?model0=0")
    reader.do("document.querySelector('#model .node.state').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    yield wait_for(lambda: reader.do("return document.querySelector('.nodefacts img')?.naturalWidth > 0")), \
        "a state of the model has no picture"


def check_state(reader, page):
    reader.open(page)
    everything = reader.do("return document.querySelectorAll('.finding').length")
    reader.do("const f = document.querySelector('input[type=search]'); f.value = 'TrackBuffer'; f.dispatchEvent(new Event('input', {bubbles: true}))")
    yield wait_for(lambda: 0 < reader.do("return document.querySelectorAll('.finding').length") < everything), "the search finds nothing or everything"
    state = reader.do("return location.hash")
    yield "q=TrackBuffer" in state, f"the search is not in the address: {state}"
    reader.open(page, state)
    yield reader.do("return document.querySelector('input[type=search]').value") == "TrackBuffer", "the address does not bring the search back"
    yield reader.do("return [...document.querySelectorAll('.finding')].every(f => f.textContent.includes('TrackBuffer'))"), "findings that do not fit are shown"
    reader.open(page, "#runs?scenario=cafe&runs.sort=-time")
    times = reader.do("return [...document.querySelectorAll('#runs tbody tr')].map(r => parseFloat([...r.cells].at(-2).textContent))")
    yield times and times == sorted(times, reverse=True), f"runs are not sorted: {times[:5]}"
    yield reader.do("return [...document.querySelectorAll('#runs tbody tr')].every(r => r.textContent.includes('cafe'))"), "runs of other scenarios are shown"
    violating = reader.do("return [...document.querySelectorAll('#runs tbody .result')].map(r => r.textContent)")
    yield "passed" not in violating, f"runs that violate a property are shown as {set(violating)}"


def check_keyboard(reader, page):
    """Nothing but Tab, Enter and Escape: to the first run and back."""
    reader.open(page)
    seen = []
    for _ in range(60):
        reader.press(TAB)
        seen.append(reader.do("const a = document.activeElement; return a.className || a.tagName"))
        if seen[-1] == "run":
            break
    yield seen[-1] == "run", f"Tab does not reach a run: {seen}"
    reader.press(ENTER)
    yield wait_for(lambda: reader.do("return !!document.querySelector('dialog[open] table')")), "Enter does not open the run"
    yield reader.do("return document.querySelector('dialog').contains(document.activeElement)"), "the focus stays outside the run"
    reader.press(ESCAPE)
    yield wait_for(lambda: reader.do("return !document.querySelector('dialog[open]')")), "Escape does not close the run"
    reader.open(page, "#model")
    reader.do("document.querySelector('.graph .node').focus()")
    reader.press(ENTER)
    yield wait_for(lambda: "model0=" in reader.do("return location.hash")), "Enter does not unfold an activity"
    box = reader.do("return document.querySelector('.graph svg').getAttribute('viewBox')")
    reader.do("document.querySelector('.graph .node').focus()")
    reader.press("+")
    yield wait_for(lambda: reader.do("return document.querySelector('.graph svg').getAttribute('viewBox')") != box), "the plus key does not zoom"


def check_chart(reader, page):
    reader.open(page, "#properties")
    named = "return document.querySelector('.named').textContent"
    box = reader.do("const c = document.querySelector('#properties .u-over'); c.scrollIntoView({block: "
                    "'center'}); const b = c.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]")
    pointed = ""
    for part in range(1, 20):  # somewhere there is a curve
        reader.point(box[0] + box[2] * 0.3, box[1] + box[3] * part / 20)
        pointed = reader.do(named)
        if pointed:
            break
    yield re.match(r"run \d+, \w+: (over by|room) ", pointed), f"pointing at a curve names no run: {pointed!r}"
    reader.point(5, 5)
    yield wait_for(lambda: reader.do(named) == ""), "the run still stands out"
    facts = text_of(reader, "#provenance")
    for word in ("tactus run", "seed", "durations", "not covered", "written by", "limits"):
        yield word in facts, f"how it was obtained does not say: {word}"
    pdf = base64.b64decode(reader.call("/print", {}))
    yield pdf.startswith(b"%PDF") and len(pdf) > 50000, "it does not print"


def check_looks(reader, page, shots):
    """Sizes and schemes: nothing sticks out; axe finds nothing, also with a run open."""
    run = reader.do("return document.querySelector('a.run').textContent")
    for width in (400, 1440):
        for dark in (False, True):
            name = f"{width} px, {'dark' if dark else 'light'}"
            reader.look(width, dark)
            for state in ("", f"#?run={run}", "#model?model0=0"):
                reader.open(page, state)
                if "run=" in state:
                    wait_for(lambda: reader.do("return !!document.querySelector('dialog[open] table')"))
                wide = reader.do("return document.documentElement.scrollWidth - innerWidth")
                yield wide <= 0, f"{name} {state}: {wide} pixels wider than the window"
                shot = base64.b64decode(reader.call("/screenshot"))
                (shots / f"report-{width}-{'dark' if dark else 'light'}{state[1:7].strip('?')}.png").write_bytes(shot)
                if not AXE.exists():
                    continue
                reader.do(AXE.read_text())
                wrong = reader.wait_do("const done = arguments[0]; axe.run(document).then(r => done(r.violations.map("
                                       "v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(' | '))))")
                yield not wrong, f"axe, {name} {state}: {wrong}"
    reader.look(1440)


def check_hostile(reader, page):
    reader.console()
    for state in ("", "#?run=0", "#model", "#runs?q=%3Cimg", "#?run=%3Cscript%3E&scenario=__proto__"):
        yield reader.open(page, state), f"the hostile page does not draw itself at {state}"
        yield "broken" not in reader.do("return document.title"), "a text of the app was executed"
        yield reader.do("return !document.querySelector('img[src=x], [onerror], [onload], [onmouseover]')"), \
            "a text of the app became markup"
    wait_for(lambda: reader.do("return !!document.querySelector('dialog[open] table')"), 2)
    said = reader.console()
    yield not said, f"the console says {said[:2]}"


def check_vacuous(reader, page):
    reader.open(page)
    shown = reader.do("return [...document.querySelectorAll('.finding.unclear')].map(f => f.textContent)")
    yield any("never_exercised was never exercised" in one and "'next_0_0' never occurs" in one for one in shown), \
        f"the vacuous property is not told: {shown}"
    yield not reader.do("return [...document.querySelectorAll('.finding.good')].some(f => f.textContent.includes('never_exercised'))"), \
        "the vacuous property is called fine"
    kinds = reader.do("return [...document.querySelectorAll('#findings .finding .mark')].map(m => m.textContent)")
    yield kinds[0] == "Crash", f"with 40 properties the first finding is {kinds[0]!r}"


def make_acted(program, work):
    """A campaign over two subjects with an action that is never possible and one that is abandoned by one of them; and
    one of them says that it is not complete."""
    player = HERE.parent.parent / "examples/apps/player.json"
    (work / "idle.actions").write_text(
        "action leave: do back\naction archive: when visible(//node[@text='nothing']) do back\n"
        "action edit: do back; click //node[@resource-id='nobody']\n")
    words = ["--actions", "idle.actions", "--runs", "3", "--steps", "6", "--deadline", "1", "-o", "acted"]
    subprocess.run([program, "run", "--subject", f"one=sim:{player}", "--subject", f"two=sim:{player}", *words],
                   cwd=work, stdout=subprocess.DEVNULL, check=True)
    table = json.loads((work / "acted/matrix.json").read_text())
    table["subjects"].append({**table["subjects"][0], "subject": "three", "started": True, "complete": False,
                              "reason": "stopped", "runs": 2, "missing": 7})
    (work / "acted/matrix.json").write_text(json.dumps(table))
    subprocess.run([program, "report", "acted", "-o", "acted.html"], cwd=work, stdout=subprocess.DEVNULL, check=True)
    return work / "acted.html"


def check_actions(reader, page, shots):
    """What actions came to: those that tested nothing first, in the sum and per subject."""
    def column(table, number):
        return reader.do("return [...document.querySelectorAll('#actions table')[arguments[0]].querySelectorAll("
                         "`tbody td:nth-child(${arguments[1]})`)].map(c => c.innerText)", table, number)

    reader.look(1440)
    yield reader.open(page), "the page of actions does not draw itself"
    names, came = [one.split("\n")[0] for one in column(0, 1)], column(0, 2)
    yield names == ["archive", "edit", "leave"], f"the actions stand as {names}"
    yield came == ["never possible", "always abandoned", "tested"], f"they came to {came}"
    yield "step 2" in column(0, 1)[1] and "no such element" in column(0, 1)[1], f"edit ended at {column(0, 1)[1]!r}"
    yield column(0, 6) == ["2 of 2", "2 of 2", "0 of 2"], f"idle in {column(0, 6)}"
    each = list(zip(column(1, 1), [one.split("\n")[0] for one in column(1, 2)]))
    yield sorted(each[:4]) == [(s, a) for s in ("one", "two") for a in ("archive", "edit")] and len(each) == 6, \
        f"per subject they stand as {each}"
    marks = reader.do("return [...document.querySelectorAll('#findings .finding')].map(f => f.innerText)")
    yield any("Action 'archive' was never possible" in one and "2 of 2 campaigns" in one for one in marks), \
        f"what was never possible is no finding: {marks}"
    shown = text_of(reader, "#subjects")
    yield "not complete: 7 of 9 runs missing" in shown and "1 subject is not complete" in shown, \
        f"a subject that is not complete is told as {shown!r}"
    for width, dark in ((400, False), (1440, True)):
        reader.look(width, dark)
        reader.open(page, "#actions")
        wide = reader.do("return document.documentElement.scrollWidth - innerWidth")
        yield wide <= 0, f"actions: {wide} pixels wider than a window of {width}"
        (shots / f"report-actions-{width}.png").write_bytes(base64.b64decode(reader.call("/screenshot")))
    reader.look(1440)
    yield not reader.console(), f"the console says {reader.console()[:2]}"


def make_unusual(program, work):
    """Pages of campaigns at the borders: none, one and many runs, traces that are damaged, a dot that hangs."""
    def page(name, *sizes, folder=None, env=None):
        if not folder:
            subprocess.run([sys.executable, HERE / "make_campaign.py", work / name, *map(str, sizes)], check=True,
                           stdout=subprocess.DEVNULL)
        subprocess.run([program, "report", str(folder or work / name), "-o", str(work / f"{name}.html")], check=True,
                       stdout=subprocess.DEVNULL, env=env)
        return work / f"{name}.html"

    small = ("--properties", 7, "--states", 40, "--model-states", 20)
    pages = {"empty": page("empty", "--runs", 0, *small), "one": page("one", "--runs", 1, *small),
             "many": page("many", "--runs", MANY, "--properties", 3, "--states", 6, "--model-states", 4)}
    hanging = work / "bin"
    hanging.mkdir()
    (hanging / "dot").write_text("#!/bin/sh\nexec sleep 1000\n")
    (hanging / "dot").chmod(0o755)
    pages["slow dot"] = page("hangs", folder=work / "one", env=dict(os.environ, PATH=f"{hanging}:{os.environ['PATH']}"))
    shutil.copytree(work / "one", work / "cut")
    trace = next((work / "cut/traces").iterdir())
    trace.write_bytes(trace.read_bytes()[:500])
    pages["damaged"] = page("cut", folder=work / "cut")
    return pages


def check_unusual(reader, pages, shots):
    """What a reader is told where there is little, much, or something broken."""
    def texts(selector):
        return reader.do("return [...document.querySelectorAll(arguments[0])].map(e => e.innerText)", selector)

    def opened(name, state=""):
        good = reader.open(pages[name], state)
        (shots / f"report-{name.replace(' ', '-')}.png").write_bytes(base64.b64decode(reader.call("/screenshot")))
        return good and not reader.console()

    reader.look(1440)
    yield opened("empty"), "a campaign without runs has no page, or one that complains"
    first = (texts("#findings .finding") or [""])[0]
    yield "There are no runs: nothing is known yet." in first, f"without runs the first finding is {first!r}"
    yield not texts(".allwell"), f"without runs all is well: {texts('.allwell')}"
    yield opened("one"), "a campaign of one run has no page, or one that complains"
    yield re.search(r"\b1 run\b", texts(".heading")[0]) and "1 runs" not in reader.do("return document.body.innerText"), \
        f"one run is told as {texts('.heading')}"
    yield not texts("#model .note"), f"the drawing of dot has a problem: {texts('#model .note')}"
    yield opened("slow dot", "#model"), "without dot there is no page, or one that complains"
    yield any("dot did not finish" in one for one in texts("#model .note")), f"a slow dot is told as {texts('#model .note')}"
    yield len(texts("#model .graph .node")) >= 20 and len(texts("#model .graph path")) > 20, "without dot nothing is drawn"
    yield opened("damaged"), "a damaged trace leaves no page, or one that complains"
    told = [one for one in texts("#findings .finding") if "The trace of run 0 is damaged" in one]
    yield told and "has 500 bytes, but it was written with" in told[0], f"a damaged trace is told as {told}"
    yield not [one for one in texts("#findings .finding.good") if "holds" in one], "without a trace something holds"
    yield opened("many"), "many runs have no page, or one that complains"
    yield pages["many"].stat().st_size < 20e6, f"the page of {MANY} runs has {pages['many'].stat().st_size} bytes"
    yield f"{MANY:,} runs" in texts(".heading")[0], f"{MANY} runs are told as {texts('.heading')}"
    rows = len(texts("#runs tbody tr"))
    yield 0 < rows < 300, f"the table of {MANY} runs has {rows} rows at once"
    elements = reader.do("return document.querySelectorAll('body :not(script)').length")
    yield elements < 2000, f"the page of {MANY} runs has {elements} elements"
    reader.open(pages["many"], f"#?run={MANY - 1}")
    yield wait_for(lambda: f"Run {MANY - 1}" in text_of(reader, "#run-title")), "the last of many runs cannot be opened"


def main():
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        print("  skipped: chromium and chromedriver are not installed\n0 passed, 0 failed, 1 skipped")
        return 77
    program = os.path.abspath(os.environ["TACTUS"])
    shots = pathlib.Path(program).parent / "screenshots"
    shots.mkdir(exist_ok=True)
    if not AXE.exists():
        print("  without axe: it is not installed; 'make web' installs it")
    checks = []
    with tempfile.TemporaryDirectory(prefix="tactus-browser-") as name:
        work = pathlib.Path(name)

        def tactus(*arguments):
            subprocess.run([program, *map(str, arguments)], cwd=work, check=True, stdout=subprocess.DEVNULL)

        tactus("demo", "tour")
        make = [sys.executable, HERE / "make_campaign.py"]
        subprocess.run([*make, work / "hostile", "--runs", "60", "--properties", "40", "--states", "200",
                        "--model-states", "30", "--hostile"], check=True)
        tactus("report", "hostile", "-o", "hostile.html")
        page, hostile = work / "tour/report.html", work / "hostile.html"
        unusual, acted = make_unusual(program, work), make_acted(program, work)
        reader = Reader(work)
        try:
            for part in (check_file(page), check_contents(reader, page), check_path(reader, page, work / "tour"),
                         check_pictures(reader, page),
                         check_state(reader, page), check_keyboard(reader, page), check_chart(reader, page),
                         check_hostile(reader, hostile), check_vacuous(reader, hostile), check_unusual(reader, unusual, shots),
                         check_actions(reader, acted, shots),
                         check_looks(reader, page, shots)):
                checks += list(part)
        finally:
            reader.close()
    failures = [message for good, message in checks if not good]
    for message in failures:
        print("FAILED " + message)
    print(f"{len(checks) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
