// The log of one page and of its same-origin frames: top-level callbacks and the calls inside them.
//
// A top-level callback begins with the first listener that an event object reaches, or with the timer, response
// or message that runs, and ends when another begins or its task is over, so that everything it causes
// synchronously and in microtasks is inside it. Fields are joined by U+001F, records end with U+001E; the
// program on the other side makes lines of a recording of them (src/device/web/record.c).
import { Channel, apply, captureStack, codeAt, errorOf, find, findLast, hasControls, now, runningScript, sliceText, sourceOf, table, textOf, wallNow, weakTable, type Work } from './own'

export interface Config { held: boolean; most: number }

/** What waits in held mode until it is named. */
export interface Held {
  id: number; kind: string; label: string; cause: string; due: number; delay: number; at: number; after: number
  run: () => void; repeats?: number; state: number // 0 waits, 1 let go, 2 done
}

interface Open { key: object; head: string[]; body: string; label: string; listener: string; several: boolean; raised: string[] | null; type: string; told: boolean }

const V8Error = errorOf as any

const clean = (text: string, most: number): string => {
  if (!hasControls(text)) return text.length <= most ? text : sliceText(text, 0, most)
  let out = '', from = 0
  const end = text.length < most ? text.length : most
  for (let i = 0; i < end; i++) {
    const code = codeAt(text, i)
    if (code < 0x20 && code !== 10) { out += sliceText(text, from, i) + ' '; from = i + 1 }
  }
  return out + sliceText(text, from, end)
}

export class Core {
  private text = ''
  private dropped = 0
  private depth = 0
  private open: Open | null = null
  private closing = 0
  private readonly counts = table<string, number>()
  private readonly ids = weakTable<object, string>()
  private idCount = 0
  private readonly said = table<string, boolean>()
  private readonly post: Work
  readonly listeners = weakTable<object, object>()
  waiting: Held[] = []
  private heldCount = 0
  readonly startWall = wallNow()
  readonly start = now()
  time = 0 // of the page, in held mode: milliseconds since the start
  looks = 0
  private say: ((text: string) => void) | null = null // the page is going: every record goes out at once
  private saidTo = 0
  private told = false
  touched = false // the user has done something
  released = 0
  private asked = 0
  answering = '' // the request whose response runs
  deliverXhr: (target: object, work: () => void) => boolean = () => false

  constructor(readonly config: Config) {
    const channel = new Channel()
    channel.port1.onmessage = () => { if (--this.closing === 0 && this.depth === 0) this.close() }
    const send = channel.port2.postMessage
    this.post = () => apply(send, channel.port2, [0])
  }

  // --- names ---
  id(object: object, prefix: string): string {
    let id = this.ids.get(object)
    if (!id) this.ids.set(object, id = prefix + ++this.idCount)
    return id
  }
  /** A name for what nobody looks up again. */
  fresh(prefix: string): string { return prefix + ++this.idCount }
  known(object: object): boolean { return this.ids.has(object) }
  ordinal(base: string): number {
    const count = (this.counts.get(base) ?? 0) + 1
    this.counts.set(base, count)
    return count
  }
  get label(): string { return this.open ? this.open.label : '' }
  get type(): string { return this.open ? this.open.type : '' }
  isOpen(key: object): boolean { return this.open !== null && this.open.key === key }
  get inside(): boolean { return this.depth > 0 }

  // Where the app calls: "app.js:40", with the column where lines are long.
  place(): string {
    if (++this.looks > 20000) return '' // between two visits: a page that calls without end
    const limit = V8Error.stackTraceLimit
    const prepare = V8Error.prepareStackTrace
    const holder = { stack: '' }
    try {
      V8Error.stackTraceLimit = 14
      V8Error.prepareStackTrace = undefined
      captureStack(holder)
      return firstPlace(textOf(holder.stack))
    } catch { return '' } finally {
      V8Error.stackTraceLimit = limit
      V8Error.prepareStackTrace = prepare
    }
  }

  // --- callbacks ---
  /** False inside another callback: what happens then is part of that one. */
  begin(key: object, base: string, ordinal: number, cause: string, head: string[], listener = '', type = ''): boolean {
    if (this.open && this.open.key === key) {
      if (listener !== this.open.listener) this.open.several = true
      return true
    }
    if (this.depth > 0) return false
    this.close()
    if (find(base, 'response ') !== 0) this.answering = ''
    const label = base + ' #' + ordinal
    this.open = { key, head, body: '', label, listener, several: false, raised: null, type, told: false }
    head[1] = label
    head[2] = cause
    this.closing++
    this.post()
    if (this.say) this.tell()
    return true
  }
  close(): void {
    const open = this.open
    if (!open) return
    this.tell()
    this.open = null
    this.put(open.raised ? ['x', open.raised[0], open.raised[1]] : ['e'])
    if (this.say) this.hand()
  }
  /** The open callback and what it has done so far go to the log; only while the page is left is that before its end. */
  private tell(): void {
    const open = this.open
    if (!open) return
    if (!open.told) {
      if (open.several) // which of them ran does not depend on one alone
        for (let i = 0; i < open.head.length; i++) if (open.listener && open.head[i] === 'o' + open.listener + ':web.Listener') open.head[i] = '0'
      this.put(open.head)
      open.told = true
    }
    this.text += open.body
    open.body = ''
    if (this.say) this.hand()
  }
  /** Nobody may come to ask any more: from now on everything goes out as it happens. */
  leave(say: (text: string) => void): void {
    this.say = say
    this.tell()
    this.hand()
  }
  private hand(): void {
    if (!this.say || this.saidTo > 5e6) return // a page that stays after all is asked as ever
    const whole = this.text, part = 30000
    this.text = ''
    this.saidTo += whole.length
    for (let at = 0; at < whole.length; at += part) this.say(sliceText(whole, at, at + part))
  }
  /** Runs what a callback consists of; its exceptions go on. */
  run(work: Work, self: unknown, all: unknown[]): unknown {
    this.depth++
    try { return apply(work, self, all) } catch (error) {
      if (this.depth === 1 && this.open) this.open.raised = describe(error)
      throw error
    } finally { this.depth-- }
  }
  /** The recorder's own work on behalf of the page: what the platform calls back meanwhile is not new. */
  quietly<T>(work: () => T): T {
    this.depth++
    try { return work() } finally { this.depth-- }
  }

  // --- records ---
  private put(fields: string[]): void {
    if (!this.told) { this.told = true; this.text = 'p\x1e' } // another document than before
    if (this.text.length > this.config.most) { this.dropped++; return }
    this.text += join(fields)
  }
  call(kind: 'c' | 't', owner: string, method: string, values: string[], extra: string[] = [], place = this.place()): void {
    if (!this.open) this.anonymous(place)
    const open = this.open
    if (!open) return
    if (open.body.length > this.config.most) { this.dropped++; return }
    const fields = [kind, owner, method, place, textOf(values.length)]
    for (let i = 0; i < values.length; i++) fields[fields.length] = values[i]
    for (let i = 0; i < extra.length; i++) fields[fields.length] = extra[i]
    open.body += join(fields)
    if (this.say) this.tell()
  }
  // A script that the parser runs, or a task that nothing above announces.
  private anonymous(place: string): void {
    const script = runningScript(document)
    const source = script ? sourceOrNone(script) : ''
    const base = script ? 'script ' + (source ? shortPlace(source) : 'inline') : 'task ' + (place || 'unknown')
    const key = script ?? {}, ordinal = this.ordinal(base)
    this.begin(key, base, ordinal, '', ['b', '', '', 'web.Document', script && !this.touched ? 'void script(String)' : 'void task(String)', '0', '2', 'od1:web.Document', 's' + base + ' #' + ordinal])
  }
  failure(kind: string, error: unknown, fallback: string): void {
    const told = describe(error, fallback)
    const fields = ['f', kind, told[0], told[1], told[2]]
    if (this.open) this.open.body += join(fields)
    else this.put(fields)
    if (this.say) { this.tell(); this.hand() }
  }
  unseen(what: string): void {
    if (this.said.has(what)) return
    this.said.set(what, true)
    this.put(['u', what])
  }

  // --- held mode ---
  hold(entry: Omit<Held, 'id' | 'state' | 'at' | 'after'>): Held {
    const held: Held = { ...entry, id: ++this.heldCount, state: 0, at: this.time, after: this.heldCount }
    this.waiting[this.waiting.length] = held
    return held
  }
  drop(held: Held): void {
    const left: Held[] = []
    for (let i = 0; i < this.waiting.length; i++) if (this.waiting[i] !== held) left[left.length] = this.waiting[i]
    this.waiting = left
  }
  /** "id label cause kind delay due blocked": blocked names a timer that the platform would run first. */
  pending(): string {
    let out = ''
    const limit = this.waiting.length < 2000 ? this.waiting.length : 2000
    for (let i = 0; i < limit; i++) {
      const one = this.waiting[i]
      if (one.state) continue
      let blocked = ''
      if (one.kind === 'timer')
        for (let j = 0; j < limit && !blocked; j++) {
          const other = this.waiting[j]
          // Timers of one page that were set earlier with at most the same delay come first (HTML, timers).
          if (other !== one && !other.state && other.kind === 'timer' && other.after < one.after && other.delay <= one.delay) blocked = other.label
        }
      out += join([textOf(one.id), one.label, one.cause, one.kind, textOf(one.delay), textOf(one.due), blocked])
    }
    return out
  }
  /** Lets one go, in a task of its own. */
  release(id: number, later: Work): number | null {
    for (let i = 0; i < this.waiting.length; i++) {
      const one = this.waiting[i]
      if (one.id !== id || one.state) continue
      if (one.due > this.time) this.time = one.due
      one.state = 1
      later(() => {
        this.released++ // its microtasks are over before anybody can ask
        if (one.repeats !== undefined) { one.due = this.time + one.repeats; one.state = 0 } else this.drop(one)
        one.run()
      }, 0)
      return ++this.asked
    }
    return null
  }

  /** What was logged and not taken, at most about this many characters, cut between records. */
  take(limit: number): string {
    this.looks = 0
    if (this.depth === 0) this.close()
    if (this.dropped) { this.text += join(['d', textOf(this.dropped)]); this.dropped = 0 }
    if (this.text.length <= limit) {
      const whole = this.text
      this.text = ''
      return whole
    }
    let end = findLast(this.text, '\x1e', limit)
    if (end < 0) end = find(this.text, '\x1e')
    const part = sliceText(this.text, 0, end + 1)
    this.text = sliceText(this.text, end + 1)
    return part
  }
}

const join = (fields: string[]): string => {
  let line = fields[0]
  for (let i = 1; i < fields.length; i++) line += '\x1f' + clean(fields[i], i < 3 ? 500 : 4000)
  return line + '\x1e'
}

export const describe = (error: unknown, fallback = ''): string[] => {
  try {
    const one = error as { name?: unknown; message?: unknown; stack?: unknown } | null
    if (one !== null && typeof one === 'object') return [textOf(one.name ?? 'Error'), textOf(one.message ?? fallback), textOf(one.stack ?? '')]
    return ['Error', error === undefined ? fallback : textOf(error), '']
  } catch { return ['Error', fallback, ''] }
}

const sourceOrNone = (script: Element): string => { try { return sourceOf(script) } catch { return '' } } // of SVG, too

/** "http://host/dir/app.js:40:9" as "app.js:40". */
const shortPlace = (address: string): string => {
  let text = address
  const query = find(text, '?')
  if (query >= 0) text = sliceText(text, 0, query)
  return sliceText(text, findLast(text, '/') + 1) || 'page'
}
const firstPlace = (stack: string): string => {
  let from = find(stack, '\n')
  while (from >= 0) {
    let end = find(stack, '\n', from + 1)
    if (end < 0) end = stack.length
    const line = sliceText(stack, from + 1, end)
    from = end < stack.length ? end : -1
    if (find(line, '://') < 0 || find(line, 'tactus-recorder') >= 0) continue
    let place = line
    const bracket = findLast(place, '(')
    if (bracket >= 0) place = sliceText(place, bracket + 1)
    const closed = find(place, ')')
    if (closed >= 0) place = sliceText(place, 0, closed)
    const column = findLast(place, ':')
    const row = findLast(place, ':', column - 1)
    const number = sliceText(place, row + 1, column)
    const short = shortPlace(sliceText(place, 0, row))
    return number.length < 2 && number <= '3' ? short + ':' + number + ':' + sliceText(place, column + 1) : short + ':' + number
  }
  return ''
}
