// Events: who listens, and what a dispatched event sets off. A top-level callback is one Event object, however
// many listeners it reaches. Messages (ports, sockets, windows) wait in held mode; what a user does is performed
// by the driver, and loads, media and other events of the platform come when they come.
import { apply, attribute, connected, defineProperty, eventPath, eventTarget, eventType, find, getOwnPropertyDescriptor, getOwnPropertyNames, kindOf, listen, report, sliceText, textOf, unlisten, weakTable, type Work } from './own'
import { locate } from './locate'
import { requestOf } from './requests'
import type { Core } from './core'

const messages = ' message messageerror open close storage '
/** The other end of a port, where both were made in this page. */
export const peers = weakTable<object, object>()
/** Sockets, streams and such ports come into being by a call; other ports and windows come from elsewhere. */
const channelOf = (source: string, target: object): string =>
  source === 'socket' ? 'web.Socket' : source === 'stream' ? 'web.Stream' : source === 'port' && peers.has(target) ? 'web.Port' : 'web.Channel'
const own = weakTable<object, boolean>() // events that were let go by hand

export const install = (core: Core, inserted: (node: object) => boolean): void => {
  const deliveries = weakTable<object, (() => void)[]>() // of held messages
  // A listener is a function where it listens: elsewhere, or for another type, the same function is another one. It is
  // there in up to three ways (bubbling, capturing, as a property) and gone with the last of them.
  const places = weakTable<object, any>() // target -> "type function" -> { ways }
  const registration = (target: object, type: string, listener: object): { ways: number } => {
    const all = places.get(target) ?? { __proto__: null }, key = type + ' ' + core.id(listener, 'f')
    places.set(target, all)
    return all[key] ?? (all[key] = { ways: 0 })
  }
  const listenerId = (target: object, type: string, listener: object): string => core.id(registration(target, type, listener), 'l')
  const change = (target: object, type: string, listener: object, way: number, adds: boolean): void => {
    const one = registration(target, type, listener), before = one.ways
    one.ways = adds ? before | way : before & ~way
    const method = adds ? 'addEventListener' : before !== 0 && one.ways === 0 ? 'removeEventListener' : 'removeEventListenerSpent'
    core.call('c', 'web.EventTarget', 'void ' + method + '(String,web.Listener)',
      ['o' + core.id(target, isNode(target) ? 'n' : 'w') + ':web.EventTarget', 's' + type, 'o' + core.id(one, 'l') + ':web.Listener'])
  }
  const isNode = (target: unknown): target is Node => { try { return kindOf(target as Node) > 0 } catch { return false } }
  const sockets = (target: object): string =>
    target instanceof PortOf ? 'port' : target instanceof SocketOf ? 'socket' : target instanceof SourceOf ? 'stream' : target === window ? 'window' : ''
  const PortOf = MessagePort, SocketOf = WebSocket, SourceOf = EventSource, RequestOf = XMLHttpRequest

  /** at: where the listener listens, which need not be where the event is. */
  const enter = (event: Event, at: object, listener: object): boolean => {
    const target = eventTarget(event) as object, type = eventType(event)
    const base = type + ' ' + locate(target as EventTarget)
    const id = listenerId(at, type, listener)
    if (core.isOpen(event)) return core.begin(event, '', 0, '', [], id)
    if (core.inside) return false
    const node = isNode(target) && kindOf(target) === 1
    const owner = node ? 'web.Element' : 'web.Target'
    if (event.isTrusted && node) core.touched = true
    const prefix = node ? 'n' : 'w'
    return core.begin(event, base, core.ordinal(base), event.isTrusted ? '' : core.label, ['b', '', '', owner, 'void event(String,web.Listener)',
      (event.isTrusted ? 'u' : '') + (node && inserted(target) ? 'i' : ''), '3', 'o' + core.id(target, prefix) + ':' + owner, 's' + type, 'o' + id + ':web.Listener'], id, type)
  }
  // A message: its place is where it comes from, its cause is not known.
  const message = (event: Event, target: object, at: object, listener: object, work: () => unknown): unknown => {
    const source = sockets(target), type = eventType(event)
    const base = 'message ' + source + (type === 'message' ? '' : ' ' + type), className = channelOf(source, target)
    const start = (): unknown => {
      const id = listenerId(at, type, listener)
      if (!core.isOpen(event))
        core.begin(event, base, ordinals.get(event) ?? core.ordinal(base), '', ['b', '', '', className, 'void deliver(String,web.Listener)', '', '3',
          'o' + core.id(target, 'w') + ':' + className, 's' + type, 'o' + id + ':web.Listener'], id, type)
      return work()
    }
    if (!core.config.held || own.has(event)) return start()
    const list = deliveries.get(event)
    if (list) { list[list.length] = start as () => void; return undefined }
    const calls: (() => void)[] = [start as () => void]
    deliveries.set(event, calls)
    const ordinal = core.ordinal(base)
    ordinals.set(event, ordinal)
    core.hold({
      kind: 'message', label: base + ' #' + ordinal, cause: '', delay: 0, due: core.time,
      run: () => { own.set(event, true); for (let i = 0; i < calls.length; i++) { try { calls[i]() } catch (error) { report(error) } } },
    })
    return undefined
  }
  const ordinals = weakTable<object, number>()

  const invoke = (self: object, listener: object, all: unknown[]): unknown => {
    const event = all[0] as Event
    const work = (): unknown => {
      const handle: Work = typeof listener === 'function' ? listener as Work : (listener as any).handleEvent
      return core.run(handle, typeof listener === 'function' ? self : listener, all)
    }
    let type = ''
    try { type = eventType(event) } catch { return work() } // window.onerror is told texts
    if (self instanceof RequestOf) {
      if (!requestOf.has(self)) return work()
      let result: unknown
      return core.deliverXhr(self, () => { result = work() }) ? result : core.quietly(work)
    }
    const target = eventTarget(event) as object
    if (!target) return work()
    const source = sockets(target)
    if (source && (source === 'stream' || find(messages, ' ' + type + ' ') >= 0) && event.isTrusted) return message(event, target, self, listener, work)
    if (!event.isTrusted && core.label) return core.quietly(work) // dispatched by a script
    enter(event, self, listener)
    return work()
  }

  // One wrapper per listener, so that adding twice and removing work as ever.
  const wrappers = core.listeners
  const wrapper = (listener: object): object => {
    let wrapped = wrappers.get(listener)
    if (!wrapped) wrappers.set(listener, wrapped = function (this: object, ...all: unknown[]) { return invoke(this ?? window, listener, all) })
    return wrapped
  }
  const BUBBLING = 1, CAPTURING = 2, PROPERTY = 4
  const way = (options: unknown): number => options === true || (typeof options === 'object' && options !== null && (options as any).capture) ? CAPTURING : BUBBLING
  const shape = EventTarget.prototype as any
  shape.addEventListener = function (this: object, type: unknown, listener: unknown, ...rest: unknown[]) {
    const self = this ?? window
    if (listener === null || (typeof listener !== 'object' && typeof listener !== 'function')) return apply(listen, self, [type, listener, rest[0]])
    const result = apply(listen, self, [type, wrapper(listener), rest[0]])
    change(self, textOf(type), listener, way(rest[0]), true)
    return result
  }
  shape.removeEventListener = function (this: object, type: unknown, listener: unknown, ...rest: unknown[]) {
    const self = this ?? window
    if (listener === null || (typeof listener !== 'object' && typeof listener !== 'function')) return apply(unlisten, self, [type, listener, rest[0]])
    change(self, textOf(type), listener, way(rest[0]), false)
    return apply(unlisten, self, [type, wrapper(listener), rest[0]])
  }
  const dispatch = shape.dispatchEvent as Work
  shape.dispatchEvent = function (this: object, event: Event) {
    core.call('c', 'web.EventTarget', 'void dispatchEvent(String)', ['o' + core.id(this ?? window, isNode(this) ? 'n' : 'w') + ':web.EventTarget', 's' + textOf(event?.type)])
    return core.quietly(() => apply(dispatch, this ?? window, [event]))
  }
  properties(wrapper, (self, type, listener, adds) => change(self, type, listener, PROPERTY, adds))
  attributes(core, enter)
}

// onclick = ... of every interface that has such properties.
const properties = (wrapper: (listener: object) => object, say: (self: object, type: string, listener: object, added: boolean) => void): void => {
  const back = weakTable<object, object>()
  const page = window as any
  const owners: object[] = [window]
  const names = ['HTMLElement', 'SVGElement', 'Document', 'XMLHttpRequest', 'XMLHttpRequestEventTarget', 'WebSocket', 'EventSource', 'MessagePort', 'HTMLBodyElement',
    'BroadcastChannel', 'AbortSignal', 'MediaQueryList', 'FileReader', 'IDBRequest', 'IDBTransaction', 'IDBOpenDBRequest', 'Animation']
  for (let i = 0; i < names.length; i++) if (page[names[i]]) owners[owners.length] = page[names[i]].prototype
  for (let i = 0; i < owners.length; i++) {
    const all = getOwnPropertyNames(owners[i])
    for (let j = 0; j < all.length; j++) {
      const name = all[j]
      const real = name[0] === 'o' && name[1] === 'n' ? getOwnPropertyDescriptor(owners[i], name) : undefined
      if (!real || !real.set || !real.get || !real.configurable) continue
      const { get, set } = real
      defineProperty(owners[i], name, {
        configurable: true, enumerable: real.enumerable,
        get(this: object) { const now = apply(get, this, []); return now && back.get(now) || now },
        set(this: object, value: unknown) {
          const before = apply(get, this, [])
          const old = before && back.get(before)
          if (old && old !== value) say(this ?? window, sliceText(name, 2), old, false)
          if (typeof value !== 'function') { apply(set, this, [value]); return }
          if (old !== value) say(this ?? window, sliceText(name, 2), value, true)
          const wrapped = wrapper(value)
          back.set(wrapped, value)
          apply(set, this, [wrapped])
        },
      })
    }
  }
}

// onclick="..." in the page's text: seen on the event's way down.
const attributes = (core: Core, enter: (event: Event, at: object, listener: object) => boolean): void => {
  const types = ['click', 'dblclick', 'input', 'change', 'submit', 'keydown', 'keyup', 'keypress', 'mousedown', 'mouseup', 'focus', 'blur', 'load', 'toggle', 'reset']
  const keys = weakTable<object, object>()
  for (let i = 0; i < types.length; i++)
    apply(listen, window, [types[i], (event: Event) => {
      if (!event.isTrusted || core.inside) return
      const path = eventPath(event)
      for (let j = 0; j < path.length && j < 64; j++) {
        let text: string | null = null
        try { text = kindOf(path[j] as Node) === 1 && connected(path[j] as Node) ? attribute(path[j] as Element, 'on' + types[i]) : null } catch { continue }
        if (text === null) continue
        const key = keys.get(path[j]) ?? {}
        keys.set(path[j], key)
        enter(event, path[j], key)
        return
      }
    }, true])
}
