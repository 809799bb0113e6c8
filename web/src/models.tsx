// The model with what the runs covered: the activities first, each unfolded on demand.
import { useState } from 'preact/hooks'
import { go, useAddress } from '../shared/address'
import { useBook } from './book'
import { number, percent, plural } from '../shared/format'
import { GraphView } from './graph'
import { ScreenPicture, Section } from '../shared/parts'
import type { Activity, Flow, Graph, Model } from './report'
import { Table } from '../shared/table'

function NodeFacts({ graph, index }: { graph: Graph; index: number }) {
  const { screens } = useBook()
  const node = graph.nodes[index]
  const screen = node.screen ? screens.get(node.screen) : undefined
  const out = graph.edges.filter((edge) => edge.from === index && !edge.silent)
  return (
    <div class="nodefacts" role="status">
      <h4>{node.label} <small>{node.name !== node.label && node.name} {node.covered ? 'visited' : 'not visited'}</small></h4>
      {screen?.picture && <ScreenPicture picture={screen.picture} name={`the screen ${node.label}`} />}
      {screen && screen.texts.length > 0 && <p>It shows: {screen.texts.join(' · ')}</p>}
      {out.length > 0 && <p>Events: {out.map((edge, at) => <span key={at}>{at > 0 && '; '}{edge.events.join(', ')} → {graph.nodes[edge.to].label}{edge.taken ? '' : ' (never taken)'}</span>)}</p>}
    </div>
  )
}

function States({ activity }: { activity: Activity }) {
  const rows = activity.drawing.nodes.filter((node) => node.kind === 'state')
  return (
    <details>
      <summary>{plural(rows.length, 'state')} as a table</summary>
      <Table rows={rows} caption={`states of ${activity.name}`} columns={[
        { title: 'state', cell: (node) => node.name },
        { title: 'what it shows', cell: (node) => (node.label !== node.name ? node.label : node.hint) || '–' },
        { title: 'visited', cell: (node) => (node.covered ? 'yes' : 'no') },
      ]} />
    </details>
  )
}

function coverageText(model: Model): string {
  const random = model.random_steps
    ? ` Of the ${number(model.random_steps)} events of random runs, ${number(model.random_placed)} (${percent(model.random_placed, model.random_steps)}) could be placed on it for certain.`
    : ''
  return `${plural(model.states, 'state')}, ${plural(model.transitions, 'transition')}; the runs visited ${number(model.states_covered)} ` +
    `(${percent(model.states_covered, model.states)}) and took ${number(model.transitions_covered)} ` +
    `(${percent(model.transitions_covered, model.transitions)}).${random}`
}

function ModelCard({ model, index }: { model: Model; index: number }) {
  const key = `model${index}`
  const { values } = useAddress()
  const [chosen, setChosen] = useState<number | null>(null)
  const small = model.activities.length === 1
  const at = values[key] !== undefined ? Number(values[key]) : small ? 0 : -1
  const activity = model.activities[at]
  const graph = activity ? activity.drawing : model.overview
  const show = (next: number) => {
    setChosen(null)
    go({ [key]: next < 0 ? null : String(next) }, undefined, true)
  }
  return (
    <article class="card">
      <h3>{model.name || 'model'}{model.campaign && <small> {model.campaign}</small>}</h3>
      <p>{coverageText(model)}</p>
      {!small && (
        <p><label>show{' '}
          <select value={at} onChange={(event) => show(Number((event.target as HTMLSelectElement).value))}>
            <option value={-1}>all {model.activities.length} activities</option>
            {model.activities.map((one, i) => <option key={i} value={i}>{one.name} ({one.states_covered} of {one.states} states)</option>)}
          </select>
        </label>{activity && <> <button onClick={() => show(-1)}>back to all</button></>}</p>
      )}
      <GraphView key={at} graph={graph} name={activity ? activity.name : `activities of ${model.name}`} chosen={chosen}
        onChoose={(node) => (activity ? setChosen(node) : show(node))} />
      {graph.problem && <p class="note">Drawn in rows, because it could not be laid out: {graph.problem}.</p>}
      <p class="legend"><span class="key covered">visited, taken</span> <span class="key">not yet</span>{!activity && ' · choose an activity to unfold it'}</p>
      {activity && chosen !== null && <NodeFacts graph={graph} index={chosen} />}
      {activity && <States activity={activity} />}
    </article>
  )
}

function Flows({ flows }: { flows: Flow[] }) {
  return (
    <details class="card">
      <summary>{plural(flows.length, 'flow')}</summary>
      <Table rows={flows} caption="flows" columns={[
        { title: 'flow', numeric: true, cell: (flow) => flow.index },
        { title: 'ends', cell: (flow) => flow.kind },
        { title: 'steps', cell: (flow) => flow.events.join(' → ') },
      ]} />
    </details>
  )
}

export function ModelSection() {
  const { report } = useBook()
  if (!report.models.length) return null
  return (
    <Section id="model" title="The model and its coverage">
      {report.models.map((model, index) => <ModelCard key={index} model={model} index={index} />)}
      {report.flows.length > 0 && <Flows flows={report.flows} />}
    </Section>
  )
}
