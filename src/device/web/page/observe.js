// What a property file reads from the page by css, in the same moment as the hierarchy; and elements that a
// gesture names by css. Only what is visible counts.
(() => {
  const state = window.__tactus
  if (!state || state.observe || !state.snapshot) return
  const { native } = state
  const flat = flatTree(), search = searchOf({ native, flat }), { at, visible, textOf } = drawingOf({ native, state, flat })
  const { getter, method } = own
  const attribute = method(Element, 'getAttribute'), matches = method(Element, 'matches'), editableIn = getter(HTMLElement, 'isContentEditable')
  const activeIn = getter(Document, 'activeElement'), activeInRoot = window.ShadowRoot ? getter(ShadowRoot, 'activeElement') : () => null
  const documentOf = getter(Node, 'ownerDocument'), bodyOf = getter(Document, 'body')
  const isEditable = (element) => { try { return editableIn(element) } catch { return false } }
  const held = { input: getter(HTMLInputElement, 'value'), textarea: getter(HTMLTextAreaElement, 'value'), select: getter(HTMLSelectElement, 'value') }
  const ticked = getter(HTMLInputElement, 'checked')
  // A component's own property is the page's code.
  const property = (element, name) => flat.nameOf(element).includes('-') ? own.outside(() => element[name]) : element[name]
  const valueOf = (element) => {
    const name = flat.nameOf(element)
    if (held[name]) return held[name](element)
    return 'value' in element && name !== 'li' ? String(property(element, 'value')) : isEditable(element) ? textOf(element) : null
  }
  const read = {
    text: (element) => textOf(element),
    number: (element) => textOf(element),
    value: valueOf,
    enabled: (element) => !matches(element, ':disabled') && attribute(element, 'aria-disabled') !== 'true',
    checked: (element) => Boolean(flat.nameOf(element) === 'input' ? ticked(element) : property(element, 'checked')) || attribute(element, 'aria-checked') === 'true',
    attribute: (element, name) => attribute(element, name),
  }
  const now = (wanted) => {
    const moment = wanted ? search.survey() : null
    at(moment)
    return moment
  }
  // queries: [function, css, attribute]; css null: answered on the hierarchy.
  state.observe = (queries) => {
    const found = new Map()
    const values = []
    const moment = now(queries.some((one) => one[1] !== null))
    for (let i = 0; i < queries.length; i++) {
      const [kind, css, name] = queries[i]
      if (css === null) { values.push(null); continue }
      let elements = found.get(css)
      if (!elements) {
        try { elements = search.all(moment, css) } catch { return { wrong: i } }
        elements = elements.filter(visible)
        found.set(css, elements)
      }
      if (kind === 'count') values.push(elements.length)
      else if (kind === 'visible') values.push(elements.length > 0)
      else if (kind === 'texts') values.push(elements.map(textOf))
      else values.push(elements.length ? read[kind](elements[0], name) : null)
    }
    at(null) // nothing of the page is held on to
    return { values, rows: state.snapshot() }
  }
  // Elements by the name that a gesture found them by, for a gesture that means the same one.
  const before = new Map(), most = 100
  const number = (element) => ({ x: 0, y: 0, node: state.nodes.push(element) - 1 })
  const remember = (name, element) => {
    if (before.size >= most) before.clear()
    before.set(name, element)
  }
  state.remember = (index, name) => { remember(name, state.nodes[index]); return {} }
  state.again = (name) => {
    const element = before.get(name)
    return element && element.isConnected ? number(element) : {}
  }
  // The node number of the place-th visible match, from 0; of the last one below 0.
  state.byCss = (selector, place, name) => {
    let elements
    const moment = now(true)
    try { elements = search.all(moment, selector) } catch { return { why: 'the css selector is wrong' } }
    elements = elements.filter(visible)
    at(null)
    const element = elements[place < 0 ? elements.length - 1 : place]
    if (!element) return { why: 'there is no such element on the screen' }
    remember(name, element)
    return number(element)
  }
  // What has the focus, through shadow trees and frames.
  state.focused = () => {
    let element = null
    for (let next = activeIn(document); next;) {
      element = next
      const root = flat.rootIn(element), inner = flat.isFrame(element) ? flat.documentIn(element) : null
      next = root ? activeInRoot(root) : inner ? activeIn(inner) : null
    }
    const page = element && documentOf(element)
    if (!element || (element === bodyOf(page) && !(page !== document && isEditable(element)))) return { why: 'nothing has the focus' }
    return number(element)
  }
  // Whatever is asked from outside finds what the browser gave the page.
  for (const name of Object.keys(state)) if (typeof state[name] === 'function' && name !== 'computed') state[name] = own.whole(state[name])
  Object.defineProperty(state, 'renew', { value: own.renew })
})()
