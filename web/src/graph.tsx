// A graph that can be moved about: dragged, zoomed by buttons, wheel with Ctrl, or keys. Places come
// from the C side; without them a plain layout by distance from the start is made here.
import { useId, useMemo, useRef, useState } from 'preact/hooks'
import type { Graph, GraphEdge, GraphNode } from './report'

interface Placed extends GraphNode {
  x: number
  y: number
}

interface PlacedGraph {
  width: number
  height: number
  nodes: Placed[]
  edges: GraphEdge[]
}

function distances(graph: Graph): number[] {
  const far: number[] = graph.nodes.map(() => -1)
  const next: number[][] = graph.nodes.map(() => [])
  for (const edge of graph.edges) next[edge.from].push(edge.to)
  const from = (start: number, level: number) => {
    const queue = [start]
    far[start] = level
    for (let i = 0; i < queue.length; i++) {
      for (const to of next[queue[i]]) {
        if (far[to] >= 0) continue
        far[to] = far[queue[i]] + 1
        queue.push(to)
      }
    }
  }
  graph.nodes.forEach((node, index) => { if (node.start && far[index] < 0) from(index, 0) })
  graph.nodes.forEach((_, index) => { if (far[index] < 0) from(index, 0) })
  return far
}

// Rows by distance from the start, wrapped where they are long.
function plainLayout(graph: Graph): PlacedGraph {
  const far = distances(graph)
  const nodes = graph.nodes.map((node) => ({ ...node, x: 0, y: 0 }))
  const gap = 28
  const wide = 1100
  let y = gap
  let width = 0
  for (let level = 0; level <= Math.max(0, ...far); level++) {
    let x = gap
    let tall = 0
    for (const [index, node] of nodes.entries()) {
      if (far[index] !== level) continue
      if (x + node.w > wide && x > gap) {
        x = gap
        y += tall + gap
        tall = 0
      }
      node.x = x + node.w / 2
      node.y = y + node.h / 2
      x += node.w + gap
      tall = Math.max(tall, node.h)
      width = Math.max(width, x)
    }
    if (tall) y += tall + gap * 1.6
  }
  return { width, height: y, nodes, edges: graph.edges }
}

function place(graph: Graph): PlacedGraph {
  if (!graph.width || graph.nodes.some((node) => node.x === null)) return plainLayout(graph)
  return { ...graph, nodes: graph.nodes as Placed[] }
}

function pathOf(edge: GraphEdge, nodes: Placed[]): string {
  if (edge.path) return edge.path
  const from = nodes[edge.from]
  const to = nodes[edge.to]
  if (edge.from === edge.to) return `M${from.x + from.w / 2} ${from.y}c24 -22 24 22 0 8`
  const down = to.y >= from.y ? 1 : -1
  return `M${from.x} ${from.y + (down * from.h) / 2}L${to.x} ${to.y - (down * to.h) / 2}`
}

function cut(text: string, most: number): string {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}

function Edge({ edge, nodes, labelled, id }: { edge: GraphEdge; nodes: Placed[]; labelled: boolean; id: string }) {
  const kind = edge.silent ? 'silent' : edge.taken ? 'taken' : ''
  const text = edge.events.length ? cut(edge.events[0], 24) + (edge.events.length > 1 ? ` +${edge.events.length - 1}` : '') : ''
  return (
    <g class={`edge ${kind}`}>
      <title>{edge.events.join(', ')}</title>
      <path d={pathOf(edge, nodes)} marker-end={`url(#${id}-${edge.taken ? 'taken' : 'plain'})`} />
      {labelled && text && <text x={edge.x} y={edge.y} text-anchor="middle" dominant-baseline="middle">{text}</text>}
    </g>
  )
}

function NodeBox({ node, chosen, onChoose }: { node: Placed; chosen: boolean; onChoose: () => void }) {
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    event.stopPropagation()
    onChoose()
  }
  return (
    <g class={`node ${node.kind} ${node.covered ? 'covered' : ''} ${chosen ? 'chosen' : ''}`} role="button" tabindex={0}
      aria-description={node.covered ? 'visited' : 'not visited'} aria-pressed={chosen} transform={`translate(${node.x - node.w / 2} ${node.y - node.h / 2})`} onClick={onChoose} onKeyDown={press}>
      <rect width={node.w} height={node.h} rx={node.kind === 'end' ? node.h / 2 : 7} />
      <text x={node.w / 2} y={node.hint ? node.h * 0.36 : node.h / 2} text-anchor="middle" dominant-baseline="middle">{cut(node.label, 26)}</text>
      {node.hint && <text class="hint" x={node.w / 2} y={node.h * 0.74} text-anchor="middle" dominant-baseline="middle">{cut(node.hint, 32)}</text>}
    </g>
  )
}

export function GraphView({ graph, name, chosen, onChoose }:
  { graph: Graph; name: string; chosen: number | null; onChoose: (node: number) => void }) {
  const placed = useMemo(() => place(graph), [graph])
  const id = useId()
  const wide = Math.max(placed.width + 20, 760) // small graphs are not blown up
  const whole = { x: (placed.width - wide) / 2, y: -10, w: wide, h: placed.height + 20 }
  const start = whole.w > 1100 ? { ...whole, w: 1100, h: Math.min(whole.h, 560) } : whole
  const [view, setView] = useState(start)
  const held = useRef<{ x: number; y: number; moved: boolean } | null>(null)
  const svg = useRef<SVGSVGElement>(null)
  const zoom = (factor: number) => setView((v) => {
    const w = Math.min(Math.max(v.w * factor, 80), whole.w * 3)
    const h = v.h * (w / v.w)
    return { x: v.x + (v.w - w) / 2, y: v.y + (v.h - h) / 2, w, h }
  })
  const move = (dx: number, dy: number) => setView((v) => ({ ...v, x: v.x + dx, y: v.y + dy }))
  const keys: Record<string, () => void> = {
    '+': () => zoom(0.8), '=': () => zoom(0.8), '-': () => zoom(1.25), '0': () => setView(whole),
    ArrowLeft: () => move(-view.w / 10, 0), ArrowRight: () => move(view.w / 10, 0),
    ArrowUp: () => move(0, -view.h / 10), ArrowDown: () => move(0, view.h / 10),
  }
  const drag = (event: PointerEvent) => {
    if (!held.current || !svg.current) return
    const scale = view.w / svg.current.clientWidth
    const dx = event.clientX - held.current.x
    const dy = event.clientY - held.current.y
    if (!held.current.moved && Math.abs(dx) + Math.abs(dy) < 4) return
    move(-dx * scale, -dy * scale)
    held.current = { x: event.clientX, y: event.clientY, moved: true }
  }
  const shape = Math.min(0.75, Math.max(0.25, start.h / start.w))
  return (
    <div class="graph">
      <div class="tools" role="toolbar" aria-label={`view of ${name}`}>
        <button onClick={() => zoom(0.8)} aria-label="closer">+</button>
        <button onClick={() => zoom(1.25)} aria-label="further away">−</button>
        <button onClick={() => setView(whole)}>all</button>
        <button onClick={() => setView(start)}>start</button>
      </div>
      <svg ref={svg} role="group" aria-label={`${name}; plus, minus and the arrow keys move the view`} viewBox={`${view.x} ${view.y} ${view.w} ${view.h}`}
        style={{ aspectRatio: `1 / ${shape}` }} preserveAspectRatio="xMidYMid meet"
        onKeyDown={(event) => { const act = keys[event.key]; if (act) { event.preventDefault(); act() } }}
        onWheel={(event) => { if (event.ctrlKey) { event.preventDefault(); zoom(event.deltaY < 0 ? 0.85 : 1.18) } }}
        onPointerDown={(event) => { held.current = { x: event.clientX, y: event.clientY, moved: false } }}
        onPointerMove={drag} onPointerUp={() => { held.current = null }} onPointerLeave={() => { held.current = null }}>
        <defs>
          <marker id={`${id}-plain`} class="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" /></marker>
          <marker id={`${id}-taken`} class="arrow taken" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0L8 4L0 8z" /></marker>
        </defs>
        {placed.edges.map((edge, index) => <Edge key={index} id={id} edge={edge} nodes={placed.nodes} labelled={edge.path !== '' && placed.nodes.length <= 80} />)}
        {placed.nodes.map((node, index) => <NodeBox key={index} node={node} chosen={chosen === index} onChoose={() => onChoose(index)} />)}
      </svg>
    </div>
  )
}
