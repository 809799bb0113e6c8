// Lives in every page that is driven. It watches requests, changes, exceptions and what the page says,
// and answers one question: what is on the screen, in the shape of a UiAutomator dump.
(() => {
  if (window.__tactus) return
  const started = Date.now() - performance.now()
  const now = () => Math.round((started + performance.now()) * 1e6) / 1e6
  const state = { pending: 0, streams: 0, changed: performance.now(), log: [], errors: [], nodes: [], longTasks: 0 }
  const clickable = new WeakSet()
  window.__tactus = state

  const keep = (list, entry) => { if (list.length < 5000) list.push(entry) }

  // --- what the page does ---
  const listen = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (this instanceof Element && /^(click|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend)$/.test(type))
      clickable.add(this)
    return listen.call(this, type, ...rest)
  }
  for (const type of ['pointerdown', 'touchstart', 'keydown', 'click', 'input'])
    listen.call(window, type, () => { state.changed = performance.now() }, { capture: true, passive: true })
  const settled = () => { state.pending = Math.max(0, state.pending - 1); state.changed = performance.now() }
  const realFetch = window.fetch
  if (realFetch) window.fetch = function (...all) {
    state.pending++
    state.streams++
    const answer = realFetch.apply(this, all)
    answer.then(settled, settled) // the head has arrived; a body may stream for as long as it likes
    answer.catch(() => { state.streams-- })
    return answer
  }
  const send = XMLHttpRequest.prototype.send
  XMLHttpRequest.prototype.send = function (...all) {
    state.pending++
    listen.call(this, 'loadend', settled, { once: true })
    return send.apply(this, all)
  }
  const awaitLoad = (node) => { // a script or sheet that the page has put in
    if (!(node.localName === 'script' && node.src) && !(node.localName === 'link' && node.rel === 'stylesheet')) return
    if (document.readyState === 'loading') return
    state.pending++
    for (const type of ['load', 'error']) listen.call(node, type, settled, { once: true })
  }
  const watch = () => new MutationObserver((changes) => {
    state.changed = performance.now()
    for (const change of changes) change.addedNodes.forEach(awaitLoad)
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  if (document.documentElement) watch()
  else listen.call(document, 'DOMContentLoaded', watch, { once: true })
  try {
    new PerformanceObserver((list) => { for (const one of list.getEntries()) state.longTasks += one.duration / 1000 })
      .observe({ type: 'longtask', buffered: true })
  } catch { /* not every browser tells */ }
  try { // a fetch has ended when it is timed
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) if (one.initiatorType === 'fetch') state.streams--
    }).observe({ type: 'resource' })
  } catch { state.streams = 1 }

  // --- what could change the page without another input ---
  // Times at which something is due, by what asked for it; Infinity for what never ends by itself.
  const due = new Map()
  const endless = Infinity
  const expect = (key, delay) => { due.set(key, performance.now() + Math.max(0, Number(delay) || 0)) }
  for (const [set, clear, repeats] of [['setTimeout', 'clearTimeout', false], ['setInterval', 'clearInterval', true]]) {
    const realSet = window[set], realClear = window[clear]
    window[set] = function (work, delay, ...rest) {
      const id = realSet.call(window, work, delay, ...rest)
      expect('t' + id, repeats ? endless : delay)
      return id
    }
    window[clear] = function (id) { due.delete('t' + id); return realClear.call(window, id) }
  }
  for (const [owner, name, delay] of [[window, 'requestAnimationFrame', 20], [window, 'requestIdleCallback', 50],
    [window, 'postMessage', 0], [MessagePort.prototype, 'postMessage', 0]]) {
    const real = owner[name]
    if (real) owner[name] = function (...all) { expect(name, delay); return real.apply(this, all) }
  }
  for (const name of ['WebSocket', 'EventSource', 'Worker', 'SharedWorker', 'BroadcastChannel', 'RTCPeerConnection'])
    if (window[name]) window[name] = new Proxy(window[name], {
      construct(made, all, target) { expect(name, endless); return Reflect.construct(made, all, target) },
    })
  for (const [owner, name] of [['IDBFactory', 'open'], ['CacheStorage', 'open'], ['Geolocation', 'watchPosition'],
    ['Geolocation', 'getCurrentPosition'], ['LockManager', 'request'], ['SubtleCrypto', 'digest'],
    ['FileReader', 'readAsText'], ['FileReader', 'readAsArrayBuffer'], ['FileReader', 'readAsDataURL']]) {
    const real = window[owner]?.prototype?.[name]
    if (real) window[owner].prototype[name] = function (...all) { expect(owner, endless); return real.apply(this, all) }
  }
  const slack = 30 // a timer that is due may still wait for its turn
  const lively = () => {
    const time = performance.now()
    for (const [key, at] of due) if (at + slack < time) due.delete(key)
    return due.size > 0 || state.streams > 0 || Boolean(navigator.serviceWorker?.controller) ||
      [...document.images].some((image) => !image.complete) ||
      document.fonts?.status === 'loading' ||
      Boolean(document.querySelector('video,audio,object,embed,script[type=module],meta[http-equiv="refresh" i]')) ||
      document.getAnimations().some((one) => one.playState === 'running')
  }

  // --- what the page says ---
  const failed = (error, fallback) => keep(state.errors, [now(),
    String(error?.name ?? 'Error'), String(error?.message ?? error ?? fallback), String(error?.stack ?? '')])
  for (const [name, level] of [['log', 'I'], ['info', 'I'], ['debug', 'D'], ['warn', 'W'], ['error', 'E']]) {
    const real = console[name]
    console[name] = function (...words) {
      keep(state.log, [now(), level, false, words.map(String).join(' ').slice(0, 2000)])
      if (name === 'error') { // frameworks report what they caught this way
        const error = words.find((word) => word instanceof Error)
        if (error) failed(error)
      }
      return real.apply(this, words)
    }
  }
  const mark = performance.mark
  performance.mark = function (name, ...rest) {
    keep(state.log, [now(), 'I', true, String(name)])
    return mark.call(this, name, ...rest)
  }
  listen.call(window, 'error', (event) => { if (event.error || event.message) failed(event.error, event.message) })
  listen.call(window, 'unhandledrejection', (event) => failed(event.reason, 'unhandled rejection'))

  // --- what is on the screen ---
  const visible = (element, style, box) =>
    style.visibility !== 'hidden' && style.display !== 'none' && Number(style.opacity) > 0.01 &&
    box.width > 0.5 && box.height > 0.5
  const ownText = (element) => {
    let text = ''
    for (const child of element.childNodes) if (child.nodeType === 3) text += child.data
    return text.replace(/\s+/g, ' ').trim().slice(0, 200)
  }
  const textual = /^(text|search|email|url|tel|password|number|)$/
  const editable = (element, tag) => element.isContentEditable || tag === 'textarea' ||
    (tag === 'input' && textual.test(element.type))
  const className = (element, tag, role) => {
    if (editable(element, tag)) return 'web.EditText'
    if (tag === 'input' && (element.type === 'checkbox' || element.type === 'radio')) return 'web.CheckBox'
    if (tag === 'button' || role === 'button' || (tag === 'input' && /^(button|submit|reset|image)$/.test(element.type))) return 'web.Button'
    if (tag === 'a') return 'web.Link'
    if (tag === 'select') return 'web.Spinner'
    if (tag === 'ul' || tag === 'ol' || role === 'list' || role === 'listbox') return 'web.ListView'
    return 'web.' + tag
  }
  const CHECKABLE = 1, CHECKED = 2, CLICKABLE = 4, ENABLED = 8, FOCUSABLE = 16, FOCUSED = 32, SCROLLABLE = 64,
    PASSWORD = 256, SELECTED = 512
  const flagsOf = (element, tag, role, style) => {
    let flags = element.disabled || element.getAttribute('aria-disabled') === 'true' ? 0 : ENABLED
    const check = tag === 'input' && /^(checkbox|radio)$/.test(element.type)
    if (check || role === 'checkbox' || role === 'switch' || role === 'radio') flags |= CHECKABLE
    if (element.checked || element.getAttribute('aria-checked') === 'true') flags |= CHECKED
    if (check || tag === 'button' || tag === 'summary' || tag === 'select' || (tag === 'a' && element.hasAttribute('href')) ||
        (tag === 'input' && /^(button|submit|reset|image)$/.test(element.type)) || element.onclick ||
        /^(button|link|menuitem|tab|option|checkbox|switch|radio)$/.test(role) ||
        (clickable.has(element) && element !== document.body && element !== document.documentElement))
      flags |= CLICKABLE
    if (element.tabIndex >= 0) flags |= FOCUSABLE
    if (element === document.activeElement) flags |= FOCUSED
    if (/(auto|scroll)/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1) flags |= SCROLLABLE
    if (element.type === 'password') flags |= PASSWORD
    if (element.getAttribute('aria-selected') === 'true' || element.getAttribute('aria-current')) flags |= SELECTED
    return flags
  }
  const label = (element) => (element.getAttribute('aria-label') || element.getAttribute('alt') ||
    element.getAttribute('title') || element.getAttribute('placeholder') || '').trim().slice(0, 200)
  const childrenOf = (element, tag) => {
    if (tag === 'iframe') { try { return element.contentDocument ? [element.contentDocument.body] : [] } catch { return [] } }
    return [...(element.shadowRoot ? element.shadowRoot.children : []), ...element.children]
  }

  // Rows: [parent, class, id, text, label, flags, left, top, right, bottom]. Elements that only lay
  // others out are left out, so that a wrapper more or less makes no new screen.
  state.snapshot = () => {
    const rows = []
    state.nodes = []
    const visit = (element, parent, dx, dy, depth) => {
      if (!element || depth > 150 || rows.length >= 20000) return
      const tag = element.localName
      if (!tag || /^(script|style|template|head|noscript|meta|link|option)$/.test(tag)) return
      const style = element.ownerDocument.defaultView.getComputedStyle(element)
      const box = element.getBoundingClientRect()
      if (style.display === 'none') return
      const role = element.getAttribute('role') || ''
      let at = parent
      if (visible(element, style, box)) {
        const name = className(element, tag, role)
        const flags = flagsOf(element, tag, role, style)
        const text = editable(element, tag) && !element.isContentEditable ? element.value :
          tag === 'input' && flags & CLICKABLE && !(flags & CHECKABLE) ? element.value : ownText(element)
        const id = element.id || element.getAttribute('data-testid') || element.getAttribute('name') || ''
        const said = label(element)
        if (rows.length === 0 || text || said || id || flags & (CHECKABLE | CLICKABLE | SCROLLABLE) ||
            /EditText|ListView|Spinner$/.test(name)) {
          at = rows.length
          rows.push([parent, name, id, text, said, flags, Math.round(box.left + dx), Math.round(box.top + dy),
            Math.round(box.right + dx), Math.round(box.bottom + dy)])
          state.nodes.push(element)
        }
      }
      const inner = tag === 'iframe' ? [box.left + dx, box.top + dy] : [dx, dy]
      for (const child of childrenOf(element, tag)) visit(child, at, inner[0], inner[1], depth + 1)
    }
    visit(document.body, -1, 0, 0, 0)
    return rows
  }
  // [loaded, requests that wait, milliseconds without a change, could change by itself], frames included.
  const statusOf = (page) => {
    const its = page.__tactus
    const status = its ? its.own() : [page.document.readyState === 'complete', 0, 1e9, true]
    for (const frame of page.document.querySelectorAll('iframe')) {
      let inner
      try { inner = frame.contentWindow && frame.contentDocument && statusOf(frame.contentWindow) } catch { /* another origin */ }
      if (inner) {
        status[0] &&= inner[0]
        status[1] += inner[1]
        status[2] = Math.min(status[2], inner[2])
      }
      status[3] ||= inner ? inner[3] : true
    }
    return status
  }
  state.own = () => [document.readyState === 'complete', state.pending, performance.now() - state.changed, lively()]
  state.status = () => statusOf(window)
  // All that is asked for after an input, in one answer. The screen only once the page has settled: it
  // is loaded, no request waits, and nothing has changed for a while, a short one if nothing could.
  state.look = (quiet, shortly) => {
    const status = state.status()
    const rest = (status[3] ? quiet : shortly) - status[2]
    if (!status[0] || status[1] > 0 || rest > 0) return [status, rest]
    return [status, 0, state.take(), location.href, state.snapshot()]
  }
  state.take = () => {
    const taken = [[], [], 0]
    const collect = (page) => {
      const its = page.__tactus
      if (its) {
        taken[0].push(...its.log.splice(0))
        taken[1].push(...its.errors.splice(0))
        taken[2] += its.longTasks
      }
      for (const frame of page.document.querySelectorAll('iframe')) {
        try { if (frame.contentWindow && frame.contentDocument) collect(frame.contentWindow) } catch { /* another origin */ }
      }
    }
    collect(window)
    taken[0].sort((a, b) => a[0] - b[0])
    return taken
  }
})()
