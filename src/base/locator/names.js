// What an element of a page is called: its role and its name, as assistive technology reads them (WAI-ARIA, Accessible
// Name and Description Computation), of controls only. '' where it has none. Part of the script in the page and of
// exported scripts. O(elements inside).
const namesOf = () => {
  const roles = /^(button|link|textbox|searchbox|combobox|listbox|option|checkbox|radio|switch|slider|spinbutton|tab|menuitem|menuitemcheckbox|menuitemradio|treeitem)$/
  const fromContent = /^(button|link|option|checkbox|radio|switch|tab|menuitem|menuitemcheckbox|menuitemradio|treeitem)$/
  const byType = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton' }
  const textual = { text: 'textbox', email: 'textbox', tel: 'textbox', url: 'textbox', search: 'searchbox' }
  const ofInput = (element) => byType[element.type] || (!textual[element.type] ? '' : element.hasAttribute('list') ? 'combobox' : textual[element.type])
  const byTag = {
    a: (one) => one.hasAttribute('href') ? 'link' : '', area: (one) => one.hasAttribute('href') ? 'link' : '', button: () => 'button', input: ofInput,
    option: () => 'option', select: (one) => one.multiple || one.size > 1 ? 'listbox' : 'combobox', textarea: () => 'textbox',
  }
  const roleOf = (element) => {
    const said = (element.getAttribute('role') || '').trim().split(/\s+/)[0]
    const role = said || byTag[element.localName]?.(element) || ''
    return roles.test(role) ? role : ''
  }
  const squeeze = (text) => text.replace(/[\u200b\u00ad]/g, '').replace(/[\s\u00a0]+/g, ' ').trim()
  const styleOf = (element, part) => element.ownerDocument.defaultView.getComputedStyle(element, part)
  const isHidden = (element) => {
    const style = styleOf(element)
    return element.getAttribute('aria-hidden') === 'true' || style.display === 'none' || style.visibility === 'hidden' || style.visibility === 'collapse'
  }
  const drawn = (element, part) => styleOf(element, part).content.match(/^"((?:[^"\\]|\\.)*)"$/)?.[1].replace(/\\(.)/g, '$1') || ''
  const partsOf = (element) => {
    if (element.localName === 'slot' && element.assignedNodes({ flatten: true }).length) return element.assignedNodes({ flatten: true })
    return (element.shadowRoot || element).childNodes
  }
  const content = (element, seen, hidden) => {
    let text = drawn(element, '::before')
    for (const part of partsOf(element)) {
      if (part.nodeType === 3) text += part.data
      if (part.nodeType !== 1 || /^(script|style|template|noscript)$/.test(part.localName) || (!hidden && isHidden(part))) continue
      const inline = /^inline|contents/.test(styleOf(part).display) && part.localName !== 'br'
      const inner = named(part, seen, true, hidden)
      text += inline ? inner : ` ${inner} `
    }
    return text + drawn(element, '::after')
  }
  const byIds = (element, seen) => (element.getAttribute('aria-labelledby') || '').split(/\s+/)
    .map((id) => id && element.getRootNode().getElementById?.(id)).filter(Boolean).map((one) => named(one, seen, true, isHidden(one), true)).join(' ')
  const byMarkup = (element, seen) => {
    const tag = element.localName
    if (tag === 'input' && /^(button|submit|reset)$/.test(element.type))
      return element.value || (element.type === 'submit' ? 'Submit' : element.type === 'reset' ? 'Reset' : '')
    if (/^(input|select|textarea)$/.test(tag)) {
      const labels = [...(element.labels || [])].map((one) => named(one, seen, true, false)).filter((text) => squeeze(text)).join(' ')
      if (labels || element.type !== 'image') return labels
    }
    if (tag === 'img' || tag === 'area' || tag === 'input') return element.getAttribute('alt') || ''
    if (tag === 'svg') return [...element.children].find((one) => one.localName === 'title')?.textContent || ''
    return ''
  }
  // inside: as part of the name of something around it.
  const named = (element, seen, inside, hidden, referred) => {
    if (seen.has(element)) return ''
    seen.add(element)
    const referring = referred ? '' : byIds(element, new Set(inside ? seen : [element]))
    if (squeeze(referring)) return referring
    const held = inside && !referred && /^(textbox|searchbox)$/.test(roleOf(element)) ? element.value : null
    if (typeof held === 'string') return held
    const said = element.getAttribute('aria-label') || byMarkup(element, seen)
    if (squeeze(said)) return said
    const inner = inside || fromContent.test(roleOf(element)) ? content(element, seen, hidden) : ''
    if (squeeze(inner)) return inner
    const text = element.localName === 'input' || element.localName === 'textarea'
    return element.getAttribute('title') || (text ? element.getAttribute('placeholder') : '') || ''
  }
  const nameOf = (element) => squeeze(named(element, new Set(), false, false)).slice(0, 200)
  return { roleOf, nameOf }
}
