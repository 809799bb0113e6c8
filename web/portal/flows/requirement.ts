// Requirements as the published XML (schemas/app-user-flow-requirement.xsd) and as a form: what flows
// must do in order, what they must never do, and how often.
export interface Thing {
  what: 'event' | 'state' | 'view'
  name: string
  view?: string
  statemachine?: string
  visit: boolean
}

export interface Limit {
  name: string
  max: string // '' where there is none
  time: string
}

export interface Requirement {
  name: string
  description: string
  applications: string[]
  devices: string[]
  sequence: Thing[][] // one thing: a simple constraint, several: a complex one
  events: Limit[]
  visits: Thing[] // states and views that must or must not be visited
  loop: { min: string; max: string; kind: string } | null
}

const space = 'http://www.morse.uma.es/appuserflowrequirement'

export function emptyRequirement(): Requirement {
  return { name: 'requirement', description: '', applications: [], devices: [], sequence: [], events: [], visits: [], loop: null }
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replace(/[\t\n\r]/g, ' ')
}

function element(name: string, attributes: Record<string, string | undefined>): string {
  const written = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== '').map(([key, value]) => ` ${key}="${escaped(value!)}"`)
  return `<${name}${written.join('')}/>`
}

function thingText(thing: Thing, inSequence: boolean): string {
  if (thing.what === 'event') return element('event', { name: thing.name })
  const visit = !thing.visit ? 'false' : inSequence ? 'true' : undefined
  if (thing.what === 'view') return element('view', { name: thing.name, visit })
  return element('state', { name: thing.name, view: thing.view, statemachine: thing.statemachine, visit })
}

export function requirementText(one: Requirement): string {
  const lines = ['<?xml version="1.0" encoding="utf-8"?>', `<appUserFlowRequirement xmlns="${space}" name="${escaped(one.name)}">`]
  if (one.description) lines.push(`  <description>${escaped(one.description)}</description>`)
  for (const codeName of one.applications) lines.push(`  ${element('application', { codeName })}`)
  for (const serialNumber of one.devices) lines.push(`  ${element('device', { serialNumber })}`)
  const invariants = [
    ...(one.loop ? [element('loop', one.loop)] : []),
    ...one.visits.map((thing) => thingText(thing, false)),
    ...one.events.filter((limit) => limit.name).map((limit) => element('event', { name: limit.name, max: limit.max, time: limit.time })),
  ]
  if (invariants.length) lines.push('  <invariants>', ...invariants.map((text) => `    ${text}`), '  </invariants>')
  if (one.sequence.length) {
    lines.push('  <sequence>')
    for (const things of one.sequence) {
      if (things.length === 1) lines.push(`    <constraint type="simple">${thingText(things[0], true)}</constraint>`)
      else lines.push('    <constraint type="complex">', ...things.map((thing) => `      ${thingText(thing, true)}`), '    </constraint>')
    }
    lines.push('  </sequence>')
  }
  return [...lines, '</appUserFlowRequirement>', ''].join('\n')
}

function thing(from: Element): Thing {
  const get = (name: string) => from.getAttribute(name) ?? undefined
  return { what: from.localName as Thing['what'], name: get('name') ?? '', view: get('view'), statemachine: get('statemachine'), visit: !['false', '0'].includes(get('visit') ?? 'true') }
}

// null: not a requirement, or not well-formed.
export function readRequirement(text: string): Requirement | null {
  const root = new DOMParser().parseFromString(text, 'text/xml').documentElement
  if (root.localName !== 'appUserFlowRequirement') return null
  const all = (name: string) => [...root.children].filter((one) => one.localName === name)
  const inside = (name: string) => all(name).flatMap((one) => [...one.children])
  const invariants = inside('invariants')
  const loop = invariants.find((one) => one.localName === 'loop')
  const value = (from: Element, name: string) => from.getAttribute(name) ?? ''
  return {
    name: value(root, 'name'), description: all('description').map((one) => one.textContent).join(' '),
    applications: all('application').map((one) => value(one, 'codeName')), devices: all('device').map((one) => value(one, 'serialNumber')),
    sequence: inside('sequence').map((one) => [...one.children].map(thing)),
    events: invariants.filter((one) => one.localName === 'event').map((one) => ({ name: value(one, 'name'), max: value(one, 'max'), time: value(one, 'time') })),
    visits: invariants.filter((one) => ['state', 'view'].includes(one.localName)).map(thing),
    loop: loop ? { min: value(loop, 'min'), max: value(loop, 'max'), kind: value(loop, 'kind') } : null,
  }
}
