// A trace plotted, and a property written beside it: its intervals and its verdict appear at once.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { go, goIfStill, useAddress } from '../../shared/address'
import { number, plural, seconds, withUnit } from '../../shared/format'
import { Table } from '../../shared/table'
import { get, post, readFile, reason, Refusal, writeFile } from '../api'
import { Dialog, Diff, Field, FileChoice, inputOf, Problem } from '../parts'
import { TextField } from '../text'
import type { Campaign, CheckAnswer, CheckedInterval, FileEntry, Problem as Place, TraceAnswer, Verdict } from '../types'
import { useAsked, useFiles } from '../use'
import { Plot } from './plot'

const language = ['property', 'unit', 'let', 'monotone', 'linear', 'observe', 'forall', 'exists', 'always', 'eventually', 'never', 'until', 'next', 'once', 'historically', 'previously', 'since', 'rise', 'fall', 'diff', 'rate', 'max', 'min', 'avg', 'count', 'first', 'last', 'duration', 'event', 'and', 'or', 'not', 'true', 'false']
const first = '# What may not happen while the app runs?\nproperty calm: always not crash\n'

function TraceChoice({ files, trace }: { files: FileEntry[]; trace: string }) {
  const campaigns = files.filter((one) => one.kind === 'campaign')
  const [campaign, setCampaign] = useState(() => campaigns.find((one) => trace.startsWith(`${one.path}/`))?.path ?? '')
  const runs = useAsked(campaign ? (signal) => get<Campaign>(`/api/campaign?path=${encodeURIComponent(campaign)}`, signal) : null, [campaign])
  useEffect(() => { if (!campaign) setCampaign(campaigns.find((one) => trace.startsWith(`${one.path}/`))?.path ?? '') }, [files, trace])
  return (
    <div class="row">
      <FileChoice label="trace" files={files} kinds={['trace']} value={trace} onChange={(path) => go({ trace: path }, 'traces')} />
      {campaigns.length > 0 && <FileChoice label="or a run of" files={files} kinds={['campaign']} none="no campaign" value={campaign} onChange={setCampaign} />}
      {runs.value && <Field label="run"><select value={trace} onChange={(event) => go({ trace: inputOf(event) }, 'traces')}>
        <option value="">choose …</option>
        {runs.value.rows.filter((row) => row.trace).slice(0, 2000).map((row) => <option key={row.id} value={row.trace}>run {row.id}{row.scenario ? `, ${row.scenario}` : ''}: {row.verdict}</option>)}
      </select></Field>}
      <Problem text={runs.error} />
    </div>
  )
}

interface Asked {
  verdicts: Verdict[]
  warnings: string[]
  intervals: Record<string, CheckedInterval[]>
  problems: Place[]
}

// The verdict, or what is wrong with the text and where.
async function check(property: string, trace: string, signal: AbortSignal): Promise<Asked> {
  try {
    const answer = await post<CheckAnswer>('/api/check', { property, trace }, signal)
    const one = answer.traces?.[0]
    return { verdicts: one?.properties ?? [], warnings: one?.warnings ?? [], intervals: answer.intervals ?? {}, problems: [] }
  } catch (problem) {
    if (!(problem instanceof Refusal) || problem.status !== 422) throw problem
    const { error, problems } = problem.body as { error?: { place?: { line?: number; column?: number } }; problems?: Place[] }
    return { verdicts: [], warnings: [], intervals: {}, problems: problems ?? [{ severity: 'error', message: problem.message, ...error?.place }] }
  }
}

const verdictWords: Record<string, [string, string]> = {
  true: ['holds', 'holds'], false: ['violated', 'violated'], 'presumably true': ['presumably holds', 'holds'], 'presumably false': ['presumably violated', 'unclear'], inconclusive: ['unclear', 'unclear'],
}

function Verdicts({ asked, shown, onShow }: { asked: Asked; shown: string; onShow: (name: string) => void }) {
  return (
    <div class="verdicts" aria-live="polite">
      {asked.warnings.map((text, index) => <p key={index} class="note">{text}</p>)}
      <Table rows={asked.verdicts} caption="verdicts" columns={[
        { title: 'property', cell: (one) => <button class="link" aria-pressed={shown === one.name} onClick={() => onShow(one.name)}>{one.name}</button> },
        { title: 'verdict', cell: (one) => { const [text, look] = one.exercised === false ? ['never exercised', 'never'] : verdictWords[one.verdict] ?? [one.verdict, 'unclear']; return <span class={`status ${look}`}>{text}</span> } },
        { title: 'why', cell: (one) => one.explanation },
        { title: 'margin', numeric: true, cell: (one) => one.margins?.map((margin) => withUnit(margin.margin, margin.unit ?? '')).join(', ') ?? '' },
      ]} />
    </div>
  )
}

function Intervals({ name, intervals }: { name: string; intervals: CheckedInterval[] }) {
  if (!intervals.length) return null
  return <Table rows={intervals} page={10} caption={`intervals of ${name}`} columns={[
    { title: 'from', numeric: true, cell: (one) => seconds(one.t_from) },
    { title: 'to', numeric: true, cell: (one) => (one.open ? 'open' : seconds(one.t_to)) },
    { title: 'verdict', cell: (one) => <span class={`status ${one.violated ? 'violated' : 'holds'}`}>{one.violated ? 'violated' : 'holds'}</span> },
  ]} />
}

function PropertyFile({ files, text, path, hash, onSaved }: { files: FileEntry[]; text: string; path: string; hash: string; onSaved: (path: string, hash: string) => void }) {
  const [name, setName] = useState(path || 'new.props')
  const [error, setError] = useState('')
  const [conflict, setConflict] = useState<{ diff: string; hash: string } | null>(null)
  useEffect(() => setName(path || 'new.props'), [path])
  const save = async (known: string) => {
    try {
      onSaved(name, await writeFile(name, text, known))
      setError('')
      setConflict(null)
    } catch (problem) {
      if (problem instanceof Refusal && problem.status === 409) setConflict(problem.body as unknown as { diff: string; hash: string })
      else setError(reason(problem))
    }
  }
  return (
    <form class="row" aria-label="property file" onSubmit={(event) => { event.preventDefault(); void save(name === path ? hash : '') }}>
      <FileChoice label="property file" files={files} kinds={['property']} none="a new one" value={path} onChange={(one) => go({ property: one }, 'traces')} />
      <Field label="save as"><input required value={name} onInput={(event) => setName(inputOf(event))} /></Field>
      <button type="submit">save</button>
      <Problem text={error} />
      {conflict && <Dialog title="There is another version of this file" onClose={() => setConflict(null)}>
        <Diff text={conflict.diff} label="from the file to yours" />
        <div class="buttons"><button type="button" onClick={() => setConflict(null)}>keep the file</button><button type="button" onClick={() => void save(conflict.hash)}>write mine</button></div>
      </Dialog>}
    </form>
  )
}

function Variables({ trace, chosen, onChange }: { trace: TraceAnswer; chosen: string[]; onChange: (chosen: string[]) => void }) {
  const names = trace.variables.filter((one) => one.kind !== 'discrete').map((one) => one.name)
  return (
    <fieldset class="checks"><legend>variables</legend>{names.map((name) => (
      <label key={name} class="check"><input type="checkbox" checked={chosen.includes(name)} onChange={() => onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])} /> {name}</label>
    ))}{!names.length && <p class="note">nothing was measured in this trace</p>}</fieldset>
  )
}

export function TracesPage() {
  const { values } = useAddress()
  const files = useFiles()
  const path = values.trace ?? ''
  const file = values.property ?? ''
  const [text, setText] = useState(first)
  const [hash, setHash] = useState('')
  const [error, setError] = useState('')
  const [picked, setPicked] = useState<string[] | null>(null)
  const [shown, setShown] = useState('')
  useEffect(() => {
    if (!file) return
    readFile(file).then((read) => { setText(read.text); setHash(read.hash); setError('') }, (problem) => setError(reason(problem)))
  }, [file])
  const head = useAsked(path ? (signal) => get<TraceAnswer>(`/api/trace?path=${encodeURIComponent(path)}&points=10`, signal) : null, [path])
  const measured = head.value?.variables.filter((one) => one.kind !== 'discrete').map((one) => one.name) ?? []
  const chosen = (picked ?? measured.slice(0, 2)).filter((one) => measured.includes(one))
  const trace = useAsked(path && chosen.length ? (signal) => get<TraceAnswer>(`/api/trace?path=${encodeURIComponent(path)}&variables=${chosen.map(encodeURIComponent).join(',')}&points=600`, signal) : null, [path, chosen.join('\n')])
  const asked = useAsked(path ? (signal) => check(text, path, signal) : null, [path, text], 250)
  const events = useMemo(() => [...new Set(head.value?.events.map((one) => one.event) ?? [])], [head.value])
  const words = useMemo(() => [...new Set([...language, ...events, ...(head.value?.variables.map((one) => one.name) ?? [])])], [head.value])
  const verdicts = asked.value?.verdicts ?? []
  const focus = verdicts.some((one) => one.name === shown) ? shown : verdicts[0]?.name ?? ''
  const intervals = useMemo(() => asked.value?.intervals[focus] ?? [], [asked.value, focus])
  return (
    <>
      <h1>Traces and properties</h1>
      <Problem text={files.error || error || head.error || trace.error || asked.error} />
      <TraceChoice files={files.value ?? []} trace={path} />
      <div class="two even">
        <section aria-label="the property">
          <PropertyFile files={files.value ?? []} text={text} path={file} hash={hash} onSaved={(name, next) => { setHash(next); files.again(); goIfStill({ property: name }, 'traces') }} />
          <TextField label="properties" rows={14} value={text} problems={asked.value?.problems ?? []} words={words} onInput={setText} />
          <p class="note">Ctrl+Space completes events, variables and words of the language.</p>
          {asked.value && !asked.value.problems.length && <Verdicts asked={asked.value} shown={focus} onShow={setShown} />}
          <Intervals name={focus} intervals={intervals} />
          {!path && <p class="note">Choose a trace to see the verdict.</p>}
        </section>
        <section aria-label="the trace">
          {head.value && <>
            <p class="detail">{plural(head.value.states, 'state')}, {number(head.value.from)} s to {number(head.value.to)} s</p>
            <Variables trace={head.value} chosen={chosen} onChange={setPicked} />
          </>}
          {trace.value && chosen.map((name, index) => trace.value!.values[name] && <Plot key={name} trace={trace.value!} variable={name} tone={index} intervals={intervals} />)}
        </section>
      </div>
    </>
  )
}
