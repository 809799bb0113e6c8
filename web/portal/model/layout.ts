// Places of a model that is partly unfolded: every unfolded machine is laid out by itself in layers
// (dagre), then the machines, as boxes of their sizes, in layers along their calls. Machines are small
// next to the model, so that unfolding one of 500 states costs only its own layout.
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

function layers(nodes: [string, { width: number; height: number }][], edges: [string, string][], gap: number, along: 'TB' | 'LR'): { at: Map<string, Place>; w: number; h: number } {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ rankdir: along, nodesep: gap, ranksep: gap * 2.2, marginx: 12, marginy: 12, ranker: nodes.length > 120 ? 'longest-path' : 'network-simplex' })
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
  const inside = new Map<string, { at: Map<string, Place>; w: number; h: number }>()
  for (const machine of answer.machines) {
    if (!unfolded.has(machine.id)) continue
    const states = answer.states.filter((one) => one.machine === machine.id)
    // The start first: dagre puts what comes first on top.
    states.sort((a, b) => Number(b.initial) - Number(a.initial))
    const edges = answer.transitions
      .filter((one) => one.machine === machine.id && one.from && one.to)
      .map((one) => [one.from!, one.to!] as [string, string])
    inside.set(machine.id, layers(states.map((one) => [one.id, { width: widthOf(one.name), height: heightOf(one) }]), edges, 34, 'TB'))
  }
  const calls = callsOf(answer)
  const sizes = answer.machines.map((machine) => {
    const box = inside.get(machine.id)
    return [machine.id, box ? { width: box.w + 40, height: box.h + 60 } : { width: folded.w, height: folded.h }] as [string, { width: number; height: number }]
  })
  const whole = layers(sizes, calls.map((one) => [one.from, one.to]), 60, 'LR')
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
