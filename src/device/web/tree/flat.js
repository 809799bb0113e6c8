// The flat tree, as a page is drawn: a shadow tree in its host, slotted content in its slot. Frames hold documents.
//
// All of it is read by what the browser gave the topmost page (page/own.js), so that neither a page nor a frame of it
// can put something else in its place. Slots of closed shadow trees are not told; there the host stands for them.
const flatTree = () => {
  const { getter, method, listed } = own
  const parentOf = getter(Node, 'parentNode'), kindOf = getter(Node, 'nodeType'), childNodes = getter(Node, 'childNodes')
  const nameOf = getter(Element, 'localName'), rootIn = getter(Element, 'shadowRoot')
  const slotOf = getter(Element, 'assignedSlot'), slotOfText = getter(window.Text, 'assignedSlot')
  const hostOf = window.ShadowRoot ? getter(ShadowRoot, 'host') : () => null
  const assigned = window.HTMLSlotElement ? method(HTMLSlotElement, 'assignedNodes') : () => []
  const frameDocument = getter(HTMLIFrameElement, 'contentDocument'), oldFrameDocument = getter(window.HTMLFrameElement || HTMLIFrameElement, 'contentDocument')
  const isFrame = (element) => { const name = nameOf(element); return name === 'iframe' || name === 'frame' }
  const documentIn = (frame) => { try { return nameOf(frame) === 'frame' ? oldFrameDocument(frame) : frameDocument(frame) } catch { return null } }

  // What a node is drawn in, up to its document.
  const up = (node) => {
    const kind = kindOf(node)
    if (kind === 11) { try { return hostOf(node) } catch { return null } } // a fragment that is not a shadow tree
    return (kind === 1 ? slotOf(node) : kind === 3 ? slotOfText(node) : null) || parentOf(node)
  }
  const within = (inner, outer) => {
    for (let one = inner; one; one = up(one)) if (one === outer) return true
    return false
  }
  // What is drawn in an element, texts included.
  const parts = (element) => {
    const root = rootIn(element)
    if (root) return listed(childNodes(root))
    if (nameOf(element) !== 'slot') return listed(childNodes(element))
    let given = []
    try { given = assigned(element) } catch { /* a slot of a drawing */ }
    return given.length ? given : listed(childNodes(element))
  }
  return { up, within, parts, rootIn, nameOf, isFrame, documentIn }
}
