// The recorder of web pages: a script that runs in every document before the page's own. See docs/recording.md.
import { apply, defineProperty, listen } from './own'
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
  page.__tactus?.renew() // the script beside this one holds what stands now for the browser's own
  if (shared) return
  // What a page that is being left has not told yet, and all that it still does, goes out by the console, which the
  // driver reads; when it is hidden it may be too late for that.
  apply(listen, window, ['beforeunload', () => core.leave((text) => say('tactus-recorder:' + text))])
}

declare const TACTUS_CONFIG: Config
begin(TACTUS_CONFIG)
