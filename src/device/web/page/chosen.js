// Which of several tabs, filters or entries of a menu is the chosen one is part of what a person sees, though often
// only a class tells. Each group multiplies what a page can look like: in the order of the page those count that
// make at most this many together. Data is not a choice, nor what moves by itself or follows the scrolling or the focus.
//
// Taken by page/screen.js with what it reads elements by; only rows that look chosen cost more than a look at their class.
const chooser = ({ attribute, matches, childrenOf, parentOf, rectsOf, controls, controlsIn, isList, flags }) => {
  const { CLICKABLE, CHECKABLE, SELECTED, CHOSEN } = flags
  const combinations = 30
  const chosenName = /(^|[-_\s])(active|selected|current|chosen)(\s|$)/i, moving = /carousel|slide|swiper|gallery|ticker/i
  const isChosen = (element) => attribute(element, 'aria-selected') === 'true' || (attribute(element, 'aria-current') || 'false') !== 'false'
  const looksChosen = (element) => isChosen(element) || chosenName.test(attribute(element, 'class') || '')
  const controlIn = (item) => matches(item, controls + ',[role=tab],[role=menuitem],[tabindex]') ? item : controlsIn(item)[0] || null
  const roleAround = (element) => attribute(element, 'role') || ''
  // Whether one of these entries is chosen as a choice of the page is; more than one may be, but not all.
  const isChoice = (around, entries) => {
    if (entries.length < 2 || entries.length > 12 || entries.every(looksIn)) return false
    if (/^(menu|menubar|listbox)$/.test(roleAround(around)) && !entries.some((one) => isChosen(one) || isChosen(controlIn(one)))) return false
    for (let one = around, steps = 0; one && one.nodeType === 1 && steps < 5; one = parentOf(one), steps++)
      if (moving.test((attribute(one, 'class') || '') + ' ' + (attribute(one, 'id') || ''))) return false
    const shown = entries.every((one) => { // a table of contents: all that it leads to is there
      const to = (attribute(controlIn(one), 'href') || '').match(/^#(.+)$/), there = to && one.ownerDocument.getElementById(to[1])
      return there && rectsOf(there).length > 0
    })
    return !shown && !isList(around, around.localName, roleAround(around))
  }
  const looksIn = (entry) => looksChosen(entry) || looksChosen(controlIn(entry))
  const mark = (rows, nodes) => {
    const groups = new Map() // what stands around the entries -> they count; undefined: it has one entry at most
    let together = 1
    const counts = (around, tag) => {
      if (!groups.has(around)) {
        const entries = childrenOf(around).filter((one) => one.localName === tag && rectsOf(one).length && controlIn(one))
        const choice = entries.length < 2 ? undefined : isChoice(around, entries) && together * entries.length <= combinations
        if (choice) together *= entries.length
        groups.set(around, choice)
      }
      return groups.get(around)
    }
    const countOptions = (all, i) => {
      const offered = all.filter((row) => row[0] === all[i][0] && row[1] === 'web.Option').length
      if (together * offered > combinations) return false
      together *= offered
      return true
    }
    for (let i = 1; i < rows.length; i++) {
      if (!(rows[i][5] & (CLICKABLE | SELECTED)) || rows[i][5] & CHECKABLE) continue
      if (nodes[i].localName === 'option') { // of a select
        if (rows[i][5] & SELECTED && countOptions(rows, i)) rows[i][5] |= CHOSEN
        continue
      }
      let chosen = false, known
      for (let item = nodes[i], steps = 0; steps < 3 && known === undefined; item = parentOf(item), steps++) {
        const around = parentOf(item)
        if (!around || around.nodeType !== 1 || item === item.ownerDocument.body) break
        chosen ||= looksChosen(item)
        if (chosen) known = counts(around, item.localName)
      }
      if (known !== undefined) rows[i][5] |= known ? SELECTED | CHOSEN : SELECTED
    }
  }
  return { isChosen, mark }
}
