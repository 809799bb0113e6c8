// The document: writes to nodes, nodes that come into it and leave it. Removing a subtree says so for every
// element of it that anybody has heard of; what never was in the document is being built and not of interest.
import { all, apply, childrenOf, connected, countOf, defineProperty, getOwnPropertyDescriptor, kindOf, lower, parentOf, textOf, weakTable, type Work } from './own'
import { describe, type Core } from './core'

const most = 2000 // elements of one insertion that get a name

export const install = (core: Core): ((node: object) => boolean) => {
  const state = weakTable<object, number>() // 1: a script has put it in; 2: it has left
  const value = (node: object): string => 'o' + core.id(node, 'n') + ':' + (kind(node) === 1 ? 'web.Element' : 'web.Node')
  const kind = (node: unknown): number => { try { return kindOf(node as Node) } catch { return 0 } }
  const isHere = (node: Node): boolean => connected(node)

  const below = (node: Node): Node[] => {
    const list: Node[] = kind(node) === 11 ? [] : [node]
    if (kind(node) !== 1 && kind(node) !== 11) return list
    const found = all(node, '*'), count = countOf(found)
    if (count > most) core.unseen('more than 2,000 elements that were put in or taken out at once')
    for (let i = 0; i < count && i < most; i++) list[list.length] = found[i]
    return list
  }
  const inside = (node: Node): Node[] => {
    const list = below(node), rest: Node[] = []
    for (let i = 1; i < list.length; i++) rest[i - 1] = list[i]
    return rest
  }
  /** Of these the ones in the document: only what was in it can leave it. */
  const here = (nodes: Node[]): Node[] => { const list: Node[] = []; for (let i = 0; i < nodes.length; i++) if (isHere(nodes[i])) list[list.length] = nodes[i]; return list }
  const arrive = (nodes: Node[]): void => {
    for (let i = 0; i < nodes.length; i++) {
      if (state.get(nodes[i]) === 1 || (kind(nodes[i]) !== 1 && !core.known(nodes[i])) || !isHere(nodes[i])) continue
      state.set(nodes[i], 1)
      core.call('c', 'web.Node', 'void attached()', [value(nodes[i])])
    }
  }
  const depart = (nodes: Node[]): void => {
    for (let i = 0; i < nodes.length; i++) {
      if (state.get(nodes[i]) === 2 || isHere(nodes[i])) continue
      if (!core.known(nodes[i]) && kind(nodes[i]) !== 1) continue
      state.set(nodes[i], 2)
      core.call('c', 'web.Node', 'void detached()', [value(nodes[i])])
    }
  }
  const concerns = (node: Node): boolean => isHere(node) || state.has(node)
  const wrote = (given: Node, what: string, replaces: boolean): void => {
    const node = kind(given) === 3 ? parentOf(given) ?? given : given // a text is its element's
    if (!concerns(node)) return
    core.call('c', 'web.Node', 'void write(String)', [value(node), 's' + what])
    if (replaces && core.answering)
      core.call('c', 'web.Node', 'void show(web.Request)', [value(node), 'o' + core.answering + ':web.Request'])
  }
  const able = (node: Node, can: boolean): void => { if (concerns(node)) core.call('c', 'web.Element', can ? 'void enable()' : 'void disable()', [value(node)]) }

  /** Replaces a method; what it does to the tree is found out by looking at the nodes before and after. */
  const method = (owner: any, name: string, touched: (self: Node, given: any[]) => Node[], note: (self: Node, given: any[]) => void): void => {
    const real = owner?.prototype?.[name] as Work | undefined
    if (typeof real !== 'function') return
    owner.prototype[name] = function (this: Node, ...given: any[]) {
      let nodes: Node[] = [], before: Node[] = []
      try { nodes = touched(this, given); before = here(nodes) } catch { /* the platform will say what is wrong */ }
      let result: unknown
      try { result = core.quietly(() => apply(real, this, given)) } catch (error) {
        const told = describe(error)
        core.call('t', 'web.Node', 'void ' + name + '(web.Node)', [kind(this) ? value(this) : '0', kind(given[0]) ? value(given[0]) : '0'], [told[0], told[1]])
        throw error
      }
      try { note(this, given); depart(before); arrive(nodes) } catch { /* not a node */ }
      return result
    }
  }
  const setter = (owner: any, name: string, note: (self: Node, given: unknown) => void, tree = false): void => {
    const real = owner && getOwnPropertyDescriptor(owner.prototype, name)
    if (!real?.set || !real.configurable) return
    const set = real.set
    defineProperty(owner.prototype, name, { ...real, set(this: Node, given: unknown) {
      let before: Node[] = []
      if (tree) try { before = kind(this) === 1 ? here(below(this)) : [] } catch { before = [] }
      core.quietly(() => apply(set, this, [given]))
      try {
        note(this, given)
        if (tree) { depart(before); arrive(inside(this)) }
      } catch { /* not a node */ }
    } })
  }

  const page = window as any
  const subtrees = (_self: Node, given: any[]): Node[] => {
    const list: Node[] = []
    for (let i = 0; i < given.length; i++) if (kind(given[i])) { const part = below(given[i]); for (let j = 0; j < part.length; j++) list[list.length] = part[j] }
    return list
  }
  const children = (self: Node, given: any[]): Node[] => {
    const list = subtrees(self, given), here = childrenOf(self), count = countOf(here)
    for (let i = 0; i < count; i++) { const part = below(here[i]); for (let j = 0; j < part.length; j++) list[list.length] = part[j] }
    return list
  }
  const itself = (self: Node, given: any[]): Node[] => { const list = subtrees(self, given), part = below(self); for (let j = 0; j < part.length; j++) list[list.length] = part[j]; return list }
  const grew = (self: Node): void => wrote(self, 'children', false)
  const renewed = (self: Node): void => wrote(self, 'children', true)

  method(page.Node, 'appendChild', subtrees, grew)
  method(page.Node, 'insertBefore', (self, given) => subtrees(self, [given[0]]), grew)
  method(page.Node, 'replaceChild', subtrees, grew)
  method(page.Node, 'removeChild', subtrees, (self, given) => {
    if (kind(given[0]) && core.known(given[0])) core.call('c', 'web.Node', 'void removeChild(web.Node)', [value(self), value(given[0])])
    grew(self)
  })
  const parents = ['Element', 'Document', 'DocumentFragment'], kids = ['Element', 'CharacterData', 'DocumentType']
  for (let i = 0; i < 3; i++) {
    method(page[parents[i]], 'append', subtrees, grew)
    method(page[parents[i]], 'prepend', subtrees, grew)
    method(page[parents[i]], 'replaceChildren', children, renewed)
    method(page[kids[i]], 'remove', itself, () => undefined)
    method(page[kids[i]], 'replaceWith', itself, () => undefined)
    method(page[kids[i]], 'before', subtrees, () => undefined)
    method(page[kids[i]], 'after', subtrees, () => undefined)
  }
  const none = (): Node[] => []
  method(page.Element, 'insertAdjacentElement', (self, given) => subtrees(self, [given[1]]), grew)
  method(page.Element, 'insertAdjacentText', none, grew)
  const insertHtml = page.Element.prototype.insertAdjacentHTML as Work
  page.Element.prototype.insertAdjacentHTML = function (this: Element, ...given: any[]) {
    const result = core.quietly(() => apply(insertHtml, this, given))
    grew(this)
    const where = lower(textOf(given[0]))
    const around = where === 'beforebegin' || where === 'afterend' ? parentOf(this) : this
    if (around && isHere(around)) arrive(fresh(below(around)))
    return result
  }
  const fresh = (nodes: Node[]): Node[] => { const list: Node[] = []; for (let i = 0; i < nodes.length; i++) if (!core.known(nodes[i])) list[list.length] = nodes[i]; return list }

  setter(page.Element, 'innerHTML', renewed, true)
  setter(page.Element, 'outerHTML', (self) => wrote(self, 'outerHTML', true), true)
  setter(page.Node, 'textContent', (self) => wrote(self, 'text', true), true)
  setter(page.HTMLElement, 'innerText', (self) => wrote(self, 'text', true), true)
  setter(page.Node, 'nodeValue', (self) => wrote(self, 'text', true))
  setter(page.CharacterData, 'data', (self) => wrote(self, 'text', true))
  setter(page.Element, 'className', (self) => wrote(self, 'class', false))
  setter(page.Element, 'id', (self) => wrote(self, 'id', false))
  const fields = ['HTMLInputElement', 'HTMLTextAreaElement', 'HTMLSelectElement', 'HTMLButtonElement', 'HTMLOptionElement', 'HTMLFieldSetElement']
  for (let i = 0; i < fields.length; i++) {
    if (i < 3) setter(page[fields[i]], 'value', (self) => wrote(self, 'value', true))
    if (i < 1) setter(page[fields[i]], 'checked', (self) => wrote(self, 'checked', true))
    setter(page[fields[i]], 'disabled', (self, given) => able(self, !given))
  }
  const attribute = (self: Node, name: unknown, there: boolean): void => {
    const what = lower(textOf(name))
    if (what === 'disabled') able(self, !there)
    else wrote(self, what, false)
  }
  method(page.Element, 'setAttribute', none, (self, given) => attribute(self, given[0], true))
  method(page.Element, 'removeAttribute', none, (self, given) => attribute(self, given[0], false))
  method(page.Element, 'toggleAttribute', none, (self, given) => attribute(self, given[0], apply(hasAttribute, self, [given[0]])))
  method(page.Element, 'setAttributeNS', none, (self, given) => attribute(self, given[1], true))
  const hasAttribute = page.Element.prototype.hasAttribute as Work
  lists(core, wrote)
  const form = page.HTMLFormElement.prototype
  const names = ['submit', 'requestSubmit', 'reset']
  for (let i = 0; i < names.length; i++) {
    const real = form[names[i]] as Work
    if (real) form[names[i]] = function (this: Node, ...given: unknown[]) {
      core.call('c', 'web.Form', 'void ' + names[i] + '()', [value(this)])
      return core.quietly(() => apply(real, this, given))
    }
  }
  const focused = page.HTMLElement.prototype
  const focusNames = ['focus', 'blur', 'click']
  for (let i = 0; i < focusNames.length; i++) {
    const real = focused[focusNames[i]] as Work
    focused[focusNames[i]] = function (this: Node, ...given: unknown[]) {
      if (concerns(this)) core.call('c', 'web.Element', 'void ' + focusNames[i] + '()', [value(this)])
      return core.quietly(() => apply(real, this, given))
    }
  }
  return (node) => state.has(node)
}

// class lists belong to the element that gave them.
const lists = (core: Core, wrote: (node: Node, what: string, replaces: boolean) => void): void => {
  const owners = weakTable<object, Node>()
  const real = getOwnPropertyDescriptor(Element.prototype, 'classList')
  if (!real?.get) return
  const get = real.get
  defineProperty(Element.prototype, 'classList', { ...real, get(this: Element) {
    const list = apply(get, this, [])
    if (list && !owners.has(list)) owners.set(list, this)
    return list
  } })
  const names = ['add', 'remove', 'toggle', 'replace']
  for (let i = 0; i < names.length; i++) {
    const method = (DOMTokenList.prototype as any)[names[i]] as Work
    ;(DOMTokenList.prototype as any)[names[i]] = function (this: object, ...given: unknown[]) {
      const owner = owners.get(this)
      const result = core.quietly(() => apply(method, this, given))
      if (owner) wrote(owner, 'class', false)
      return result
    }
  }
}
