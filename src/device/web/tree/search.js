// Elements by css in all trees of a page: its document, the open shadow trees in it and the documents of frames of
// its origin, at any depth; in the order of a walk that enters a shadow tree or a frame right behind its element.
//
// The parts of a selector that blanks separate ("my-card .list button") may lie in different trees: each one in
// the tree of the next, or in one that it is inside of. What stands for such a selector in a tree are its ends from
// the places where something around the tree matches what is before. All other combinators, and selectors inside of
// :is(), :not() and :has(), are about one tree. A page of one tree costs a walk over it and no more.
const searchOf = ({ native, flat }) => {
  const { rootIn, nameOf, isFrame, documentIn, up } = flat
  const closest = own.method(Element, 'closest'), queryRoot = DocumentFragment.prototype.querySelectorAll
  const query = (tree, selector) => own.listed(native.apply(tree.inside ? queryRoot : native.query, tree.root, [selector]))
  const tokens = /\/\*[^]*?(?:\*\/|$)|\\(?:[0-9a-f]{1,6}(?:\r\n|[ \t\r\n\f])?|[^]|$)|"(?:\\[^]|[^"\\])*(?:"|\\?$)|'(?:\\[^]|[^'\\])*(?:'|\\?$)|[ \t\r\n\f]+|[^]/gi
  const closing = { '(': ')', '[': ']', '"': '"', "'": "'" }

  // The selectors of a list, each as the parts that blanks separate; what the text leaves open is closed.
  const split = (selector) => {
    const list = [], open = []
    let parts = [], part = '', gap = false, glued = false
    const token = (text) => {
      const blank = /^[ \t\r\n\f]/.test(text), outside = open.length === 0
      if (text.startsWith('/*')) return
      if (outside && blank) { gap = true; return }
      if (outside && text === ',') { list.push([...parts, part]); parts = []; part = ''; gap = glued = false; return }
      const joins = outside && /^[>+~]$/.test(text)
      if (gap && part && !joins && !glued) { parts.push(part); part = '' }
      gap = false
      glued = joins
      part += text
      if (/^["']/.test(text)) { if (text.length < 2 || !text.endsWith(text[0])) part += text[0] }
      else if (text === open[open.length - 1]) open.pop()
      else if (text === '(' || text === '[') open.push(closing[text])
    }
    for (const text of selector.match(tokens) || []) token(text)
    list.push([...parts, part + open.reverse().join('')])
    return list
  }
  const isOne = (selector) => /:scope/i.test(selector) // of which it is the root, is another thing in each tree

  // The trees of this moment; `order` of elements and those that hold shadow trees or slots only where there are several trees.
  const survey = () => {
    const first = { root: document, inside: false, gate: null, above: null }
    const moment = { trees: [first], order: new Map(), holding: new Set(), frames: new Map() }
    const elements = native.apply(native.query, document, ['*']), count = elements.length
    let alone = query(first, 'iframe,frame').length === 0
    for (let i = 0; alone && i < count; i++) alone = !rootIn(elements[i])
    if (!alone) enter(moment, first, 0)
    return moment
  }
  const hold = (moment, element) => { for (let one = element; one && !moment.holding.has(one); one = up(one)) moment.holding.add(one) }
  const enter = (moment, tree, depth) => {
    if (depth > 150) return
    const below = (root, inside, gate) => {
      const inner = { root, inside, gate, above: tree }
      moment.trees.push(inner)
      enter(moment, inner, depth + 1)
    }
    const elements = query(tree, '*')
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i], root = rootIn(element)
      moment.order.set(element, moment.order.size)
      if (root || (tree.inside && nameOf(element) === 'slot')) hold(moment, element)
      if (root) below(root, true, element)
      else if (isFrame(element)) {
        const inner = documentIn(element)
        if (inner) { moment.frames.set(inner, element); below(inner, false, element) }
      }
    }
  }

  // What finds the selector in every tree, in the order of moment.trees.
  const perTree = (moment, selector) => {
    const list = isOne(selector) ? [] : split(selector)
    if (!list.some((parts) => parts.length > 1)) return moment.trees.map(() => selector)
    const starts = new Map() // tree -> of every selector, the places from where it may begin there
    return moment.trees.map((tree) => {
      const outer = starts.get(tree.above)
      const here = list.map((parts, i) => {
        const from = outer ? [...outer[i]] : [0]
        for (let to = 1; outer && to < parts.length; to++)
          if (!from.includes(to) && outer[i].some((one) => one < to && closest(tree.gate, parts.slice(one, to).join(' ')))) from.push(to)
        return from
      })
      starts.set(tree, here)
      return list.flatMap((parts, i) => here[i].map((one) => parts.slice(one).join(' '))).join(',')
    })
  }
  // All elements of the moment that match; fails where the browser takes the text for no selector.
  const all = (moment, selector) => {
    const { trees, order } = moment, found = query(trees[0], selector)
    if (trees.length === 1) return found
    const selectors = perTree(moment, selector), matched = found.length
    for (let i = 1; i < trees.length; i++) for (const one of query(trees[i], selectors[i])) found.push(one)
    return found.length === matched ? found : found.sort((a, b) => order.get(a) - order.get(b))
  }
  return { survey, all }
}
