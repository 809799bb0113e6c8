// Gestures that are more than a touch: drags from one element to another, a finger that rests.
const gesturesOf = ({ state, native, listensTo, touchable, deepest, up, send }) => {
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
  return { byFinger, hold, pair }
}
