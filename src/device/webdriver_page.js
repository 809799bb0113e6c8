// Lives in every page that is driven. It watches requests, changes, exceptions and what the page says,
// and answers one question: what is on the screen, in the shape of a UiAutomator dump.
(() => {
  if (window.__tactus) return
  const started = Date.now() - performance.now()
  const now = () => Math.round((started + performance.now()) * 1e6) / 1e6
  const state = { pending: 0, changed: performance.now(), log: [], errors: [], nodes: [], longTasks: 0 }
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
  const settled = () => { state.pending = Math.max(0, state.pending - 1); state.changed = performance.now() }
  const realFetch = window.fetch
  if (realFetch) window.fetch = function (...all) {
    state.pending++
    const answer = realFetch.apply(this, all)
    answer.then(settled, settled) // the head has arrived; a body may stream for as long as it likes
    return answer
  }
  const send = XMLHttpRequest.prototype.send
  XMLHttpRequest.prototype.send = function (...all) {
    state.pending++
    listen.call(this, 'loadend', settled, { once: true })
    return send.apply(this, all)
  }
  const watch = () => new MutationObserver(() => { state.changed = performance.now() })
    .observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  if (document.documentElement) watch()
  else listen.call(document, 'DOMContentLoaded', watch, { once: true })
  try {
    new PerformanceObserver((list) => { for (const one of list.getEntries()) state.longTasks += one.duration / 1000 })
      .observe({ type: 'longtask', buffered: true })
  } catch { /* not every browser tells */ }

  // --- what the page says ---
  for (const [name, level] of [['log', 'I'], ['info', 'I'], ['debug', 'D'], ['warn', 'W'], ['error', 'E']]) {
    const real = console[name]
    console[name] = function (...words) {
      keep(state.log, [now(), level, false, words.map(String).join(' ').slice(0, 2000)])
      return real.apply(this, words)
    }
  }
  const mark = performance.mark
  performance.mark = function (name, ...rest) {
    keep(state.log, [now(), 'I', true, String(name)])
    return mark.call(this, name, ...rest)
  }
  const failed = (error, fallback) => keep(state.errors, [now(),
    String(error?.name ?? 'Error'), String(error?.message ?? error ?? fallback), String(error?.stack ?? '')])
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
  state.status = () => [document.readyState === 'complete', state.pending, performance.now() - state.changed]
  state.take = () => {
    const taken = [state.log, state.errors, state.longTasks]
    state.log = []
    state.errors = []
    return taken
  }
})()
