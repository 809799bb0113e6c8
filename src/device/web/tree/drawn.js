// What a person sees of an element: whether it is visible, and its text as it is drawn. Of one moment (search.js).
const drawingOf = ({ native, state, flat }) => {
  const { getter, method } = own
  const { up, parts, nameOf } = flat
  const kindOf = getter(Node, 'nodeType'), documentOf = getter(Node, 'ownerDocument'), textIn = getter(Node, 'textContent'), dataOf = getter(CharacterData, 'data')
  const boxOf = method(Element, 'getBoundingClientRect'), attribute = method(Element, 'getAttribute')
  const boxWidth = getter(DOMRectReadOnly, 'width'), boxHeight = getter(DOMRectReadOnly, 'height')
  const wideOf = getter(Element, 'clientWidth'), highOf = getter(Element, 'clientHeight')
  const drawn = Element.prototype.checkVisibility ? method(Element, 'checkVisibility') : () => true
  const inner = getter(HTMLElement, 'innerText'), chosenIn = getter(HTMLSelectElement, 'selectedOptions'), labelOf = getter(HTMLOptionElement, 'label')
  const held = { input: getter(HTMLInputElement, 'value'), textarea: getter(HTMLTextAreaElement, 'value') }
  const styleOf = (element) => native.apply(state.computed, window, [element])
  const squeeze = (text) => text.replace(/[\s\u0000]+/g, ' ').trim()
  const checkable = (element) => nameOf(element) === 'input' && /^(checkbox|radio)$/i.test(attribute(element, 'type') || '')
  // In a page of one tree, where no frame has replaced anything, properties are read as they are: they cost less.
  // Elements that are transparent with what is around them, or not; texts; documents whose frames are seen.
  let looked, texts, seen, moment, single
  const at = (when) => {
    single = when?.trees.length === 1
    looked = new Map()
    texts = new Map()
    seen = new Map()
    moment = when
  }
  const around = (element) => { // through shadow trees
    let one = up(element)
    while (one && kindOf(one) === 11) one = up(one)
    return one && kindOf(one) === 1 ? one : null
  }
  const faint = (element) => {
    const path = []
    let is = false
    for (let one = element; one && !is; one = single ? one.parentElement : around(one)) {
      const known = looked.get(one)
      is = known ?? Number(styleOf(one).opacity) <= 0.01
      if (known !== undefined) break
      path.push(one)
    }
    for (const one of path) looked.set(one, is)
    return is
  }
  const sized = (box) => single ? box.width > 0.5 && box.height > 0.5 : boxWidth(box) > 0.5 && boxHeight(box) > 0.5
  const boxAround = (node) => {
    const range = document.createRange()
    range.selectNode(node)
    return range.getBoundingClientRect()
  }
  // An element without a box of its own (display: contents) is where its parts are. What a closed <details> or
  // content-visibility holds back has a box and is not drawn.
  const inParts = (element) => parts(element).some((one) => kindOf(one) === 1 ? visibleThere(one) : kindOf(one) === 3 && dataOf(one).trim() && sized(boxAround(one)))
  const visibleThere = (element) => {
    const style = styleOf(element)
    if (style.display === 'contents') return inParts(element)
    if (!sized(boxOf(element)) || drawn(element) === false) return false
    if (style.visibility === 'hidden' || style.visibility === 'collapse' || style.display === 'none') return false
    return checkable(element) || !faint(element)
  }
  // Whether the frames around a document are seen; they have a size inside of their borders then.
  const documentSeen = (one) => {
    const frame = moment.frames.get(one)
    if (!frame) return true
    if (!seen.has(one)) seen.set(one, wideOf(frame) > 0 && highOf(frame) > 0 && visible(frame))
    return seen.get(one)
  }
  const visible = (element) => visibleThere(element) && (single || documentSeen(documentOf(element)))

  const plain = (element) => {
    let text = null
    try { text = inner(element) } catch { /* a drawing */ }
    return typeof text === 'string' ? text : textIn(element) || ''
  }
  const cased = { uppercase: (text) => text.toUpperCase(), lowercase: (text) => text.toLowerCase(), capitalize: (text) => text.replace(/(^|\s)(\S)/g, (all, gap, first) => gap + first.toUpperCase()) }
  // innerText knows nothing of shadow trees: what holds some is put together from its parts as they are drawn.
  const together = (element) => {
    const style = styleOf(element)
    if (style.display === 'none' || (style.display !== 'contents' && drawn(element) === false)) return ''
    let text = ''
    if (nameOf(element) === 'br') text = ' '
    else if (!moment.holding.has(element)) text = plain(element)
    else
      for (const one of parts(element)) {
        if (kindOf(one) === 1) text += together(one)
        else if (kindOf(one) === 3 && style.visibility === 'visible') text += cased[style.textTransform]?.(dataOf(one)) ?? dataOf(one)
      }
    return /^(inline|contents)/.test(style.display) ? text : ` ${text} `
  }
  const textOf = (element) => {
    const name = nameOf(element)
    if (name === 'select') return squeeze([...chosenIn(element)].map(labelOf).join(' '))
    if (held[name]) return squeeze(String(held[name](element) ?? ''))
    let text = texts.get(element)
    if (text === undefined) {
      text = squeeze(moment.holding.has(element) ? together(element) : plain(element))
      texts.set(element, text)
    }
    return text
  }
  return { at, visible, textOf }
}
