#!/usr/bin/env python3
"""The portal in a real browser, without a terminal: a person explores an app, edits the model, chooses flows,
runs a campaign, stops it and goes on, reads the cause; then the commands are asked about the files written.

Two windows save one model, names are hostile, axe reads every page in two widths and two colour schemes."""
import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from portal_reader import PATIENCE, Person, Server
from reader import ENTER, ESCAPE, TAB, wait_for

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
RIGHT, END, CONTROL = "\ue014", "\ue010", "\ue009"
EVIL = "<img src=x onerror=document.title='broken'>"
EVIL_NAME = "<svg/onload=document.title='broken'>"
BARE_EVIL = "<script>document.title='broken'<"

PROPERTY = """# Following somebody needs an account.
property signed_in: always (follow -> once signIn)
"""


def hostile_model():
    name, bare = (text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;") for text in (EVIL_NAME, BARE_EVIL))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<interactionModel xmlns="urn:tactus:interaction-model:1" name="{name}">
  <device name="phone"><application name="{bare}" external="true"><activity name="{bare}" external="true">
    <stateMachine name="{bare}" external="true">
      <initial to="{name}"/>
      <state name="{name}"/>
      <state name="{name}2"/>
      <transition from="{name}" event="{name}" to="{name}" note="{name}"><action kind="click" xpath="//node[@text='{name}']"/></transition>
    </stateMachine>
  </activity></application></device>
</interactionModel>
"""


def make_folder(folder):
    folder.mkdir()
    for path in ("apps/tracker.json", "player-traces/cafe.csv", "player-traces/player.props", "rules/phoneadapter.rules",
                 "home/automations.yaml", "protocol/remover.spec", "protocol/buggy.jsonl"):
        shutil.copy(ROOT / "examples" / path, folder)
    # Odd white space, quotes and comments, which nobody asked to be changed.
    shop = (ROOT / "examples/shop/shop.model.xml").read_text()
    shop = shop.replace("<initial", "<!-- begins here -->\n\t  <initial", 1).replace('name="item"/>', "name = 'item'  />")
    (folder / "shop.model.xml").write_text(shop)
    (folder / "account.props").write_text(PROPERTY)
    (folder / f"{EVIL}.model.xml").write_text(hostile_model())
    (folder / f"{EVIL}.props").write_text(PROPERTY.replace("signed_in", "`" + EVIL_NAME + "`"))


def status(person):
    return person.do("return document.querySelector('.bar .state')?.textContent")


def settled(person):
    """The editor has no question open."""
    return wait_for(lambda: status(person) != "working …", PATIENCE)


def check_explore(person, folder):
    yield person.sees("tracker.json") and person.sees("shop.model.xml"), "the folder is not shown"
    person.press_button("tracker.json")
    yield bool(wait_for(lambda: person.value("device") == "sim:tracker.json", PATIENCE)), "the app is not chosen"
    person.press_button("start exploring")
    yield person.shows(".job[data-state=done]"), "the exploration does not end"
    yield (folder / "tracker.model.xml").exists(), "the model is not written"
    person.press_button("open the model")
    yield person.sees("No problems") or person.sees("warning"), "the model is not opened"


def check_edit(person, folder):
    person.press_button("list", ".bar")
    person.press_button("S0", ".modellist")
    person.type("name", "Home", ".inspector", ENTER)
    yield person.sees("state Home", ".inspector h2"), "the state is not renamed"
    person.press_button("S13", ".modellist")
    person.type("name", "Home", ".inspector")
    yield person.sees("Home", ".inspector .problem"), "a name that is taken is not told while one types"
    person.keys("name", ESCAPE, ".inspector")
    person.press_button("HomeActivity › HomeActivity_0", ".modellist")
    person.type("name", "Orphan", "form[aria-label='new state']")
    person.press_button("add state")
    yield person.sees("Orphan", "[aria-label=problems]"), "a state that nothing reaches is not told"
    person.press_button("Home", ".modellist")
    person.type("event", "openOrphan", "form[aria-label='new transition']")
    person.choose("leads to", "Orphan", "form[aria-label='new transition']")
    person.press_button("add transition")
    yield person.sees("openOrphan", ".modellist"), "the transition is not added"
    yield bool(wait_for(lambda: not person.do("return document.querySelector('[aria-label=problems]')?.textContent.includes('Orphan') ?? false"), PATIENCE)), \
        "the mended problem is still told"
    person.do("document.activeElement.blur(); document.querySelector('main').focus()")
    person.chord(CONTROL, "z")
    yield bool(wait_for(lambda: not person.do("return document.querySelector('.modellist').textContent.includes('openOrphan')"), PATIENCE)), "undo does nothing"
    person.press_button("redo", ".bar")
    yield person.sees("openOrphan", ".modellist"), "redo does nothing"
    settled(person)
    person.press_button("save", ".bar")
    yield bool(wait_for(lambda: status(person) == "saved", PATIENCE)), f"not saved: {status(person)}"
    text = (folder / "tracker.model.xml").read_text()
    yield 'event="openOrphan"' in text and 'name="Home"' in text and 'name="S0"' not in text.split("</stateMachine>")[0], "the file does not hold the edits"


NODE = """const g = document.querySelector('.canvas').graph, n = g.nodes().filter(n => n.data('label') === arguments[0])[0]
if (!n) return null
const box = document.querySelector('.canvas').getBoundingClientRect(), p = n.renderedPosition()
return [box.left + p.x, box.top + p.y]"""


# Drags from a place in 30 steps, one per frame: how often all that stands still was drawn again meanwhile.
DRAG = """const [x, y, name, done] = arguments
const graph = document.querySelector('.canvas').graph, renderer = graph.renderer(), draw = renderer.drawLayeredElements
const host = document.elementFromPoint(x, y), place = () => ({...graph.nodes().filter(n => n.data('label') === name).renderedPosition()}), from = place()
const fire = (type, shift, buttons) => host.dispatchEvent(new MouseEvent(type, {bubbles: true, cancelable: true, view: window, clientX: x + shift, clientY: y + shift, button: 0, buttons}))
let drawn = 0, step = 0
renderer.drawLayeredElements = function (...more) { drawn++; return draw.apply(this, more) }
fire('mousedown', 0, 1)
const tick = () => {
  if (++step <= 30) { fire('mousemove', step, 1); return requestAnimationFrame(tick) }
  const meanwhile = drawn
  fire('mouseup', 30, 0)
  requestAnimationFrame(() => requestAnimationFrame(() => { renderer.drawLayeredElements = draw; done([meanwhile, drawn - meanwhile, place().x - from.x]) }))
}
requestAnimationFrame(tick)"""


def check_graph(person):
    person.press_button("graph", ".bar")
    person.shows(".canvas canvas")
    person.do("document.querySelector('.canvas').scrollIntoView({block: 'center'})")
    at = wait_for(lambda: person.do(NODE, "Home"), PATIENCE)
    yield bool(at), "the graph does not show the state"
    person.click_at(*at)
    yield person.sees("Home", ".inspector h2"), "a click does not choose the state"
    meanwhile, after, moved = person.wait_do(DRAG, *at, "Home")
    yield meanwhile <= 15, f"the whole graph is drawn {meanwhile} times in 30 frames in which one state moves"
    yield after > 0 and 25 < moved < 35, f"what was dragged is drawn {after} times where it was put, {moved} pixels away"
    person.press_button("connect in the graph", ".inspector")
    person.do("document.querySelector('.canvas').scrollIntoView({block: 'center'})")
    person.click_at(*person.do(NODE, "S13"))
    yield bool(wait_for(lambda: (person.value("leads to", "form[aria-label='new transition']") or "").endswith("/S13"), PATIENCE)), \
        "a click does not choose where the transition leads"
    person.press_button("fold all")
    yield bool(wait_for(lambda: person.do("return document.querySelector('.canvas').graph.nodes().every(n => n.hasClass('machine'))"), PATIENCE)), "it does not fold"
    person.type("search", "orphan", "form[role=search]", ENTER)
    yield person.sees("Orphan", ".inspector h2") and bool(wait_for(lambda: person.do(NODE, "Orphan"), PATIENCE)), "the search does not unfold what it finds"


# Toggles the box of the form again and again, each time waiting for the answer.
TOGGLE = """const done = arguments[1]
const idle = () => new Promise(r => { const look = () => document.querySelector('.bar .state').textContent === 'working …' ? setTimeout(look, 5) : r(); setTimeout(look, 5) })
;(async () => {
  for (let n = 0; n < arguments[0]; n++) { document.querySelector('.inspector input[type=checkbox]').click(); await idle() }
  const steps = document.querySelector('.bar button small').textContent
  for (let n = 0; n < arguments[0]; n++) { document.querySelector('.bar button').click(); await idle() }
  done([steps, document.querySelector('.bar .state').textContent, document.querySelector('.bar button').disabled])
})()""".replace("arguments[0]", "count").replace("const done = arguments[1]", "const [count, done] = arguments")


def check_undo(person, folder):
    """More than a hundred edits are taken back, and then the file and the model are equal again."""
    before = (folder / "shop.model.xml").read_bytes()
    person.page("#home")  # nothing is chosen when one comes back
    person.page("#model?file=shop.model.xml")
    person.press_button("Pay", ".inspector")
    person.shows(".inspector input[type=checkbox]")
    steps, state, undone = person.wait_do(TOGGLE, 105)
    yield steps == "105", f"{steps} of 105 edits can be undone"
    yield undone and state == "saved", f"after undoing all the model is {state!r}"
    person.page("#model?file=shop.model.xml&view=text")
    yield person.value("the file") == before.decode() if person.shows("textarea") else False, "the text is not the file's"
    person.press_button("list", ".bar")
    yield (folder / "shop.model.xml").read_bytes() == before, "opening and looking has changed the file"


def tab_to(person, what):
    """Presses Tab until the focused element is what is looked for, as a condition on `e`."""
    for _ in range(150):
        person.press(TAB)
        if person.do(f"const e = document.activeElement; return {what}"):
            return True
    return False


def check_keyboard(person):
    """Nothing but keys: to a state of the list, a new transition from it, and back."""
    person.page("#model?file=shop.model.xml&view=list")
    person.sees("item", ".modellist")
    person.do("document.activeElement.blur()")
    yield tab_to(person, "e.textContent === 'item' && !!e.closest('.modellist')"), "Tab does not reach a state"
    person.press(ENTER)
    yield person.sees("state item", ".inspector h2"), "Enter does not choose the state"
    yield tab_to(person, "e.matches('form[aria-label=\"new transition\"] input')"), "Tab does not reach the form"
    for key in "keyed":
        person.press(key)
    person.press(ENTER)
    yield person.sees("keyed", ".modellist"), "Enter does not add the transition"
    settled(person)
    tab_to(person, "e.tagName === 'A' || e.tagName === 'BUTTON'")
    person.chord(CONTROL, "z")
    yield bool(wait_for(lambda: status(person) == "saved", PATIENCE)), "Ctrl+Z does not take it back"


def check_conflict(person, folder, base):
    """Two windows, one model: the second save is refused with the difference, and nothing is lost."""
    first, second = person.window(), person.new_window()
    for handle, event in ((second, "fromSecond"), (first, "fromFirst")):
        person.window(handle)
        person.visit(f"{base}#model?file=tracker.model.xml&view=list")
        person.press_button("Home", ".modellist")
        person.type("event", event, "form[aria-label='new transition']")
        person.press_button("add transition")
        person.sees(event, ".modellist")
        settled(person)
    person.press_button("save", ".bar")
    wait_for(lambda: status(person) == "saved", PATIENCE)
    person.window(second)
    person.press_button("save", ".bar")
    yield person.shows("dialog[open] .diff"), "the second save is not refused"
    diff = person.do("return document.querySelector('.diff')?.textContent ?? ''")
    yield "fromFirst" in diff and "fromSecond" in diff, f"the difference does not show both: {diff[:300]}"
    saved = (folder / "tracker.model.xml").read_text()
    yield "fromFirst" in saved and "fromSecond" not in saved, "the second save was not refused"
    person.press_button("take theirs (undo brings yours back)", "dialog")
    yield person.sees("fromFirst", ".modellist"), "theirs is not taken"
    person.do("document.querySelector('.bar button').click()")
    yield person.sees("fromSecond", ".modellist"), "ours is lost"
    settled(person)
    person.do("document.querySelector('.bar button').click()")
    yield bool(wait_for(lambda: status(person) == "not saved", PATIENCE)), "the editor does not say that it differs from the file"
    person.call("/window", method="DELETE")
    person.window(first)


def count_of(person):
    return person.do("return document.querySelector('.count')?.dataset.count ?? ''")


def check_flows(person):
    person.press_button("flows of it", ".bar")
    first = wait_for(lambda: count_of(person), PATIENCE)
    person.keys("at most so many events", RIGHT)
    yield bool(wait_for(lambda: count_of(person) not in ("", first), PATIENCE)), "the count does not follow the bound"
    person.press_button("new requirement")
    for number, event in enumerate(("friends", "follow"), 1):
        person.press_button("add a step")
        person.type(f"step {number}: name", event)
    person.tick("limit the loops")
    yield bool(wait_for(lambda: 0 < int(count_of(person) or 0) < 10000, PATIENCE)), f"the requirement does not count: {count_of(person)}"
    person.type("save as", "friends.req.xml")
    person.press_button("save the requirement")
    yield bool(wait_for(lambda: person.value("requirement") == "friends.req.xml", PATIENCE)), "the requirement is not saved"
    wait_for(lambda: person.do("const f = [...document.querySelectorAll('.flow')]; return f.length && f.every(e => e.textContent.includes('follow'))"), PATIENCE)
    shown = person.do("return [...document.querySelectorAll('.flow')].map(f => f.innerText)")
    yield shown and all("friends" in flow and "follow" in flow for flow in shown), f"flows do not meet the requirement: {shown[:2]}"
    yield bool(wait_for(lambda: person.do("return document.querySelector('.canvas')?.graph.elements('edge.path').length > 1"), PATIENCE)), "the flow is not shown over the graph"
    person.press_button("send to a run")
    yield bool(wait_for(lambda: person.value("flows") == "tracker.flows.jsonl", PATIENCE)), "the flows are not sent"


def held(folder, began):
    """Holds the process of the campaign as soon as `began`: a person can then take the time that they want."""
    def process():
        for path in (folder / ".tactus/jobs").glob("*/process"):
            words = path.read_text().split()
            if '"run"' in (path.parent / "job.json").read_text() and len(words) >= 3 and os.path.exists(f"/proc/{words[2]}") and began():
                return int(words[2])
        return 0
    end = time.monotonic() + PATIENCE
    while not (pid := process()) and time.monotonic() < end:
        time.sleep(0.005)
    if not pid:
        raise LookupError("the campaign does not begin")
    os.kill(pid, signal.SIGSTOP)
    return pid


def check_campaign(person, folder):
    person.choose("device", "tracker")
    person.tick("ideal")
    person.tick("cafe")
    person.choose("properties", "account.props")
    planned = 2 * len((folder / "tracker.flows.jsonl").read_text().splitlines())
    person.type("campaign to write", "campaign")
    person.press_button("start the campaign")
    traces = folder / "campaign/traces"
    pid = held(folder, lambda: len(list(traces.glob("*"))) > 5)
    yield person.shows(".job[data-state=running]"), "it is not under way"
    person.press_button("stop")
    yield person.shows(".job[data-state=stopping]"), "it is not being stopped"
    os.kill(pid, signal.SIGCONT)
    yield person.shows(".job[data-state=stopped]"), "it does not stop"
    before = len(list(traces.glob("*")))
    yield before < planned, "it was not stopped but done"
    person.press_button("go on")
    pid = held(folder, lambda: len(list(traces.glob("*"))) > before + 20)
    yield person.shows(".job[data-state=running] tbody tr"), "no run is seen while it goes on"
    os.kill(pid, signal.SIGCONT)
    yield person.shows(".job[data-state=done]", 4 * PATIENCE), "it does not end"
    yield person.sees(f"{planned} of {planned}", ".job .progress"), f"not all of {planned} runs were done"
    person.page("#home")
    yield person.sees("campaign", ".finding.bad"), "the finding is not on the first page"
    person.press_button("campaign", "#findings")


def check_cause(person):
    person.shows("iframe")
    wait_for(lambda: person.do("return document.querySelector('iframe').title"), PATIENCE)
    person.frame(0)
    try:
        yield bool(wait_for(lambda: person.do("return document.documentElement.hasAttribute('data-ready')"), PATIENCE)), "the report is not drawn"
        found = person.do("return [...document.querySelectorAll('.finding')].map(f => f.textContent)")
        yield any("NullPointerException" in one for one in found), f"the crash is not among the findings: {found[:3]}"
        yield any("signed_in" in one for one in found), "the violated property is not among the findings"
        cause = person.do("return document.querySelector('#causes')?.textContent ?? ''")
        yield "Session.token" in cause and "follow" in cause, f"the cause is not told: {cause[:300]}"
    finally:
        person.frame(None)


def check_commands(program, folder):
    def tactus(*arguments):
        return subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
    checked = tactus("model", "check", "tracker.model.xml", "--json")
    yield checked.returncode == 0 and not json.loads(checked.stdout)["errors"], f"model check: {checked.stderr}{checked.stdout[:200]}"
    listed = tactus("flow", "list", "tracker.model.xml", "--length", "9", "--require", "friends.req.xml", "--limit", "5")
    yield listed.returncode == 0 and len(listed.stdout.splitlines()) == 5, f"flow list: {listed.stderr}"
    reported = tactus("report", "campaign", "-o", "campaign.html")
    yield reported.returncode == 0 and (folder / "campaign.html").stat().st_size > 50000, f"report: {reported.stderr}"
    (folder / "campaign.html").unlink(missing_ok=True)


def check_watch(person, folder):
    """A run in real time: its screen, its events and what is measured are seen while it goes on."""
    person.page("#run?do=run&app=tracker.json")
    person.choose("device", "tracker")
    person.choose("flows", "none")
    person.type("random runs", "200")
    person.type("events each", "500")
    person.tick("in real time (a second of the phone lasts a second)")
    person.type("campaign to write", "watched")
    person.press_button("start the campaign")
    yield person.shows(".live svg.sketch g"), "the screen is not seen while it runs"
    yield person.sees("energy", ".live table"), "what is measured is not seen while it runs"
    yield person.shows(".live .recent li"), "the events are not seen while it runs"
    before = person.do("return document.querySelector('.live').textContent")
    yield bool(wait_for(lambda: person.do("return document.querySelector('.live')?.textContent ?? arguments[0]", before) != before, PATIENCE)), \
        "what is seen stands still"
    person.press_button("stop")
    yield person.shows(".job[data-state=stopped]"), "the watched run does not stop"
    yield not person.do("return !!document.querySelector('.live')"), "a stopped run is still shown as live"


def check_search(person, folder):
    """The shortest failure, started from the page; its script stands in the report."""
    person.page("#run?do=reproduce&campaign=campaign")
    yield bool(wait_for(lambda: person.value("campaign") == "campaign", PATIENCE)), "the campaign is not chosen"
    person.choose("device", "tracker")
    person.type("at most so many executions", "400")
    person.press_button("start the search")
    yield person.shows(".job[data-state=done]", 4 * PATIENCE), "the search does not end"
    yield (folder / "campaign/reproduce/reproduce.json").exists(), "nothing was written"
    person.page("#run?do=hunt")
    person.type("address of the page", "http://127.0.0.1:1/")
    yield person.value("folder to write") == "hunted", "a hunt has nowhere to write"
    person.press_button("start the hunt")
    yield person.shows(".job[data-state=failed], .job[data-state=done]", 4 * PATIENCE), "a hunt on a page that is not there does not end"


def check_machine(person, folder):
    """A state machine of its own, in a new activity."""
    person.page("#model?file=shop.model.xml&view=list")
    person.press_button("list", ".bar")
    person.do("document.querySelector('.inspector details').open = true")
    form = "form[aria-label='new state machine']"
    person.type("activity", "Help", form)
    person.type("name", "Help_0", form)
    person.press_button("add state machine", form)
    yield person.sees("state machine Help_0", ".inspector h2"), "the state machine is not added"
    settled(person)
    person.press_button("undo 1", ".bar")
    yield bool(wait_for(lambda: status(person) == "saved", PATIENCE)), "undo does not take the state machine back"


def check_traces(person, folder):
    person.page("#traces?trace=cafe.csv&property=player.props")
    yield person.sees("cheap_playback", ".verdicts") and person.sees("violated", ".verdicts"), "there is no verdict"
    yield person.shows(".chart canvas"), "the trace is not plotted"
    yield person.sees("1 violated", "figcaption"), "the interval is not shown"
    person.keys("properties", END + ENTER + "property calm: always not Start")
    yield person.shows(".words li[role=option]"), "nothing is completed"
    person.press(ENTER)
    yield bool(wait_for(lambda: (person.value("properties") or "").strip().endswith("not StartPlaying"), PATIENCE)), \
        f"the completion is not taken: {(person.value('properties') or '')[-40:]}"
    yield person.sees("calm", ".verdicts"), "the new property is not judged at once"
    person.keys("properties", " and diff(")
    yield person.shows(".said .problems li") and person.shows(".over .badline"), "the error is not told in its place"
    person.type("properties", PROPERTY)
    person.type("save as", "written.props")
    person.press_button("save", "form[aria-label='property file']")
    yield bool(wait_for(lambda: (folder / "written.props").exists(), PATIENCE)), "the properties are not saved"
    yield (folder / "written.props").read_text().strip() == PROPERTY.strip(), "the properties are not what was typed"


def check_rules(person, folder):
    before = (folder / "phoneadapter.rules").read_text()
    person.page("#rules?file=phoneadapter.rules")
    yield person.sees("faults found"), "the faults are not found"
    person.choose("remove", "cycles")
    person.press_button("show the change 1")
    yield person.shows("dialog[open] .diff .added"), "the repair is not shown as a difference"
    yield (folder / "phoneadapter.rules").read_text() == before, "the file was changed before one accepted"
    person.press_button("accept: write the file", "dialog")
    yield bool(wait_for(lambda: (folder / "phoneadapter.rules").read_text() != before, PATIENCE)), "the repair is not written"
    yield bool(wait_for(lambda: person.do(
        "return [...document.querySelectorAll('dl div')].some(d => d.textContent === 'states from which the app never rests0')"), PATIENCE)), "the cycles are still there"
    person.page("#rules?file=automations.yaml")
    yield person.sees("opposite-writes") and person.sees("Somebody comes at night"), "the automations are not judged"
    before = (folder / "automations.yaml").read_text()
    person.press_button("use this repair: start again on a new trigger (mode: restart)")
    person.press_button("accept: write the file", "dialog")
    wait_for(lambda: (folder / "automations.yaml").read_text() != before, PATIENCE)
    after = (folder / "automations.yaml").read_text()
    yield after.replace("  mode: restart\n", "", 1) == before != after, "the repair changes more than it says"
    person.page("#rules?file=buggy.jsonl&protocol=remover.spec")
    yield person.sees("UNSAFE") and person.sees("execute"), "the recording is not judged"


def check_hostile(person):
    person.console()
    name = "".join(f"%{byte:02x}" for byte in f"{EVIL}.model.xml".encode())
    evil_props = name.replace("2e6d6f64656c2e786d6c", "")
    for state in ("#home", f"#model?file={name}", f"#model?file={name}&view=list", f"#model?file={name}&view=text", f"#flows?model={name}", f"#traces?trace=cafe.csv&property={evil_props}",
                  "#model?file=%3Cimg src=x onerror=document.title='broken'%3E", "#__proto__?file=constructor"):
        person.page(state)
        person.sees("onload" if "model=" in state or "file=%3c" in state else "", "main")
        yield "broken" not in person.do("return document.title"), f"a name was executed at {state}"
        yield person.do("return !document.querySelector('img[src=x], [onerror], main [onload], main script')"), f"a name became markup at {state}"
    said = [one for one in person.console() if "404" not in one and "422" not in one]
    yield not said, f"the console says {said[:2]}"


LOOKS = ("#home", "#model?file=tracker.model.xml", "#model?file=tracker.model.xml&view=list", "#model?file=shop.model.xml&view=text",
         "#flows?model=tracker.model.xml&requirement=friends.req.xml", "#run?do=run", "#run?do=reproduce", "#run?do=hunt", "#report?campaign=campaign",
         "#traces?trace=cafe.csv&property=player.props", "#rules?file=automations.yaml")


def check_looks(person, base, shots):
    """Nothing sticks out, and axe finds nothing, at two widths and in two schemes."""
    person.visit(base)
    if AXE.exists():
        person.do(AXE.read_text())
    for state in LOOKS:
        person.look(1440)
        person.page(state)
        heading = state[1:].split("?")[0]
        person.shows(f"main.page.{heading} h1")
        wait_for(lambda: not person.do("return document.querySelector('main').textContent.includes(' …') && !!document.querySelector('[role=status]')"), 3)
        outside = person.do("return performance.getEntries().map(e => e.name).filter(n => /^\\w+:/.test(n) && !n.startsWith(location.origin) && !/^(data|blob):/.test(n))")
        yield not outside, f"{state} asks others: {outside[:3]}"
        for width in (400, 1440):
            for dark in (False, True):
                person.look(width, dark)
                name = f"{state}, {width} px, {'dark' if dark else 'light'}"
                wide = person.do("return document.documentElement.scrollWidth - innerWidth")
                yield wide <= 0, f"{name}: {wide} pixels wider than the window"
                shot = base64.b64decode(person.call("/screenshot"))
                (shots / f"portal-{LOOKS.index(state)}-{width}-{'dark' if dark else 'light'}.png").write_bytes(shot)
                if not AXE.exists():
                    continue
                wrong = person.wait_do("const done = arguments[0]; axe.run(document, {iframes: false}).then(r => done(r.violations.map("
                                       "v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(' | '))))")
                yield not wrong, f"axe, {name}: {wrong}"
    person.look(1440)


def run_checks(program, work, shots):
    folder = work / "folder"
    make_folder(folder)
    server = Server(program, folder)
    base = server.address.split("?")[0]
    person = Person(work)
    checks = []
    try:
        person.visit(server.address)
        for part in (check_explore(person, folder), check_edit(person, folder), check_graph(person), check_conflict(person, folder, base), check_flows(person),
                     check_campaign(person, folder), check_cause(person), check_commands(program, folder), check_watch(person, folder), check_search(person, folder), check_machine(person, folder), check_traces(person, folder), check_rules(person, folder),
                     check_keyboard(person), check_undo(person, folder), check_hostile(person), check_looks(person, base, shots)):
            try:
                checks += list(part)
            except (LookupError, OSError) as problem:
                (shots / "portal-failed.png").write_bytes(base64.b64decode(person.call("/screenshot")))
                checks.append((False, f"{part.__name__}: {problem}"))
                break
    finally:
        person.close()
        server.close()
    return checks


def main():
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        print("  skipped: chromium and chromedriver are not installed\n0 passed, 0 failed, 1 skipped")
        return 77
    program = os.path.abspath(os.environ["TACTUS"])
    shots = pathlib.Path(program).parent / "screenshots"
    shots.mkdir(exist_ok=True)
    if not AXE.exists():
        print("  without axe: it is not installed; 'make web' installs it")
    with tempfile.TemporaryDirectory(prefix="tactus-portal-") as name:
        checks = run_checks(program, pathlib.Path(name), shots)
    failures = [message for good, message in checks if not good]
    for message in failures:
        print("FAILED " + message)
    print(f"{len(checks) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
