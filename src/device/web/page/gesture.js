// Gestures that are more than a touch at a place: drags from one element to another, a finger that rests, touches on
// pages that move by themselves.
const gesturesOf = ({ state, native, listensTo, touchable, deepest, up, send, styleOf, documentIn, armAll }) => {
  const unlisten = own.method(EventTarget, 'removeEventListener'), now = performance.now.bind(performance)
  const pathOf = own.method(Event, 'composedPath'), trusted = own.getter(Event, 'isTrusted')
  // Whether a drag of the element is heard from a finger only; all else hears the mouse, too.
  const byFinger = (element) => {
    let touched = false
    for (let one = element; one; one = one.nodeType === 9 ? one.defaultView : one.nodeType ? up(one) : null) {
      if (one.draggable === true || listensTo(one, ['mousedown', 'pointerdown', 'dragstart'])) return false
      touched ||= listensTo(one, ['touchstart', 'touchmove'])
    }
    return touched
  }
  // Where a drag starts and ends, both on the screen: bringing one into view may take the other out of it.
  const pair = (from, to) => {
    const first = state.place(from)
    if (first.why) return first
    const last = state.place(to)
    if (last.why) return last
    const again = touchable(state.nodes[from]) ? state.place(from) : null
    if (again && again.x === first.x && again.y === first.y) return { ...first, toX: last.x, toY: last.y }
    for (const index of [from, to]) state.nodes[index].scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    if (!touchable(state.nodes[from]) || !touchable(state.nodes[to])) return { why: 'both ends of the drag cannot be on the screen at once' }
    const end = state.place(to)
    return end.why ? end : { ...state.place(from), toX: end.x, toY: end.y }
  }
  // A finger that rests asks for the context menu, as phones do; a browser that is driven does not.
  const hold = (index, milliseconds) => {
    const element = state.nodes[index], spot = element?.isConnected && touchable(element)
    if (!spot) return { why: 'the element went away before it was touched' }
    const [clientX, clientY] = spot, view = element.ownerDocument.defaultView
    const hit = deepest(element.ownerDocument, clientX, clientY) || element
    native.setTimeout(own.whole(() => {
      if (hit.isConnected) send(hit, new view.PointerEvent('contextmenu', { bubbles: true, cancelable: true, composed: true, view, clientX, clientY, pointerType: 'touch' }))
    }), milliseconds)
    return { x: 0, y: 0 }
  }
  // Whether the element has something out of sight in that direction and lets it be scrolled; the page by its viewport.
  const scrolls = (element, sideways, byCode) => {
    const doc = element.ownerDocument, style = styleOf(element)
    if (sideways ? element.scrollWidth <= element.clientWidth + 1 : element.scrollHeight <= element.clientHeight + 1) return false
    const way = (one) => sideways ? one.overflowX : one.overflowY
    if (element !== doc.scrollingElement) return (byCode ? /auto|scroll|hidden/ : /auto|scroll/).test(way(style))
    const viewport = way(styleOf(doc.documentElement)) === 'visible' && doc.body ? styleOf(doc.body) : styleOf(doc.documentElement)
    return byCode || !/hidden|clip/.test(way(viewport))
  }
  // What a scroll over the element moves: itself, or what it lies in, at last the page, and what that is a frame of.
  const scroller = (element, sideways, byCode) => {
    for (let one = element; one; one = one.nodeType === 9 ? one.defaultView?.frameElement : up(one)) {
      const part = one.nodeType === 9 ? one.scrollingElement : one.nodeType === 1 && one !== one.ownerDocument.scrollingElement ? one : null
      if (part && scrolls(part, sideways, byCode && one === element)) return part
    }
    return null
  }
  // What lies in the middle of the window, where a finger would be; in frames, too.
  const middle = () => {
    let doc = document, hit = null
    for (let inner = doc; inner; inner = hit && documentIn(hit)) {
      doc = inner
      hit = deepest(doc, doc.defaultView.innerWidth / 2, doc.defaultView.innerHeight / 2)
    }
    return hit || doc
  }
  // What is done by code reaches the page's listeners a frame later, however late that is: it belongs to the input.
  // state.heard is kept once the page has heard of it, or after five seconds, when it has not.
  const brings = (view, type, fits) => new Promise((keep) => {
    const end = () => { unlisten(view, type, felt, true); keep(true) }
    const felt = own.whole(() => {
      if (!fits()) return
      view.__tactus?.touchInside()
      native.setTimeout(end, 0)
    })
    native.apply(native.listen, view, [type, felt, true])
    native.setTimeout(end, 5000)
  })
  // A scroll looks into the direction; a swipe is where the finger goes. Over no element in particular (whole) it moves
  // what is in the middle, else what it was told (-1: nothing on the screen scrolls).
  const scroll = (index, direction, swipe, whole) => {
    const told = state.nodes[index], sideways = direction === 'left' || direction === 'right'
    if (index >= 0 && !told?.isConnected) return { why: 'the element went away before it was touched' }
    armAll()
    state.touchInside()
    const named = told && !whole ? told === told.ownerDocument.scrollingElement ? told.ownerDocument : told : null
    const found = scroller(named || middle(), sideways, Boolean(named)) || told
    if (!found) return swipe ? { x: 0, y: 0 } : { why: 'there is nothing on the screen that scrolls' }
    const sign = (direction === 'left' || direction === 'up' ? -1 : 1) * (swipe ? -1 : 1)
    const { scrollLeft, scrollTop } = found
    found.scrollBy({ left: sideways ? sign * found.clientWidth : 0, top: sideways ? 0 : sign * found.clientHeight, behavior: 'instant' })
    const moved = found.scrollLeft !== scrollLeft || found.scrollTop !== scrollTop
    state.heard = moved ? brings(found.ownerDocument.defaultView, 'scroll', () => true) : null
    return { x: 0, y: 0 }
  }
  // Before the screen is turned (aside) or turned back.
  const turn = (aside) => {
    armAll()
    state.heard = brings(window, 'resize', () => window.innerWidth > window.innerHeight === aside)
    return true
  }
  // What was tapped stays marked for 150 ms. Then a timer of the browser puts the hover to it once more: it is gone from
  // under the finger if the page has made that anew or moved it. Until then, what shows under the finger is not at rest.
  const mark = { ends: 0, element: null, x: 0, y: 0 }
  native.apply(native.listen, window, ['mousedown', own.whole((event) => {
    if (!trusted(event) || !event.sourceCapabilities?.firesTouchEvents) return
    Object.assign(mark, { ends: now() + 170, element: pathOf(event)[0], x: event.clientX, y: event.clientY })
  }), true])
  state.marked = () => {
    const left = mark.ends - now()
    if (left <= 0) return 0
    let hit = deepest(document, mark.x, mark.y)
    while (hit && hit !== mark.element) hit = up(hit)
    return hit ? 0 : left
  }
  // The browser's own timers that are due by then have run before.
  const later = (milliseconds) => new Promise((keep) => native.setTimeout(own.whole(keep), milliseconds))
  return { byFinger, hold, later, pair, scroll, turn }
}

// Touches on pages that move by themselves. Between the answer where an element is and the touch there, the page may
// put something else under the finger: such a touch is kept from the page and told as missed, so that it can be done
// again where the element is by then. Of what has left the page meanwhile nothing is kept: what is there stands for
// it. Nor is what the page does because of the touch: a menu that opens under the finger is to feel the rest of it.
const aimsOf = ({ state, native, reachedBy }) => {
  const pathOf = own.method(Event, 'composedPath'), trusted = own.getter(Event, 'isTrusted'), connected = own.getter(Node, 'isConnected')
  const halt = own.method(Event, 'stopImmediatePropagation'), prevent = own.method(Event, 'preventDefault')
  let aimed = null, missed = false
  // What the path of an event shows of the element: components that are closed show only themselves.
  const shown = (element) => {
    let root = native.apply(native.root, element, [])
    for (; root?.host && root.mode === 'closed'; root = native.apply(native.root, element, [])) element = root.host
    return element
  }
  const goesAstray = (event) => {
    if (!aimed || state.changed !== null || !connected(aimed.element)) return false
    const felt = pathOf(event)[0]
    return felt !== aimed.hit && !(felt?.nodeType === 1 && reachedBy(aimed.element, felt))
  }
  for (const type of ['pointerdown', 'touchstart', 'mousedown', 'click', 'pointerup', 'touchend', 'mouseup', 'dblclick'])
    native.apply(native.listen, window, [type, own.whole((event) => {
      if (!trusted(event)) return
      if (type === 'pointerdown' || type === 'mousedown' || type === 'click') missed ||= goesAstray(event)
      if (!missed) return
      halt(event)
      if (type === 'mousedown' || type === 'click') prevent(event)
    }), { capture: true, passive: type === 'touchstart' || type === 'touchend' }])
  const arm = state.arm
  state.arm = () => { aimed = null; missed = false; return arm() }
  state.aim = (element, hit) => { aimed = { element: shown(element), hit: hit && shown(hit) } }
  state.astray = () => missed
}
