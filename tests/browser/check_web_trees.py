#!/usr/bin/env python3
"""css in all trees of a page: open shadow trees and frames of its origin, at any depth. Values by construction, gestures
inside of components and frames, `reproduce` of what was done there; and seeded random trees against a plain walk of
the page by another client, which knows nothing of how Tactus searches."""
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser_testing  # noqa: E402
from browser_testing import check, run  # noqa: E402
from reader import Reader  # noqa: E402

DEFINE = """const define = (name, html, more = {}, mode = 'open') => customElements.define(name, class extends HTMLElement {
  connectedCallback() {
    if (this.filled) return
    this.filled = true
    const root = this.attachShadow({ mode, delegatesFocus: more.delegates === true })
    root.innerHTML = html
    more.ready?.(root, this)
  }
})
const inFrame = (frame, html) => { frame.contentDocument.body.innerHTML = html; return frame.contentDocument }
"""


def observe(work, name, device, props, actions, *more, steps=1, runs=1):
    (work / f"{name}.props").write_text(props)
    (work / f"{name}.actions").write_text(actions)
    return run("run", "--device", device, "--actions", str(work / f"{name}.actions"), "--runs", str(runs), "--steps", str(steps),
               "-p", str(work / f"{name}.props"), "-o", str(work / name), *more)


def states(folder, number=0):
    """What was observed in every state of a run, values held."""
    held, found = {}, []
    for line in (pathlib.Path(folder) / f"traces/{number:06}.jsonl").read_text().splitlines():
        state = json.loads(line)
        if "t" in state:
            held = {**held, "event": None, **state}
            found.append(dict(held))
    return found


SHOWN = """<!doctype html><meta charset=utf-8><title>x</title><style>.gone{display:none}.clear{opacity:0}.bare{display:contents}</style>
<p class=word>first</p>
<x-outer id=outer><b class=word slot=end>slotted</b><i class=word>not slotted</i></x-outer>
<x-outer id=hidden class=gone></x-outer>
<x-outer id=faint class=clear></x-outer>
<x-fade><span class=word>faded</span></x-fade>
<x-bare class=bare></x-bare>
<x-closed></x-closed>
<iframe id=frame style="border:3px solid;padding:5px"></iframe><iframe id=blank class=gone></iframe><iframe id=unseen style="visibility:hidden"></iframe>
<iframe id=flat style="width:0;height:0"></iframe>
<p class=word>last</p>
<p id=greeting>Hello <x-name></x-name>!</p><x-card>a <em>card</em></x-card>
<div id=form><x-pick></x-pick></div>
<template><p class=word>inert</p></template>
<script>""" + DEFINE + """
define('x-inner', '<p class=word>inner</p><input class=field value="held"><input type=checkbox class=tick checked><button class=off disabled>off</button>')
define('x-outer', '<section><x-inner></x-inner></section><slot name=end></slot><p class="word own">outer</p>')
define('x-fade', '<div style="opacity:0"><slot></slot></div>')
define('x-bare', '<p class=word>bare</p>')
define('x-name', '<b style="text-transform:uppercase">Bob</b>')
define('x-card', '<h2>Title</h2><div class=body><slot></slot></div><p style="display:none">never</p>')
define('x-closed', '<p class=word>closed</p>', {}, 'closed')
define('x-pick', '<select class=choice><option>One<option selected>Two</select>')
inFrame(frame, '<p class=word>framed</p><x-f></x-f><iframe id=deep></iframe>')
frame.contentDocument.querySelector('x-f').attachShadow({ mode: 'open' }).innerHTML = '<p class=word>in both</p>'
inFrame(frame.contentDocument.querySelector('iframe'), '<p class=word>deep</p>')
for (const one of [blank, unseen, flat]) inFrame(one, '<p class=word style="width:50px">' + one.id + '</p>')
const liar = (view) => {
  view.Document.prototype.querySelectorAll = view.DocumentFragment.prototype.querySelectorAll = view.Element.prototype.querySelectorAll = () => []
  for (const name of ['shadowRoot', 'localName', 'assignedSlot', 'clientWidth']) Object.defineProperty(view.Element.prototype, name, { get: () => null })
  view.Element.prototype.getBoundingClientRect = () => ({ width: 0, height: 0 })
  view.Element.prototype.closest = () => null
  Object.defineProperty(view.NodeList.prototype, 'length', { get: () => 0 })
  Object.defineProperty(view.HTMLIFrameElement.prototype, 'contentDocument', { get: () => null })
  Object.defineProperty(view.DOMRectReadOnly.prototype, 'width', { get: () => 0 })
}
if (location.hash === '#hostile') { liar(frame.contentDocument.querySelector('iframe').contentWindow); liar(frame.contentWindow); liar(window) }
</script>"""
WORDS = ["first", "inner", "outer", "slotted", "bare", "framed", "in both", "deep", "last"]
SHOWN_PROPS = """observe words   = texts(css:".word")
observe many    = count(css:"p.word")
observe crossed = texts(css:"#outer section .word")
observe twice   = texts(css:"x-outer x-inner .word, #frame .word")
observe child   = count(css:"x-inner > .word")
observe beside  = texts(css:"section ~ .word")
observe own     = texts(css:"x-outer p.own")
observe hidden  = visible(css:"#hidden .word")
observe faint   = visible(css:"#faint .word")
observe closed  = visible(css:"x-closed .word")
observe secret  = count(//node[@text='closed'])
observe held    = value(css:".field")
observe ticked  = checked(css:".tick")
observe lit     = enabled(css:".off")
observe kind    = attribute(css:"x-inner input + input", "type")
observe hello   = text(css:"#greeting")
observe name_of = text(css:"x-name")
observe card    = text(css:"x-card")
observe body    = text(css:"x-card .body")
observe slots   = count(css:"slot")
observe chosen  = text(css:"#form .choice")
observe odd     = count(css:"#outer [class='word'], #outer .w\\\\6f rd/* a */ , x-outer:is(x-outer, a b) .word:not(.a .b)")
observe open_end = texts(css:"#outer section [class='word'")
observe root_of = count(css:":scope > body p.word")
observe scoped = texts(css:":scope .word")
property shown: always (count(css:"x-outer") == 1)
"""
SHOWN_WANTED = {
    "words": WORDS, "many": 8, "crossed": ["inner"], "twice": ["inner", "framed", "in both", "deep"], "child": 0,
    "beside": ["outer"], "own": ["outer"], "hidden": False, "faint": False, "closed": False, "secret": 1, "held": "held", "ticked": True,
    "lit": False, "kind": "checkbox", "hello": "Hello BOB!", "name_of": "BOB", "card": "Title a card", "body": "a card", "slots": 2,
    "chosen": "Two", "odd": 3, "open_end": ["inner"], "root_of": 4,
    "scoped": ["first", "slotted", "framed", "deep", "last"],
}


def shown(work):
    """What is visible, once each, in the order of the trees; also where page and frames have replaced what browsers give."""
    (work / "shown.html").write_text(SHOWN)
    for name in ("plain", "hostile"):
        done = observe(work, name, f"file://{work}/shown.html#{name}", SHOWN_PROPS, 'action wait: do wait 0.1\n')
        check(done.returncode == 0, f"{name}: {done.stdout}{done.stderr}")
        first = states(work / name)[0]
        for key, wanted in SHOWN_WANTED.items():
            check(first.get(key) == wanted, f"{name}: {key} is {first.get(key)}, not {wanted}")


ACTED = """<!doctype html><meta charset=utf-8><title>x</title><p id=log>log </p>
<x-app></x-app><x-box></x-box><div style="height:1500px"></div><x-far></x-far>
<script>""" + DEFINE + """
const say = (text) => { log.textContent += text + ' ' }
define('x-push', '<button style="padding:0;border:0;margin:20px"><slot></slot></button>', { ready: (root, host) => root.querySelector('button').onclick = () => say('push-' + host.textContent) })
define('x-field', '<div><input class=field></div>', { delegates: true, ready: (root) => root.querySelector('input').onchange = (event) => say('field-' + event.target.value) })
define('x-over', '<div class=spot style="width:90px;height:30px">over<i class=tip hidden>tip</i></div><style>.spot:hover .tip{display:inline!important}</style>')
define('x-two', '<div class=twice style="width:90px;height:30px">two</div>', { ready: (root) => root.querySelector('div').ondblclick = () => say('double') })
define('x-drag', '<div class=from draggable=true style="width:90px;height:30px">from</div><div class=to style="width:90px;height:30px">to</div>', { ready: (root) => {
  root.querySelector('.from').ondragstart = (event) => event.dataTransfer.setData('text', 'x')
  root.querySelector('.to').ondragover = (event) => event.preventDefault()
  root.querySelector('.to').ondrop = (event) => { event.preventDefault(); say('dropped') }
} })
define('x-app', '<section><x-push>one</x-push><x-push><b>two</b></x-push><x-field></x-field><x-over></x-over><x-two></x-two><x-drag></x-drag></section><iframe style="height:3400px;border:7px solid;padding:90px"></iframe>', { ready: (root) => {
  const inner = inFrame(root.querySelector('iframe'), '<input class=deep><button class=top>top</button><div style="height:1200px"></div><button class=low style="width:9px;height:9px;padding:0;border:0;margin:0">.</button><button class=late>late</button>')
  inner.querySelector('.late').onclick = () => inner.defaultView.setTimeout(() => say('late'), 1500)
  inner.querySelector('.top').onclick = () => say('top')
  inner.querySelector('.low').onclick = () => say('low')
  inner.querySelector('.deep').onkeydown = (event) => { if (event.key === 'Enter') say('deep-' + event.target.value) }
} })
define('x-box', '<style>.box{width:90px;height:60px;overflow:hidden;transition:height .9s}</style><div class=box>box</div><button class=shut>shut</button>', { ready: (root) => {
  const box = root.querySelector('.box')
  box.ontransitionend = () => { box.hidden = true }
  root.querySelector('.shut').onclick = () => { box.style.height = '30px' }
} })
define('x-far', '<button class=away>far</button>', { ready: (root) => root.querySelector('button').onclick = () => say('far') })
</script>"""
ACTED_PROPS = """observe said = text(css:"#log")
observe tip  = visible(css:"x-over .tip")
observe held = value(css:"x-field input")
observe deep = value(css:".deep:focus")
property all: always (all -> abandoned == 0 and said == "log push-one push-two field-abc double dropped far low top deep-in")
property focus: always (all -> deep == "in")
property over: always (over -> tip and abandoned == 0)
property clear: always (clear -> held == "" and abandoned == 0)
property shut: always (shut -> not visible(css:".box") and abandoned == 0)
property late: always (late -> abandoned == 0 and contains(said, "late") and value(css:".deep") == "")
property host: always (host -> held == "by host" and abandoned == 0)
"""
ACTED_ACTIONS = """action all: when text(css:"#log") == "log"
  do click css:"x-app x-push button"; click css:"x-push b"; type css:"x-field input" "abc"; key Tab; doubleclick css:"x-app .twice";
     drag css:"x-drag .from" to css:"x-drag .to"; click css:".away"; click css:"x-app .low"; click css:".top"; type css:".deep" "out"; type css:".deep:focus" "in"; key Enter
action over: when text(css:"#log") != "log" and not visible(css:"x-over .tip") and value(css:"x-field input") == "abc" do hover css:"x-over .spot"
action clear: when visible(css:"x-over .tip") and value(css:"x-field input") == "abc" do clear css:"x-field input"
action host: when text(css:"#log") != "log" and value(css:"x-field input") == "" do type css:"x-field" "lost"; type css:"x-field" "by host"
action late: when not visible(css:".box") and not contains(text(css:"#log"), "late") do type css:".deep" "zz"; clear; click css:".late"
action shut: when visible(css:".box") and value(css:"x-field input") == "by host" do click css:"x-box .shut"
"""


def acted(work):
    """Gestures reach what is in components and in a frame inside of one, slotted text and what is far down included; transitions and
    timers there are waited for."""
    (work / "acted.html").write_text(ACTED)
    done = observe(work, "acted", f"file://{work}/acted.html", ACTED_PROPS, ACTED_ACTIONS, steps=6)
    check(done.returncode == 0 and "never tested" not in done.stdout, f"acted: {done.stdout}{done.stderr}")
    check([one["event"] for one in states(work / "acted")] == [None, "all", "over", "clear", "host", "shut", "late"], f"{states(work / 'acted')}")


LIST = """<!doctype html><meta charset=utf-8><title>x</title><x-list></x-list><script>""" + DEFINE + """
define('x-item', '<label><slot></slot></label><button class=remove>x</button>', { ready: (root, host) => root.querySelector('button').onclick = () => host.remove() })
let made = 0
define('x-list', '<button class=add>add</button><div class=items></div><p class=left></p>', { ready: (root) => {
  const items = root.querySelector('.items'), tell = () => { root.querySelector('.left').textContent = items.children.length + ' left' }
  root.querySelector('.add').onclick = () => { const one = document.createElement('x-item'); one.textContent = 'item ' + ++made; items.append(one); tell() }
  new MutationObserver((all) => { if (all.some((one) => !one.previousSibling)) tell() }).observe(items, { childList: true }) // wrong: of the first only
  tell()
} })
</script>"""
LIST_PROPS = """observe items = texts(css:"x-list x-item label")
observe left  = number(css:".left")
property left: always (left == size(items))
"""
LIST_ACTIONS = """action add: do click css:"x-list .add"
action remove: when count(css:"x-item .remove") > 1 do click any css:"x-item .remove"
"""


def reproduced(work):
    """A wrong number in a list of components is found, and the shortest way to it replayed by its css targets."""
    (work / "list.html").write_text(LIST)
    device = f"file://{work}/list.html"
    done = observe(work, "list", device, LIST_PROPS, LIST_ACTIONS, "--seed", "5", steps=12)
    check(done.returncode == 1, f"list: {done.returncode} {done.stdout}{done.stderr}")
    seen = [one.get("target") for one in states(work / "list")]
    check(any(re.fullmatch(r"css\[\d\]:x-item \.remove", one or "") for one in seen), f"targets: {seen}")
    done = run("reproduce", str(work / "list"), "--device", device, "--replays", "2", "--json", timeout=900)
    causes = browser_testing.answer(done).get("causes", [])
    check(done.returncode == 1 and len(causes) == 1, f"reproduce: {done.returncode} {done.stdout} {done.stderr}")
    for cause in causes:
        check([step["event"] for step in cause.get("steps", [])] == ["add", "add", "remove"], f"reproduce: {json.dumps(cause)}")
        check("css[2]:x-item .remove" in pathlib.Path(cause["flow"]).read_text(), f"reproduce: {cause['flow']}")


# Random trees. build(seed) makes one; selectors are lists of [compound, combinator, compound, ...].
SELECTORS = [[[".a"]], [[".b", " ", ".c"]], [["x-open", " ", ".a"]], [[".a", " ", ".a", " ", ".a"]], [[".a", ">", ".b"]],
             [[".a", "+", ".b", " ", ".c"]], [[".c", "~", ".a"]], [["x-open", " ", "x-open", " ", ".b"], [".c", ">", ".c"]],
             [["body", " ", ".b"]], [["iframe", " ", ".a"]], [["x-open", ">", ".a", " ", ".b"]], [[".a:not(.b)", " ", ".c:is(.a, div .c)"]]]
RANDOM = """<!doctype html><meta charset=utf-8><title>x</title><button id=next>next</button><p id=seed></p><div id=here></div>
<style>iframe{width:300px;height:90px}div,p,section,x-open,x-closed{display:block;min-width:20px;min-height:12px}</style><script>
const closed = new Map()
const build = (number) => {
  let state = number * 7919 + 17, made = 0
  const random = (below) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % below }
  const fill = (parent, doc, depth, inShadow, alone) => {
    for (let count = 1 + random(depth > 3 ? 2 : 4); count > 0 && made < 120; count--) {
      const kind = random(12), kinds = ['x-open', 'x-open', 'x-closed', 'iframe', 'slot', 'div', 'p', 'section']
      let name = kinds[kind] || 'div'
      if ((name === 'slot' && !inShadow) || (name !== 'div' && depth > 5)) name = 'div'
      const one = doc.createElement(name)
      made++
      parent.append(one)
      if (name === 'slot') { if (random(3) === 0) one.name = 's'; if (random(2)) { one.append(' f' + made + ' ') } continue }
      one.style.cssText = 'display:block;min-width:20px;min-height:12px'
      one.className = ['a', 'b', 'c'].filter(() => random(2)).join(' ')
      const hide = random(14)
      if (hide === 0) one.style.display = 'none'
      if (hide === 1) one.style.opacity = '0'
      if (hide === 2) one.style.visibility = 'hidden'
      if (random(4) === 0) one.slot = 's'
      if (name === 'iframe') { one.style.cssText += ';width:300px;height:90px'; fill(one.contentDocument.body, one.contentDocument, depth + 1, false); continue }
      if (name !== 'x-closed') one.append('t' + made)
      if (name === 'x-open') fill(one.attachShadow({ mode: 'open' }), doc, depth + 1, true)
      if (name === 'x-closed') { const root = one.attachShadow({ mode: 'closed' }); closed.set(one, root); fill(root, doc, depth + 1, true) }
      else if (random(3)) fill(one, doc, depth + 1, inShadow)
    }
  }
  here.replaceChildren()
  while (made < 30) fill(here, document, 0, false)
  seed.textContent = number
}
let at = 1
next.onclick = () => build(++at)
build(at)
</script>"""
REFERENCE = """
const [seed, selectors] = arguments
build(seed)
const order = [], drawn = new Set(), text = new Map()
const walk = (element) => {
  order.push(element)
  if (element.shadowRoot) [...element.shadowRoot.children].forEach(walk)
  if (element.localName === 'iframe') walk(element.contentDocument.documentElement)
  ;[...element.children].forEach(walk)
}
walk(document.documentElement)
const inside = (element) => {
  const root = element.shadowRoot || closed.get(element)
  if (root) return root.childNodes
  return element.localName === 'slot' && element.assignedNodes().length ? element.assignedNodes() : element.childNodes
}
// From the top down; what a look from the top does not come to is not drawn.
const draw = (element, clear, shown, secret) => {
  if (element.style.display === 'none' || /^(script|style|head|title|meta)$/.test(element.localName)) return ''
  clear = clear && element.style.opacity !== '0'
  shown = shown && element.style.visibility !== 'hidden'
  secret = secret || closed.has(element)
  let mine = '', seen = false
  for (const one of inside(element)) {
    if (one.nodeType === 3) { if (shown && !secret) mine += ' ' + one.data; seen = seen || (shown && clear && one.data.trim()) }
    if (one.nodeType === 1) { mine += ' ' + draw(one, clear, shown, secret); seen = seen || drawn.has(one) }
  }
  if (element.localName === 'slot' ? seen : clear && shown) drawn.add(element)
  if (element.localName === 'iframe') draw(element.contentDocument.documentElement, clear, shown, false)
  text.set(element, mine.replace(/\\s+/g, ' ').trim())
  return element.localName === 'iframe' ? '' : mine
}
draw(document.documentElement, true, true, false)
const above = (element) => element.parentElement || element.getRootNode().host || element.ownerDocument.defaultView.frameElement
const fits = (element, parts, last) => {
  if (!element.matches(parts[last])) return false
  if (last === 0) return true
  const how = parts[last - 1]
  if (how === '>') return Boolean(element.parentElement) && fits(element.parentElement, parts, last - 2)
  if (how === '+') return Boolean(element.previousElementSibling) && fits(element.previousElementSibling, parts, last - 2)
  const next = how === '~' ? (one) => one.previousElementSibling : above
  for (let one = next(element); one; one = next(one)) if (fits(one, parts, last - 2)) return true
  return false
}
return selectors.map((list) => order.filter((one) => drawn.has(one) && list.some((parts) => fits(one, parts, parts.length - 1))).map((one) => text.get(one)))
"""


def randomly(work, rounds=25):
    page = work / "random.html"
    page.write_text(RANDOM)
    names = [f"o{number}" for number in range(len(SELECTORS))]
    props = "".join(f'observe {name} = texts(css:"{", ".join("".join(parts) for parts in one)}")\n' for name, one in zip(names, SELECTORS))
    props += 'observe seed_of = number(css:"#seed")\nproperty built: always (seed_of > 0)\n'
    done = observe(work, "random", f"file://{page}", props, 'action next: do click css:"#next"\n', steps=rounds)
    check(done.returncode == 0, f"random trees: {done.stdout}{done.stderr}")
    found = states(work / "random")
    check([one["seed_of"] for one in found] == list(range(1, rounds + 2)), f"seeds {[one['seed_of'] for one in found]}")
    reader = Reader(work)
    matched = 0
    try:
        reader.call("/url", {"url": f"file://{page}"})
        for state in found:
            wanted = reader.do(REFERENCE, int(state["seed_of"]), SELECTORS)
            for name, selector, one in zip(names, SELECTORS, wanted):
                matched += len(one)
                check(state[name] == one, f"random tree {state['seed_of']}, {selector}: {state[name]}, not {one}")
    finally:
        reader.close()
    check(matched > 20 * rounds, f"only {matched} elements matched in {rounds} trees")


def test(folder):
    work = pathlib.Path(folder)
    shown(work)
    acted(work)
    reproduced(work)
    randomly(work)


if __name__ == "__main__":
    browser_testing.main(test)
