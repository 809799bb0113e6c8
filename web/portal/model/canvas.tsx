// The graph, drawn by Cytoscape.js on a canvas. The page gives what is to be seen; what the reader moved
// stays where it was put. Nothing can be done here that the list cannot do by keyboard as well.
import cytoscape from 'cytoscape'
import type { CollectionReturnValue, Core, EdgeSingular, ElementDefinition, StylesheetJson } from 'cytoscape'
import { useEffect, useRef } from 'preact/hooks'
import type { ModelAnswer, Subject } from '../types'
import { folded, heightOf, layOut, widthOf } from './layout'
import type { Place } from './layout'

export interface View {
  answer: ModelAnswer
  unfolded: ReadonlySet<string>
  chosen: Subject | null
  wrong: ReadonlySet<string> // states, transitions and machines with a problem
  path?: { states: ReadonlySet<string>; transitions: ReadonlySet<string> } | null
}

interface Props extends View {
  label: string
  onChoose?: (subject: Subject | null) => void
  onUnfold?: (machine: string) => void
}

const many = 250 // drawn things from which details wait until one comes closer

function colours() {
  const css = getComputedStyle(document.documentElement)
  return (name: string) => css.getPropertyValue(`--${name}`).trim()
}

function looks(size: number): StylesheetJson {
  const c = colours()
  const font = 'system-ui, sans-serif'
  return [
    { selector: 'node', style: { label: 'data(label)', width: 'data(w)', height: 'data(h)', shape: 'round-rectangle', 'background-color': c('card'), 'border-width': 1.5, 'border-color': c('line-strong'), color: c('ink'), 'font-family': font, 'font-size': 12.5, 'text-valign': 'center', 'text-halign': 'center', 'text-wrap': 'ellipsis', 'text-max-width': '190px', 'min-zoomed-font-size': size > many ? 7 : 4 } },
    { selector: 'node.machine', style: { 'background-color': c('wash'), 'border-color': c('accent'), 'border-width': 2, 'font-weight': 'bold', 'text-wrap': 'wrap' } },
    { selector: 'node.open', style: { 'background-color': c('paper'), 'background-opacity': 0.6, 'border-style': 'dashed', 'border-width': 1, 'text-valign': 'top', 'text-margin-y': -4, 'font-size': 14, 'z-index': 0, 'z-compound-depth': 'bottom' } },
    { selector: 'node.initial', style: { 'border-width': 3.5, 'border-color': c('accent') } },
    { selector: 'node.final', style: { shape: 'ellipse', 'border-style': 'double', 'border-width': 4 } },
    { selector: 'node.connection', style: { shape: 'hexagon', 'background-color': c('wash') } },
    { selector: 'node.pictured', style: { 'background-image': 'data(picture)', 'background-fit': 'contain', 'background-image-crossorigin': 'use-credentials', 'text-valign': 'bottom', 'text-margin-y': 4 } },
    { selector: 'edge', style: { width: 1.3, 'line-color': c('line-strong'), 'target-arrow-color': c('line-strong'), 'target-arrow-shape': 'triangle', 'arrow-scale': 0.9, 'curve-style': size > many ? 'straight' : 'bezier', 'control-point-step-size': 34, label: 'data(label)', color: c('soft'), 'font-family': font, 'font-size': 10.5, 'min-zoomed-font-size': size > many ? 9 : 6, 'text-background-color': c('paper'), 'text-background-opacity': size > many ? 0 : 0.85, 'text-background-padding': '1px', 'text-wrap': 'ellipsis', 'text-max-width': '150px' } },
    { selector: 'edge.loop', style: { 'curve-style': 'bezier', 'control-point-step-size': 46, 'loop-direction': '0deg', 'loop-sweep': '44deg' } },
    { selector: 'edge.tall', style: { 'control-point-step-size': 120 } }, // a loop has to leave the picture
    { selector: 'edge.call', style: { 'line-style': 'dashed', 'line-color': c('accent'), 'target-arrow-color': c('accent'), width: 2 } },
    { selector: '.wrong', style: { 'border-color': c('bad'), 'border-width': 3, 'line-color': c('bad'), 'target-arrow-color': c('bad'), color: c('bad') } },
    { selector: 'node.path', style: { 'background-color': c('wash'), 'border-color': c('accent'), 'border-width': 3.5 } },
    { selector: 'edge.path', style: { 'line-color': c('accent'), 'target-arrow-color': c('accent'), width: 3.5, color: c('ink'), 'z-index': 9 } },
    { selector: 'node.chosen', style: { 'background-color': c('wash'), 'border-color': c('accent'), 'border-width': 4 } },
    { selector: 'edge.chosen', style: { 'line-color': c('accent'), 'target-arrow-color': c('accent'), width: 4, color: c('ink'), 'z-index': 10 } },
  ] as StylesheetJson
}

function nameOfMachine(machine: ModelAnswer['machines'][number], alone: boolean): string {
  return alone ? machine.activity : machine.machine.startsWith(machine.activity) ? machine.machine : `${machine.activity}/${machine.machine}`
}

// The frame of an unfolded machine is a node behind its states and not their parent: a parent would be
// measured again, with all its states, at every frame in which one of them is dragged.
function frameOf(states: { id: string; name: string; tall: number }[], places: Map<string, Place>) {
  let [left, top, right, low] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { id, name, tall } of states) {
    const at = places.get(id)
    if (!at) continue
    const half = widthOf(name) / 2
    left = Math.min(left, at.x - half)
    right = Math.max(right, at.x + half)
    top = Math.min(top, at.y - tall / 2)
    low = Math.max(low, at.y + tall / 2)
  }
  if (left > right) return null
  return { position: { x: (left + right) / 2, y: (top + low) / 2 }, w: right - left + 40, h: low - top + 44 }
}

function framesOf({ answer, unfolded }: View, places: Map<string, Place>) {
  const inside = new Map<string, { id: string; name: string; tall: number }[]>()
  for (const state of answer.states) {
    if (!unfolded.has(state.machine)) continue
    const one = { id: state.id, name: state.name, tall: heightOf(state) }
    const known = inside.get(state.machine)
    if (known) known.push(one)
    else inside.set(state.machine, [one])
  }
  return new Map([...inside].map(([id, states]) => [id, frameOf(states, places)]))
}

// The elements of a view at given places.
function elements(view: View, places: Map<string, Place>): ElementDefinition[] {
  const { answer, unfolded, wrong, path } = view
  const made: ElementDefinition[] = []
  const mark = (id: string, on?: ReadonlySet<string>) => `${wrong.has(id) ? ' wrong' : ''}${on?.has(id) ? ' path' : ''}`
  const count = new Map<string, number>()
  const frames = framesOf(view, places)
  for (const state of answer.states) count.set(state.machine, (count.get(state.machine) ?? 0) + 1)
  const troubled = new Set(answer.states.filter((one) => wrong.has(one.id)).map((one) => one.machine))
  for (const one of answer.transitions) if (wrong.has(one.id)) troubled.add(one.machine)
  for (const machine of answer.machines) {
    const open = unfolded.has(machine.id)
    const alone = answer.machines.filter((one) => one.activity === machine.activity && one.application === machine.application).length === 1
    const name = nameOfMachine(machine, alone)
    const classes = `machine${open ? ' open' : ''}${wrong.has(machine.id) || (!open && troubled.has(machine.id)) ? ' wrong' : ''}`
    const frame = open ? frames.get(machine.id) : null
    made.push({
      group: 'nodes', data: { id: machine.id, label: open ? name : `${name}\n${count.get(machine.id) ?? 0} states`, w: frame?.w ?? folded.w, h: frame?.h ?? folded.h, machine: machine.id },
      classes, grabbable: !open, pannable: open, position: { ...(frame?.position ?? places.get(machine.id) ?? { x: 0, y: 0 }) },
    })
  }
  const shown = new Set<string>()
  for (const state of answer.states) {
    if (!unfolded.has(state.machine)) continue
    shown.add(state.id)
    const picture = state.picture ? `/api/file?path=${encodeURIComponent(state.picture)}` : undefined
    made.push({
      group: 'nodes', data: { id: state.id, label: state.name, w: widthOf(state.name), h: heightOf(state), state: state.id, ...(picture ? { picture } : {}) },
      classes: `${state.kind}${state.initial ? ' initial' : ''}${picture ? ' pictured' : ''}${mark(state.id, path?.states)}`, position: { ...places.get(state.id)! },
    })
  }
  const pictured = new Set(answer.states.filter((one) => one.picture).map((one) => one.id))
  for (const one of answer.transitions) {
    if (!one.from || !one.to || !shown.has(one.from) || !shown.has(one.to)) continue
    made.push({ group: 'edges', data: { id: `\n${one.id}`, source: one.from, target: one.to, from: one.from, to: one.to, label: one.event, transition: one.id }, classes: `${one.from === one.to ? `loop${pictured.has(one.from) ? ' tall' : ''}` : ''}${mark(one.id, path?.transitions)}`.trim() })
  }
  return made
}

// Keeps what was placed, carries a renamed state's place over, and puts what is new near its machine.
function settle(view: View, places: Map<string, Place>, afresh: boolean): { calls: { from: string; to: string; count: number }[] } {
  const { answer, unfolded } = view
  const wanted = [...answer.machines.filter((one) => !unfolded.has(one.id)).map((one) => one.id), ...answer.states.filter((one) => unfolded.has(one.machine)).map((one) => one.id)]
  const missing = wanted.filter((id) => !places.has(id))
  const gone = [...places.keys()].filter((id) => !wanted.includes(id))
  const machineOf = (id: string) => id.slice(0, id.lastIndexOf('/'))
  if (!afresh && missing.length === 1 && gone.length === 1 && machineOf(missing[0]) === machineOf(gone[0])) {
    places.set(missing[0], places.get(gone[0])!)
    places.delete(gone[0])
    missing.length = 0
  }
  const laid = layOut(answer, afresh || missing.length > 1 ? unfolded : new Set())
  if (afresh || missing.length > 1) {
    places.clear()
    for (const [id, at] of laid.machines) if (!unfolded.has(id)) places.set(id, { x: at.x, y: at.y })
    for (const [id, at] of laid.states) places.set(id, at)
  } else {
    for (const id of missing) {
      const near = [...places].filter(([other]) => machineOf(other) === machineOf(id)).map(([, at]) => at)
      const left = near.length ? Math.min(...near.map((at) => at.x)) : 0
      const low = near.length ? Math.max(...near.map((at) => at.y)) + 70 : 0
      places.set(id, { x: left + 40, y: low })
    }
    for (const id of gone) places.delete(id)
  }
  return laid
}

function select(cy: Core, chosen: Subject | null) {
  cy.elements('.chosen').removeClass('chosen')
  const id = chosen?.state ?? chosen?.machine ?? (chosen?.transition ? `\n${chosen.transition}` : '')
  if (id) cy.getElementById(id).addClass('chosen')
}

interface Renderer {
  hoverData: { draggingEles?: boolean }
  notify: (event: string, eles?: CollectionReturnValue) => void
  redrawHint: (layer: string, on: boolean) => void
  redraw: () => void
}

// What is dragged, with its edges, has a layer of its own above that of all the others; Cytoscape.js draws
// both again at every frame because the bounds of something changed. Where only what is dragged has moved,
// drawing its layer is enough.
function spareTheOthers(cy: Core) {
  const renderer = (cy as Core & { renderer: () => Renderer }).renderer()
  const notify = renderer.notify.bind(renderer)
  renderer.notify = (event, eles) => {
    const dragged = event === 'bounds' && renderer.hoverData.draggingEles && eles?.nodes().not(':grabbed').empty() &&
      eles.edges().toArray().every((one) => (one as EdgeSingular).connectedNodes(':grabbed').nonempty())
    if (!dragged) return notify(event, eles)
    renderer.redrawHint('drag', true)
    renderer.redraw()
  }
}

const opened = (unfolded: ReadonlySet<string>) => [...unfolded].sort().join('\n')

export function Canvas(props: Props) {
  const host = useRef<HTMLDivElement>(null)
  const core = useRef<Core | null>(null)
  const places = useRef(new Map<string, Place>())
  const before = useRef('')
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    const cy = cytoscape({ container: host.current, minZoom: 0.05, maxZoom: 3, boxSelectionEnabled: false, autounselectify: true, hideEdgesOnViewport: false, textureOnViewport: true, motionBlur: false, pixelRatio: Math.min(devicePixelRatio, 2) })
    core.current = cy
    spareTheOthers(cy)
    const subject = (data: Record<string, string>): Subject => data.transition ? { transition: data.transition } : data.state ? { state: data.state } : { machine: data.machine }
    cy.on('tap', (event) => latest.current.onChoose?.(event.target === cy ? null : subject(event.target.data())))
    cy.on('dbltap', 'node.machine', (event) => latest.current.onUnfold?.(event.target.data('machine') as string))
    cy.on('dragfree', 'node', (event) => {
      places.current.set((event.target as { id: () => string }).id(), { ...event.target.position() })
      for (const [id, frame] of framesOf(latest.current, places.current)) if (frame) cy.getElementById(id).data({ w: frame.w, h: frame.h }).position(frame.position)
    })
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const recolour = () => cy.style(looks(cy.elements().length))
    scheme.addEventListener('change', recolour)
    const resized = new ResizeObserver(() => cy.resize())
    resized.observe(host.current!)
    ;(host.current as HTMLDivElement & { graph?: Core }).graph = cy
    return () => {
      scheme.removeEventListener('change', recolour)
      resized.disconnect()
      cy.destroy()
      core.current = null
    }
  }, [])

  useEffect(() => {
    const cy = core.current!
    const key = opened(props.unfolded)
    const afresh = before.current !== key || !places.current.size
    before.current = key
    const { calls } = settle(props, places.current, afresh)
    const made = elements(props, places.current)
    calls.forEach((call, index) => {
      if (call.from !== call.to) made.push({ group: 'edges', data: { id: `\ncall${index}`, source: call.from, target: call.to, label: call.count > 1 ? `${call.count} calls` : 'calls', from: call.from, to: call.to, machine: call.to }, classes: 'call' })
    })
    cy.batch(() => {
      cy.elements().remove()
      cy.style(looks(made.length))
      cy.add(made)
      select(cy, props.chosen)
    })
    if (afresh) {
      cy.fit(undefined, 24)
      if (cy.zoom() > 1.1) cy.zoom({ level: 1.1, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } })
      // Too small to read: begin where the app begins.
      const start = cy.nodes('.initial').first()
      if (cy.zoom() < 0.35 && start.nonempty()) {
        cy.zoom(0.7)
        cy.center(start)
      }
    }
  }, [props.answer, props.unfolded, props.wrong, props.path])

  useEffect(() => {
    const cy = core.current!
    select(cy, props.chosen)
    const found = cy.elements('.chosen')
    const box = cy.extent()
    const at = found.nonempty() && found.isNode() ? found.position() : null
    if (at && (at.x < box.x1 || at.x > box.x2 || at.y < box.y1 || at.y > box.y2)) cy.center(found)
  }, [props.chosen])

  const zoom = (factor: number) => {
    const cy = core.current!
    cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } })
  }
  const keys: Record<string, () => void> = {
    '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), 0: () => core.current!.fit(undefined, 24),
    ArrowLeft: () => core.current!.panBy({ x: 60, y: 0 }), ArrowRight: () => core.current!.panBy({ x: -60, y: 0 }),
    ArrowUp: () => core.current!.panBy({ x: 0, y: 60 }), ArrowDown: () => core.current!.panBy({ x: 0, y: -60 }),
  }
  return (
    <div class="drawn">
      <div class="tools" role="toolbar" aria-label="view of the graph">
        <button onClick={() => zoom(1.25)} aria-label="closer">+</button>
        <button onClick={() => zoom(0.8)} aria-label="further away">−</button>
        <button onClick={() => core.current!.fit(undefined, 24)}>all</button>
      </div>
      <div ref={host} class="canvas" role="group" tabIndex={0} aria-label={`${props.label}; plus, minus and the arrow keys move the view, the list has the same in words`}
        onKeyDown={(event) => { const act = keys[event.key]; if (act && !event.ctrlKey && !event.metaKey) { event.preventDefault(); act() } }} />
    </div>
  )
}
