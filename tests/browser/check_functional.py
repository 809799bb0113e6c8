#!/usr/bin/env python3
"""Observables: the same values from the built-in phone, through adb, through Appium's stand-in and from a page with the
same screen; css beside XPath; hostile texts, wrong selectors and apps that do not start are told.

Skips the phone behind adb where adb is absent, and the pages where chromium is.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser_testing  # noqa: E402
from browser_testing import check, patience, root, tactus  # noqa: E402
from check_appium import Appium  # noqa: E402

ID = "com.example.tactus.notes:id/"
PROPS = f"""observe shown  = count(//node[contains(@resource-id, ':id/')])
observe labels = texts(//node[contains(@resource-id, ':id/')])
observe menu   = visible("//node[@resource-id='{ID}menu']")
observe lit    = enabled(//node[@resource-id='{ID}menu'])
observe what   = attribute(//node[@resource-id='{ID}menu'], "resource-id")
observe none   = text(//node[@resource-id='{ID}nothing'])
property shown: always (shown == size(labels))
"""
ACTIONS = f"""action open:  when not visible(//node[@resource-id='{ID}settings']) do click //node[@resource-id='{ID}menu']
action leave: when visible(//node[@resource-id='{ID}settings']) do back
"""
NAMES = ["event", "shown", "labels", "menu", "lit", "what", "none", "abandoned"]


def run(*words):
    return subprocess.run([tactus, *words], capture_output=True, text=True, timeout=patience(200), cwd=root)


def states(folder):
    """The observed states of a run, values held."""
    held, found = {}, []
    for line in (pathlib.Path(folder) / "traces/000000.jsonl").read_text().splitlines():
        state = json.loads(line)
        if "t" in state:
            held = {**held, "event": None, **state}
            found.append({name: held.get(name) for name in NAMES})
    return found


def observe(work, name, *device, props=PROPS, actions=ACTIONS, steps=3):
    (work / "p.props").write_text(props)
    (work / "p.actions").write_text(actions)
    done = run("run", *device, "--actions", str(work / "p.actions"), "--runs", "1", "--steps", str(steps), "-p",
               str(work / "p.props"), "-o", str(work / name))
    return done


def phones(work):
    sim = "sim:examples/apps/notes.json"
    done = observe(work, "sim", "--device", sim)
    check(done.returncode == 0, f"sim: {done.stdout}{done.stderr}")
    wanted = states(work / "sim")
    check([one["event"] for one in wanted] == [None, "open", "leave", "open"], f"{wanted}")
    check(wanted[0]["shown"] > 1 and wanted[0]["menu"] is True and wanted[0]["none"] is None, f"{wanted[0]}")
    if not shutil.which("adb"):
        print("  adb is not installed: nothing is compared with it")
        return wanted[0]
    with Appium(str(work), "notes", ".MainActivity") as appium:
        done = observe(work, "appium", *appium.device)
        check(done.returncode == 0 and states(work / "appium") == wanted, f"appium: {done.stdout}{done.stderr}")
        os.environ["ANDROID_ADB_SERVER_PORT"] = appium.env["ANDROID_ADB_SERVER_PORT"]
        serial = next(line.split("\t")[0] for line in appium.adb("devices").splitlines() if "\tdevice" in line)
        done = observe(work, "adb", "--device", f"adb:{serial}", "--app", appium.package)
        check(done.returncode == 0 and states(work / "adb") == wanted, f"adb: {done.stdout}{done.stderr}")
    return wanted[0]


def pages(work, first):
    """The first screen as a page, and what only pages have."""
    items = [f'<button data-testid="{first["what"]}">{html.escape(text)}</button>' if number == 0 else
             f'<button data-testid="{ID}x{number}">{html.escape(text) or "&nbsp;"}</button>'
             for number, text in enumerate(first["labels"])]
    wild = "\u202e" + "<&\"'\\\\\u2028\U0001f600,;\t" * 6000
    rows = "".join(f"<li>row {number}</li>" for number in range(3000))
    page = work / "page.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><title>x</title>{''.join(items)}<p id=wild>{html.escape(wild)}</p>"
                    f"<div id=over style='width:99px;height:40px'>hover<i hidden id=shy>here</i></div><input id=field>"
                    f"<style>#over:hover #shy{{display:inline!important}}</style><ul id=rows>{rows}</ul>")
    props = PROPS + """observe rows = texts(css:"#rows li")
observe wild = text(css:"#wild")
observe shy  = visible(css:"#shy")
observe held = value(css:"#field")
observe gone = text(css:"#gone")
property rows: always (size(rows) == 3000 and item(rows, -1) == "row 2999")
property type: always (type -> held == typed)
property rest: always (rest -> shy)
property gone: always (type -> gone == "x")
"""
    actions = """action rest: when not visible(css:"#shy") do hover css:"#over"
action type: when visible(css:"#shy") do type css:"#field" any of ["a b", "\\"quoted\\""]; key Shift+Tab
"""
    done = observe(work, "page", "--device", f"file://{page}", props=props, actions=actions)
    check(done.returncode == 0, f"page: {done.stdout}{done.stderr}")
    check("never tested" in done.stdout, f"a selector that never matches is said: {done.stdout}")
    seen = states(work / "page")
    for name in ("shown", "menu", "lit", "what", "none"):
        check(seen[0][name] == first[name], f"{name}: {seen[0][name]} on the page, {first[name]} on the phone")
    same = [" ".join(text.split()) for text in seen[0]["labels"]] == [" ".join(text.split()) for text in first["labels"]]
    check(same, f"{seen[0]['labels']} on the page, {first['labels']} on the phone")
    for line in (work / "page/traces/000000.jsonl").read_text().splitlines()[1:2]:
        got = json.loads(line)
        check(len(got["rows"]) == 3000 and got["wild"] == " ".join(wild.split()), "long texts are kept as they are")
    done = observe(work, "wrong", "--device", f"file://{page}", props='observe x = text(css:"li[")\nproperty p: always x == "a"\n')
    check(done.returncode == 4 and "is not a css selector" in done.stderr, f"wrong css: {done.returncode} {done.stderr}")


def slow_field(work):
    """Steps of an action wait for each other; a double click is one; U+0000 in a text does no harm; a pointer that the
    page forgot rests there again."""
    page = work / "slow.html"
    page.write_text("""<!doctype html><meta charset=utf-8><title>x</title><button id=open>open</button><p id=nul></p>
<p id=shy>rest here <button hidden id=shown>shown</button></p>
<script>let moves = 0
shy.onmousemove = () => { shown.hidden = ++moves < 3 } // one rest is two moves
nul.textContent = 'a\\u0000b'
document.getElementById('open').ondblclick = () => setTimeout(() => {
  if (document.querySelector('input')) return
  const field = document.createElement('input')
  field.id = 'late'
  document.body.append(field)
  field.focus()
}, 300)</script>""")
    props = 'observe held = value(css:"#late")\nobserve nul = text(css:"#nul")\n' \
            'property typed: always (fill -> held == "abc")\nproperty nul: always (nul == "a b")\n' \
            'property reached: always (reach -> abandoned == 0)\n'
    actions = 'action fill: when not visible(css:"#late") do doubleclick css:"#open"; type "abc"\n' \
              'action reach: when visible(css:"#late") do hover css:"#shy"; click css:"#shown"\n'
    done = observe(work, "slow", "--device", f"file://{page}", props=props, steps=2, actions=actions)
    check(done.returncode == 0 and "never tested" not in done.stdout, f"slow field: {done.stdout}{done.stderr}")


def widgets(work):
    """Fields with pickers, choices, drag and drop, a context menu, keys that are not characters; what is behind a dialog,
    in closed details or without a box; numbers as people write them."""
    page = work / "widgets.html"
    page.write_text("""<!doctype html><meta charset=utf-8><title>x</title><style>.box{width:90px;height:30px}</style>
<input type=date id=date><input type=time id=time><input type=color id=tint><input type=range id=level max=10>
<select id=choice><option value=v1>One<option value=v2>Two</select><input id=plain><li id=item>no field</li>
<div class=box id=drag draggable=true ondragstart="event.dataTransfer.setData('text', 'x')">drag</div>
<div id=gap style="height:1600px"></div>
<div class=box id=drop ondragover="event.preventDefault()" ondrop="event.preventDefault();this.textContent = 'got ' + event.dataTransfer.getData('text')">drop</div>
<div class=box id=menu onclick="this.textContent += ' clicked'" oncontextmenu="event.preventDefault();this.textContent += ' menu'">press</div>
<div class=box id=keys tabindex=0 onkeydown="this.textContent += ' ' + event.key;event.preventDefault()">keys</div>
<div id=pane style="width:100px;height:100px;overflow:auto" onscroll="at.textContent = Math.sign(this.scrollLeft) + ' ' + Math.sign(this.scrollTop)"><div style="width:900px;height:900px"></div></div><p id=at>at</p>
<details><summary>more</summary><p id=inside>inside</p></details>
<ul><li class=row style="display:contents"><b>one</b></li><li class=row style="display:contents">two</li><li class=row style="display:contents"></li></ul>
<p id=owed>Balance: €\u22125.50</p><p id=half>.5 kg</p><p id=range>pages 3-5</p>
<button id=open onclick="dialog.showModal()">open</button><dialog id=dialog><button>ok</button></dialog>""")
    props = """observe date   = value(css:"#date")
observe time_of = value(css:"#time")
observe tint   = value(css:"#tint")
observe level  = value(css:"#level")
observe choice = text(css:"#choice")
observe spun   = text(//node[@resource-id='choice'])
observe chosen = value(css:"#choice")
observe plain  = value(css:"#plain")
observe drop   = text(css:"#drop")
observe menu   = text(css:"#menu")
observe keys   = text(css:"#keys")
observe rows   = texts(css:".row")
observe pane   = text(css:"#at")
observe inside = visible(css:"#inside")
observe owed   = number(css:"#owed")
observe half   = number(css:"#half")
observe pages  = number(css:"#range")
observe item_held = value(css:"#item")
property all:     always (all -> abandoned == 0 and date == "2024-02-29" and time_of == "13:45" and tint == "#00ff00" and level == "7")
property choice:  always (all -> choice == "Two" and spun == "Two" and chosen == "v2")
property drags:   always (all -> drop == "got x" and menu == "press menu" and keys == "keys Home F2")
property ways:    always (all -> pane == "1 1")
property shown:   always (rows == ["one", "two"] and not inside)
property numbers: always (owed == -5.5 and half == 0.5 and pages == 3)
property blocked: always (blocked -> abandoned == 2 and plain == "")
property field:   always (all -> item_held == "0")
"""
    actions = """action all: when text(css:"#drop") == "drop"
  do type css:"#date" "2024-02-29"; type css:"#time" "13:45"; type css:"#tint" "#00ff00"; type css:"#level" "7"; type css:"#choice" "Two";
     drag css:"#drag" to css:"#drop"; longpress css:"#menu"; hover css:"#keys"; click css:"#keys"; key Home; key F2;
     scroll right css:"#pane"; scroll right css:"#pane"; scroll left css:"#pane"; swipe up css:"#pane"; swipe up css:"#pane"; swipe down css:"#pane"
action blocked: when text(css:"#drop") != "drop" do click css:"#open"; type css:"#plain" "x"
"""
    done = observe(work, "widgets", "--device", f"file://{page}", props=props, steps=2, actions=actions)
    check(done.returncode == 0 and done.stdout.count("never tested") == 1, f"widgets: {done.stdout}{done.stderr}")
    done = observe(work, "key", "--device", f"file://{page}", props=props, steps=1, actions="action all:\n  do key Hoem\n")
    check(done.returncode == 4 and "p.actions:2:" in done.stderr and "there is no key 'Hoem'; did you mean 'Home'?" in done.stderr, f"no key: {done.stderr}")


def scrolling(work):
    """A scroll moves what scrolls: the page, which is no element of the screen, under an element that does not scroll; a pane
    in the middle, before one that is out of sight; all the way at once where the page scrolls smoothly. Nothing that scrolls is told."""
    page = work / "scrolling.html"
    page.write_text("""<!doctype html><meta charset=utf-8><meta name=viewport content="width=device-width"><title>s</title>
<style>html { scroll-behavior: smooth } li { height: 50px }</style><ul id=feed></ul>
<div id=pane style="height:100px;overflow:auto"><div id=inner style="height:1000px">x</div></div><p id=at>0 0</p>
<script>
const more = () => { for (let i = 0; i < 30; i++) feed.append(Object.assign(document.createElement('li'), { textContent: 'p' + feed.children.length })) }
const tell = () => { document.body.dataset.page = scrollY; document.body.dataset.pane = pane.scrollTop }
onscroll = () => { tell(); if (feed.children.length === 30) setTimeout(more, 100) }
pane.onscroll = tell
more()
tell()</script>""")
    props = """observe page = attribute(css:"body", "data-page")
observe pane = attribute(css:"body", "data-pane")
observe posts = count(css:"#feed li")
property page: always (down -> abandoned == 0 and page == "640" and pane == "0" and posts == 60)
property pane: always (inner -> abandoned == 0 and page == "0" and pane == "100")
"""
    downs = ["scroll down", "swipe up", 'scroll down css:"body"', 'scroll down css:"html"', 'scroll down css:"#feed li"', "scroll down //node[@text='p0']"]
    (work / "p.props").write_text(props)
    for i, step in enumerate([*downs, 'scroll down css:"#pane"', 'scroll down css:"#inner"']):
        (work / "p.actions").write_text(f"action {'down' if i < len(downs) else 'inner'}: do {step}\n")
        done = run("run", "--device", f"file://{page}", "--actions", str(work / "p.actions"), "--runs", "1", "--steps", "1",
                   "-p", str(work / "p.props"), "-o", str(work / f"scrolling-{i}"))
        check(done.returncode == 0, f"{step}: {done.stdout}{done.stderr}")
    page.write_text("<!doctype html><title>s</title><p>short</p>")
    done = observe(work, "short", "--device", f"file://{page}", props='property still: always (down -> abandoned == 1)\n', steps=1,
                   actions="action down: do scroll down\n")
    check(done.returncode == 0 and "nothing on the screen that scrolls" in done.stdout, f"short page: {done.stdout}{done.stderr}")


def turning(work):
    """A page is turned on its side, settles there and is turned back: what it does late because of it belongs to the turn. The window
    is as it was, also where the page never rests."""
    page = work / "turning.html"
    page.write_text("""<!doctype html><meta charset=utf-8><meta name=viewport content="width=device-width"><title>t</title>
<style>#wide { display: none } @media (orientation: landscape) { #wide { display: block } }</style>
<p id=wide>wide</p><p id=sizes></p><p id=now></p><script>
const size = () => innerWidth + 'x' + innerHeight + ' ' + devicePixelRatio + (wide.offsetHeight ? ' wide' : '')
let due = 0
now.textContent = size()
onresize = () => {
  if (now.textContent === size() && !due) return // as it was loaded
  if (location.hash && !due) requestAnimationFrame(function go() { wide.title += 'x'; sizes.style.opacity = 1.5 - (sizes.style.opacity || 1); requestAnimationFrame(go) })
  clearTimeout(due)
  due = setTimeout(() => { sizes.textContent += '[' + size() + ']'; now.textContent = size() }, 150) }</script>""")
    props = 'observe sizes = text(css:"#sizes")\nobserve now = text(css:"#now")\nobserve wide = visible(css:"#wide")\n' \
            'property turned: always (turn -> abandoned == 0 and sizes == "[640x360 2 wide][360x640 2]" and not wide)\n' \
            'property restored: always (turn -> abandoned <= 0 and now == "360x640 2" and not wide)\n'
    done = observe(work, "turning", "--device", f"file://{page}", props=props, steps=1, actions="action turn: do rotate\n")
    check(done.returncode == 0 and "never" not in done.stdout, f"turned: {done.stdout}{done.stderr}")
    done = observe(work, "restless", "--device", f"file://{page}#x", "--deadline", "1", props=props.split("property turned")[0] + "property restored" +
                   props.split("property restored")[1], steps=1, actions="action turn: do rotate\n")
    check(done.returncode == 0 and "never" not in done.stdout, f"turned, never rests: {done.stdout}{done.stderr}")


def same_element(work):
    """`it` is the element that `any` took, wherever it stands by now: moved, not the last one named, by css and by an XPath;
    hidden, it cannot be touched, and no other is; made anew, its place counts."""
    page = work / "same.html"
    page.write_text("""<!doctype html><meta charset=utf-8><title>x</title><p id=done>none</p><button id=other>other</button>
<ul id=list></ul><ol id=anew></ol><ol id=hide></ol>
<script>let last = ''
const rows = (list, names, act) => list.replaceChildren(...names.map((name) => {
  const row = document.createElement('li')
  row.textContent = name
  row.id = name
  row.onclick = () => { done.textContent = last + name; last = name + ' '; act(row) }
  row.ondblclick = () => { row.hidden = true }
  return row
}))
other.onclick = () => { last += 'other ' }
rows(list, ['a', 'b', 'c', 'd'], (row) => list.prepend(row))
rows(hide, ['p', 'q', 'r'], () => {})
const again = () => rows(anew, ['x', 'y'], again)
again()</script>""")
    props = """observe did   = text(css:"#done")
observe shown = count(css:"#hide li")
property moved:  always ((moved or between or by_xpath) -> abandoned == 0 and (did == "a a" or did == "b b" or did == "c c" or did == "d d" or did == "a other a" or did == "b other b" or did == "c other c" or did == "d other d"))
property hidden: always (hidden -> abandoned == 2 and shown == previous(shown) - 1)
property anew:   always (anew -> abandoned == 0 and (did == "x x" or did == "y y"))
"""
    actions = {"moved": 'click any css:"#list li"; click it', "between": 'click any css:"#list li"; click css:"#other"; click it',
               "by_xpath": "click any //node[string-length(@text)=1 and contains('abcd', @text)]; click it",
               "hidden": 'doubleclick any css:"#hide li"; click it', "anew": 'click any css:"#anew li"; click it'}
    for name, steps in actions.items():
        for seed in range(1, 4):
            (work / "p.props").write_text(props)
            (work / "p.actions").write_text(f"action {name}: do {steps}\n")
            done = run("run", "--device", f"file://{page}", "--actions", str(work / "p.actions"), "--runs", "1", "--steps", "1",
                       "--seed", str(seed), "-p", str(work / "p.props"), "-o", str(work / f"same-{name}-{seed}"))
            check(done.returncode == 0, f"it, {name}, seed {seed}: {done.stdout}{done.stderr}")


def deep(work):
    """What lies under hundreds of elements, in components too, is seen and touched; a page may be built as deep as it likes by its script."""
    page = work / "deep.html"
    page.write_text("""<!doctype html><title>deep</title><p id=did>none</p><script>
const below = (root, levels) => { for (let i = 0; i < levels; i++) root = root.appendChild(document.createElement('div')); return root }
const button = (root, name) => { const one = root.appendChild(document.createElement('button')); one.textContent = name; one.onclick = () => { did.textContent = name } }
button(below(document.body, 700), 'plain')
button(below(below(document.body, 300).appendChild(document.createElement('section')).attachShadow({ mode: 'open' }), 300), 'inside')</script>""")
    done = observe(work, "deep-runs", "--device", f"file://{page}", steps=2, props="observe plain = count(//node[@class='web.Button' and @text='plain'])\n"
                   "observe inside = count(//node[@class='web.Button' and @text='inside'])\nobserve by_css = count(css:\"button\")\nobserve did = text(css:\"#did\")\n"
                   "property seen: always (plain == 1 and inside == 1 and by_css == 2)\nproperty did: always (press -> did == \"inside\")\n",
                   actions="action press: do click //node[@class='web.Button' and @text='inside']\n")
    check(done.returncode == 0 and "never" not in done.stdout, f"deep: {done.stdout}{done.stderr}")
    page.write_text(page.read_text().replace("700", "1100"))
    done = run("screen", "--device", f"file://{page}")
    check(done.returncode == 4 and not done.stdout and "some inside more than 1,000 others: it cannot be read whole" in done.stderr,
          f"too deep: {done.returncode}: {done.stdout}{done.stderr}")


def held_key(work):
    """A key is down for a while, as under a finger, by the browser's own stamps of its going down and coming up: what the
    page's timers do in between depends on the machine's load."""
    page = work / "held.html"
    page.write_text("""<!doctype html><title>k</title><input id=i autofocus><p id=out>0 of 0</p><script>
let down = 0, pressed = 0, held = 0
i.onkeydown = (e) => { down = e.timeStamp }
i.onkeyup = (e) => { pressed++; held += e.timeStamp - down >= 25; out.textContent = held + ' of ' + pressed }</script>""")
    done = observe(work, "held", "--device", f"file://{page}", steps=2,
                   props='observe out = text(css:"#out")\nproperty held: always (press -> out == "3 of 3" or out == "6 of 6")\n',
                   actions='action press: do key Enter; key ArrowLeft; key x\n')
    check(done.returncode == 0 and "never tested" not in done.stdout, f"held key: {done.stdout}{done.stderr}")


def moving(work):
    """A control that jumps by itself is touched where it is when the finger comes; what lies where it was feels nothing. A menu
    that the touch itself opens under the finger feels the rest of it."""
    page = work / "moving.html"
    page.write_text("""<!doctype html><title>j</title><style>button{position:absolute;left:20px;width:120px;height:40px}</style>
<body style="height:500px"><p>hits <span id=hits>0</span></p><p>ground <span id=ground>0</span></p><button id=jumps>jumps</button>
<button id=menu style="top:400px">menu</button><script>
let high = false
setInterval(() => { high = !high; jumps.style.top = high ? '120px' : '260px' }, 20)
menu.onpointerdown = () => {
  const over = document.createElement('div')
  over.id = 'over'
  over.textContent = 'open'
  over.style.cssText = 'position:fixed;inset:0;background:white;opacity:.5'
  over.onclick = () => { over.remove(); document.title = 'chosen' + ground.textContent }
  document.body.append(over)
}
document.addEventListener('click', (e) => {
  const felt = e.target === jumps ? hits : e.target.id === 'over' ? null : ground
  if (felt) felt.textContent = +felt.textContent + 1
})</script>""")
    props = 'observe hits = number(css:"#hits")\nobserve ground = number(css:"#ground")\nobserve over = visible(css:"#over")\n' \
            'property aimed: always (ground == 0)\nproperty menu: always (open -> abandoned <= 0 and not over)\n' \
            'property caught: always (catch and abandoned <= 0 -> hits == previous(hits) + 1)\n'
    actions = 'action catch (3): do click css:"#jumps"\naction open: do click css:"#menu"\n'
    done = observe(work, "moving", "--device", f"file://{page}", props=props, steps=14, actions=actions)
    check(done.returncode == 0 and "never" not in done.stdout, f"moving: {done.stdout}{done.stderr}")


def zooming(work):
    """A page without a viewport of its own is shown whole, so that its scale changes with its width. Where a touch widens it,
    the finger rests on the glass: no move, and one click, at what is under the finger then. A dialog that opens under a
    finger does not leave it down."""
    page = work / "zooming.html"
    page.write_text("""<!doctype html><title>z</title><body style="margin:0"><div style="height:300px"></div>
<button id=b style="margin-left:600px;width:100px;height:60px">press</button><div id=wide style="width:100px;height:20px"></div>
<p>moves <span id=moves>0</span></p><p>clicks <span id=clicks>0</span></p><p>off <span id=off>0</span></p>
<p>ends <span id=ends>0</span></p><button id=asks style="width:200px;height:60px">asks</button><script>
let at = null
const one = (cell) => { cell.textContent = +cell.textContent + 1 }
addEventListener('touchstart', (e) => {
  at = { x: e.touches[0].clientX * visualViewport.scale, down: e.touches.length }
  if (e.target === asks) alert('sure?')
  else wide.style.width = wide.offsetWidth > 500 ? '100px' : '1190px'
})
addEventListener('touchmove', () => one(moves))
addEventListener('touchend', () => one(ends))
addEventListener('click', (e) => {
  one(clicks)
  if (at.down !== 1 || Math.abs(at.x - e.clientX * visualViewport.scale) > 1) one(off)
})</script>""")
    props = "".join(f'observe {name} = number(css:"#{name}")\n' for name in ("moves", "clicks", "off", "ends")) + \
        'property rests: always (moves == 0)\nproperty there: always (off == 0)\n' \
        'property clicked: always (press -> clicks == previous(clicks) + 1)\n' \
        'property lifted: always (press or ask -> ends == previous(ends) + 1)\n'
    actions = 'action press (3): do click css:"#b"\naction ask: do click css:"#asks"\n'
    done = observe(work, "zooming", "--device", f"file://{page}", props=props, steps=12, actions=actions)
    check(done.returncode == 0 and "never" not in done.stdout, f"zooming: {done.stdout}{done.stderr}")


def unread(work):
    """An answer whose body nobody reads is over with its headers; one that is read late is waited for again."""
    folder = work / "unread"
    folder.mkdir()
    (folder / "index.html").write_text("""<!doctype html><title>u</title><button id=b>b</button><p id=why>none</p><p id=late>none</p><script>
b.onclick = async () => {
  const answer = await fetch('index.html')
  setTimeout(async () => {
    why.textContent = 'held by ' + (window.__tactus.own(0, 0).why || 'nothing')
    late.textContent = (await answer.text()).slice(0, 15)
  }, 1000)
}</script>""")
    server = browser_testing.Server(folder)
    done = observe(work, "unread-runs", "--device", f"{server.url}/index.html", steps=1,
                   props='observe why = text(css:"#why")\nobserve late = text(css:"#late")\n'
                         'property over: always (ask -> not contains(why, "requests"))\nproperty late: always (ask -> late == "<!doctype html>")\n',
                   actions='action ask: do click css:"#b"\n')
    server.stop()
    check(done.returncode == 0 and "never" not in done.stdout, f"unread: {done.stdout}{done.stderr}")


def databases(work):
    """What is stored is waited for until its transaction is complete, which is after its request was granted."""
    folder = work / "database"
    folder.mkdir()
    (folder / "index.html").write_text("""<!doctype html><title>d</title><button id=b>b</button><p id=why>none</p><script>
const opening = indexedDB.open('d', 1)
opening.onupgradeneeded = () => opening.result.createObjectStore('n', { autoIncrement: true })
b.onclick = () => {
  const change = opening.result.transaction('n', 'readwrite'), put = change.objectStore('n').add('x')
  let held = ''
  put.onsuccess = () => { held = window.__tactus.own(0, 0).why }
  change.oncomplete = () => { why.textContent = 'held: ' + held }
}</script>""")
    server = browser_testing.Server(folder)
    done = observe(work, "database-runs", "--device", f"{server.url}/index.html", steps=1, props='observe why = text(css:"#why")\n'
                   'property waited: always (store -> why == "held: answers are awaited")\n', actions='action store: do click css:"#b"\n')
    server.stop()
    check(done.returncode == 0 and "never" not in done.stdout, f"database: {done.stdout}{done.stderr}")


def tapped(work):
    """What was tapped stays marked for 150 ms; when that ends, what shows under the pointer stays under the finger, and what
    shows only until then is not at rest."""
    page = work / "tapped.html"
    page.write_text("""<!doctype html><meta charset=utf-8><title>x</title><meta name=viewport content="width=device-width">
<style>p{height:50px} p button{display:none} p:hover button{display:inline}</style>
<p id=one>one <button>x</button></p><p id=two>two <button>y</button></p><i id=told>0</i><script>
document.ontouchend = ({ changedTouches: [at] }) => {
  if (document.elementFromPoint(at.clientX, at.clientY).closest('#two button')) told.textContent++
}</script>""")
    props = """observe told = number(css:"#told")
property felt: always (go -> told == previous(told) + 2)
"""
    again = "; ".join(['click css:"#one"; hover css:"#two"; click css:"#two button"'] * 2)
    done = observe(work, "tapped", "--device", f"file://{page}", props=props, steps=16, actions=f"action go: do {again}\n")
    check(done.returncode == 0 and "never tested" not in done.stdout, f"tapped: {done.stdout}{done.stderr}")
    page.write_text("""<!doctype html><meta charset=utf-8><title>x</title><meta name=viewport content="width=device-width">
<style>p button{display:none} p:hover button{display:inline}</style><p id=one><input type=checkbox>one <button>x</button></p><script>
one.onclick = () => { one.innerHTML += ' ' }</script>""")
    props = 'observe shown = visible(css:"#one button")\nproperty rests: always (go -> not shown)\n'
    done = observe(work, "anew", "--device", f"file://{page}", props=props, steps=6, actions='action go: do click css:"#one input"\n')
    check(done.returncode == 0 and "never tested" not in done.stdout, f"what is tapped is made anew: {done.stdout}{done.stderr}")


def mistakes(work):
    """A wrong selector of a step that is hardly ever chosen is found at the first run, with its place; the corrected file
    goes on in the same folder. What never worked is told with the answer."""
    page = work / "mistakes.html"
    page.write_text("<!doctype html><title>m</title><ul id=l></ul><button id=b onclick=\"l.innerHTML += '<li>x</li>'\">add</button><input id=i disabled>")
    device, props = ("--device", f"file://{page}"), 'observe n = count(css:"li")\nproperty grows: always (add -> n == previous(n) + 1)\n'
    wrong = 'action add: do click css:"#b"\naction rare (0.000001):\n  do back; click any css:"li[["\n'
    done = observe(work, "mistakes", *device, props=props, actions=wrong)
    check(done.returncode == 4 and 'p.actions:3:12: css:"li[[" is not a css selector' in done.stderr, f"wrong step: {done.stdout}{done.stderr}")
    done = observe(work, "mistakes", *device, props=props.replace('"li"', '"li[["'), actions=wrong.replace("[[", ""))
    check(done.returncode == 4 and 'p.props:1: css:"li[["' in done.stderr, f"wrong observable: {done.stdout}{done.stderr}")
    told = 'action add: do click css:"#b"\naction typ: do click css:"#b"; type css:"#i" "milk"\naction never: when count(css:"li") < 0 do back\n'
    done = observe(work, "mistakes", *device, props=props, actions=told, steps=8)
    check(done.returncode == 0 and "action 'typ' was abandoned in" in done.stdout and 'always at step 2 (type css:"#i" "milk"): ' in done.stdout
          and "action 'never' was never possible: its condition held at none of 8 looks" in done.stdout, f"told: {done.stdout}{done.stderr}")
    done = observe(work, "mistakes", *device, props=props, actions=told + "#", steps=8)
    check(done.returncode == 4 and "holds another campaign: action file has changed" in done.stderr, f"another file: {done.stderr}")
    done = observe(work, "camera", *device, props=props, actions="action add: do key CAMERA\n")
    check(done.returncode == 4 and "p.actions:1:16: " in done.stderr and "has no key 'CAMERA'; only phones have it" in done.stderr
          and not (work / "camera").exists(), f"a phone's key: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="tactus-functional-") as folder:
        work = pathlib.Path(folder)
        first = phones(work)
        if shutil.which("chromium") and shutil.which("chromedriver"):
            pages(work, first)
            slow_field(work)
            widgets(work)
            scrolling(work)
            turning(work)
            same_element(work)
            deep(work)
            held_key(work)
            moving(work)
            zooming(work)
            tapped(work)
            unread(work)
            databases(work)
            mistakes(work)
        else:
            print("  chromium is not installed: no page was looked at")
    return browser_testing.closing()


if __name__ == "__main__":
    sys.exit(main())
