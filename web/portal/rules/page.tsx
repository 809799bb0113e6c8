// Adaptation rules, automations and recorded protocols: what is wrong, told as a story, drawn where it
// helps, and mended by a change that is shown before it is accepted.
import { useState } from 'preact/hooks'
import { go, useAddress } from '../../shared/address'
import { plural } from '../../shared/format'
import { Picture } from '../../shared/parts'
import { Table } from '../../shared/table'
import { post, readFile, reason, writeFile } from '../api'
import { Dialog, Diff, Field, FileChoice, inputOf, Problem } from '../parts'
import type { FileEntry } from '../types'
import { useAsked, useFiles } from '../use'
import { patched } from './patch'
import { storiesOf } from './stories'
import type { RuleAnswer } from './stories'

interface Offer {
  title: string
  diff: string
  text: string
  hash: string
}

// A repair is a difference that one reads and accepts; the file is written only then, and only if nobody
// else has changed it meanwhile.
function Accept({ path, offer, onDone }: { path: string; offer: Offer; onDone: (written: boolean) => void }) {
  const [error, setError] = useState('')
  const write = () => writeFile(path, offer.text, offer.hash).then(() => onDone(true), (problem) => setError(reason(problem)))
  return (
    <Dialog title={offer.title} onClose={() => onDone(false)}>
      <Diff text={offer.diff} label={`what changes in ${path}`} />
      <Problem text={error} />
      <div class="buttons"><button class="first" onClick={() => void write()}>accept: write the file</button><button onClick={() => onDone(false)}>leave it</button></div>
    </Dialog>
  )
}

function inBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}

function Drawing({ path, turn }: { path: string; turn: number }) {
  const drawn = useAsked((signal) => post<{ svg: string }>('/api/rules/draw', { path }, signal), [path, turn])
  if (drawn.error) return <p class="note">No drawing: {drawn.error}</p>
  return drawn.value?.svg ? <Picture svg={inBase64(drawn.value.svg)} text="The states and rules; faulty edges are marked." /> : null
}

interface Repair {
  rank: number
  edits: string[]
  before: Record<string, string | null>
  after: Record<string, string | null>
}

const faults: [string, string][] = [['nondeterminism', 'rules that fire together'], ['dead', 'dead rules'], ['cycle', 'cycles'], ['unreachable', 'unreachable states'], ['race', 'races'], ['hazard', 'hazards']]

function changes(repair: Repair): string {
  return Object.keys(repair.before).filter((key) => repair.before[key] !== null && repair.before[key] !== repair.after[key])
    .map((key) => `${key} ${repair.before[key]} → ${repair.after[key]}`).join(', ') || 'nothing else'
}

function Repairs({ path, onWritten }: { path: string; onWritten: () => void }) {
  const [fault, setFault] = useState('')
  const [offer, setOffer] = useState<Offer | null>(null)
  const [error, setError] = useState('')
  const found = useAsked(fault ? (signal) => post<{ repairs: Repair[]; nothing_to_do?: boolean }>('/api/rules/repair', { path, fault }, signal) : null, [path, fault])
  const show = async (repair: Repair) => {
    try {
      const { hash } = await readFile(path)
      const { diff, text } = await post<{ diff: string; text: string }>('/api/rules/repair', { path, fault, apply: repair.rank })
      setOffer({ title: repair.edits.join('; '), diff, text, hash })
      setError('')
    } catch (problem) {
      setError(reason(problem))
    }
  }
  return (
    <section class="card" aria-label="repairs">
      <h2>Repairs</h2>
      <Field label="remove"><select value={fault} onChange={(event) => setFault(inputOf(event))}><option value="">choose a kind of fault …</option>{faults.map(([id, text]) => <option key={id} value={id}>{text}</option>)}</select></Field>
      <Problem text={found.error || error} />
      {found.busy && <p role="status">looking for repairs …</p>}
      {found.value && !found.busy && (found.value.repairs?.length
        ? <Table rows={found.value.repairs} caption="smallest edits first, each verified by a new analysis" columns={[
          { title: 'edit', cell: (one) => one.edits.join('; ') },
          { title: 'what changes', cell: changes },
          { title: 'see it', cell: (one) => <button onClick={() => void show(one)}>show the change<span class="hidden"> {one.rank}</span></button> },
        ]} />
        : <p>{found.value.nothing_to_do ? 'There is nothing of that kind.' : 'No repair was found.'}</p>)}
      {offer && <Accept path={path} offer={offer} onDone={(written) => { setOffer(null); if (written) { setFault(''); onWritten() } }} />}
    </section>
  )
}

function RuleFindings({ path }: { path: string }) {
  const [turn, setTurn] = useState(0)
  const found = useAsked((signal) => post<RuleAnswer>('/api/rules', { path }, signal), [path, turn])
  if (!found.value) return <Problem text={found.error} />
  const { app, faults: any, truncated, pairs, dead_rules: dead, unreachable, cycle_states: cycles, race_paths: races } = found.value
  const figures: [string, number | undefined][] = [['pairs of rules that fire together', pairs?.length], ['dead rules', dead?.length], ['states that cannot be reached', unreachable?.length], ['states from which the app never rests', cycles], ['races', races]]
  return (
    <>
      <Problem text={found.error} />
      <section class="card" aria-label="findings">
        <h2>{app ?? path}: {any ? 'faults found' : 'no faults'}</h2>
        <dl>{figures.map(([name, value]) => value !== undefined && <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
        {truncated && <p class="note">Some counts are too large to compute; everything else is exact.</p>}
        {storiesOf(found.value).map((story) => <div key={story.title}><h3>{story.title}</h3><ul>{story.steps.map((step, index) => <li key={index}>{step}</li>)}</ul></div>)}
      </section>
      {any && <Repairs path={path} onWritten={() => setTurn(turn + 1)} />}
      <Drawing path={path} turn={turn} />
    </>
  )
}

interface AutomationFinding {
  class: string
  certainty: string
  message: string
  places: { file: string; line: number; alias?: string; id?: string }[]
  story: { t: number; event: string; fires: string[]; writes: string[] }[]
  repairs: { description: string; patch: string }[]
}

interface AutomationAnswer {
  automations: number
  exact: number
  findings: AutomationFinding[]
  warnings?: { message?: string }[]
}

function AutomationCard({ finding, path, onWritten }: { finding: AutomationFinding; path: string; onWritten: () => void }) {
  const [offer, setOffer] = useState<Offer | null>(null)
  const [error, setError] = useState('')
  const show = async (description: string, patch: string) => {
    try {
      const file = await readFile(path)
      const text = patched(file.text, patch)
      setError(text === null ? 'the file has changed since: look for the repair again' : '')
      if (text !== null) setOffer({ title: description, diff: patch, text, hash: file.hash })
    } catch (problem) {
      setError(reason(problem))
    }
  }
  return (
    <article class="card">
      <h2>{finding.class} <small>{finding.certainty}</small></h2>
      <p>{finding.message}</p>
      <p class="detail">{finding.places.map((one) => `${one.alias ?? one.id ?? ''} (${one.file}:${one.line})`).join(', ')}</p>
      {finding.story.length > 0 && <ol class="steps">{finding.story.map((step, index) => (
        <li key={index}><strong>{step.t} s</strong> {step.event}{step.fires.length > 0 && <>; fires {step.fires.join(', ')}</>}{step.writes.length > 0 && <>; <code>{step.writes.join(', ')}</code></>}</li>
      ))}</ol>}
      {finding.repairs?.map((one, index) => (
        <div key={index} class="advice"><p>{one.description}</p><Diff text={one.patch} label={`repair ${index + 1}: ${one.description}`} />
          <button onClick={() => void show(one.description, one.patch)}>use this repair<span class="hidden">: {one.description}</span></button></div>
      ))}
      <Problem text={error} />
      {offer && <Accept path={path} offer={offer} onDone={(written) => { setOffer(null); if (written) onWritten() }} />}
    </article>
  )
}

function AutomationFindings({ path }: { path: string }) {
  const found = useAsked((signal) => post<AutomationAnswer>('/api/automation', { path }, signal), [path])
  if (!found.value) return <Problem text={found.error} />
  const { automations, exact, findings } = found.value
  return (
    <>
      <Problem text={found.error} />
      <p role="status">{plural(automations, 'automation')}, {exact} understood exactly: {plural(findings.length, 'finding')}.</p>
      {findings.map((finding, index) => <AutomationCard key={index} finding={finding} path={path} onWritten={found.again} />)}
    </>
  )
}

interface ProtocolAnswer {
  verdict: string
  story?: string
  svg?: string
  witness?: { event: string; callback: string; assumed?: boolean; enabled_by?: { words?: string; rule?: string; line?: string } | null }[]
  violation?: { words?: string; message?: string; line?: string; prohibited_by?: { words?: string; rule?: string; line?: string } } | null
}

// One recording is asked about, so that one answer is wanted, also where the document is a table of them.
async function judged(recording: string, rules: string, signal: AbortSignal): Promise<ProtocolAnswer> {
  const answer = await post<ProtocolAnswer & { traces?: ProtocolAnswer[] }>('/api/protocol', { recording, rules: [rules] }, signal)
  return answer.traces?.[0] ? { ...answer, ...answer.traces[0] } : answer
}

function ProtocolFindings({ recording, rules, files }: { recording: string; rules: string; files: FileEntry[] }) {
  const ask = recording && rules
  const found = useAsked(ask ? (signal) => judged(recording, rules, signal) : null, [recording, rules])
  const answer = found.value
  return (
    <>
      <div class="row">
        <FileChoice label="recording" files={files} kinds={['recording']} value={recording} onChange={(path) => go({ file: path, recording: path }, 'rules')} />
        <FileChoice label="protocol rules" files={files} kinds={['protocol']} value={rules} onChange={(path) => go({ protocol: path }, 'rules')} />
      </div>
      <Problem text={found.error} />
      {found.busy && ask && <p role="status">verifying …</p>}
      {answer && <section class="card" aria-label="verdict">
        <h2>{answer.verdict}</h2>
        {answer.witness && answer.witness.length > 0 && <ol class="steps">{answer.witness.map((step, index) => (
          <li key={index}><strong>{step.event}</strong> <code>{step.callback}</code>{step.assumed && ' (assumed)'}{step.enabled_by?.words && <>: possible after {step.enabled_by.words} ({step.enabled_by.rule})</>}</li>
        ))}</ol>}
        {answer.violation && <p class="failure">→ {answer.violation.words ?? answer.violation.message}{answer.violation.prohibited_by && <>, which {answer.violation.prohibited_by.rule} disallows since {answer.violation.prohibited_by.words}</>}</p>}
        {answer.story && <pre class="story" tabIndex={0} aria-label="what was found">{answer.story}</pre>}
        {answer.svg && <Picture svg={inBase64(answer.svg)} text="The dialogue of app and framework." />}
      </section>}
    </>
  )
}

export function RulesPage() {
  const { values } = useAddress()
  const files = useFiles()
  const all = files.value ?? []
  const path = values.file ?? ''
  const kind = all.find((one) => one.path === path)?.kind ?? ''
  const protocol = kind === 'protocol' || kind === 'recording'
  return (
    <>
      <h1>Rules, automations and protocols</h1>
      <Problem text={files.error} />
      <div class="row"><FileChoice label="file" files={all} kinds={['rules', 'automation', 'protocol', 'recording']} value={path} onChange={(file) => go({ file, recording: null, protocol: null }, 'rules')} /></div>
      {kind === 'rules' && <RuleFindings key={path} path={path} />}
      {kind === 'automation' && <AutomationFindings key={path} path={path} />}
      {protocol && <ProtocolFindings files={all} recording={values.recording ?? (kind === 'recording' ? path : '')} rules={values.protocol ?? (kind === 'protocol' ? path : '')} />}
    </>
  )
}
