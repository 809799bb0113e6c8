// Lives in every page that is driven, before the page's own scripts. This half watches: what an input sets
// off, what the page says, who listens. The other half (page/screen.js) answers what is on the screen.
//
// Cause. Every input has a number. What runs because of it - listeners, and the timers, frames, requests,
// messages and idle callbacks that they ask for, and what those ask for in turn - carries that number; so do
// the changes made meanwhile. A page has settled when nothing that carries the number of the last input is
// outstanding. What older causes do (a clock, a poll) neither delays nor counts.
//
// Pages replace what browsers give them, so everything used later is taken here, while it is still real; what uses
// arrays, maps or texts later is inside of `own` (page/own.js), and what calls the page's code is not.
(() => {
  if (window.__tactus) return
  const { swift, before } = own
  const { Math, Number, Map, WeakMap, MutationObserver, PerformanceObserver, history } = window
  const read = (owner, name) => {
    const real = owner && Object.getOwnPropertyDescriptor(owner.prototype, name)?.get
    return real ? (one) => native.apply(real, one, []) : (one) => one[name]
  }
  const kindOf = read(Node, 'nodeType'), above = read(Node, 'parentElement'), nameOf = read(Element, 'localName'), countOf = read(NodeList, 'length')
  const timeOf = read(Event, 'timeStamp')
  const firstIn = read(Element, 'firstElementChild'), addedTo = read(window.MutationRecord, 'addedNodes'), changedIn = read(window.MutationRecord, 'target')
  const now = performance.now.bind(performance)
  // Timers of this script: a page that clears all numbers there may be clears its own.
  const later = window.setTimeout.bind(window), mine = Object.create(null)
  const ownTimer = (work, wait) => {
    const id = later(() => { delete mine[id]; work() }, wait)
    mine[id] = true
  }
  const native = {
    setTimeout: ownTimer, listen: EventTarget.prototype.addEventListener,
    apply: Reflect.apply, Channel: window.MessageChannel, Set, mark: performance.mark,
    query: Document.prototype.querySelectorAll, queryIn: Element.prototype.querySelectorAll, origin: performance.timeOrigin || Date.now() - now(),
    settle: Promise.prototype.then, answer: window.Response && Object.getOwnPropertyDescriptor(Response.prototype, 'headers').get,
    header: window.Headers?.prototype.get,
    then: window.queueMicrotask ? window.queueMicrotask.bind(window) : (work) => Promise.resolve().then(work),
    rects: Element.prototype.getClientRects, contains: Node.prototype.contains, root: Node.prototype.getRootNode,
  }
  const on = (target, type, work) => native.apply(native.listen, target, [type, swift(work), { capture: true, passive: true }])
  const after = (promise, good, bad) => { try { native.apply(native.settle, promise, [good, bad]) } catch { /* the page's own kind */ } }
  const state = {
    native, log: [], errors: [], nodes: [], longTasks: 0, input: null, number: 0, listeners: new WeakMap(),
    shadows: new WeakMap(), lastByte: null, changed: now(), active: now(), leaving: null, inputs: 0,
  }
  Object.defineProperty(window, '__tactus', { value: state, enumerable: false, configurable: true })
  const keep = swift((list, entry) => { if (list.length < 5000) list.push(entry) })

  // --- cause ---
  const bound = 2000 // timers, frames and messages are waited for this long after the input, in milliseconds
  const unknown = -1
  let cause = 0 // the document's own loading is the first cause
  let resets = 0
  const channel = native.Channel ? new native.Channel() : null
  const forget = () => { if (--resets === 0) cause = unknown }
  if (channel) channel.port1.onmessage = forget
  const post = channel ? channel.port2.postMessage.bind(channel.port2) : () => native.setTimeout(forget, 0)
  // From here to the end of the task and its microtasks.
  const enter = (number) => {
    cause = number
    if (number === state.number) state.active = now()
    resets++
    post(0)
  }
  // Another cause must not rub off on what comes next: it ends with its own microtasks.
  const hop = (number, left) => {
    if (left) native.then(() => hop(number, left - 1))
    else if (cause === number) cause = unknown
  }
  const outstanding = new Map() // token -> {number, kind, due}
  let tokens = 0
  // Work of unknown origin belongs to the input as long as that is at work, and to loading while that lasts.
  const whose = () => cause !== unknown ? cause
    : now() - state.active < 200 || scripts > 0 || (state.number === 0 && document.readyState !== 'complete') ? state.number : -2
  let scripts = 0
  const begin = swift((kind, due, number = whose()) => {
    const token = ++tokens
    outstanding.set(token, { number, kind, due, since: now() })
    return token
  })
  const entry = swift((token) => outstanding.get(token))
  const drop = swift((token) => outstanding.delete(token))
  const end = swift((token) => {
    const it = outstanding.get(token)
    if (!it) return
    outstanding.delete(token)
    if (it.kind === 'request' && it.number === state.number) state.answered = (state.answered ?? 0) + 1
    enter(it.number)
  })
  state.arm = () => { // the inputs that follow are a new cause
    state.number++
    state.answered = 0
    state.input = null
    state.lastByte = null
    state.changed = state.animated = null
    state.armed = state.active = now()
    return state.number
  }
  state.touchInside = () => { state.input = now(); enter(state.number) }

  const inputs = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchend', 'click', 'dblclick',
    'contextmenu', 'keydown', 'keypress', 'keyup', 'input', 'change', 'submit', 'mouseover', 'mousemove', 'pointermove',
    'dragstart', 'dragover', 'drop', 'dragend', 'wheel', 'focusin']
  for (const type of inputs)
    on(window, type, (event) => {
      if (!event.isTrusted || state.armed === undefined) return
      if (/^(keydown|click|dblclick|pointerup|touchend|mouseup|drop|mouseover|pointerdown)$/.test(type)) {
        state.inputs++
        state.input = timeOf(event) || now()
      }
      enter(state.number)
      if (type === 'input' || type === 'change') visible()
    })
  for (const type of ['popstate', 'hashchange', 'pageshow'])
    on(window, type, () => { if (state.armed !== undefined || type === 'pageshow') enter(state.number) })

  // --- what changes what is seen ---
  // Attributed to its cause; where that is not known, to the input as long as it is at work.
  const visible = () => {
    const time = now()
    if (whose() !== state.number) return
    state.changed = state.active = time
    if (running) running.fruitless = 0
  }
  let running = null // the callback of this task
  const drawn = (node) => {
    const kind = kindOf(node), element = kind === 1 ? node : above(node) || node.host
    if (!element) return kind === 9 || kind === 11
    if (/^(style|link|body|html|head)$/.test(nameOf(element))) return true
    return native.apply(native.rects, element, []).length > 0
  }
  const seen = swift((changes) => {
    let looked = 0, any = false
    for (const change of changes) {
      const added = addedTo(change), count = countOf(added)
      for (let i = 0; i < count; i++) awaitLoad(added[i])
      if (!any && looked++ < 40) any = drawn(changedIn(change)) || looked === 40
    }
    if (any) visible()
  })
  const watched = { subtree: true, childList: true, attributes: true, characterData: true }
  const observer = new MutationObserver(seen)
  const watch = () => observer.observe(document, watched)
  if (document.documentElement) watch()
  else { watch(); on(document, 'DOMContentLoaded', watch) }
  const attach = Element.prototype.attachShadow, observe = MutationObserver.prototype.observe
  const roots = [], RefOf = window.WeakRef, deref = RefOf?.prototype.deref // of shadow trees
  const shadow = swift((host, root) => {
    state.shadows.set(host, root)
    if (RefOf) roots.push(new RefOf(root))
    native.apply(observe, observer, [root, watched])
  })
  if (attach) Element.prototype.attachShadow = function (...all) {
    const root = native.apply(attach, this, all)
    shadow(this, root)
    return root
  }
  for (const type of ['transitionend', 'animationend', 'scroll']) on(window, type, visible)
  const drawnNow = swift(drawn)
  for (const [owner, names] of [['HTMLInputElement', ['value', 'checked']], ['HTMLTextAreaElement', ['value']],
    ['HTMLSelectElement', ['value', 'selectedIndex']]]) {
    const made = window[owner]
    for (const name of made ? names : []) {
      const real = Object.getOwnPropertyDescriptor(made.prototype, name)
      if (real?.set) Object.defineProperty(made.prototype, name, { ...real, set(value) {
        const old = native.apply(real.get, this, [])
        native.apply(real.set, this, [value])
        if (native.apply(real.get, this, []) !== old && drawnNow(this)) visible()
      } })
    }
  }

  // --- what is asked for ---
  // A chain that arms itself again and again without changing anything is a poll: it is not waited for.
  const wrapped = new Map()
  const run = (token, work, self, all) => {
    const it = entry(token)
    if (!it) return native.apply(work, self, all)
    if (!it.repeats) drop(token)
    // What loading has set going and what goes on beyond the bound is the page's own pulse.
    const from = it.number === 0 ? 0 : state.input ?? state.armed ?? 0
    const pulse = it.number === 0 ? it.repeats || it.links > 6 : now() > from + bound && (it.repeats || it.links > 6)
    enter(pulse ? -3 : it.number)
    it.fruitless = (it.fruitless || 0) + 1 // until something is seen to change
    running = it
    links = (it.links || 0) + 1
    try { return native.apply(work, self, all) } finally {
      links = 0
      if (cause !== state.number) hop(cause, 6)
    }
  }
  let links = 0
  const numberOf = Number, remember = swift((table, id, token) => { table.set(id, token) })
  const forgotten = swift((table, id, ends) => {
    const token = table.get(id)
    if (!token) return
    if (ends) outstanding.delete(token)
    table.delete(id)
  })
  for (const [set, clear, repeats] of [['setTimeout', 'clearTimeout', false], ['setInterval', 'clearInterval', true]]) {
    const realSet = window[set], realClear = window[clear]
    window[set] = function (work, delay, ...all) {
      if (typeof work !== 'function') return native.apply(realSet, window, before(work, before(delay, all)))
      const wait = numberOf(delay) || 0
      const token = begin(set, now() + (wait > 0 ? wait : 0))
      const it = entry(token)
      it.repeats = repeats
      it.period = wait
      it.links = links
      const id = native.apply(realSet, window, before(function (...given) {
        if (!repeats) forgotten(wrapped, id, false)
        return run(token, work, this, given)
      }, before(delay, all)))
      remember(wrapped, id, token)
      return id
    }
    window[clear] = function (id) {
      if (mine[id]) return undefined
      forgotten(wrapped, id, true)
      return native.apply(realClear, window, [id])
    }
  }
  for (const [ask, cancel, wait] of [['requestAnimationFrame', 'cancelAnimationFrame', 20],
    ['requestIdleCallback', 'cancelIdleCallback', 50]]) {
    const real = window[ask], realCancel = window[cancel], tokensOf = new Map()
    if (!real) continue
    window[ask] = function (work, ...all) {
      const token = begin(ask, now() + wait)
      entry(token).links = links
      const id = native.apply(real, window, before(function (...given) { forgotten(tokensOf, id, false); return run(token, work, this, given) }, all))
      remember(tokensOf, id, token)
      return id
    }
    window[cancel] = function (id) { forgotten(tokensOf, id, true); return native.apply(realCancel, window, [id]) }
  }
  const realPost = window.scheduler?.postTask
  if (realPost) window.scheduler.postTask = function (work, options) {
    const token = begin('task', now() + (options?.delay || 0))
    return native.apply(realPost, this, [(...given) => run(token, work, undefined, given), options])
  }

  // Requests: to the end of their bodies. The timing of a resource is told when its last byte has come.
  const byName = new Map() // address -> tokens of fetches whose bodies are under way
  const URLOf = URL, hrefOf = Object.getOwnPropertyDescriptor(URL.prototype, 'href').get, textOf = String
  const absolute = swift((address) => { try { return native.apply(hrefOf, new URLOf(address, document.baseURI), []).split('#')[0] } catch { return '' } })
  const lastByte = (time, number) => {
    if (number === state.number) state.lastByte = Math.max(state.lastByte ?? 0, time)
  }
  const bodyEnds = (address, time) => {
    const tokensHere = byName.get(address)
    const token = tokensHere?.shift()
    if (tokensHere && !tokensHere.length) byName.delete(address)
    if (token === undefined) return false
    lastByte(time, outstanding.get(token)?.number)
    end(token)
    return true
  }
  let timed = false
  try {
    new PerformanceObserver(swift((list) => {
      for (const one of list.getEntries()) {
        if (one.initiatorType === 'fetch' && bodyEnds(one.name, one.responseEnd)) continue
        if (state.number === 0 || one.startTime >= (state.input ?? Infinity)) lastByte(one.responseEnd, state.number)
      }
    })).observe({ type: 'resource', buffered: false })
    timed = true
  } catch { /* not every browser tells */ }
  const realFetch = window.fetch
  if (realFetch) window.fetch = function (...all) {
    const address = absolute(typeof all[0] === 'object' && all[0] && 'url' in all[0] ? all[0].url : textOf(all[0]))
    const token = begin('request', Infinity)
    const number = entry(token).number
    const over = awaitBody(address, token)
    const answer = native.apply(realFetch, this, all)
    after(answer, (response) => {
      enter(number)
      const it = entry(token)
      if (it) it.headers = now()
      if (!timed || isOther(address) || response.type === 'opaque' || !response.body) { over(); return }
      const headers = native.apply(native.answer, response, [])
      const stream = native.apply(native.header, headers, ['content-type']) || ''
      if (it && isStream(stream)) it.kind = 'stream'
      if (it && !native.apply(native.header, headers, ['content-length'])) it.endless = true
      native.setTimeout(swift(() => { if (!isRead(response)) { unread.set(response, true); over() } }), 50)
    }, () => { enter(number); over() })
    return answer
  }
  const isOther = swift((address) => !/^https?:/.test(address)), isStream = swift((type) => /event-stream|x-ndjson/.test(type))
  const awaitBody = swift((address, token) => {
    const list = byName.get(address) || byName.set(address, []).get(address)
    list.push(token)
    return swift(() => {
      const at = list.indexOf(token)
      if (at >= 0) list.splice(at, 1)
      if (!list.length) byName.delete(address)
      end(token)
    })
  })
  // A body that nobody reads does not end: its request is over with its headers, until somebody reads it after all.
  const unread = new WeakMap(), copied = new WeakMap(), bodyOf = read(window.Response, 'body'), used = read(window.Response, 'bodyUsed'), locked = read(window.ReadableStream, 'locked')
  const isRead = (response) => used(response) || copied.get(response) || !bodyOf(response) || locked(bodyOf(response))
  const copy = window.Response?.prototype.clone
  if (copy) window.Response.prototype.clone = function () {
    const made = native.apply(copy, this, [])
    swift(() => copied.set(this, true))()
    return made
  }
  for (const name of ['text', 'json', 'arrayBuffer', 'blob', 'formData']) {
    const real = window.Response?.prototype?.[name]
    if (real) window.Response.prototype[name] = function (...all) { // what follows the body belongs to its request
      const number = cause, token = swift(() => unread.get(this) ? begin('request', Infinity) : undefined)()
      const told = native.apply(real, this, all)
      const back = () => { if (number !== unknown) enter(number); if (token !== undefined) end(token) }
      after(told, back, back)
      return told
    }
  }
  const send = XMLHttpRequest.prototype.send, stateOf = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'readyState').get
  XMLHttpRequest.prototype.send = function (...all) {
    const token = begin('request', Infinity), number = entry(token).number
    native.apply(native.listen, this, ['readystatechange', () => {
      if (native.apply(stateOf, this, []) === 4) { lastByte(now(), number); enter(number); native.setTimeout(() => end(token), 0) }
    }])
    native.apply(native.listen, this, ['loadend', () => end(token)])
    try { return native.apply(send, this, all) } catch (error) { end(token); throw error }
  }
  // What the page puts in and has to be fetched: scripts, sheets, pictures, frames.
  const awaitLoad = (node) => {
    const tag = kindOf(node) === 1 ? nameOf(node) : ''
    if (!tag) return
    const waits = (tag === 'script' && node.src) || (tag === 'link' && node.rel === 'stylesheet' && node.href) ||
      (tag === 'img' && node.src && !node.complete && node.loading !== 'lazy') || (tag === 'iframe' && node.src)
    if (waits && document.readyState !== 'loading') {
      const script = tag === 'script'
      const token = begin(script || tag === 'link' ? 'script' : 'picture', Infinity)
      scripts += script
      for (const type of ['load', 'error'])
        native.apply(native.listen, node, [type, () => { scripts -= script; end(token); if (!script) visible() }, { once: true }])
    }
    if (!firstIn(node)) return
    const below = native.apply(native.queryIn, node, ['img,script,iframe,link']), count = countOf(below)
    for (let i = 0; i < count; i++) awaitLoad(below[i])
  }
  const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')
  if (source?.set) Object.defineProperty(HTMLImageElement.prototype, 'src', { ...source, set(value) {
    native.apply(source.set, this, [value])
    if (this.complete || this.loading === 'lazy' || document.readyState === 'loading') return
    const token = begin('picture', Infinity)
    for (const type of ['load', 'error']) native.apply(native.listen, this, [type, () => { end(token); visible() }, { once: true }])
  } })
  on(document, 'load', (event) => { if (event.target?.localName === 'img') visible() })

  // Messages: who was told something may answer.
  const answers = swift((target, names, wait) => {
    const waiting = []
    for (const name of names) {
      const real = target[name]
      if (typeof real === 'function') target[name] = function (...all) {
        keep(waiting, begin('message', now() + wait))
        return native.apply(real, this, all)
      }
    }
    on(target, 'message', () => {
      const token = waiting.length > 1 ? waiting.shift() : waiting[0]
      const it = outstanding.get(token)
      if (it) { enter(it.number); it.due = now() } else if (last !== unknown) enter(last)
      if (it) last = it.number
      outstanding.delete(token)
      waiting.splice(0, waiting.indexOf(token) + 1)
    })
    let last = unknown
  })
  const { construct } = Reflect
  for (const [name, told, wait] of [['Worker', ['postMessage'], bound], ['WebSocket', ['send'], 500]])
    if (window[name]) window[name] = new Proxy(window[name], {
      construct(made, all, target) {
        const one = construct(made, all, target)
        answers(one, told, wait)
        if (name === 'Worker') native.apply(native.listen, one, ['error', () => {}])
        begin('lively', Infinity, -3)
        return one
      },
    })
  for (const name of ['EventSource', 'SharedWorker', 'BroadcastChannel', 'RTCPeerConnection'])
    if (window[name]) window[name] = new Proxy(window[name], {
      construct(made, all, target) { begin('lively', Infinity, -3); return construct(made, all, target) },
    })
  for (const owner of [window, window.MessagePort?.prototype]) {
    const real = owner?.postMessage
    if (real) owner.postMessage = function (...all) {
      const number = cause
      if (number !== unknown) {
        const token = begin('message', now() + 30, number)
        native.setTimeout(() => end(token), 0)
      }
      return native.apply(real, this, all)
    }
  }
  // What is put into a database is there when its transaction is complete, not yet when the request was granted.
  for (const [owner, names] of [['IDBFactory', ['open', 'deleteDatabase']], ['IDBDatabase', ['transaction']],
    ['IDBObjectStore', ['add', 'put', 'get', 'getKey', 'getAll', 'getAllKeys', 'delete', 'clear', 'openCursor', 'openKeyCursor', 'count']],
    ['IDBIndex', ['get', 'getKey', 'getAll', 'getAllKeys', 'openCursor', 'openKeyCursor', 'count']], ['FileReader', ['readAsText', 'readAsArrayBuffer', 'readAsDataURL']]])
    for (const name of names) {
      const real = window[owner]?.prototype?.[name]
      if (!real) continue
      window[owner].prototype[name] = function (...all) {
        const token = begin('storage', now() + bound)
        const made = native.apply(real, this, all), over = () => end(token), ends = ['success', 'error', 'blocked', 'loadend', 'complete', 'abort']
        for (let i = 0; i < ends.length; i++) native.apply(native.listen, made || this, [ends[i], over])
        return made
      }
    }
  for (const [owner, names] of [['CacheStorage', ['open', 'match', 'keys']], ['Cache', ['match', 'put', 'add', 'addAll']], ['SubtleCrypto', ['digest', 'encrypt', 'decrypt', 'sign', 'importKey', 'deriveBits']],
    ['LockManager', ['request']], ['Clipboard', ['readText', 'writeText']], ['Blob', ['text', 'arrayBuffer']], ['FontFace', ['load']]])
    for (const name of names) {
      const real = window[owner]?.prototype?.[name]
      if (!real) continue
      window[owner].prototype[name] = function (...all) {
        const token = begin('promise', now() + bound)
        const made = native.apply(real, this, all), over = () => end(token)
        if (made?.then) after(made, over, over)
        else over()
        return made
      }
    }

  // --- leaving ---
  state.goBack = () => {
    state.arm()
    state.input = now()
    const token = begin('message', now() + 300, state.number)
    const over = () => native.setTimeout(() => end(token), 0)
    for (const type of ['popstate', 'hashchange']) native.apply(native.listen, window, [type, over, { once: true }])
    history.back()
  }
  on(window, 'beforeunload', () => { state.leaving = now() })
  on(window, 'pagehide', () => { state.leaving = now() })
  // A link to another fragment changes the address at once; the page is told later, and shows its other view then.
  const untold = []
  const told = swift(() => { while (untold.length) end(untold.pop()) })
  on(window, 'hashchange', told)
  if (window.navigation?.addEventListener) {
    on(window.navigation, 'navigate', (event) => {
      if (event.hashChange) keep(untold, begin('message', now() + 300))
      else if (!event.downloadRequest && !event.destination?.sameDocument) state.leaving = now()
    })
    on(window.navigation, 'navigatesuccess', () => native.setTimeout(told, 50)) // where the page handles it, nothing is told
    on(window.navigation, 'navigateerror', () => { state.leaving = null; told() })
  }
  const animate = Element.prototype.animate
  if (animate) Element.prototype.animate = function (...all) {
    const made = native.apply(animate, this, all)
    const number = cause
    if (made.finished) after(made.finished, () => { enter(number); visible() }, () => {})
    return made
  }
  document.fonts?.addEventListener?.('loadingdone', visible)

  // --- settled ---
  const animationsIn = window.ShadowRoot?.prototype.getAnimations
  const allAnimations = () => { // a document does not tell of those in shadow trees
    const found = document.getAnimations ? [...document.getAnimations()] : []
    for (let i = roots.length - 1; animationsIn && i >= 0; i--) {
      const root = native.apply(deref, roots[i], [])
      if (!root) roots.splice(i, 1)
      else found.push(...native.apply(animationsIn, root, []))
    }
    return found
  }
  const animations = () => {
    let latest = null, endless = false
    for (const one of allAnimations()) {
      if (one.playState !== 'running') continue
      const timing = one.effect?.getComputedTiming?.()
      const left = timing && Number.isFinite(timing.endTime) ? timing.endTime - (timing.localTime ?? 0) : Infinity
      if (!Number.isFinite(left) || left > 5000) { endless = true; continue }
      latest = Math.max(latest ?? 0, left)
      if (typeof one.startTime === 'number') state.animated = Math.max(state.animated ?? 0, one.startTime + timing.endTime / (one.playbackRate || 1))
    }
    return [latest, endless]
  }
  // Why the page is still at work because of the last input, or ''; and for how long at least.
  const holding = () => {
    const time = now(), from = state.input ?? state.armed ?? 0
    if (state.leaving !== null) {
      if (time - state.leaving < 10000) return ['it is leaving for another page', 50]
      state.leaving = null
    }
    if (document.readyState !== 'complete') {
      // a document that streams is waited for as long as it grows
      return ['it is still loading', 20]
    }
    for (const [token, it] of outstanding) {
      if (it.number !== state.number) {
        if (it.kind !== 'lively' && it.due + bound < time && !it.repeats) outstanding.delete(token)
        continue
      }
      if (it.kind === 'request' || it.kind === 'script' || it.kind === 'picture') {
        if (it.kind === 'picture' && time - it.since > 10000) continue
        // A stream, a body that comes for long, or one part after the other (a song on a slow link): what it
        // changes, it changes meanwhile.
        const still = time - (state.changed ?? from)
        if (it.headers && time - it.headers > 5000 && (it.endless || still > 1000)) continue
        if ((state.answered ?? 0) >= 2 && time - from > 5000 && still > 2000) continue
        return ['requests are pending', 20]
      }
      if (it.kind === 'stream' || it.kind === 'lively') continue
      if (time > from + bound || (/Timeout|task/.test(it.kind) && it.due > from + bound)) continue
      if (state.number === 0 && (it.repeats || it.links > 6)) continue
      if (it.repeats && (it.period > 500 || (it.fruitless ?? 0) >= 2)) continue
      if (!it.repeats && (it.links ?? 0) >= 6 && time - (state.changed ?? from) > 500) continue
      return [/Timeout|Interval/.test(it.kind) ? 'timers are due' : it.kind === 'requestAnimationFrame' ? 'it is being drawn' : 'answers are awaited', Math.max(4, it.due - time)]
    }
    const [left] = animations()
    if (left !== null && time < from + 5 * bound) {
      return ['animations are running', left + 2]
    }
    return ['', 0]
  }
  const lively = () => {
    if (outstanding.size > 0 || navigator.serviceWorker?.controller || document.fonts?.status === 'loading') {
      for (const it of outstanding.values()) if (it.repeats || it.kind !== 'message' || it.due > now()) return true
    }
    return animations()[1] || native.apply(native.query, document, ['video,audio,object,embed,meta[http-equiv="refresh" i]']).length > 0
  }
  state.lively = lively
  // {why, wait, lively}: '' when settled. Rest is how long nothing must have happened because of the input.
  state.own = (quiet, shortly) => {
    const [why, wait] = holding()
    const living = lively()
    if (why) return { why, wait, lively: living }
    const marked = state.marked?.() ?? 0
    if (marked > 0) return { why: 'what was touched is still marked', wait: marked, lively: living }
    const rest = (living ? quiet : shortly) - (now() - state.active)
    return rest > 0 ? { why: 'it keeps changing', wait: rest, lively: living } : { why: '', wait: 0, lively: living }
  }
  // Seconds from the input to the last change and to the last byte; null where there was none.
  state.times = () => {
    let changed = state.changed, byte = state.lastByte
    const loading = state.number === 0 ? performance.getEntriesByType?.('navigation')[0] : null
    if (loading) byte = Math.max(byte ?? 0, loading.responseEnd)
    if (state.animated && state.animated <= now() + 50 && state.animated > (changed ?? 0)) changed = Math.min(state.animated, now())
    state.animated = null
    return { origin: native.origin, input: state.armed === undefined ? null : state.input, changed, byte, status: loading?.responseStatus ?? 0 }
  }

  // --- what the page says ---
  const wall = swift(() => Math.round((native.origin + now()) * 1e6) / 1e6), ErrorOf = Error, cut = String.prototype.slice
  const failed = (error, fallback) => {
    let words = ['Error', textOf(fallback), '']
    try { words = [textOf(error?.name ?? 'Error'), textOf(error?.message ?? error ?? fallback), textOf(error?.stack ?? '')] } catch { /* it cannot be told */ }
    keep(state.errors, [wall(), words[0], words[1], words[2]])
  }
  for (const [name, level] of [['log', 'I'], ['info', 'I'], ['debug', 'D'], ['warn', 'W'], ['error', 'E']]) {
    const real = console[name]
    console[name] = function (...words) {
      let text = ''
      try {
        for (let i = 0; i < words.length && text.length < 2000; i++) text += (i ? ' ' : '') + textOf(words[i])
        text = native.apply(cut, text, [0, 2000])
      } catch { text = 'something without a text' }
      keep(state.log, [wall(), level, false, text])
      if (name === 'error') { // frameworks report what they caught this way
        let i = 0
        while (i < words.length && !(words[i] instanceof ErrorOf)) i++
        if (i < words.length) failed(words[i])
      }
      return native.apply(real, this, words)
    }
  }
  performance.mark = function (name, ...rest) {
    keep(state.log, [wall(), 'I', true, textOf(name)])
    return native.apply(native.mark, this, before(name, rest))
  }
  native.apply(native.listen, window, ['error', (event) => { if (event.error || event.message) failed(event.error, event.message) }])
  native.apply(native.listen, window, ['unhandledrejection', (event) => failed(event.reason, 'unhandled rejection')])
  try {
    new PerformanceObserver(swift((list) => { for (const one of list.getEntries()) state.longTasks += one.duration / 1000 }))
      .observe({ type: 'longtask', buffered: true })
  } catch { /* not every browser tells */ }

  // --- who listens ---
  const NodeOf = Node
  const note = swift((target, type) => {
    const types = state.listeners.get(target) || state.listeners.set(target, new native.Set()).get(target)
    types.add(type)
  })
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (this instanceof NodeOf || this === window) note(this, type)
    return native.apply(native.listen, this, before(type, rest))
  }
})()
