// History, storage, observers, sockets, and what the page reports as wrong.
import { ProxyOf, apply, construct, errorOf, listen, textOf, type Work } from './own'
import { describe, type Core } from './core'

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
        const [type, message] = describe(error)
        core.call('t', className, signature, values(this, given), [type, message])
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
  method(page.WebSocket?.prototype, 'send', 'web.Channel', 'void send()', (self) => [named(self, 'web.Channel')])
  method(page.WebSocket?.prototype, 'close', 'web.Channel', 'void close()', (self) => [named(self, 'web.Channel')])
  method(page.EventSource?.prototype, 'close', 'web.Channel', 'void close()', (self) => [named(self, 'web.Channel')])

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
    try { (errorOf as any).captureStackTrace(holder) } catch { /* without */ }
    core.failure('reported', cause ?? holder, text)
    return apply(real, this, words)
  }
}
