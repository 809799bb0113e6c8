// Fields. Most are written key by key, once they have the focus. Dates, colours, ranges and choices are set as the
// browser's own pickers set them: what their keys do is a matter of language and layout.
const fieldsOf = ({ native, boxOf, focusOn, selectIn, send, allText, within }) => {
  const picker = /^(date|time|month|week|datetime-local|color|range)$/
  const picked = (element) => element.localName === 'select' || (element.localName === 'input' && picker.test(element.type))
  // What has the focus in the element's own tree, which may be a shadow tree.
  const active = (element) => element.getRootNode().activeElement
  const holds = (element) => {
    const one = active(element)
    return Boolean(one) && (within(one, element) || (one.isContentEditable && within(element, one)))
  }
  // Puts the cursor into a field and selects what is there, so that keys replace it. A page may lead the focus
  // elsewhere, as a person would notice; a field that never had it does not take keys.
  const focus = (element) => {
    const box = boxOf(element)
    if (box.width < 0.5 || box.height < 0.5) return { why: 'the element has no size' }
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    const before = active(element)
    focusOn(element)
    const view = element.ownerDocument.defaultView
    let target = element // or the field that a component leads the focus to
    for (let inner = element; inner; inner = inner.shadowRoot?.activeElement) target = inner
    if (target.isContentEditable) view.getSelection().selectAllChildren(target)
    else selectIn(target)
    if (!holds(element) && active(element) === before) return { why: 'the element does not take the focus' }
    const empty = target.isContentEditable ? !allText(target, 10) : !target.value
    return { x: 0, y: 0, empty, picked: picked(element) }
  }
  const squeeze = (text) => text.replace(/\s+/g, ' ').trim()
  const choice = (select, wanted) => {
    const all = [...select.options].filter((one) => !one.disabled), text = squeeze(wanted)
    return all.find((one) => squeeze(one.label) === text) || all.find((one) => one.value === wanted) ||
      (text ? all.find((one) => squeeze(one.label).toLowerCase().startsWith(text.toLowerCase())) : undefined)
  }
  const put = (element, value) => {
    if (element.localName === 'select') {
      const one = choice(element, value)
      if (one) one.selected = true
      return Boolean(one)
    }
    const before = element.value, set = Object.getOwnPropertyDescriptor(element.ownerDocument.defaultView.HTMLInputElement.prototype, 'value').set
    native.apply(set, element, [value])
    const taken = element.type === 'range' ? !Number.isNaN(Number(value)) : element.type === 'color' ? element.value === value.toLowerCase() : value === '' || element.value !== ''
    if (!taken && element.type !== 'color') native.apply(set, element, [before])
    return taken || (element.type === 'color' && value === '')
  }
  const set = (element, value) => {
    focusOn(element)
    if (element.disabled || element.readOnly) return { why: 'the field cannot be changed' }
    const before = element.value
    if (!put(element, value)) return { why: `the field does not take '${value.slice(0, 60)}'` }
    const view = element.ownerDocument.defaultView
    for (const type of element.value === before ? [] : ['input', 'change']) send(element, new view.Event(type, { bubbles: true, composed: type === 'input' }))
    return { x: 0, y: 0 }
  }
  return { picked, focus, set }
}
