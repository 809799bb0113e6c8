// Places of a model that is partly unfolded: every unfolded machine is laid out by itself, then the
// machines, as boxes of their sizes, along their calls. Small ones in layers by dagre, which avoids
// crossings but takes minutes for 500 states with ways back; larger ones in rows by their distance from
// the start, in time proportional to their transitions.
import dagre from '@dagrejs/dagre'
import type { ModelAnswer, ModelState } from '../types'

export interface Place {
  x: number
  y: number
}

export interface Box extends Place {
  w: number
  h: number
}

export interface Placed {
  machines: Map<string, Box>
  states: Map<string, Place> // of unfolded machines
  calls: { from: string; to: string; count: number }[]
}

export const folded = { w: 200, h: 56 }

export function widthOf(name: string): number {
  return Math.min(200, Math.max(54, 18 + 7.4 * [...name].length))
}

// A state with a picture of its screen is as tall as the picture needs.
export function heightOf(state: ModelState): number {
  return state.picture ? 128 : 34
}

// Which machines a connection may enter: a path or a bare name of a machine or an activity.
export function calledBy(answer: ModelAnswer, state: ModelState): string[] {
  const name = state.attributes.calls
  if (!name) return []
  const own = answer.machines.find((one) => one.id === state.machine)
  const fits = answer.machines.filter((one) => {
    const path = `/${one.id}`
    return path.endsWith(`/${name}`) || path.slice(0, path.lastIndexOf('/')).endsWith(`/${name}`)
  })
  const near = (one: { device: string; application: string; activity: string }) =>
    own && one.device === own.device ? (one.application === own.application ? (one.activity === own.activity ? 0 : 1) : 2) : 3
  const best = Math.min(...fits.map(near))
  return fits.filter((one) => near(one) === best).map((one) => one.id)
}

function callsOf(answer: ModelAnswer): { from: string; to: string; count: number }[] {
  const calls = new Map<string, { from: string; to: string; count: number }>()
  for (const state of answer.states) {
    if (state.kind !== 'connection') continue
    for (const to of calledBy(answer, state)) {
      const key = `${state.machine}\n${to}`
      const known = calls.get(key)
      if (known) known.count++
      else calls.set(key, { from: state.machine, to, count: 1 })
    }
  }
  return [...calls.values()]
}

type Sized = [string, { width: number; height: number }]
interface Laid { at: Map<string, Place>; w: number; h: number }

const small = { states: 60, nodes: 30, edges: 120 } // what dagre does at once: in all, and of one machine
const tallest = 24 // rows after which a new column of rows begins

// How far each node is from the first, or from the first that was not reached yet.
function rowsOf(nodes: Sized[], edges: [string, string][]): string[][] {
  const next = new Map<string, string[]>(nodes.map(([id]) => [id, []]))
  for (const [from, to] of edges) next.get(from)?.push(to)
  const row = new Map<string, number>()
  for (const [first] of nodes) {
    if (row.has(first)) continue
    const queue = [first]
    row.set(first, 0)
    for (let at = 0; at < queue.length; at++) {
      for (const to of next.get(queue[at]) ?? []) {
        if (row.has(to)) continue
        row.set(to, row.get(queue[at])! + 1)
        queue.push(to)
      }
    }
  }
  const rows: string[][] = []
  for (const [id] of nodes) (rows[row.get(id)!] ??= []).push(id)
  return rows
}

// Within a row, near the neighbours of the row above; long rows are broken.
function ordered(rows: string[][], edges: [string, string][], most: number): string[][] {
  const near = new Map<string, string[]>()
  for (const [from, to] of edges) for (const [a, b] of [[from, to], [to, from]]) near.get(a)?.push(b) ?? near.set(a, [b])
  const place = new Map<string, number>()
  const out: string[][] = []
  for (const row of rows) {
    const middle = (id: string) => {
      const known = (near.get(id) ?? []).map((other) => place.get(other)).filter((x) => x !== undefined)
      return known.length ? known.reduce((sum, x) => sum + x, 0) / known.length : 0.5
    }
    const keys = new Map(row.map((id) => [id, middle(id)]))
    row.sort((a, b) => keys.get(a)! - keys.get(b)!)
    row.forEach((id, index) => place.set(id, (index + 0.5) / row.length))
    for (let at = 0; at < row.length; at += most) out.push(row.slice(at, at + most))
  }
  return out
}

function inRows(nodes: Sized[], edges: [string, string][], gap: number): Laid {
  const sizes = new Map(nodes)
  const rows = ordered(rowsOf(nodes, edges), edges, Math.max(8, Math.ceil(Math.sqrt(nodes.length) * 1.2)))
  const high = Math.max(tallest, Math.ceil(Math.sqrt(rows.length * 6)))
  const at = new Map<string, Place>()
  let left = 12
  let low = 0
  for (let first = 0; first < rows.length; first += high) {
    const column = rows.slice(first, first + high)
    const widths = column.map((row) => row.reduce((sum, id) => sum + sizes.get(id)!.width + gap, -gap))
    const wide = Math.max(...widths)
    let y = 12
    column.forEach((row, index) => {
      const tall = Math.max(...row.map((id) => sizes.get(id)!.height))
      let x = left + (wide - widths[index]) / 2
      for (const id of row) {
        const { width } = sizes.get(id)!
        at.set(id, { x: x + width / 2, y: y + tall / 2 })
        x += width + gap
      }
      y += tall + gap * 1.6
    })
    left += wide + gap * 2
    low = Math.max(low, y)
  }
  return { at, w: left - gap * 2 + 12, h: low }
}

function layers(nodes: Sized[], edges: [string, string][], gap: number, along: 'TB' | 'LR', fine: boolean): Laid {
  if (!fine || nodes.length > small.nodes || edges.length > small.edges) return inRows(nodes, edges, gap)
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ rankdir: along, nodesep: gap, ranksep: gap * 2.2, marginx: 12, marginy: 12 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const [id, size] of nodes) graph.setNode(id, { ...size })
  for (const [from, to] of edges) if (from !== to) graph.setEdge(from, to)
  dagre.layout(graph)
  const at = new Map<string, Place>()
  for (const [id] of nodes) {
    const { x, y } = graph.node(id)
    at.set(id, { x, y })
  }
  const { width = 0, height: tall = 0 } = graph.graph()
  return { at, w: Math.max(0, width), h: Math.max(0, tall) }
}

export function layOut(answer: ModelAnswer, unfolded: ReadonlySet<string>): Placed {
  const inside = new Map<string, Laid>()
  const fine = answer.states.filter((one) => unfolded.has(one.machine)).length <= small.states
  for (const machine of answer.machines) {
    if (!unfolded.has(machine.id)) continue
    const states = answer.states.filter((one) => one.machine === machine.id)
    // The start first: dagre puts what comes first on top.
    states.sort((a, b) => Number(b.initial) - Number(a.initial))
    const edges = answer.transitions
      .filter((one) => one.machine === machine.id && one.from && one.to)
      .map((one) => [one.from!, one.to!] as [string, string])
    inside.set(machine.id, layers(states.map((one) => [one.id, { width: widthOf(one.name), height: heightOf(one) }]), edges, 34, 'TB', fine))
  }
  const calls = callsOf(answer)
  const sizes = answer.machines.map((machine) => {
    const box = inside.get(machine.id)
    return [machine.id, box ? { width: box.w + 40, height: box.h + 60 } : { width: folded.w, height: folded.h }] as Sized
  })
  const whole = layers(sizes, calls.map((one) => [one.from, one.to]), 60, 'LR', true)
  const machines = new Map<string, Box>()
  const states = new Map<string, Place>()
  for (const [id, size] of sizes) {
    const middle = whole.at.get(id)!
    machines.set(id, { ...middle, w: size.width, h: size.height })
    const box = inside.get(id)
    if (!box) continue
    for (const [state, at] of box.at) states.set(state, { x: middle.x - box.w / 2 + at.x, y: middle.y - box.h / 2 + at.y })
  }
  return { machines, states, calls }
}
