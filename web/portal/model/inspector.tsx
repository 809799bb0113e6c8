// What is chosen, as a form: every field is an edit of the text. While one types a name, the server is
// asked what the model would be worth with it, and its problems stand at the field.
import { useEffect, useId, useState } from 'preact/hooks'
import { post, reason } from '../api'
import { Field, inputOf } from '../parts'
import type { Action, Edit, Machine, ModelAnswer, ModelState, Problem, Subject, Transition } from '../types'

export interface Editing {
  answer: ModelAnswer
  edit: (edits: Edit[]) => Promise<ModelAnswer | null>
  choose: (subject: Subject | null) => void
  renamed: (from: string, to: string) => void // the choice follows, if it is still there
}

// New problems that an edit would make.
async function trial(answer: ModelAnswer, edit: Edit, signal: AbortSignal): Promise<string> {
  const known = new Set(answer.problems.map((one) => one.message))
  try {
    const after = await post<ModelAnswer>('/api/model/edit', { text: answer.text, edits: [edit] }, signal)
    return after.problems.filter((one) => !known.has(one.message)).map((one) => one.message).join('\n')
  } catch (error) {
    return (error as Error).name === 'AbortError' ? '' : reason(error)
  }
}

interface Typed {
  label: string
  value: string
  answer: ModelAnswer
  make: (value: string) => Edit
  onDone: (value: string) => void
  list?: string
  hint?: string
}

// A text field that becomes an edit at Enter or when it is left, and is tried while one types.
export function TypedField({ label, value, answer, make, onDone, list, hint }: Typed) {
  const [text, setText] = useState(value)
  const [said, setSaid] = useState('')
  const id = useId()
  useEffect(() => { setText(value); setSaid('') }, [value, answer])
  useEffect(() => {
    if (text === value) {
      setSaid('')
      return
    }
    const stop = new AbortController()
    const timer = setTimeout(() => trial(answer, make(text), stop.signal).then((found) => { if (!stop.signal.aborted) setSaid(found) }), 200)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  const done = () => { if (text !== value) onDone(text) }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} value={text} list={list} autocomplete="off" aria-invalid={!!said} aria-describedby={`${id}-said`} onInput={(event) => setText(inputOf(event))} onBlur={done}
        onKeyDown={(event) => { if (event.key === 'Enter') { event.preventDefault(); done() } else if (event.key === 'Escape') { event.stopPropagation(); setText(value) } }} />
      {hint && <small>{hint}</small>}
      <p id={`${id}-said`} class="problem" aria-live="polite">{said}</p>
    </div>
  )
}

function Here({ problems }: { problems: Problem[] }) {
  if (!problems.length) return null
  return <ul class="problems">{problems.map((one, index) => <li key={index} class={one.severity}>{one.message}</li>)}</ul>
}

function StateOptions({ states }: { states: ModelState[] }) {
  return <>{states.map((one) => <option key={one.id} value={one.id}>{one.name}{one.kind === 'state' ? '' : ` (${one.kind})`}</option>)}</>
}

// Where a new transition leads and by which event.
export function NewTransition({ from, editing, target }: { from: ModelState; editing: Editing; target: string }) {
  const { answer, edit } = editing
  const [event, setEvent] = useState('')
  const [to, setTo] = useState('')
  useEffect(() => { if (target) setTo(target) }, [target])
  const states = answer.states.filter((one) => one.machine === from.machine)
  const events = [...new Set(answer.transitions.map((one) => one.event))].sort()
  const add = async () => {
    const after = await edit([{ do: 'add_transition', from: from.id, to: to || states[0].id, event: event.trim() }])
    if (after) setEvent('')
  }
  return (
    <form class="row" aria-label="new transition" onSubmit={(submitted) => { submitted.preventDefault(); void add() }}>
      <Field label="event"><input required value={event} list="events" pattern="\S+" title="a name without blanks" onInput={(typed) => setEvent(inputOf(typed))} /></Field>
      <datalist id="events">{events.map((one) => <option key={one} value={one} />)}</datalist>
      <Field label="leads to"><select value={to || states[0]?.id} onChange={(chosen) => setTo(inputOf(chosen))}><StateOptions states={states} /></select></Field>
      <button type="submit">add transition</button>
    </form>
  )
}

// Conditions over what the screen shows; one that is emptied goes.
function Expects({ subject, expects, editing }: { subject: Subject; expects?: string[]; editing: Editing }) {
  if (!expects) return null
  const { answer, edit } = editing
  const set = (next: string[]): Edit => ({ do: 'set_expects', ...subject, expects: next.filter((one) => one.trim()) })
  const changed = (index: number, value: string) => [...expects.slice(0, index), value, ...expects.slice(index + 1)]
  return (
    <>
      <h3>What the screen must show</h3>
      {[...expects, ''].map((text, index) => <TypedField key={index} label={text ? `condition ${index + 1}` : 'new condition'} value={text} answer={answer}
        make={(value) => set(changed(index, value))} onDone={(value) => void edit([set(changed(index, value))])} />)}
    </>
  )
}

const stateFields: [attribute: string, label: string, kinds: string, hint?: string][] = [
  ['calls', 'calls', 'connection', 'a state machine or an activity'],
  ['returns', 'goes on at', 'connection', 'the state after the call'],
  ['enters', 'jumps to', 'connection', 'in the place of "goes on at": a state of the called machine'],
  ['labels', 'labels', 'state final', 'requirements it meets, with commas between'],
  ['image', 'picture', 'state', 'a file of the screen'],
]

export function StateForm({ state, editing, target, onConnect, connecting }:
  { state: ModelState; editing: Editing; target: string; onConnect?: () => void; connecting: boolean }) {
  const { answer, edit, choose, renamed } = editing
  const rename = (name: string): Edit => ({ do: 'rename_state', state: state.id, name: name.trim() })
  const set = (attribute: string) => (value: string): Edit => ({ do: 'set', state: state.id, attributes: { [attribute]: value || null } })
  const done = async (name: string) => {
    if (await edit([rename(name)])) renamed(state.id, `${state.machine}/${name.trim()}`)
  }
  const leaving = answer.transitions.filter((one) => one.from === state.id)
  const arriving = answer.transitions.filter((one) => one.to === state.id && one.from !== state.id)
  const nameOf = (id: string | null) => answer.states.find((one) => one.id === id)?.name ?? 'nowhere'
  const calls = [...new Set(answer.machines.flatMap((one) => [one.machine, one.activity]))]
  const flags: [string, string, boolean][] = [['reuse', 'comes to the front when it is open already', false], ['autoReturn', 'comes back by itself at the end', true]]
  return (
    <section aria-label={`${state.kind} ${state.name}`}>
      <h2>{state.kind} <span class="name">{state.name}</span></h2>
      <Here problems={answer.problems.filter((one) => one.subject?.state === state.id)} />
      <TypedField label="name" value={state.name} answer={answer} make={rename} onDone={done} />
      {stateFields.filter(([, , kinds]) => kinds.includes(state.kind)).map(([attribute, label, , hint]) => (
        <TypedField key={attribute} label={label} hint={hint} list={attribute === 'calls' ? 'calls' : undefined} value={state.attributes[attribute] ?? ''} answer={answer}
          make={set(attribute)} onDone={(value) => void edit([set(attribute)(value)])} />
      ))}
      <datalist id="calls">{calls.map((one) => <option key={one} value={one} />)}</datalist>
      {state.kind === 'connection' && flags.map(([attribute, text, usual]) => (
        <label key={attribute} class="check"><input type="checkbox" checked={(state.attributes[attribute] ?? String(usual)) === 'true'}
          onChange={(event) => void edit([set(attribute)(String((event.currentTarget as HTMLInputElement).checked))])} /> {text}</label>
      ))}
      <Expects subject={{ state: state.id }} expects={state.kind === 'state' ? state.expects : undefined} editing={editing} />
      {state.picture && <img class="shot" src={`/api/file?path=${encodeURIComponent(state.picture)}`} alt={`the screen of ${state.name}`} />}
      <div class="buttons">
        {state.kind !== 'connection' && !state.initial && <button onClick={() => void edit([{ do: 'set_initial', machine: state.machine, state: state.id }])}>start here</button>}
        {onConnect && <button aria-pressed={connecting} onClick={onConnect}>{connecting ? 'click the state it leads to' : 'connect in the graph'}</button>}
        <button class="danger" onClick={() => void edit([{ do: 'delete_state', state: state.id }]).then((after) => after && choose(null))}>delete</button>
      </div>
      {state.kind === 'state' && <><h3>Transitions</h3>
        <ul class="ways">{leaving.map((one) => <li key={one.id}><button class="link" onClick={() => choose({ transition: one.id })}>{one.event}</button> to <button class="link" onClick={() => choose({ state: one.to ?? undefined })}>{nameOf(one.to)}</button></li>)}</ul>
        <NewTransition from={state} editing={editing} target={target} /></>}
      {arriving.length > 0 && <details><summary>{arriving.length} arrive here</summary>
        <ul class="ways">{arriving.map((one) => <li key={one.id}><button class="link" onClick={() => choose({ transition: one.id })}>{nameOf(one.from)}: {one.event}</button></li>)}</ul></details>}
    </section>
  )
}

const transitionFields: [attribute: string, label: string, hint?: string][] = [
  ['time', 'seconds until the next event'], ['weight', 'weight', 'for random flows'], ['guard', 'guard', 'taken only while it is true'],
  ['update', 'update', 'what it does to the variables'], ['sends', 'sends on'], ['receives', 'receives on'], ['labels', 'labels'], ['note', 'note'],
]
const actionKinds = ['click', 'longClick', 'doubleClick', 'text', 'scroll', 'swipe', 'pinch', 'drag', 'hover', 'back', 'home', 'launch', 'key', 'wait']
const actionParts: (keyof Action)[] = ['xpath', 'resourceId', 'text', 'value']

function Actions({ transition, editing }: { transition: Transition; editing: Editing }) {
  const { answer, edit } = editing
  const set = (actions: Action[]) => edit([{ do: 'set_actions', transition: transition.id, actions }])
  const changed = (index: number, part: keyof Action, value: string) => transition.actions.map((one, at) => {
    if (at !== index) return one
    const next = { ...one, [part]: value }
    if (!value) delete next[part]
    return next
  })
  return (
    <>
      <h3>How it is performed</h3>
      {transition.actions.map((action, index) => (
        <fieldset key={index} class="action"><legend>action {index + 1}</legend>
          <Field label="gesture"><select value={action.kind} onChange={(event) => void set(changed(index, 'kind', inputOf(event)))}>
            {actionKinds.map((one) => <option key={one}>{one}</option>)}
          </select></Field>
          {actionParts.map((part) => <TypedField key={part} label={part} value={action[part] ?? ''} answer={answer}
            make={(value) => ({ do: 'set_actions', transition: transition.id, actions: changed(index, part, value) })} onDone={(value) => void set(changed(index, part, value))} />)}
          <button onClick={() => void set(transition.actions.filter((_, at) => at !== index))}>remove action {index + 1}</button>
        </fieldset>
      ))}
      <button onClick={() => void set([...transition.actions, { kind: 'back' }])}>add an action</button>
    </>
  )
}

export function TransitionForm({ transition, editing }: { transition: Transition; editing: Editing }) {
  const { answer, edit, choose } = editing
  const set = (attribute: string) => (value: string): Edit => ({ do: 'set', transition: transition.id, attributes: { [attribute]: value || null } })
  const states = answer.states.filter((one) => one.machine === transition.machine)
  const end = (which: 'from' | 'to') => (
    <Field label={which}><select value={transition[which] ?? ''} onChange={(event) => void edit([{ do: 'connect', transition: transition.id, [which]: inputOf(event) }])}>
      {!transition[which] && <option value="">{transition.attributes[which]} (does not exist)</option>}
      <StateOptions states={states} />
    </select></Field>
  )
  return (
    <section aria-label={`transition ${transition.event}`}>
      <h2>transition <span class="name">{transition.event}</span></h2>
      <Here problems={answer.problems.filter((one) => one.subject?.transition === transition.id)} />
      <TypedField label="event" value={transition.event} answer={answer} make={set('event')} onDone={(value) => void edit([set('event')(value)])} />
      {end('from')}{end('to')}
      <Field label="kind"><select value={transition.attributes.kind ?? ''} onChange={(event) => void edit([set('kind')(inputOf(event))])}>
        <option value="">by its name</option><option value="user">user</option><option value="system">system</option>
      </select></Field>
      <details open={transitionFields.some(([attribute]) => transition.attributes[attribute] !== undefined)}><summary>time, guard and more</summary>
        {transitionFields.map(([attribute, label, hint]) => <TypedField key={attribute} label={label} hint={hint} value={transition.attributes[attribute] ?? ''} answer={answer}
          make={set(attribute)} onDone={(value) => void edit([set(attribute)(value)])} />)}
      </details>
      <Actions transition={transition} editing={editing} />
      <Expects subject={{ transition: transition.id }} expects={transition.expects} editing={editing} />
      <div class="buttons"><button class="danger" onClick={() => void edit([{ do: 'delete_transition', transition: transition.id }]).then((after) => after && choose(transition.from ? { state: transition.from } : null))}>delete the transition</button></div>
    </section>
  )
}

// A state machine with one state, in an activity that is there or not.
export function NewMachine({ editing }: { editing: Editing }) {
  const { answer, edit, choose } = editing
  const applications = [...new Set(answer.machines.map((one) => `${one.device}/${one.application}`))]
  const [application, setApplication] = useState(applications[0] ?? '')
  const [activity, setActivity] = useState('')
  const [name, setName] = useState('')
  const add = async () => {
    const made = { activity: activity.trim(), name: name.trim() }
    if (!await edit([{ do: 'add_machine', application, ...made }])) return
    setName('')
    choose({ machine: `${application}/${made.activity}/${made.name}` })
  }
  if (!applications.length) return null
  const known = answer.machines.filter((one) => `${one.device}/${one.application}` === application).map((one) => one.activity)
  return (
    <details><summary>new state machine</summary>
      <form aria-label="new state machine" onSubmit={(event) => { event.preventDefault(); void add() }}>
        {applications.length > 1 && <Field label="application"><select value={application} onChange={(event) => setApplication(inputOf(event))}>{applications.map((one) => <option key={one}>{one}</option>)}</select></Field>}
        <Field label="activity" hint="one that is there, or a new one"><input required pattern="\S+" title="a name without blanks" list="activities" value={activity} onInput={(event) => setActivity(inputOf(event))} /></Field>
        <datalist id="activities">{[...new Set(known)].map((one) => <option key={one} value={one} />)}</datalist>
        <Field label="name"><input required pattern="\S+" title="a name without blanks" value={name} onInput={(event) => setName(inputOf(event))} /></Field>
        <button type="submit">add state machine</button>
      </form>
    </details>
  )
}

export function MachineForm({ machine, editing, unfolded, onUnfold }:
  { machine: Machine; editing: Editing; unfolded: boolean; onUnfold: () => void }) {
  const { answer, edit, choose } = editing
  const [name, setName] = useState('')
  const [kind, setKind] = useState('state')
  const add = async () => {
    const after = await edit([{ do: 'add_state', machine: machine.id, name: name.trim(), kind }])
    if (!after) return
    setName('')
    choose({ state: `${machine.id}/${name.trim()}` })
  }
  return (
    <section aria-label={`state machine ${machine.machine}`}>
      <h2>state machine <span class="name">{machine.machine}</span></h2>
      <p class="detail">{machine.device} › {machine.application} › {machine.activity}</p>
      <Here problems={answer.problems.filter((one) => one.subject?.machine === machine.id)} />
      <label class="check"><input type="checkbox" checked={machine.external} onChange={(event) => void edit([{ do: 'set', machine: machine.id, attributes: { external: (event.currentTarget as HTMLInputElement).checked ? 'true' : null } }])} /> flows may start here</label>
      <div class="buttons"><button onClick={onUnfold}>{unfolded ? 'fold' : 'unfold'}</button></div>
      <h3>New state</h3>
      <form class="row" aria-label="new state" onSubmit={(event) => { event.preventDefault(); void add() }}>
        <Field label="name"><input required pattern="\S+" title="a name without blanks" value={name} onInput={(event) => setName(inputOf(event))} /></Field>
        <Field label="kind"><select value={kind} onChange={(event) => setKind(inputOf(event))}><option>state</option><option>final</option><option>connection</option></select></Field>
        <button type="submit">add state</button>
      </form>
    </section>
  )
}
