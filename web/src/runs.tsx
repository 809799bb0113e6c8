// The runs: all in a table, one of them opened beside what one is reading.
import { useEffect, useRef, useState } from 'preact/hooks'
import { changed, go, useAddress } from '../shared/address'
import { answerOf, answers, screenLabel, useBook, useSelection } from './book'
import { causeTitle } from './causes'
import { number, plural, seconds } from '../shared/format'
import { Result, ScreenPicture, Section, resultWords } from '../shared/parts'
import { RunLink } from './parts'
import { ProbeChart } from './probes'
import type { Property, Run } from './report'
import { Table } from '../shared/table'
import { download, hasTrace, loadTrace, traceCount } from './traces'
import type { Trace, TraceRow } from './traces'

const order = ['crash', 'fail', 'error', 'aborted', 'violated', 'unclear', 'pass']

export function RunSection() {
  const { report } = useBook()
  const selection = useSelection()
  const { values } = useAddress()
  const result = values.result ?? ''
  const fitting = report.runs.filter((run) =>
    (!selection.runs || selection.runs.has(run.id)) && selection.hasText(run.name, run.message, run.scenario, run.device, run.result, String(run.id)))
  const results = order.filter((one) => report.runs.some((run) => run.result === one))
  const rows = result ? fitting.filter((run) => run.result === result) : fitting
  const has = (key: 'scenario' | 'device' | 'version' | 'campaign') => report.runs.some((run) => run[key] !== report.runs[0][key])
  if (!report.runs.length) return null
  return (
    <Section id="runs" title="Runs" note={number(report.runs.length)}>
      <div class="card">
        <p><label>show{' '}
          <select value={result} onChange={(event) => go({ result: (event.target as HTMLSelectElement).value }, undefined, true)}>
            <option value="">all {plural(fitting.length, 'run')}</option>
            {results.map((one) => <option value={one} key={one}>{resultWords[one]} ({number(fitting.filter((run) => run.result === one).length)})</option>)}
          </select>
        </label></p>
        <Table id="runs" rows={rows} caption="runs" mark={(run) => String(run.id) === values.run} columns={[
          { title: 'run', numeric: true, sort: (run) => run.id, cell: (run) => <RunLink run={run.id} /> },
          { title: 'result', sort: (run) => order.indexOf(run.result), cell: (run) => <Result result={run.result} /> },
          { title: 'what', sort: (run) => run.name, cell: (run) => run.name },
          ...(has('campaign') ? [{ title: 'campaign', sort: (run: Run) => run.campaign, cell: (run: Run) => run.campaign }] : []),
          ...(has('scenario') ? [{ title: 'scenario', sort: (run: Run) => run.scenario, cell: (run: Run) => run.scenario || '–' }] : []),
          ...(has('device') ? [{ title: 'device', sort: (run: Run) => run.device, cell: (run: Run) => run.device || '–' }] : []),
          ...(has('version') ? [{ title: 'version', sort: (run: Run) => run.version, cell: (run: Run) => run.version || '–' }] : []),
          { title: 'events', numeric: true, sort: (run) => run.steps, cell: (run) => number(run.steps) },
          { title: 'time', numeric: true, sort: (run) => run.seconds, cell: (run) => seconds(run.seconds) },
          { title: 'why', cell: (run) => run.message },
        ]} />
        {traceCount() < report.runs.length && <p class="note">The traces of {number(traceCount())} of {number(report.runs.length)} runs are in this file: those that are named in it, then those that did not pass.</p>}
      </div>
    </Section>
  )
}

function Verdicts({ run }: { run: Run }) {
  const { report } = useBook()
  if (!run.answers) return null
  const words: Record<string, string> = { h: 'holds', v: 'violated', u: 'unclear', n: 'never exercised' }
  const rows = report.properties
    .map((property, index) => ({ property, answer: answerOf(run, index) }))
    .filter((one) => one.answer)
  const violated = rows.filter((one) => one.answer === answers.violated)
  const name = ({ property }: { property: Property }) => <a href={changed({ run: null }, property.id)}>{property.name}</a>
  const margin = ({ property }: { property: Property }) => {
    const own = property.intervals.filter((one) => one.run === run.id && one.margin !== null).map((one) => one.margin!)
    return own.length ? `${number(Math.min(...own))} ${property.unit}` : '–'
  }
  return (
    <details open={violated.length > 0 && violated.length <= 12}>
      <summary>{violated.length ? `violates ${plural(violated.length, 'property', 'properties')} of ${number(rows.length)}` : `violates none of ${plural(rows.length, 'property', 'properties')}`}</summary>
      <Table rows={[...violated, ...rows.filter((one) => one.answer !== answers.violated)]} page={12} caption={`properties of run ${run.id}`} columns={[
        { title: 'property', cell: name },
        { title: 'answer', cell: (row) => words[row.answer] ?? '–' },
        { title: 'least margin', numeric: true, cell: margin },
      ]} />
    </details>
  )
}

function TimelineTable({ run, trace }: { run: Run; trace: Trace }) {
  const book = useBook()
  const rows = trace.rows.filter((row) => row.event)
  const probes = trace.variables.map((variable, index) => ({ variable, index })).slice(0, 6)
  return (
    <Table rows={rows} page={25} last={run.result !== 'pass' && run.result !== 'violated'} caption={`${plural(rows.length, 'event')} of run ${run.id}`} columns={[
      { title: 'time', numeric: true, cell: (row: TraceRow) => seconds(row.t) },
      { title: 'event', cell: (row) => row.event },
      { title: 'on screen', cell: (row) => <span title={row.screen}>{screenLabel(book, row.screen) || row.activity}</span> },
      ...probes.map(({ variable, index }) => ({
        title: variable.unit ? `${variable.name}, ${variable.unit}` : variable.name,
        numeric: true,
        cell: (row: TraceRow) => number(row.values[index]),
      })),
    ]} />
  )
}

const mostPictures = 60

// The screens that the run went through, in order, each time it came to one whose picture was kept.
function Filmstrip({ run, trace }: { run: Run; trace: Trace }) {
  const book = useBook()
  const shown: { screen: string; t: number; picture: string }[] = []
  let last = ''
  let more = 0
  for (const row of trace.rows) {
    const picture = row.screen !== last ? book.screens.get(row.screen)?.picture : undefined
    last = row.screen
    if (picture && shown.length >= mostPictures) more++
    else if (picture) shown.push({ screen: row.screen, t: row.t, picture })
  }
  if (!shown.length) return null
  return (
    <details open class="film">
      <summary>{plural(shown.length, 'screen')} on the way{more > 0 && ` (${number(more)} more are not shown)`}</summary>
      <ol tabIndex={0} aria-label={`screens of run ${run.id}`}>
        {shown.map((one, at) => (
          <li key={at}><figure class="screen"><ScreenPicture picture={one.picture} name={`the screen ${screenLabel(book, one.screen)}`} /><figcaption>{seconds(one.t)} {screenLabel(book, one.screen)}</figcaption></figure></li>
        ))}
      </ol>
    </details>
  )
}

function RunTrace({ run }: { run: Run }) {
  const [trace, setTrace] = useState<Trace | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let current = true
    setTrace(null)
    setFailed(false)
    loadTrace(run.id)?.then((loaded) => current && setTrace(loaded), () => current && setFailed(true))
    return () => { current = false }
  }, [run.id])
  if (!hasTrace(run.id)) {
    return <p class="advice unclear">{run.trace ? <>Its trace is not in this file; it is <code>{run.trace}</code> of the campaign.</> : 'It has no trace that can be read.'}</p>
  }
  if (failed) return <p class="advice unclear">Its trace cannot be unpacked.</p>
  if (!trace) return <p role="status">unpacking the trace …</p>
  return (
    <>
      <p class="tools"><button onClick={() => download(`run-${run.id}.jsonl`, trace.text)}>export the trace</button></p>
      <Filmstrip run={run} trace={trace} />
      <TimelineTable run={run} trace={trace} />
      <ProbeChart trace={trace} name={`run ${run.id}`} />
    </>
  )
}

function Screens({ run }: { run: Run }) {
  const { attachments } = useBook()
  const kept = attachments.get(run.id)
  if (!kept) return null
  return (
    <>
      {kept.picture && <figure class="screen"><ScreenPicture picture={kept.picture} name={`the screen at the end of run ${run.id}`} /><figcaption>the screen at its end</figcaption></figure>}
      {kept.log && <details open={run.result === 'crash'}><summary>log lines before the end</summary><pre class="log" tabIndex={0}>{kept.log}</pre></details>}
    </>
  )
}

function RunBody({ run }: { run: Run }) {
  const { causeOf } = useBook()
  const cause = causeOf.get(run.id)
  const facts = [run.campaign, run.scenario, run.device, run.version && `version ${run.version}`, plural(run.steps, 'event'), seconds(run.seconds), run.seed && `seed ${run.seed}`]
  return (
    <>
      <p class="note">{run.name} · {facts.filter(Boolean).join(' · ')}</p>
      {run.message && <p class="chain">{run.message}</p>}
      {cause && <p>Cause: <a href={changed({ run: null }, cause.id)}>{causeTitle(cause)}</a></p>}
      <Verdicts run={run} />
      <Screens run={run} />
      <RunTrace run={run} />
    </>
  )
}

// The run of the address, in a dialog: the header stays, Escape closes, back closes too.
export function RunDialog() {
  const { runs, report } = useBook()
  const { values } = useAddress()
  const run = values.run !== undefined ? runs.get(Number(values.run)) : undefined
  const dialog = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const close = () => go({ run: null })
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (run && !element.open) element.showModal()
    if (!run && element.open) element.close()
    if (body.current) body.current.scrollTop = 0
  }, [run])
  const at = run ? report.runs.indexOf(run) : -1
  const other = (step: number) => {
    const next = report.runs[at + step]
    return <button disabled={!next} aria-label={step < 0 ? 'the run before' : 'the next run'} onClick={() => next && go({ run: String(next.id) }, undefined, true)}>{step < 0 ? '←' : '→'}</button>
  }
  return (
    <dialog ref={dialog} class="drawer" aria-labelledby="run-title" onCancel={(event) => { event.preventDefault(); close() }}
      onClick={(event) => { if (event.target === dialog.current) close() }}>
      {run && (
        <div class="drawer-inside">
          <header>
            <h2 id="run-title">Run {run.id} <Result result={run.result} /></h2>
            <span class="tools">{other(-1)}{other(1)}<button onClick={close} autoFocus>close</button></span>
          </header>
          <div class="drawer-body" ref={body} tabIndex={0} role="region" aria-label={`run ${run.id}`}><RunBody key={run.id} run={run} /></div>
        </div>
      )}
    </dialog>
  )
}
