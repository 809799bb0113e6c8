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
