// What a property file reads from the page by css, in the same moment as the hierarchy; and elements that a
// gesture names by css. Only what is visible counts.
(() => {
  const state = window.__tactus
  if (!state || state.observe || !state.snapshot) return
  const { native } = state
  const squeeze = (text) => text.replace(/[\s\u0000]+/g, ' ').trim()
  const checkable = (element) => element.localName === 'input' && /^(checkbox|radio)$/i.test(element.getAttribute('type') || '')
  // Of one moment: elements that are transparent with what is around them, or not; their texts.
  let looked = new Map(), texts = new Map()
  const faint = (element) => {
    const path = []
    let is = false
    for (let one = element; one && one.nodeType === 1 && !is; one = one.parentElement) {
      const known = looked.get(one)
      is = known ?? Number(state.computed.call(window, one).opacity) <= 0.01
      if (known !== undefined) break
      path.push(one)
    }
    for (const one of path) looked.set(one, is)
    return is
  }
  const sized = (one) => {
    const box = one.getBoundingClientRect()
    return box.width > 0.5 && box.height > 0.5
  }
  const around = (node) => {
    const range = document.createRange()
    range.selectNode(node)
    return range
  }
  // An element without a box of its own (display: contents) is where its parts are. What a closed <details> or
  // content-visibility holds back has a box and is not drawn.
  const inParts = (element) => [...element.childNodes].some((one) => one.nodeType === 1 ? visible(one) : one.nodeType === 3 && one.data.trim() && sized(around(one)))
  const visible = (element) => {
    const style = state.computed.call(window, element)
    if (style.display === 'contents') return inParts(element)
    if (!sized(element) || element.checkVisibility?.() === false) return false
    if (style.visibility === 'hidden' || style.visibility === 'collapse' || style.display === 'none') return false
    return checkable(element) || !faint(element)
  }
  const all = (selector) => [...native.apply(native.query, document, [selector])]
  const shown = (selector) => {
    looked = new Map()
    return all(selector).filter(visible)
  }
  const textOf = (element) => {
    if (element.localName === 'select') return squeeze([...element.selectedOptions].map((one) => one.label).join(' '))
    if (/^(input|textarea)$/.test(element.localName)) return squeeze(String(element.value ?? ''))
    let text = texts.get(element)
    if (text === undefined) {
      const inner = element.innerText
      text = squeeze(typeof inner === 'string' ? inner : element.textContent || '')
      texts.set(element, text)
    }
    return text
  }
  const valueOf = (element) => 'value' in element && element.localName !== 'li' ? String(element.value) : element.isContentEditable ? textOf(element) : null
  const read = {
    text: (element) => textOf(element),
    number: (element) => textOf(element),
    value: valueOf,
    enabled: (element) => !element.matches(':disabled') && element.getAttribute('aria-disabled') !== 'true',
    checked: (element) => Boolean(element.checked) || element.getAttribute('aria-checked') === 'true',
    attribute: (element, name) => element.getAttribute(name),
  }
  // queries: [function, css, attribute]; css null: answered on the hierarchy.
  state.observe = (queries) => {
    const found = new Map()
    const values = []
    looked = new Map()
    texts = new Map()
    for (let i = 0; i < queries.length; i++) {
      const [kind, css, name] = queries[i]
      if (css === null) { values.push(null); continue }
      let elements = found.get(css)
      if (!elements) {
        try { elements = all(css).filter(visible) } catch { return { wrong: i } }
        found.set(css, elements)
      }
      if (kind === 'count') values.push(elements.length)
      else if (kind === 'visible') values.push(elements.length > 0)
      else if (kind === 'texts') values.push(elements.map(textOf))
      else values.push(elements.length ? read[kind](elements[0], name) : null)
    }
    looked = texts = new Map() // nothing of the page is held on to
    return { values, rows: state.snapshot() }
  }
  // The node number of the place-th visible match, from 0; of the last one below 0.
  state.byCss = (selector, place) => {
    let elements
    try { elements = shown(selector) } catch { return { why: 'the css selector is wrong' } }
    const element = elements[place < 0 ? elements.length - 1 : place]
    if (!element) return { why: 'there is no such element on the screen' }
    return { x: 0, y: 0, node: state.nodes.push(element) - 1 }
  }
  state.focused = () => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    if (!element || element === document.body) return { why: 'nothing has the focus' }
    return { x: 0, y: 0, node: state.nodes.push(element) - 1 }
  }
  // Whatever is asked from outside finds what the browser gave the page.
  for (const name of Object.keys(state)) if (typeof state[name] === 'function' && name !== 'computed') state[name] = own.whole(state[name])
  Object.defineProperty(state, 'renew', { value: own.renew })
})()
