// What the browser gave the page before the page's own scripts ran. Pages replace methods of arrays, texts, maps
// and elements; the script in the page keeps what they were, and while a part of it runs they are what they were.
//
// own.whole(work) is for questions from outside, own.swift(work) for what runs at every timer or request: it looks
// after the few methods that page/watch.js uses. Nothing of the page runs inside of either but through own.outside.
// Nothing below looks up a method that a page could have replaced. What a page has frozen cannot be put back.
const own = window.__tactus ? null : (() => {
  const { getOwnPropertyDescriptor: read, defineProperty: define, getPrototypeOf: above, setPrototypeOf: derive } = Object
  const { apply, ownKeys, deleteProperty: remove } = Reflect
  const take = (list, owner, name) => {
    const saved = owner ? read(owner, name) : undefined
    if (!saved || !saved.configurable || (saved.get === undefined && saved.set === undefined && typeof saved.value !== 'function' && typeof saved.value !== 'object')) return
    derive(saved, null) // whatever a page adds to all objects is not part of it
    list[list.length] = { owner, name, saved, value: saved.value, get: saved.get, set: saved.set, plain: !saved.get && !saved.set, found: null }
  }
  const takeAll = (list, owner) => {
    const names = owner ? ownKeys(owner) : []
    for (let i = 0; i < names.length; i++) {
      const text = typeof names[i] === 'string' ? names[i] : ''
      if (text !== 'constructor' && !(text[0] === 'o' && text[1] === 'n')) take(list, owner, names[i])
    }
  }
  const steps = (one) => above(one[Symbol.iterator]())
  const swiftNames = [[Array.prototype, ['push', 'shift', 'splice', 'indexOf', Symbol.iterator]], [steps([]), ['next']],
    [Map.prototype, ['get', 'set', 'has', 'delete']], [WeakMap.prototype, ['get', 'set']], [Set.prototype, ['add']],
    [RegExp.prototype, ['test', 'exec']], [String.prototype, ['split']], [Math, ['max', 'round']]]
  const owners = ['EventTarget', 'Node', 'Element', 'HTMLElement', 'HTMLInputElement', 'HTMLTextAreaElement', 'HTMLSelectElement', 'HTMLButtonElement',
    'HTMLLabelElement', 'HTMLAnchorElement', 'HTMLIFrameElement', 'HTMLFormElement', 'HTMLFieldSetElement', 'HTMLOptionElement', 'Document',
    'DocumentFragment', 'ShadowRoot', 'CharacterData', 'NodeList', 'HTMLCollection', 'DOMTokenList', 'Range', 'DOMRectReadOnly', 'DOMRect', 'DOMRectList',
    'Event', 'Animation', 'AnimationEffect', 'Performance', 'Navigator', 'History', 'URL']
  const globals = ['Array', 'Map', 'Set', 'WeakMap', 'String', 'Number', 'Boolean', 'Math', 'Object', 'RegExp', 'Promise', 'JSON', 'URL', 'Reflect', 'Error', 'Node',
    'HTMLInputElement', 'HTMLTextAreaElement', 'PointerEvent', 'MouseEvent', 'KeyboardEvent', 'InputEvent', 'Event', 'getComputedStyle', 'innerWidth',
    'innerHeight', 'scrollX', 'scrollY', 'parent', 'frameElement', 'getSelection', 'navigator', 'history', 'performance']
  const builtIn = [Array, Map, Set, WeakMap, String, Number, RegExp, Object, Promise, Function, Boolean]
  const lists = { swift: [], whole: [] }
  const renew = () => {
    const swift = [], whole = []
    for (let i = 0; i < swiftNames.length; i++)
      for (let j = 0; j < swiftNames[i][1].length; j++) take(swift, swiftNames[i][0], swiftNames[i][1][j])
    for (let i = 0; i < builtIn.length; i++) { takeAll(whole, builtIn[i].prototype); takeAll(whole, builtIn[i]) }
    takeAll(whole, Math)
    takeAll(whole, JSON)
    const iterated = [[], '', new Map(), new Set(), 'a'.matchAll(/a/g)]
    for (let i = 0; i < iterated.length; i++) takeAll(whole, steps(iterated[i]))
    for (let i = 0; i < owners.length; i++) if (window[owners[i]]) takeAll(whole, window[owners[i]].prototype)
    for (let i = 0; i < globals.length; i++) take(whole, window, globals[i])
    lists.swift = swift
    lists.whole = whole
  }
  renew()

  const differs = (one) => {
    if (one.plain) { try { return one.owner[one.name] !== one.value } catch { return true } }
    const now = read(one.owner, one.name)
    return !now || now.get !== one.get || now.set !== one.set
  }
  const changed = (list) => {
    let found = null
    for (let i = 0; i < list.length; i++) if (differs(list[i])) { found = found || []; found[found.length] = list[i] }
    return found
  }
  const mend = (found) => {
    for (let i = 0; i < found.length; i++) {
      const one = found[i], now = read(one.owner, one.name)
      one.found = now ? derive(now, null) : null
      try { define(one.owner, one.name, one.saved) } catch { /* frozen */ }
    }
  }
  const undo = (found) => {
    for (let i = found.length - 1; i >= 0; i--) {
      const one = found[i]
      try { if (one.found) define(one.owner, one.name, one.found); else remove(one.owner, one.name) } catch { /* frozen */ }
    }
  }
  let open = false, current = null
  const guarded = (kind) => (work) => function (...all) {
    if (open) return apply(work, this, all)
    const found = changed(lists[kind])
    if (found) mend(found)
    open = true
    current = found
    try { return apply(work, this, all) } finally {
      open = false
      if (current) undo(current)
      current = null
    }
  }
  // The page's own code, called from within: it finds what it has put there.
  const outside = (work) => {
    if (!open) return work()
    if (current) undo(current)
    open = false
    try { return work() } finally {
      current = changed(lists.whole)
      if (current) mend(current)
      open = true
    }
  }
  const before = (first, rest) => { const out = [first]; for (let i = 0; i < rest.length; i++) out[i + 1] = rest[i]; return out }
  // What reads one property, or calls one method, of any page's or frame's objects as the browser made it.
  const getter = (owner, name) => {
    const real = read(owner.prototype, name)?.get
    return real ? (node) => apply(real, node, []) : (node) => node[name]
  }
  const method = (owner, name) => {
    const real = owner.prototype[name]
    return (node, ...all) => apply(real, node, all)
  }
  const countOf = getter(NodeList, 'length')
  const listed = (nodes) => { const out = []; for (let i = 0, count = countOf(nodes); i < count; i++) out[i] = nodes[i]; return out }
  return { getter, method, listed, swift: guarded('swift'), whole: guarded('whole'), outside, renew, before }
})()
