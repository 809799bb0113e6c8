// The other half of the script in the page: what is on the screen, in the shape of a UiAutomator dump, where
// an element can be touched, and acting inside the page. Everything goes through what the browser gave the
// page before its own scripts ran (page/watch.js).
(() => {
  const state = window.__tactus
  if (!state || state.snapshot) return
  const { native, listeners, shadows } = state
  const now = performance.now.bind(performance)
  const { getter, method } = own, { up, within, isFrame, documentIn } = flatTree()
  const firstChild = getter(Node, 'firstChild'), nextSibling = getter(Node, 'nextSibling'), parentOf = getter(Node, 'parentNode')
  const attribute = method(Element, 'getAttribute'), has = method(Element, 'hasAttribute')
  const boxOf = method(Element, 'getBoundingClientRect'), rectsOf = method(Element, 'getClientRects')
  const matches = method(Element, 'matches'), closest = method(Element, 'closest')
  const inside = method(Node, 'contains')
  // What makes the page's own code run; which function it is, is found while the page's replacements are out of the way.
  const call = (work, element, all) => own.outside(() => native.apply(work, element, all))
  const { focus, click } = HTMLElement.prototype, { dispatchEvent } = EventTarget.prototype, { requestSubmit } = HTMLFormElement.prototype
  const selects = [HTMLInputElement.prototype.select, HTMLTextAreaElement.prototype.select], focusDrawing = window.SVGElement?.prototype.focus
  const focusOn = (element) => { try { call(focusDrawing && element instanceof SVGElement ? focusDrawing : focus, element, []) } catch { /* it cannot have the focus */ } }
  const selectIn = (element) => { try { call(selects[element.localName === 'textarea' ? 1 : 0], element, []) } catch { /* not a field with a selection */ } }
  const send = (element, event) => call(dispatchEvent, element, [event])
  const at = { doc: Document.prototype.elementFromPoint, root: window.ShadowRoot?.prototype.elementFromPoint, all: window.ShadowRoot?.prototype.elementsFromPoint }
  const styleOf = (element) => {
    const view = element.ownerDocument.defaultView
    return (view.__tactus?.computed || view.getComputedStyle).call(view, element)
  }
  state.computed = window.getComputedStyle
  const childrenOf = (node) => {
    const found = []
    for (let child = firstChild(node); child; child = nextSibling(child)) if (child.nodeType === 1) found.push(child)
    return found
  }
  const rootOf = (element) => shadows.get(element) || element.shadowRoot || null
  // Shadow trees, frames and slots as they are drawn.
  const drawnIn = (element, tag) => {
    if (tag === 'details' && !element.open) return childrenOf(element).filter((one) => one.localName === 'summary').slice(0, 1)
    if (isFrame(element)) { const inner = documentIn(element); return inner?.body ? [inner.body] : [] }
    const root = rootOf(element)
    return root ? [...childrenOf(root), ...childrenOf(element)] : childrenOf(element)
  }

  const { roleOf, nameOf } = namesOf()
  const squeeze = (text, most) => text.replace(/\s+/g, ' ').trim().slice(0, most)
  const ownText = (element) => {
    let text = ''
    for (let child = firstChild(element); child; child = nextSibling(child)) if (child.nodeType === 3) text += child.data
    return squeeze(text, 200)
  }
  const allText = (element, most) => {
    let text = ''
    const visit = (node) => {
      if (text.length > 4 * most) return
      for (let child = firstChild(node); child; child = nextSibling(child))
        if (child.nodeType === 3) text += child.data
        else if (child.nodeType === 1 && !/^(script|style|template|noscript|svg)$/.test(child.localName)) { text += ' '; visit(child) }
    }
    visit(element)
    return squeeze(text, most)
  }

  // --- names ---
  // An id that a framework counts up or draws by lot is another one at the next load. A number alone does
  // not make it one: apps number their own rows.
  const counted = /_[A-Z]\w*_\d+$/
  const drawn = /\d{4,}|^[:_]|[0-9a-f]{8}|\s|^(ember|ext|yui|gwt|dijit|dojox?|mui|cdk|radix|mat|ng)[-_]?\w*\d/i
  const generated = (id) => counted.test(id) || drawn.test(id)
  const passing = /^(active|selected|current|open|opened|closed|focus(ed)?|hover(ed)?|disabled|enabled|checked|on|off|in|out|shown?|hidden|hide|visible|collapsed|expanded|editing|completed|done|loading|loaded|ng-.*|is-.*|has-.*|v-.*|css-.*|jss\d.*|sc-.*|.*[-_]?[0-9a-f]*\d[0-9a-z]{3,}.*|.*(active|selected|enter|leave).*)$/i
  const classHint = (element) => {
    const names = (attribute(element, 'class') || '').split(/\s+/).filter((name) => name && !passing.test(name))
    return names.length ? '.' + names[0] : ''
  }
  const idOf = (element) => {
    for (const name of ['data-testid', 'data-test', 'data-test-id', 'data-cy', 'data-qa']) {
      const value = attribute(element, name)
      if (value) return value
    }
    const id = attribute(element, 'id') || ''
    if (id && !generated(id)) return id
    const name = attribute(element, 'name') || ''
    return name && !generated(name) ? name : ''
  }
  const labelOf = (element, tag) => {
    const by = attribute(element, 'aria-labelledby')
    if (by) {
      const doc = element.ownerDocument
      const text = by.split(/\s+/).map((id) => doc.getElementById(id)).filter(Boolean).map((one) => allText(one, 80)).join(' ')
      if (text.trim()) return squeeze(text, 200)
    }
    const said = attribute(element, 'aria-label') || attribute(element, 'alt') || attribute(element, 'title') || attribute(element, 'placeholder')
    if (said) return squeeze(said, 200)
    if (/^(input|select|textarea)$/.test(tag) && element.labels?.length) return allText(element.labels[0], 80)
    return ''
  }

  const calledBy = (element) => {
    const role = roleOf(element), test = attribute(element, 'data-testid') || ''
    return role || test ? [role, role ? nameOf(element) : '', test] : []
  }

  // --- what can be done ---
  const CHECKABLE = 1, CHECKED = 2, CLICKABLE = 4, ENABLED = 8, FOCUSABLE = 16, FOCUSED = 32, SCROLLABLE = 64,
    LONG_CLICKABLE = 128, PASSWORD = 256, SELECTED = 512, DOUBLE_CLICKABLE = 2048, HOVERABLE = 4096, DRAGGABLE = 8192, LEAVES = 16384, LEADS = 32768, CHOSEN = 65536
  const textual = /^(text|search|email|url|tel|password|number|)$/
  const editable = (element, tag) => (element.isContentEditable && !parentOf(element)?.isContentEditable) || tag === 'textarea' ||
    (tag === 'input' && textual.test(attribute(element, 'type')?.toLowerCase() || ''))
  const touches = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend', 'tap']
  const listensTo = (element, types) => {
    const heard = listeners.get(element)
    return types.some((type) => heard?.has(type) || (typeof element['on' + type] === 'function'))
  }
  // Selectors of listeners that a library keeps for others (jQuery and its kin), added to those that are known already.
  const delegated = (element, known) => {
    let events = null
    try { events = window.jQuery?._data?.(element, 'events') } catch { /* not that library */ }
    if (!events) return known
    const of = (types) => types.flatMap((type) => [...(events[type] || [])].map((one) => one?.selector).filter(Boolean))
    return { click: [...known.click, ...of(touches)], dblclick: [...known.dblclick, ...of(['dblclick'])] }
  }
  const natural = (element, tag, role, type) => tag === 'button' || tag === 'summary' || tag === 'select' ||
    (tag === 'a' && has(element, 'href')) || (tag === 'area' && has(element, 'href')) ||
    (tag === 'input' && /^(button|submit|reset|image|checkbox|radio|file|color|range|date|time|month|week|datetime-local)$/.test(type)) ||
    (tag === 'label' && element.control && !editable(element.control, element.control.localName)) || // that of a text field only puts the cursor there
    /^(button|link|menuitem|menuitemcheckbox|menuitemradio|tab|option|checkbox|switch|radio|treeitem)$/.test(role)
  // Equal children that a listener around them is there for: same tag, same shape, something to see.
  const shape = (element) => element.localName + '(' + childrenOf(element).slice(0, 6).map((one) => one.localName).join() + ')'
  const repeated = (element) => {
    const parent = parentOf(element)
    if (!parent || parent.nodeType !== 1) return false
    const mine = shape(element)
    return childrenOf(parent).filter((one) => shape(one) === mine && rectsOf(one).length).length > 1
  }
  const wide = (element) => {
    const types = listeners.get(element)
    if (element === element.ownerDocument.body || element === element.ownerDocument.documentElement || (types && types.size > 20)) return true
    const box = boxOf(element), view = element.ownerDocument.defaultView
    return box.width * box.height > 0.5 * view.innerWidth * view.innerHeight
  }

  const className = (element, tag, role) => {
    const type = (attribute(element, 'type') || '').toLowerCase()
    if (editable(element, tag)) return 'web.EditText'
    if (tag === 'input' && (type === 'checkbox' || type === 'radio')) return 'web.CheckBox'
    if (tag === 'button' || role === 'button' || (tag === 'input' && /^(button|submit|reset|image)$/.test(type))) return 'web.Button'
    if (tag === 'a') return 'web.Link'
    if (tag === 'select') return 'web.Spinner'
    return 'web.' + tag
  }

  // --- lists ---
  // A list repeats one shape for data. Tabs, menus, filters and toolbars repeat a shape for choices, and each
  // choice leads elsewhere; they are never lists.
  const choosing = /(^|[-_\s])(nav|navbar|navigation|menu|menubar|tabs?|tabbar|tablist|filters?|toolbar|pager|pagination|breadcrumbs?|steps|sidebar|dropdown|segmented|subnavbar|buttons?|actions?|links)([-_\s]|$)/i
  const choices = (element, tag, role) => /^(navigation|menu|menubar|tablist|toolbar|radiogroup|tree)$/.test(role) || tag === 'nav' || tag === 'menu' ||
    choosing.test((attribute(element, 'class') || '') + ' ' + (attribute(element, 'id') || ''))
  const amongChoices = (element) => {
    for (let one = element, steps = 0; one && one.nodeType === 1 && steps < 3; one = parentOf(one), steps++)
      if (choices(one, one.localName, attribute(one, 'role') || '')) return true
    return false
  }
  const deepShape = (element, depth) => element.localName + (depth ? '[' + childrenOf(element).slice(0, 8).map((one) => deepShape(one, depth - 1)).join() + ']' : '')
  const controls = 'a[href],button,input,select,textarea,[role=button],[onclick],label'
  const controlsIn = (element) => native.apply(native.queryIn, element, [controls])
  const pattern = (address) => address.replace(/[?#].*$/, (rest) => rest.replace(/=[^&]*/g, '=')).replace(/[0-9a-f]{8,}|\d+/gi, 'N')
  // Items that each open a part of their own, as in an accordion.
  const opening = /(^|[-_\s])(accordion|collaps\w*|expand\w*|disclosure)([-_\s]|$)/i
  const opens = (item) => matches(item, 'details,[aria-expanded]') || native.apply(native.queryIn, item, ['summary,[aria-expanded]']).length > 0 ||
    [item, ...childrenOf(item)].some((one) => opening.test(attribute(one, 'class') || ''))
  const isList = (element, tag, role) => {
    const named = tag === 'ul' || tag === 'ol' || tag === 'tbody' || role === 'list' || role === 'listbox' || role === 'grid'
    if (!named && !/^(div|section|main|table)$/.test(tag)) return false
    const items = childrenOf(element).filter((one) => rectsOf(one).length)
    if (items.length < (named ? 1 : 4) || items.length > 5000) return false
    const shapes = new Map()
    for (const item of items) { const one = deepShape(item, 1); shapes.set(one, (shapes.get(one) || 0) + 1) }
    if (Math.max(...shapes.values()) * 2 <= items.length && items.length > 1) return false
    if (amongChoices(element)) return false
    if (items.length <= 12 && items.filter(opens).length * 2 > items.length) return false
    const links = [], sample = items.slice(0, 60)
    let rich = 0
    for (const item of sample) {
      const inside = controlsIn(item)
      const link = matches(item, 'a[href]') ? item : inside[0]
      if (inside.length > 1 || (inside.length === 1 && childrenOf(item).length > 1)) rich++
      if (link && has(link, 'href')) links.push(pattern(attribute(link, 'href')))
    }
    const targets = new Set(links).size
    if (links.length > 1 && links.length * 2 > sample.length && targets * 2 > links.length && items.length <= 60) return false
    if (rich * 2 > sample.length) return true
    return items.length > 12
  }

  const { isChosen, mark } = chooser({ attribute, matches, childrenOf, parentOf, rectsOf, controls, controlsIn, isList, flags: { CLICKABLE, CHECKABLE, SELECTED, CHOSEN } })

  // --- where ---
  // Of one snapshot, in which nothing moves: what lies at a place, where an element is touched. Null outside of one.
  let hits = null, spots = null
  const deepest = (doc, x, y) => {
    const key = hits && doc === document ? x + ' ' + y : ''
    let hit = key ? hits.get(key) : undefined
    if (hit !== undefined) return hit
    hit = deepestNow(doc, x, y)
    if (key) hits.set(key, hit)
    return hit
  }
  const deepestNow = (doc, x, y) => {
    let hit = native.apply(at.doc, doc, [x, y])
    for (let root = hit && rootOf(hit); root && root !== doc && at.root; root = rootOf(hit)) {
      let inner = native.apply(at.root, root, [x, y])
      if (inner === hit) inner = native.apply(at.all, root, [x, y])[0] // slotted text is the host's: what it is drawn on
      if (!inner || inner === hit) break
      hit = inner
    }
    return hit
  }
  // A touch there reaches the element: it, something inside it, or its label is on top.
  const reaches = (element, x, y) => {
    const hit = deepest(element.ownerDocument, x, y)
    return !!hit && reachedBy(element, hit)
  }
  const reachedBy = (element, hit) => {
    if (hit === element || within(hit, element)) return true
    const labels = element.labels
    if (labels) for (const one of labels) if (within(hit, one)) return true
    return hit.localName === 'label' && hit.control === element
  }
  const points = (element) => {
    const rects = [...rectsOf(element)].filter((one) => one.width > 0.5 && one.height > 0.5)
    if (rects.length !== 1) rects.unshift(boxOf(element))
    const found = []
    for (const one of rects.slice(0, 4))
      for (const [across, down] of [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8], [0.05, 0.1]])
        found.push([one.left + one.width * across, one.top + one.height * down])
    return found
  }
  // Whether a touch there is rather one of a control inside of the element.
  const belongsInside = (element, x, y) => {
    for (let one = deepest(element.ownerDocument, x, y); one && one !== element; one = up(one))
      if (one.nodeType === 1 && matches(one, controls)) return true
    return false
  }
  // A place where a touch reaches the element, if possible itself and no control inside of it.
  const touchable = (element) => {
    if (!spots) return touchableNow(element)
    if (!spots.has(element)) spots.set(element, touchableNow(element))
    return spots.get(element)
  }
  const touchableNow = (element) => {
    const view = element.ownerDocument.defaultView, wide = view.innerWidth, high = view.innerHeight
    const holds = controlsIn(element).length > 0
    let tried = 0, spot = null
    for (const [x, y] of points(element)) {
      if (x < 0 || y < 0 || x >= wide || y >= high) continue
      tried++
      if (!reaches(element, x, y)) continue
      if (!holds || !belongsInside(element, x, y)) return [x, y]
      spot = spot || [x, y]
    }
    return tried ? spot : undefined // undefined: it is outside of what is shown now
  }
  // What is covered by controls of its own, a list of links, is touched through them.
  const filled = (element) => {
    const spot = controlsIn(element).length ? touchable(element) : null
    return !!spot && belongsInside(element, spot[0], spot[1])
  }

  // --- the hierarchy ---
  // Rows: [parent, class, id, text, label, flags, left, top, right, bottom]. Elements that only lay others
  // out are left out, so that a wrapper more or less makes no new screen.
  const everywhere = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }
  const cut = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) })
  const meets = (box, clip) => box.right > clip.left + 1 && box.left < clip.right - 1 && box.bottom > clip.top + 1 && box.top < clip.bottom - 1
  const page = (doc) => { // what scrolling can bring up
    const view = doc.defaultView, root = doc.documentElement, body = doc.body
    const hidden = [root, body].some((one) => one && /hidden|clip/.test(styleOf(one).overflowY))
    const left = -view.scrollX, top = -view.scrollY
    return hidden ? { left: 0, top: 0, right: view.innerWidth, bottom: view.innerHeight }
      : { left, top, right: left + Math.max(root.scrollWidth, view.innerWidth), bottom: Infinity }
  }
  // Whether a link is to another page of the app, or to another place of its router.
  const leads = (element) => {
    const { origin, pathname, search, hash } = element.ownerDocument.defaultView.location
    if (!has(element, 'href') || element.origin !== origin) return false
    return element.pathname !== pathname || element.search !== search || (element.hash !== hash && /^#[!/]/.test(element.hash))
  }
  const flagsOf = (element, tag, role, style, overflow, listens, above) => {
    const type = (attribute(element, 'type') || '').toLowerCase()
    let flags = element.disabled || attribute(element, 'aria-disabled') === 'true' || above.disabled ? 0 : ENABLED
    const check = (tag === 'input' && /^(checkbox|radio)$/.test(type)) || /^(checkbox|switch|radio|menuitemcheckbox|menuitemradio)$/.test(role)
    if (check || has(element, 'aria-pressed')) flags |= CHECKABLE
    if (element.checked || attribute(element, 'aria-checked') === 'true' || attribute(element, 'aria-pressed') === 'true') flags |= CHECKED
    const real = natural(element, tag, role, type)
    const pointer = style.cursor === 'pointer' && above.cursor !== 'pointer'
    const focus = has(element, 'tabindex') && element.tabIndex >= 0 && !editable(element, tag)
    const fits = (one) => { try { return matches(element, one) } catch { return false } }
    const leaf = () => !editable(element, tag) && !wide(element) && !controlsIn(element).length
    const asked = above.selectors.click.some(fits) && leaf()
    let clicks = real || asked || pointer || (focus && (listens || role))
    if (!clicks && listens) clicks = !wide(element) && !filled(element)
    if (!clicks && above.listens && !above.within && (ownText(element) || tag === 'img' || tag === 'svg') && repeated(element)) clicks = true
    if (clicks && !above.covers(element)) flags |= CLICKABLE
    if (listensTo(element, ['dblclick']) || (above.selectors.dblclick.some(fits) && leaf())) flags |= DOUBLE_CLICKABLE
    if (listensTo(element, ['contextmenu'])) flags |= LONG_CLICKABLE
    if (listensTo(element, ['mouseenter', 'mouseover', 'pointerenter', 'pointerover', 'mouseleave']) && !wide(element)) flags |= HOVERABLE
    if (attribute(element, 'draggable') === 'true' || (listensTo(element, ['dragstart']) && !wide(element))) flags |= DRAGGABLE
    if (tag === 'a' && leads(element)) flags |= LEADS
    if (tag === 'a' && has(element, 'href') && (element.origin !== element.ownerDocument.defaultView.location.origin || /^(mailto|tel|sms|javascript:void)/.test(attribute(element, 'href')))) flags |= LEAVES
    if (element.tabIndex >= 0) flags |= FOCUSABLE
    if (element === element.ownerDocument.activeElement) flags |= FOCUSED
    if (/(auto|scroll)/.test(overflow) && /(auto|scroll)/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1) flags |= SCROLLABLE
    if (type === 'password') flags |= PASSWORD
    if (isChosen(element)) flags |= SELECTED
    return flags
  }
  state.snapshot = () => {
    hits = new Map()
    spots = new Map()
    try { return hierarchy() } finally { hits = spots = null }
  }
  const hierarchy = () => {
    const rows = []
    state.nodes = []
    buried = []
    let beyond = false
    const visit = (element, parent, dx, dy, depth, clip, above) => {
      if (depth > 1000 || rows.length >= 200000) beyond = true
      if (beyond) return
      const tag = element.localName
      if (!tag || /^(script|style|template|head|noscript|meta|link|option|optgroup|datalist|source|track|br|wbr)$/.test(tag)) return
      const style = styleOf(element)
      if (style.display === 'none' || attribute(element, 'aria-hidden') === 'true' && !element.offsetParent && style.position !== 'fixed') return
      const box = boxOf(element)
      if (style.position === 'fixed') clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
      const role = attribute(element, 'role') || ''
      const check = tag === 'input' && /^(checkbox|radio)$/i.test(attribute(element, 'type') || '')
      const opaque = above.opaque && Number(style.opacity) > 0.01
      let at = parent, item = false
      const drawn = style.visibility !== 'hidden' && style.visibility !== 'collapse' && box.width > 0.5 && box.height > 0.5 && meets(box, clip)
      const overflow = style.overflowX + style.overflowY, listens = listensTo(element, touches)
      let flags = 0
      if (drawn && (opaque || (check && touchable(element)))) {
        flags = flagsOf(element, tag, role, style, overflow, listens, above)
        const edit = editable(element, tag)
        const acts = flags & (CLICKABLE | DOUBLE_CLICKABLE | LONG_CLICKABLE | HOVERABLE | DRAGGABLE)
        if ((acts || edit) && style.pointerEvents === 'none' && !check) flags &= ~(CLICKABLE | DOUBLE_CLICKABLE | LONG_CLICKABLE | HOVERABLE | DRAGGABLE)
        else if ((acts || edit) && touchable(element) === null) { // something lies on top of it
          flags &= ~(CLICKABLE | DOUBLE_CLICKABLE | LONG_CLICKABLE | HOVERABLE | DRAGGABLE)
          if (edit || flags & CHECKABLE) flags &= ~ENABLED
        }
        const list = !edit && isList(element, tag, role)
        const name = list ? 'web.ListView' : className(element, tag, role)
        const text = edit && tag !== 'input' && tag !== 'textarea' ? allText(element, 200) : edit ? String(element.value ?? '') :
          tag === 'input' && /^(button|submit|reset)$/.test(attribute(element, 'type') || '') ? String(element.value ?? '') : ownText(element)
        let id = idOf(element), said = labelOf(element, tag)
        if (rows.length === 0 && /^#[!/]/.test(location.hash)) id = location.hash.slice(0, 80).replace(/\d+/g, 'N') // where a router is
        const can = flags & (CHECKABLE | CLICKABLE | DOUBLE_CLICKABLE | LONG_CLICKABLE | HOVERABLE | DRAGGABLE)
        if (can && !text && !said && !list) said = allText(element, 80)
        if (can && !text && !said && !id) id = classHint(element) || attribute(element, 'id') || ''
        if (rows.length === 0 || text || said || id || can || flags & SCROLLABLE || edit || list || above.item || /Spinner$/.test(name)) {
          at = rows.length
          rows.push([parent, name, id, text, said, flags, Math.round(box.left + dx), Math.round(box.top + dy),
            Math.round(box.right + dx), Math.round(box.bottom + dy), ...calledBy(element)])
          state.nodes.push(element)
        }
        item = list
        if (tag === 'select' && flags & CLICKABLE && flags & ENABLED) offer(element, at, rows[at])
      }
      above = {
        opaque, item, cursor: style.cursor, disabled: above.disabled || (tag === 'fieldset' && element.disabled), covers: above.covers,
        listens: above.listens || (listens && !wide(element)), selectors: delegated(element, above.selectors),
        within: above.within || Boolean(flags & CLICKABLE && natural(element, tag, role, (attribute(element, 'type') || '').toLowerCase())),
      }
      const scrolls = /(auto|scroll)/.test(overflow), framed = tag !== 'body' && tag !== 'html'
      if (framed && !scrolls && /(hidden|clip)/.test(overflow)) clip = cut(clip, box)
      else if (framed && scrolls) clip = meets(box, clip) ? everywhere : { left: 0, top: 0, right: 0, bottom: 0 }
      const frame = isFrame(element)
      if (frame && element.getRootNode() !== element.ownerDocument) buried.push(element)
      if ((frame && !drawn) || style.contentVisibility === 'hidden') return
      for (const child of drawnIn(element, tag)) {
        if (frame) visit(child, at, box.left + dx + edge(element)[0], box.top + dy + edge(element)[1], depth + 1, page(child.ownerDocument), fresh(child.ownerDocument))
        else visit(child, at, dx, dy, depth + 1, clip, above)
      }
    }
    // The options of a select, which a browser shows in a window of its own: the first dozen are choices like others.
    const offer = (select, at, row) => {
      const options = [...select.options].filter((one) => !one.disabled && squeeze(one.label, 1)).slice(0, 12)
      for (const one of select.multiple || options.length < 2 ? [] : options) {
        const flags = one.selected ? CLICKABLE | ENABLED | SELECTED : CLICKABLE | ENABLED
        rows.push([at, 'web.Option', '', squeeze(one.label, 200), '', flags, row[6], row[7], row[8], row[9], ...calledBy(one)])
        state.nodes.push(one)
      }
    }
    const modal = (doc) => [...native.apply(native.query, doc, ['dialog[open]'])].find((one) => { try { return matches(one, ':modal') } catch { return false } })
    const fresh = (doc) => {
      const top = modal(doc)
      return {
        opaque: true, cursor: 'auto', disabled: false, item: false, listens: false, within: false,
        covers: top ? (element) => !within(element, top) : () => false,
        selectors: delegated(doc.documentElement, delegated(doc, { click: [], dblclick: [] })),
      }
    }
    if (document.body) visit(document.body, -1, 0, 0, 0, page(document), fresh(document))
    mark(rows, state.nodes)
    return beyond ? 'the page shows more than 200,000 elements, or some inside more than 1,000 others: it cannot be read whole' : rows
  }

  // --- touching ---
  const named = (element) => !element ? 'nothing' : element.localName + (element.id ? '#' + element.id : classHint(element))
  // What is inside a frame begins behind its border and padding.
  const edge = (frame) => {
    const style = styleOf(frame)
    return [frame.clientLeft + (parseFloat(style.paddingLeft) || 0), frame.clientTop + (parseFloat(style.paddingTop) || 0)]
  }
  // A spot of the element's own window on the screen, or {why} it is not there.
  const outside = (element, [x, y]) => {
    for (let view = element.ownerDocument.defaultView; view !== window; view = view.parent) {
      const frame = view.frameElement
      if (view.parent === window) frame.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      const box = boxOf(frame), [left, top] = edge(frame)
      x += box.left + left
      y += box.top + top
      if (!reaches(frame, x, y)) return { why: 'the frame of the element is covered by ' + named(deepest(frame.ownerDocument, x, y)) }
    }
    x = Math.floor(x)
    y = Math.floor(y)
    return x < 0 || y < 0 || x >= innerWidth || y >= innerHeight ? { why: 'the element cannot be brought into view' } : { x, y }
  }
  // {x, y} on the screen where a touch reaches the node, brought into view, or {why}. What follows is a new input.
  state.place = (index) => {
    const element = state.nodes[index]
    if (!element || !element.isConnected) return { why: 'the element went away before it was touched' }
    let spot = touchable(element)
    if (!spot) {
      try { element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }) } catch { element.scrollIntoView() }
      spot = touchable(element)
    }
    if (!spot) {
      const box = boxOf(element)
      if (box.width < 0.5 || box.height < 0.5) return { why: 'the element has no size' }
      const x = box.left + box.width / 2, y = box.top + box.height / 2
      const view = element.ownerDocument.defaultView
      if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight) return { why: 'the element cannot be brought into view' }
      return { why: 'the element is covered by ' + named(deepest(element.ownerDocument, x, y)) }
    }
    let there = outside(element, spot)
    if (there.why && element.ownerDocument !== document) { // a frame may be larger than the window
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      there = outside(element, touchable(element) || spot)
    }
    if (there.why) return there
    armAll()
    const moves = windows().some((view) => view.__tactus?.lively())
    if (moves) for (const view of windows()) view.__tactus?.aim(element, deepest(element.ownerDocument, ...(touchable(element) || spot)))
    return { ...there, moves, finger: byFinger(element) }
  }
  // Whether the last touch would have reached something else, and was kept from it.
  state.missed = () => windows().some((view) => view.__tactus?.astray())
  aimsOf({ state, native, reachedBy })
  const armAll = () => { for (const view of windows()) view.__tactus?.arm() }
  const { byFinger, hold, later, pair, scroll, turn } = gesturesOf({ state, native, listensTo, touchable, deepest, up, send, styleOf, documentIn, armAll })
  state.hold = hold
  state.later = later
  state.pair = pair
  state.scroll = scroll
  state.turn = turn
  let buried = [] // frames in shadow trees, of the last look
  const windows = () => {
    const found = []
    const visit = (view) => {
      found.push(view)
      let frames = []
      try { frames = own.listed(native.apply(native.query, view.document, ['iframe,frame'])) } catch { /* another origin */ }
      for (const frame of buried) if (frame.isConnected && frame.ownerDocument === view.document) frames.push(frame)
      for (const frame of frames) { try { if (frame.contentWindow && documentIn(frame)) visit(frame.contentWindow) } catch { /* another origin */ } }
    }
    visit(window)
    return found
  }
  state.armAll = () => { armAll(); return true }
  const fields = fieldsOf({ native, boxOf, focusOn, selectIn, send, allText, within })
  state.focus = (index) => {
    const element = state.nodes[index]
    if (!element || !element.isConnected) return { why: 'the element went away before it was touched' }
    const answer = fields.focus(element)
    armAll()
    return answer
  }
  // Inside the page: a click, or a value with the events that typing would bring.
  state.act = (index, kind, value) => {
    const element = state.nodes[index]
    if (!element || !element.isConnected) return { why: 'the element went away before it was touched' }
    const view = element.ownerDocument.defaultView
    armAll()
    view.__tactus.touchInside()
    if (element.localName === 'option') {
      const select = closest(element, 'select')
      focusOn(select)
      if (element.selected) return { x: 0, y: 0 }
      element.selected = true
      for (const type of ['input', 'change']) send(select, new view.Event(type, { bubbles: true, composed: type === 'input' }))
      return { x: 0, y: 0 }
    }
    if (kind === 'click') {
      for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup'])
        send(element, new view[type[0] === 'p' ? 'PointerEvent' : 'MouseEvent'](type, { bubbles: true, cancelable: true, composed: true, view }))
      focusOn(element)
      if (typeof element.click === 'function') call(click, element, [])
      else send(element, new view.MouseEvent('click', { bubbles: true, cancelable: true, composed: true, view }))
      return { x: 0, y: 0 }
    }
    const enter = value.endsWith('\\n')
    if (enter) value = value.slice(0, -2)
    if (fields.picked(element)) return fields.set(element, value)
    focusOn(element)
    const owner = element.localName === 'textarea' ? view.HTMLTextAreaElement : view.HTMLInputElement
    const set = Object.getOwnPropertyDescriptor(owner.prototype, 'value')
    if (element.isContentEditable) element.textContent = value
    else set.set.call(element, value)
    send(element, new view.InputEvent('input', { bubbles: true, composed: true, data: value }))
    const last = [...value].pop() || ''
    send(element, new view.KeyboardEvent('keyup', { key: last, bubbles: true, composed: true }))
    send(element, new view.Event('change', { bubbles: true }))
    let go = enter
    for (const type of enter ? ['keydown', 'keypress', 'keyup'] : [])
      go = send(element, new view.KeyboardEvent(type, { key: 'Enter', code: 'Enter', keyCode: 13, which: 13, charCode: 13, bubbles: true, cancelable: true, composed: true })) && go
    if (go && element.form && element.localName === 'input') call(requestSubmit, element.form, [])
    return { x: 0, y: 0 }
  }

  // --- asked from outside ---
  state.take = () => {
    const taken = [[], [], 0]
    for (const view of windows()) {
      const its = view.__tactus
      if (!its) continue
      taken[0].push(...its.log.splice(0))
      taken[1].push(...its.errors.splice(0))
      taken[2] += its.longTasks
    }
    taken[0].sort((a, b) => a[0] - b[0])
    return taken
  }
  // {why, wait, lively} over all frames: the first that is at work speaks.
  state.status = (quiet = 100, shortly = 25) => {
    let first = { why: '', wait: 0, lively: false }
    for (const view of windows()) {
      const its = view.__tactus
      const one = its?.own ? its.own(quiet, shortly)
        : { why: view.document.readyState === 'complete' ? '' : 'a frame is still loading', wait: 20, lively: true }
      if (!first.why && one.why) first = { ...one, lively: first.lively || one.lively }
      first.lively ||= one.lively
    }
    for (const frame of native.apply(native.query, document, ['iframe,frame'])) if (!documentIn(frame)) first.lively = true
    return first
  }
  // Over all frames: the last input, the last change that it caused, the last byte; on the wall's clock in ms.
  const times = () => {
    const all = { input: null, changed: null, byte: null, status: 0, origin: native.origin }
    for (const view of windows()) {
      const one = view.__tactus?.times?.()
      if (!one) continue
      if (view === window) all.status = one.status
      if (one.input !== null) all.input = Math.max(all.input ?? 0, one.origin + one.input)
      const counts = one.input !== null || view.__tactus.number === 0 || view !== window || one.changed !== null
      if (counts && one.changed !== null) all.changed = Math.max(all.changed ?? 0, one.origin + one.changed)
      if (one.byte !== null) all.byte = Math.max(all.byte ?? 0, one.origin + one.byte)
    }
    return all
  }
  // All that is asked for after an input, in one answer; the screen only once the page has settled.
  state.look = (quiet, shortly, anyway) => {
    const status = state.status(quiet, shortly)
    const answer = { ...status, url: location.href, fresh: state.number, leaving: state.leaving !== null }
    if (status.why && !anyway) return answer
    answer.times = times()
    answer.taken = state.take()
    answer.rows = state.snapshot()
    return answer
  }
  // The same once the page has settled, or how it is after `most` milliseconds, or when it is being left.
  // A promise that nobody keeps would hold up whoever drives the browser: what fails here is asked for anew.
  state.settled = (quiet, shortly, most) => new Promise((keep) => {
    const until = now() + most
    const again = own.whole(() => {
      try {
        const answer = state.look(quiet, shortly), left = until - now()
        if (!answer.why || answer.leaving || left <= 0) keep(answer)
        else native.setTimeout(again, Math.min(Math.max(answer.wait, 4), 200, left))
      } catch { keep(null) }
    })
    again()
  })
})()
