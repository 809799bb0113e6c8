// The traces inside the file: each compressed, unpacked when its run is opened. A live portal gives
// another `load`, the rest of the page does not know the difference.
export interface TraceVariable {
  name: string
  unit: string
  discrete: boolean
}

export interface TraceRow {
  t: number
  event: string
  activity: string
  screen: string
  values: (number | null)[]
}

export interface Trace {
  text: string
  variables: TraceVariable[] // the measured ones, in the order of a row's values
  rows: TraceRow[]
  meta: Record<string, unknown>
}

const places = new Map<number, Element>()
for (const element of document.querySelectorAll('script[data-run]')) {
  places.set(Number(element.getAttribute('data-run')), element)
}

export function hasTrace(run: number): boolean {
  return places.has(run)
}

export function traceCount(): number {
  return places.size
}

async function unpack(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).text()
}

type Line = Record<string, unknown>

function parseLine(line: string): Line | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Line) : null
  } catch {
    return null
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function measured(header: Line | null): TraceVariable[] {
  const declared = (header?.variables ?? {}) as Record<string, { kind?: string; unit?: string } | undefined>
  return Object.entries(declared)
    .map(([name, one]) => ({ name, unit: text(one?.unit), discrete: one?.kind !== 'continuous' }))
    .filter((one) => !one.discrete)
}

// The place of an event: its device's own where there are several ("alice:save", "alice.state").
function place(held: Line, event: string, names: string[]): string {
  const device = event.includes(':') ? event.slice(0, event.indexOf(':')) : ''
  for (const name of names) {
    const value = held[name] ?? held[`${device}.${name}`]
    if (typeof value === 'string') return value
  }
  return ''
}

// JSON Lines as docs/traces.md has them: values hold until they change, events are instants.
export function parseTrace(source: string): Trace {
  const lines = source.split('\n')
  const header = parseLine(lines[0] ?? '')
  const variables = measured(header)
  const held: Line = Object.create(null)
  const rows: TraceRow[] = []
  let meta = (header?.meta ?? {}) as Record<string, unknown>
  for (const one of lines.slice(1)) {
    const line = one && parseLine(one)
    if (!line) continue
    if (typeof line.end === 'object' && line.end !== null) meta = { ...meta, ...((line.end as Line).meta as object) }
    if (typeof line.t !== 'number') continue
    for (const [name, value] of Object.entries(line)) if (name !== 'event' && name !== 't') held[name] = value
    const event = text(line.event)
    rows.push({
      t: line.t,
      event,
      activity: place(held, event, ['activity']),
      screen: place(held, event, ['state', 'screen']),
      values: variables.map((variable) => (typeof held[variable.name] === 'number' ? (held[variable.name] as number) : null)),
    })
  }
  return { text: source, variables, rows, meta }
}

const known = new Map<number, Promise<Trace>>()

export function loadTrace(run: number): Promise<Trace> | null {
  const element = places.get(run)
  if (!element) return null
  let trace = known.get(run)
  if (!trace) {
    trace = unpack(element.textContent ?? '').then(parseTrace)
    known.set(run, trace)
    if (known.size > 50) known.delete(known.keys().next().value as number)
  }
  return trace
}

// Gives a text to the reader as a file.
export function download(name: string, content: string, type = 'application/json') {
  const address = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10000)
}
