// Flows: the bound and the requirement on the left, how many flows there are while one drags the bound,
// and the flows on the right, each as steps and over the graph.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { go, goIfStill, useAddress } from '../../shared/address'
import { plural } from '../../shared/format'
import { post, readFile, reason, Refusal, writeFile } from '../api'
import { Canvas } from '../model/canvas'
import { atFirst } from '../model/page'
import { Dialog, Diff, Field, FileChoice, inputOf, pageLink, Problem, Tabs } from '../parts'
import type { Flow, FlowAnswer, ModelAnswer } from '../types'
import { useAsked, useFiles } from '../use'
import { Builder } from './builder'
import { emptyRequirement, readRequirement, requirementText } from './requirement'
import type { Requirement } from './requirement'

const none: ReadonlySet<string> = new Set()
const tab = Math.random().toString(36).slice(2) // so that a newer question of this page ends the older

function grouped(count: string | undefined): string {
  return (count ?? '').replace(/\B(?=(\d{3})+$)/g, ',')
}

// What is asked for beside the model: the same fields for counting, listing and saving.
interface Wanted {
  length: number
  mode: string
  goal: string
  count: number
  seed: number
}

function Bound({ wanted, onChange, answer }: { wanted: Wanted; onChange: (wanted: Wanted) => void; answer: FlowAnswer | null }) {
  return (
    <>
      <Field label="at most so many events">
        <span class="row"><input type="range" min="1" max="60" value={wanted.length} onInput={(event) => onChange({ ...wanted, length: Number(inputOf(event)) })} />
          <output>{wanted.length}</output></span>
      </Field>
      <p class="count" role="status" data-count={answer?.count ?? ''}>{answer?.count !== undefined ? <><strong>{grouped(answer.count)}</strong> flows{answer.exit !== undefined && <>: {grouped(answer.exit)} leave the app, {grouped(answer.stuck)} are stuck, {grouped(answer.truncated)} reach the bound</>}</> : 'counting …'}</p>
    </>
  )
}

function FlowList({ flows, complete, chosen, onChoose }: { flows: Flow[]; complete: boolean; chosen: number; onChoose: (index: number) => void }) {
  return (
    <>
      <ol class="flows" aria-label="flows">{flows.map((flow, index) => (
        <li key={index}><button class={index === chosen ? 'flow chosen' : 'flow'} aria-pressed={index === chosen} onClick={() => onChoose(index)}>
          {flow.steps.length ? flow.steps.map((step, at) => <span key={at} class="step">{step.event}</span>) : <em>no event</em>}</button></li>
      ))}</ol>
      {!complete && <p class="note">These are the first {flows.length}; there are more.</p>}
    </>
  )
}

// The states a flow passes, as the model names them, and the transitions between them.
function pathOf(model: ModelAnswer, flow: Flow | undefined): { states: ReadonlySet<string>; transitions: ReadonlySet<string> } | null {
  if (!flow) return null
  const ids = new Map<string, string>()
  for (const state of model.states) {
    const machine = model.machines.find((one) => one.id === state.machine)
    if (machine) ids.set(`${machine.application}/${machine.activity}/${machine.machine}/${state.name}`, state.id)
  }
  const named = (list: string[] | undefined) => (list ?? []).map((one) => ids.get(one)).filter((one): one is string => !!one)
  const states = new Set<string>()
  const transitions = new Set<string>()
  let here = named(flow.start?.flatMap((one) => one.states ?? []))
  here.forEach((one) => states.add(one))
  for (const step of flow.steps) {
    const next = named(step.states)
    const taken = model.transitions.find((one) => one.event === step.event && one.from && here.includes(one.from) && one.to && next.includes(one.to))
      ?? model.transitions.find((one) => one.event === step.event && one.from && here.includes(one.from))
    if (taken) {
      transitions.add(taken.id)
      if (taken.to) states.add(taken.to)
    }
    next.forEach((one) => states.add(one))
    if (next.length) here = next
  }
  return { states, transitions }
}

function Over({ model, flow }: { model: ModelAnswer; flow: Flow | undefined }) {
  const path = useMemo(() => pathOf(model, flow), [model, flow])
  const unfolded = useMemo(() => {
    const first = new Set(atFirst(model))
    for (const id of path?.states ?? []) first.add(id.slice(0, id.lastIndexOf('/')))
    return first
  }, [model, path])
  return <Canvas label={`the flow over the graph of ${model.name}`} answer={model} unfolded={unfolded} chosen={null} wrong={none} path={path} />
}

interface Draft {
  path: string // '' for a new one
  hash: string
  form: Requirement
}

// A requirement is opened from its file or begun afresh; it counts at once, also while it is not saved.
function useDraft(path: string) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const [saved, setSaved] = useState('')
  const [error, setError] = useState('')
  useEffect(() => {
    setError('')
    if (!path) return
    readFile(path).then(({ text, hash }) => {
      const form = readRequirement(text)
      if (!form) setError(`${path} is not a requirement`)
      else {
        setDraft({ path, hash, form })
        setSaved(requirementText(form))
      }
    }, (problem) => setError(reason(problem)))
  }, [path])
  return { draft, setDraft, saved, setSaved, error, setError }
}

function SaveRequirement({ draft, onSaved }: { draft: Draft; onSaved: (path: string, hash: string) => void }) {
  const [path, setPath] = useState(draft.path || 'flows.req.xml')
  const [error, setError] = useState('')
  const [conflict, setConflict] = useState<{ diff: string; hash: string } | null>(null)
  const save = async (hash: string) => {
    try {
      onSaved(path, await writeFile(path, requirementText(draft.form), hash))
      setError('')
      setConflict(null)
    } catch (problem) {
      if (problem instanceof Refusal && problem.status === 409) setConflict(problem.body as unknown as { diff: string; hash: string })
      else setError(reason(problem))
    }
  }
  return (
    <form class="row" aria-label="save the requirement" onSubmit={(event) => { event.preventDefault(); void save(path === draft.path ? draft.hash : '') }}>
      <Field label="save as"><input required value={path} onInput={(event) => setPath(inputOf(event))} /></Field>
      <button type="submit">save the requirement</button>
      <Problem text={error} />
      {conflict && <Dialog title="There is another version of this file" onClose={() => setConflict(null)}>
        <Diff text={conflict.diff} label="from the file to yours" />
        <div class="buttons"><button type="button" onClick={() => setConflict(null)}>keep the file</button><button type="button" onClick={() => void save(conflict.hash)}>write mine</button></div>
      </Dialog>}
    </form>
  )
}

function Send({ ask, model, requirement }: { ask: Record<string, unknown>; model: string; requirement: string }) {
  const [path, setPath] = useState(model.replace(/(\.model)?\.xml$/, '') + '.flows.jsonl')
  const [error, setError] = useState('')
  const [taken, setTaken] = useState(false)
  const send = async (replace: boolean) => {
    setTaken(false)
    try {
      await post('/api/flows/save', { ...ask, path, replace })
      go({ flows: path, model, requirement: requirement || null, file: null }, 'run')
    } catch (problem) {
      if (problem instanceof Refusal && problem.status === 409) setTaken(true)
      else setError(reason(problem))
    }
  }
  return (
    <form class="row" aria-label="send to a run" onSubmit={(event) => { event.preventDefault(); void send(false) }}>
      <Field label="file of the flows"><input required value={path} onInput={(event) => setPath(inputOf(event))} /></Field>
      <button type="submit" class="first">send to a run</button>
      {taken && <p role="alert">There is a file of that name. <button type="button" onClick={() => void send(true)}>replace it</button></p>}
      <Problem text={error} />
    </form>
  )
}

export function FlowsPage() {
  const { values } = useAddress()
  const files = useFiles()
  const model = values.model ?? ''
  const [wanted, setWanted] = useState<Wanted>({ length: 8, mode: 'list', goal: 'transitions', count: 20, seed: 1 })
  const { draft, setDraft, saved, setSaved, error } = useDraft(values.requirement ?? '')
  const [chosen, setChosen] = useState(0)
  const text = draft ? requirementText(draft.form) : ''
  const ask = { model, length: wanted.length, ...(text ? { requirement_text: text } : {}) }
  const listed = { ...ask, mode: wanted.mode, limit: 200, seed: wanted.seed, ...(wanted.mode === 'cover' ? { goal: wanted.goal } : wanted.mode === 'sample' ? { count: wanted.count } : {}) }
  const key = JSON.stringify(listed)
  const count = useAsked(model ? (signal) => post<FlowAnswer>('/api/flows', { ...ask, mode: 'count', page: `${tab}-count` }, signal) : null, [JSON.stringify(ask)], 80)
  const flows = useAsked(model ? (signal) => post<FlowAnswer>('/api/flows', { ...listed, page: `${tab}-list` }, signal) : null, [key], 250)
  const answer = useAsked(model ? (signal) => post<ModelAnswer>('/api/model', { path: model }, signal) : null, [model])
  useEffect(() => setChosen(0), [key])
  const shown = flows.value?.flows ?? []
  return (
    <>
      <h1>Flows</h1>
      <Problem text={files.error || error || count.error || flows.error} />
      <div class="two">
        <section aria-label="which flows">
          <FileChoice label="model" files={files.value ?? []} kinds={['model']} value={model} onChange={(path) => go({ model: path }, 'flows')} />
          {model && <>
            <Bound wanted={wanted} onChange={setWanted} answer={count.value} />
            <FileChoice label="requirement" files={files.value ?? []} kinds={['requirement']} value={draft && !draft.path ? '' : values.requirement ?? ''} none={draft && !draft.path ? 'a new one' : 'none: all flows'}
              onChange={(path) => { if (!path) setDraft(null); go({ requirement: path }, 'flows') }} />
            <div class="buttons">
              <button onClick={() => { setDraft({ path: '', hash: '', form: emptyRequirement() }); setSaved(''); go({ requirement: null }, 'flows') }}>new requirement</button>
              {draft && <button onClick={() => { setDraft(null); go({ requirement: null }, 'flows') }}>without</button>}
            </div>
            {draft && <>
              <Builder requirement={draft.form} model={answer.value} onChange={(form) => setDraft({ ...draft, form })} />
              {text !== saved && <SaveRequirement key={draft.path} draft={draft} onSaved={(path, hash) => { setSaved(text); setDraft({ ...draft, path, hash }); files.again(); goIfStill({ requirement: path }, 'flows') }} />}
              <details><summary>as XML</summary><pre tabIndex={0} aria-label="the requirement as XML">{text}</pre></details>
            </>}
          </>}
        </section>
        {model && <section aria-label="the flows">
          <Tabs label="which of them" chosen={wanted.mode} onChoose={(mode) => setWanted({ ...wanted, mode })} tabs={[['list', 'in order'], ['cover', 'covering'], ['sample', 'drawn at random']]} />
          {wanted.mode === 'cover' && <Field label="cover all"><select value={wanted.goal} onChange={(event) => setWanted({ ...wanted, goal: inputOf(event) })}>
            {['states', 'transitions', 'pairs'].map((one) => <option key={one} value={one}>{one === 'pairs' ? 'pairs of transitions' : one}</option>)}</select></Field>}
          {wanted.mode === 'sample' && <div class="row">
            <Field label="how many"><input type="number" min="1" max="1000" value={wanted.count} onInput={(event) => setWanted({ ...wanted, count: Math.max(1, Number(inputOf(event)) || 1) })} /></Field>
            <Field label="seed"><input type="number" min="0" value={wanted.seed} onInput={(event) => setWanted({ ...wanted, seed: Number(inputOf(event)) || 0 })} /></Field></div>}
          {flows.busy ? <p role="status">looking for flows …</p> : <p role="status">{plural(shown.length, 'flow')} shown{flows.value?.covered !== undefined ? `, covering ${flows.value.covered} of ${flows.value.total}` : ''}</p>}
          {shown.length > 0 && <Send key={model} ask={{ ...listed, ...(wanted.mode === 'list' ? { limit: 1000 } : {}) }} model={model} requirement={draft?.path ?? ''} />}
          {answer.value && <Over model={answer.value} flow={shown[chosen]} />}
          <FlowList flows={shown} complete={flows.value?.complete ?? true} chosen={chosen} onChoose={setChosen} />
        </section>}
      </div>
      {!model && files.value && !files.value.some((one) => one.kind === 'model') && <p>There is no model in this folder yet. <a href={pageLink('run')}>Explore an app</a> or <a href={pageLink('model')}>draw one</a>.</p>}
    </>
  )
}
