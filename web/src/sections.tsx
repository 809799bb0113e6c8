// The sections of the report after the evidence, in the order in which a reader wants them.
import { useEffect, useRef, useState } from 'preact/hooks'
import { number, percent, plural, seconds } from './format'
import type { Cause, Drawing, Flow, ProtocolFinding, Report, RuleFinding, Run, Timeline } from './report'
import { Table } from './table'

function Picture({ svg, text }: { svg: string; text: string }) {
  return (
    <figure class="picture">
      <img src={`data:image/svg+xml;base64,${svg}`} alt={text} />
      <figcaption>{text}</figcaption>
    </figure>
  )
}

export function ModelSection({ model }: { model: Drawing }) {
  const text = `${model.name}: ${plural(model.states, 'state')}, ${plural(model.transitions, 'transition')}; the runs ` +
    `visited ${number(model.states_covered)} (${percent(model.states_covered, model.states)}) and took ` +
    `${number(model.transitions_covered)} (${percent(model.transitions_covered, model.transitions)}).`
  return <div class="card"><Picture svg={model.svg} text={text} /></div>
}

export function FlowSection({ flows }: { flows: Flow[] }) {
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

function RunTimeline({ timeline }: { timeline: Timeline }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1} class="timeline">
      <Table rows={timeline.rows} page={40} caption={`run ${timeline.run}, event by event, and what was measured then`} columns={[
        { title: 'time', numeric: true, cell: (row) => seconds(row[0]) },
        { title: 'event', cell: (row) => row[1] },
        { title: 'activity', cell: (row) => row[2] },
        { title: 'screen', cell: (row) => row[3] },
        ...timeline.probes.map((probe, index) => ({
          title: probe.unit ? `${probe.name}, ${probe.unit}` : probe.name,
          numeric: true,
          cell: (row: Timeline['rows'][number]) => number(row[4 + index] as number | null),
        })),
      ]} />
    </div>
  )
}

export function RunSection({ runs, timelines }: { runs: Run[]; timelines: Timeline[] }) {
  const [verdict, setVerdict] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const verdicts = [...new Set(runs.map((run) => run.verdict))].sort()
  const shown = verdict ? runs.filter((run) => run.verdict === verdict) : runs
  const timeline = timelines.find((one) => one.run === chosen)
  return (
    <div class="card">
      <p>
        <label>show{' '}
          <select onChange={(event) => setVerdict((event.target as HTMLSelectElement).value)}>
            <option value="">all {number(runs.length)} runs</option>
            {verdicts.map((one) => (
              <option value={one} key={one}>{one} ({number(runs.filter((run) => run.verdict === one).length)})</option>
            ))}
          </select>
        </label>
      </p>
      <Table key={verdict} rows={shown} caption="runs" columns={[
        { title: 'run', numeric: true, cell: (run) => timelines.some((one) => one.run === run.id)
          ? <button class="link" onClick={() => setChosen(run.id)}>{run.id}</button> : run.id },
        { title: 'what', cell: (run) => run.name },
        { title: 'verdict', cell: (run) => <span class={`verdict ${run.verdict}`}>{run.verdict}</span> },
        { title: 'events', numeric: true, cell: (run) => run.steps },
        { title: 'time', numeric: true, cell: (run) => seconds(run.seconds) },
        { title: 'why', cell: (run) => run.message },
      ]} />
      {timeline && <RunTimeline key={timeline.run} timeline={timeline} />}
    </div>
  )
}

export function CauseSection({ cause }: { cause: Cause }) {
  return (
    <div class="card" id={`cause-${cause.cluster}`}>
      <h3>{cause.exception || cause.cluster}</h3>
      <p>{plural(cause.runs, 'run')} of {number(cause.of)}{cause.frame && <>, topmost app frame <code>{cause.frame}</code></>}</p>
      <ol>
        {cause.patterns.map((pattern) => (
          <li key={pattern.formula}>{pattern.sentence}<br /><code>{pattern.formula}</code></li>
        ))}
      </ol>
      {cause.examples.length > 0 && <p>for example runs {cause.examples.join(', ')}</p>}
    </div>
  )
}

export function ProtocolSection({ finding }: { finding: ProtocolFinding }) {
  return (
    <div class="card" id={`protocol-${finding.name}`}>
      <h3>{finding.name}: {finding.verdict}</h3>
      <p>{finding.explanation}</p>
      {finding.steps.length > 0 && (
        <ol>{finding.steps.map((step, index) => <li key={index}><code>{step.event}</code>{step.reason && <>: {step.reason}</>}</li>)}</ol>
      )}
      {finding.drawing && <Picture svg={finding.drawing} text="The dialogue of app and framework." />}
      {finding.advice && <p class="advice">{finding.advice}</p>}
    </div>
  )
}

export function RuleSection({ finding }: { finding: RuleFinding }) {
  return (
    <div class="card" id={`rules-${finding.name}`}>
      <h3>{finding.name}</h3>
      <p>{finding.explanation}</p>
      {finding.stories.map((story) => <div key={story.title}><h4>{story.title}</h4><pre class="story">{story.text}</pre></div>)}
      {finding.drawing && <Picture svg={finding.drawing} text="The states and rules; faulty edges are marked." />}
      {finding.repairs.length > 0 && (
        <Table rows={finding.repairs} caption="repairs, each verified by a new analysis" columns={[
          { title: 'edit', cell: (repair) => repair.edit },
          { title: 'before', cell: (repair) => repair.before },
          { title: 'after', cell: (repair) => repair.after },
        ]} />
      )}
    </div>
  )
}

export function ProvenanceSection({ provenance }: { provenance: Report['provenance'] }) {
  return (
    <div class="card">
      {provenance.commands.length > 0 && <pre>{provenance.commands.join('\n')}</pre>}
      <dl>{provenance.facts.map(([name, value], index) => <div key={index}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
    </div>
  )
}
