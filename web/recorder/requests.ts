// Requests: fetch and XMLHttpRequest. A response is delivered with its body, so that what follows runs in one
// task; held, it is the resolution that waits, since `await` on a native promise asks no replaced `then`.
import { NumberOf, PromiseOf, TypeErrorOf, address as resolve, fulfil, refuse, report, apply, codeAt, find, free, getter, parse, sliceText, textOf, then, upper, weakTable, type Work } from './own'
import type { Core, Held } from './core'

export interface Request {
  id: string; base: string; ordinal: number; cause: string; done: boolean; sent: boolean; aborted: boolean; held: Held | null
  key: object; calls: (() => void)[]
}

// "GET /api/items?q=a": long numbers (a time that keeps caches away) are left out.
const named = (method: string, address: string): [string, string] => {
  let path = address
  try {
    path = resolve(address)
  } catch { /* the platform will refuse it */ }
  let short = '', digits = 0
  for (let i = 0; i < path.length && i < 300; i++) {
    const code = codeAt(path, i)
    digits = code >= 48 && code <= 57 ? digits + 1 : 0
    short += path[i]
    if (digits === 10) short = sliceText(short, 0, short.length - 10) + 'N'
    else if (digits > 10) short = sliceText(short, 0, short.length - 1)
  }
  const query = find(short, '?')
  return [upper(method) + ' ' + short, upper(method) + ' ' + (query < 0 ? short : sliceText(short, 0, query))]
}

const hash = (text: string): string => {
  let value = 7
  for (let i = 0; i < text.length && i < 4000; i++) value = (value * 31 + codeAt(text, i)) | 0
  return textOf(value >>> 0)
}

export const install = (core: Core): void => {
  let earlier: { endpoint: string; full: string; id: string }[] = [] // the latest requests, to say which came before
  const send = (method: string, address: string, body: unknown): Request => {
    const both = named(method, address), full = both[0], endpoint = both[1]
    const base = 'response ' + full
    const request: Request = { id: '', base, ordinal: core.ordinal(base), cause: '', done: false, sent: true, aborted: false, held: null, key: {}, calls: [] }
    request.id = core.id(request, 'r')
    const self = 'o' + request.id + ':web.Request'
    const safe = find(endpoint, 'GET ') === 0 || find(endpoint, 'HEAD ') === 0 || find(endpoint, 'OPTIONS ') === 0
    const what = safe ? endpoint : endpoint + ' ' + hash(typeof body === 'string' ? body : '')
    core.call('c', 'web.Request', safe ? 'void load(String)' : core.type === 'submit' ? 'void submit(String)' : 'void send(String)', [self, 's' + what])
    for (let i = 0; i < earlier.length; i++)
      if (earlier[i].endpoint === endpoint && earlier[i].full !== full) core.call('c', 'web.Request', 'void follows(web.Request)', [self, 'o' + earlier[i].id + ':web.Request'])
    const kept: typeof earlier = [] // at most three of one endpoint, a hundred in all
    let same = 0
    for (let i = earlier.length - 1; i >= 0 && kept.length < 99; i--) if (earlier[i].endpoint !== endpoint || ++same < 3) kept[kept.length] = earlier[i]
    earlier = [{ endpoint, full, id: request.id }]
    for (let i = 0; i < kept.length; i++) earlier[i + 1] = kept[kept.length - 1 - i]
    request.cause = core.label
    return request
  }
  const enter = (request: Request): boolean => {
    request.done = true
    core.answering = request.id
    return core.begin(request.key, request.base, request.ordinal, request.cause,
      ['b', '', '', 'web.Request', 'void response()', '0', '1', 'o' + request.id + ':web.Request'])
  }
  const abort = (request: Request): void =>
    core.call('c', 'web.Request', request.done ? 'void abortSpent()' : 'void abort()', ['o' + request.id + ':web.Request'])
  const deliver = (request: Request, work: () => void): void => {
    if (!core.config.held) { enter(request); core.quietly(work); return }
    request.held = core.hold({
      kind: 'response', label: request.base + ' #' + request.ordinal, cause: request.cause, delay: 0, due: core.time,
      run: () => { enter(request); core.quietly(work) },
    })
  }
  fetches(core, send, abort, deliver)
  xhr(core, send, abort, enter)
}

const fetches = (core: Core, send: (method: string, address: string, body: unknown) => Request, abort: (request: Request) => void,
  deliver: (request: Request, work: () => void) => void): void => {
  const page = window as any
  const realFetch: Work = page.fetch
  if (!realFetch) return
  const signals = weakTable<object, Request[]>()
  const bytes = free(Response.prototype.arrayBuffer), clone = free(Response.prototype.clone)
  const headers = getter(Response, 'headers'), header = free(Headers.prototype.get), bodyOf = getter(Response, 'body')
  const used = getter(Response, 'bodyUsed')
  const decoder = new TextDecoder(), decode = decoder.decode.bind(decoder)
  const BlobOf = Blob, RequestOf = window.Request, requestUrl = getter(Request, 'url'), requestMethod = getter(Request, 'method'), requestSignal = getter(Request, 'signal')
  const reasonOf = getter(AbortSignal, 'reason')

  // The body is here already: reading it takes microtasks only.
  const equip = (response: Response, body: ArrayBuffer, type: string): void => {
    const reader = (make: () => unknown) => function () {
      if (used(response) || taken) return refuse(new TypeErrorOf("Failed to execute on 'Response': body stream already read"))
      taken = true
      bytes(response) // the platform, too, knows that it was read
      try { return fulfil(make()) } catch (error) { return refuse(error) }
    }
    let taken = false
    const own = response as any
    own.json = reader(() => parse(decode(body)))
    own.text = reader(() => decode(body))
    own.arrayBuffer = reader(() => body)
    own.blob = reader(() => new BlobOf([body], { type }))
  }
  const whole = (response: Response): Promise<void> | null => {
    try {
      const type = textOf(header(headers(response), 'content-type') ?? ''), length = header(headers(response), 'content-length')
      if (!bodyOf(response) || find(type, 'event-stream') >= 0 || find(type, 'ndjson') >= 0) return null
      if (length !== null && NumberOf(length) > 16e6) return null // the page may want to read it in parts
      return then(bytes(clone(response)), (body: ArrayBuffer) => equip(response, body, type), () => undefined)
    } catch { return null }
  }

  page.fetch = function (...all: any[]) {
    const asked = all[0], init = all[1]
    const isRequest = asked instanceof RequestOf
    const method = textOf(init?.method ?? (isRequest ? requestMethod(asked) : 'GET'))
    const address = isRequest ? requestUrl(asked) : textOf(asked)
    const request = send(method, address, init?.body)
    const signal = init?.signal ?? (isRequest ? requestSignal(asked) : null)
    if (signal && typeof signal === 'object') {
      const list = signals.get(signal) ?? []
      if (!list.length) signals.set(signal, list)
      list[list.length] = request
    }
    let real: Promise<Response>
    try { real = apply(realFetch, this ?? window, all) } catch (error) { real = refuse(error) }
    let good: Work = () => undefined, bad: Work = () => undefined
    const promise = new PromiseOf((resolve, reject) => { good = resolve; bad = reject })
    ;(request as any).refuse = (reason: unknown) => bad(reason)
    then(real, (response: Response) => {
      const body = whole(response)
      const arrived = (): void => { if (!request.aborted) deliver(request, () => good(response)) }
      if (body) then(body, arrived)
      else arrived()
    }, (error: unknown) => {
      if (request.aborted) bad(error)
      else deliver(request, () => bad(error))
    })
    return promise
  }
  const controllerSignal = getter(AbortController, 'signal')
  const realAbort = AbortController.prototype.abort
  AbortController.prototype.abort = function (...all) {
    const signal = controllerSignal(this)
    const list = signals.get(signal) ?? []
    for (let i = 0; i < list.length; i++) if (!list[i].aborted) { abort(list[i]); list[i].aborted = !list[i].done }
    const result = apply(realAbort, this, all)
    for (let i = 0; i < list.length; i++) if (list[i].aborted && !list[i].done) {
      list[i].done = true
      const held = list[i].held
      if (held) core.drop(held)
      ;(list[i] as any).refuse(reasonOf(signal)) // at once, as the platform does
    }
    return result
  }
}

/** What XMLHttpRequest listeners ask: whose response an event belongs to. */
export const requestOf = weakTable<object, Request>()

const xhr = (core: Core, send: (method: string, address: string, body: unknown) => Request, abort: (request: Request) => void,
  enter: (request: Request) => boolean): void => {
  const shape = XMLHttpRequest.prototype
  const realOpen = shape.open as Work, realSend = shape.send as Work, realAbort = shape.abort as Work
  const state = getter(XMLHttpRequest, 'readyState')
  const asked = weakTable<object, [string, string, boolean]>()
  shape.open = function (this: XMLHttpRequest, ...all: any[]) {
    asked.set(this, [textOf(all[0]), textOf(all[1]), all.length < 3 || !!all[2]])
    return apply(realOpen, this, all)
  } as any
  shape.send = function (...all: any[]) {
    const how = asked.get(this) ?? ['GET', '', true]
    if (!how[2]) return apply(realSend, this, all)
    try { if (state(this) !== 1) throw 0 } catch {
      core.call('t', 'web.Request', 'void send(String)', ['o' + core.id(this, 'x') + ':web.Request', 's'], ['InvalidStateError', 'send before open'])
      return apply(realSend, this, all)
    }
    requestOf.set(this, send(how[0], how[1], all[0]))
    return apply(realSend, this, all)
  }
  shape.abort = function () {
    const request = requestOf.get(this)
    if (request && !request.aborted) {
      abort(request)
      request.aborted = true
      if (request.held) core.drop(request.held)
    }
    return apply(realAbort, this, [])
  }
  core.deliverXhr = (target, work) => {
    const request = requestOf.get(target)
    if (!request || request.aborted || state(target as XMLHttpRequest) !== 4) return false
    if (!core.config.held) {
      if (!enter(request)) return false
      work()
      return true
    }
    request.calls[request.calls.length] = work
    if (!request.held)
      request.held = core.hold({
        kind: 'response', label: request.base + ' #' + request.ordinal, cause: request.cause, delay: 0, due: core.time,
        run: () => { for (let i = 0; i < request.calls.length; i++) { enter(request); try { request.calls[i]() } catch (error) { report(error) } } },
      })
    return true
  }
}
