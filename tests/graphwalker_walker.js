// An own reading of GraphWalker files: node graphwalker_walker.js FLOWS.jsonl FILE...
//
// Walks every flow over the files' own edges, evaluating guards and actions as the JavaScript they are.
// Where names are ambiguous all possibilities are followed. Prints {"flows","steps","guarded"} or the
// first flow that cannot be walked, exit 1.
'use strict'
const fs = require('fs')
const [flowsFile, ...files] = process.argv.slice(2)
const models = []

const unescape = (text) => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&amp;/g, '&')
const labelOf = (xml, element) => {
  const found = new RegExp(`<y:${element}[^>]*>([^<]*)`).exec(xml)
  return found ? unescape(found[1]).trim() : ''
}

function readGraphml (text) {
  const model = { vertices: [], edges: [], actions: [] }
  for (const [, id, body] of text.matchAll(/<node id="([^"]*)"[^>]*>([\s\S]*?)<\/node>/g)) {
    const label = labelOf(body, 'NodeLabel')
    const shared = /SHARED:\s*(\S+)/.exec(label)
    model.vertices.push({ id, name: label.split(/\s/)[0], sharedState: shared && shared[1] })
    if (label.split(/\s/)[0].toLowerCase() === 'start') model.startElementId = id
  }
  for (const [, id, source, target, body] of text.matchAll(/<edge id="([^"]*)"[^>]*source="([^"]*)"[^>]*target="([^"]*)"[^>]*>([\s\S]*?)<\/edge>/g)) {
    const label = labelOf(body, 'EdgeLabel').replace(/(weight|dependency|REQTAG)\s*[:=][^\n;]*/g, '')
    const [, name, guard, actions] = /^([^\s[/]*)\s*(?:\[([\s\S]*?)\])?\s*(?:\/([\s\S]*))?$/.exec(label) || [null, id]
    model.edges.push({ id, name: name || id, guard, actions: actions ? [actions] : [], sourceVertexId: source, targetVertexId: target })
  }
  return [model]
}

for (const file of files) {
  const text = fs.readFileSync(file, 'utf8')
  for (const model of file.endsWith('.graphml') ? readGraphml(text) : JSON.parse(text).models) models.push(model)
}

// A scope per model: undeclared names are undefined, assignments stay.
const run = (code, scope) => new Function('scope', `with (scope) { return eval(${JSON.stringify(code)}) }`)(
  new Proxy(scope, { has: (target, key) => key !== 'eval', get: (target, key) => target[key], set: (target, key, value) => { target[key] = value; return true } }))
const key = (spot) => JSON.stringify([spot.model, spot.vertex, spot.scopes])
const after = (spot, m, edge) => {
  const scopes = JSON.parse(JSON.stringify(spot.scopes))
  for (const action of edge.actions || []) run(action, scopes[m])
  const vertex = models[m].vertices.find((v) => v.id === edge.targetVertexId)
  for (const action of vertex.actions || []) run(action, scopes[m])
  return { model: m, vertex: vertex.id, scopes, start: false }
}

function starts () {
  const scopes = models.map((model) => { const scope = {}; for (const action of model.actions || []) run(action, scope); return scope })
  return models.flatMap((model, m) => {
    const entry = model.edges.find((e) => !e.sourceVertexId || e.id === model.startElementId)
    if (entry) return [{ model: m, entry, scopes, start: true }]
    return model.startElementId ? [{ model: m, vertex: model.startElementId, scopes, start: false }] : []
  })
}

// Where a spot may be: itself, and the vertices that share its state.
function places (spot) {
  const vertex = models[spot.model].vertices.find((v) => v.id === spot.vertex)
  if (!vertex || !vertex.sharedState) return [[spot.model, spot.vertex]]
  return models.flatMap((model, m) => model.vertices.filter((v) => v.sharedState === vertex.sharedState).map((v) => [m, v.id]))
}

let steps = 0; let guarded = 0; let flows = 0
function step (spots, event) {
  const next = new Map()
  for (const spot of spots) {
    const edges = spot.start
      ? [[spot.model, spot.entry]]
      : places(spot).flatMap(([m, id]) => models[m].edges.filter((e) => e.sourceVertexId === id).map((e) => [m, e]))
    for (const [m, edge] of edges) {
      if ((edge.name || edge.id).replace(/[\s/]/g, '_') !== event) continue
      if (edge.guard) {
        if (!run(edge.guard, spot.scopes[m])) continue
        guarded++
      }
      const landed = after(spot, m, edge)
      next.set(key(landed), landed)
    }
  }
  return [...next.values()]
}
for (const line of fs.readFileSync(flowsFile, 'utf8').split('\n').filter(Boolean)) {
  let spots = starts()
  flows++
  for (const { event } of JSON.parse(line).steps) {
    spots = step(spots, event)
    steps++
    if (!spots.length) {
      console.log(`flow ${flows}: "${event}" cannot be taken as step ${steps}`)
      process.exit(1)
    }
  }
}
console.log(JSON.stringify({ flows, steps, guarded }))
