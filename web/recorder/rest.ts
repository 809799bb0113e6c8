// History, storage, observers, sockets, and what the page reports as wrong.
import { ProxyOf, apply, captureStack, construct, errorOf, getter, listen, textOf, type Work } from './own'
import { describe, type Core } from './core'
import { peers } from './events'

export const install = (core: Core): void => {
  const page = window as any
  const method = (owner: any, name: string, className: string, signature: string, values: (self: object, given: unknown[]) => string[]): void => {
    const real = owner?.[name] as Work | undefined
    if (typeof real !== 'function') return
    owner[name] = function (this: object, ...given: unknown[]) {
      try {
        const result = core.quietly(() => apply(real, this, given))
        core.call('c', className, signature, values(this, given))
        return result
      } catch (error) {
        const told = describe(error)
        core.call('t', className, signature, values(this, given), [told[0], told[1]])
        throw error
      }
    }
  }
  const named = (object: object, className: string): string => 'o' + core.id(object, 'w') + ':' + className
  const moves = ['pushState', 'replaceState', 'back', 'forward', 'go']
  for (let i = 0; i < moves.length; i++)
    method(page.History?.prototype, moves[i], 'web.History', 'void ' + moves[i] + '(String)', (self, given) => [named(self, 'web.History'), 's' + textOf(i < 2 ? given[2] ?? '' : '')])
  const keeps = ['setItem', 'removeItem']
  for (let i = 0; i < keeps.length; i++)
    method(page.Storage?.prototype, keeps[i], 'web.Storage', 'void ' + keeps[i] + '(String)', (self, given) => [named(self, 'web.Storage'), 's' + textOf(given[0])])
  method(page.Storage?.prototype, 'clear', 'web.Storage', 'void clear()', (self) => [named(self, 'web.Storage')])
  const channels = [['WebSocket', 'web.Socket'], ['EventSource', 'web.Stream']]
  for (let i = 0; i < channels.length; i++) {
    const name = channels[i][0], className = channels[i][1], Real = page[name]
    if (!Real) continue
    method(Real.prototype, 'send', className, 'void send()', (self) => [named(self, className)])
    method(Real.prototype, 'close', className, 'void close()', (self) => [named(self, className)])
    page[name] = new ProxyOf(Real, { construct: (target, all, self) => {
      const made = construct(target, all, self) as object
      core.call('c', className, 'void connect()', [named(made, className)])
      return made
    } })
  }

  const portsOf = page.MessageChannel
  if (portsOf) {
    const first = getter(portsOf, 'port1'), second = getter(portsOf, 'port2'), shape = page.MessagePort.prototype, post = shape.postMessage as Work
    page.MessageChannel = new ProxyOf(portsOf, { construct: (target, all, self) => {
      const made = construct(target, all, self) as object
      peers.set(first(made), second(made))
      peers.set(second(made), first(made))
      return made
    } })
    shape.postMessage = function (this: object, ...given: unknown[]) {
      const other = peers.get(this)
      if (other) core.call('c', 'web.Port', 'void post()', [named(other, 'web.Port')])
      return apply(post, this, given)
    }
  }

  const observers = ['MutationObserver', 'IntersectionObserver', 'ResizeObserver']
  for (let i = 0; i < observers.length; i++) {
    const Real = page[observers[i]]
    if (!Real) continue
    const kind = observers[i]
    const made = function (this: object, work: Work, ...rest: unknown[]) {
      const all: unknown[] = [typeof work === 'function' ? function (this: object, ...told: unknown[]) {
        // Mutations are told in a microtask of who made them; the others in a task of their own.
        if (kind !== 'MutationObserver' || !core.label) {
          const base = 'observer ' + kind
          core.begin({}, base, core.ordinal(base), '', ['b', '', '', 'web.Observer', 'void notify()', '', '1', named(this, 'web.Observer')])
        }
        return core.run(work, this, told)
      } : work]
      for (let j = 0; j < rest.length; j++) all[j + 1] = rest[j]
      return construct(Real, all, new.target === made ? Real : new.target)
    }
    made.prototype = Real.prototype
    page[kind] = made
    Real.prototype.constructor = made
  }
  if (page.Worker) {
    const RealWorker = page.Worker
    page.Worker = new ProxyOf(RealWorker, { construct: (target, all, self) => { core.unseen('workers'); return construct(target, all, self) } })
  }

  apply(listen, window, ['error', (event: ErrorEvent) => { if (event.error || event.message) core.failure('uncaught', event.error, event.message) }])
  apply(listen, window, ['unhandledrejection', (event: PromiseRejectionEvent) => core.failure('rejection', event.reason, 'unhandled rejection')])
  const real = console.error as Work
  console.error = function (this: unknown, ...words: unknown[]) {
    let text = '', cause: unknown
    for (let i = 0; i < words.length; i++) {
      if (words[i] instanceof errorOf) cause = words[i]
      try { text += (i ? ' ' : '') + textOf(words[i]) } catch { text += ' ?' }
    }
    const holder = { name: 'console.error', message: text, stack: '' }
    try { captureStack(holder) } catch { /* without */ }
    core.failure('reported', cause ?? holder, text)
    return apply(real, this, words)
  }
}
