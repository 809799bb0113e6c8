// Timers, animation frames and idle callbacks; in held mode also the time that the page sees.
import { DateOf, NumberOf, ProxyOf, apply, construct, now, property, table, textOf, type Work } from './own'
import type { Core, Held } from './core'

interface Timer { id: string; live: boolean; held: Held | null; owner: string }

const kinds = [
  { set: 'setTimeout', clear: 'clearTimeout', owner: 'web.Timer', kind: 'timer', repeats: false, timed: true },
  { set: 'setInterval', clear: 'clearInterval', owner: 'web.Interval', kind: 'interval', repeats: true, timed: true },
  { set: 'requestAnimationFrame', clear: 'cancelAnimationFrame', owner: 'web.Frame', kind: 'frame', repeats: false, timed: false },
  { set: 'requestIdleCallback', clear: 'cancelIdleCallback', owner: 'web.Idle', kind: 'idle', repeats: false, timed: false },
]

export const install = (core: Core): void => {
  const held = core.config.held
  const timers = table<number, Timer>() // timeouts and intervals share their numbers
  const others = [table<number, Timer>(), table<number, Timer>()]
  let number = 0
  for (let k = 0; k < kinds.length; k++) {
    const { set, clear, owner, kind, repeats, timed } = kinds[k]
    const page = window as any
    const realSet: Work = page[set], realClear: Work = page[clear]
    if (!realSet) continue
    const known = timed ? timers : others[k - 2]
    page[set] = function (work: unknown, ...rest: unknown[]) {
      if (typeof work !== 'function') {
        if (timed) core.unseen('timers whose work is given as a text')
        const all = [work]
        for (let i = 0; i < rest.length; i++) all[i + 1] = rest[i]
        return apply(realSet, window, all)
      }
      let delay = timed ? NumberOf(rest[0]) || 0 : kind === 'frame' ? 16 : 50
      if (delay < 0) delay = 0
      const given: unknown[] = []
      for (let i = 1; timed && i < rest.length; i++) given[given.length] = rest[i]
      const timer: Timer = { id: core.fresh('t'), live: true, held: null, owner }
      const place = core.place()
      const base = kind + ' ' + (place || 'unknown'), ordinal = core.ordinal(base)
      core.call('c', owner, 'void set(int)', ['o' + timer.id + ':' + owner, 'i' + textOf(delay)], [], place)
      const cause = core.label
      let fired = 0
      const fire = (self: unknown, all: unknown[]): unknown => {
        if (!repeats) timer.live = false
        fired++
        const own = core.begin({}, base, ordinal, cause, ['b', '', '', owner, 'void fire()', '0', '1', 'o' + timer.id + ':' + owner])
        return own || core.inside ? core.run(work as Work, self, all) : apply(work as Work, self, all)
      }
      if (!held) {
        const all: unknown[] = [function (this: unknown, ...told: unknown[]) {
          return fire(this, timed ? given : told)
        }]
        for (let i = 0; i < rest.length && (i < 1 || !timed); i++) all[all.length] = rest[i]
        const id = apply(realSet, window, all)
        known.set(id, timer)
        return id
      }
      const id = ++number
      known.set(id, timer)
      timer.held = core.hold({
        kind, label: base + ' #' + ordinal, cause, delay, due: core.time + delay, repeats: repeats ? (delay || 4) : undefined,
        run: () => fire(window, timed ? given : kind === 'frame' ? [core.time] : [{ didTimeout: false, timeRemaining: () => 10 }]),
      })
      return id
    }
    page[clear] = function (id: unknown) {
      const timer = known.get(id as number)
      const live = timer && timer.live
      // A call that does nothing has a name of its own: nothing was cancelled.
      if (timer) core.call('c', timer.owner, live ? 'void clear()' : 'void clearSpent()', ['o' + timer.id + ':' + timer.owner])
      if (timer) { timer.live = false; if (timer.held) core.drop(timer.held) }
      return held ? undefined : apply(realClear, window, [id])
    }
  }
  if (held) time(core)
}

// Date and performance.now begin where they are and advance with what is let go.
const time = (core: Core): void => {
  const page = window as any
  const from = core.startWall, origin = now()
  const current = (): number => from + core.time
  page.Date = new ProxyOf(DateOf, {
    construct: (target, all, made) => construct(target, all.length ? all : [current()], made === page.Date ? target : made),
    apply: () => textOf(new DateOf(current())),
    get: (target, name, self) => name === 'now' ? current : property(target, name, self === page.Date ? target : self),
  })
  DateOf.prototype.constructor = page.Date
  performance.now = () => origin + core.time
}
