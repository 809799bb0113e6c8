// The recorder of web pages: a script that runs in every document before the page's own. See docs/recording.md.
import { apply, defineProperty, listen, sliceText } from './own'
import { Core, type Config } from './core'
import * as events from './events'
import * as nodes from './nodes'
import * as requests from './requests'
import * as rest from './rest'
import * as timers from './timers'

const name = '__tactusRecorder'

/** The recorder of the frame around this one, where it may be looked at. */
const around = (): Core | null => {
  try { return window.parent !== window ? (window.parent as any)[name]?.core ?? null : null } catch { return null }
}

const begin = (config: Config): void => {
  const page = window as any
  if (page[name]) return
  const later = page.setTimeout as (...all: any[]) => any
  const shared = around()
  const core = shared ?? new Core(config)
  const say = console.debug.bind(console)
  timers.install(core)
  requests.install(core)
  events.install(core, nodes.install(core))
  rest.install(core)
  const api = {
    core,
    take: (limit: number) => core.take(limit),
    pending: () => core.pending(),
    release: (id: number) => core.release(id, (work, delay) => apply(later, window, [work, delay])),
    released: () => core.released,
  }
  defineProperty(page, name, { value: api, enumerable: false, configurable: false, writable: false })
  if (shared) return
  // What a page that is being left has not told yet goes out by the console, which the driver reads; when it is
  // hidden it is too late for that.
  const hand = (): void => {
    const part = 30000
    const rest = core.take(1e9)
    for (let at = 0; at < rest.length && at < 5e6; at += part) say('tactus-recorder:' + sliceText(rest, at, at + part))
  }
  apply(listen, window, ['beforeunload', () => { hand(); core.leaving = hand }])
}

declare const TACTUS_CONFIG: Config
begin(TACTUS_CONFIG)
