// The requirement as a form: in order, never, how often. What it writes is shown beside it.
import { Field, inputOf } from '../parts'
import type { ModelAnswer } from '../types'
import type { Limit, Requirement, Thing } from './requirement'

interface Props {
  requirement: Requirement
  model: ModelAnswer | null
  onChange: (requirement: Requirement) => void
}

function replaced<T>(list: T[], index: number, value: T | null): T[] {
  return value === null ? list.filter((_, at) => at !== index) : list.map((one, at) => (at === index ? value : one))
}

function NameLists({ model }: { model: ModelAnswer | null }) {
  const list = (id: string, names: string[]) => <datalist id={id}>{[...new Set(names)].sort().map((one) => <option key={one} value={one} />)}</datalist>
  return (
    <>
      {list('names-event', model?.transitions.map((one) => one.event) ?? [])}
      {list('names-state', model?.states.filter((one) => one.kind === 'state').map((one) => one.name) ?? [])}
      {list('names-view', model?.machines.flatMap((one) => [one.activity, one.machine]) ?? [])}
    </>
  )
}

function ThingFields({ thing, label, choices, visits, onChange }:
  { thing: Thing; label: string; choices: Thing['what'][]; visits: boolean; onChange: (thing: Thing) => void }) {
  return (
    <span class="thing">
      {visits && <select aria-label={`${label}: must or must not`} value={String(thing.visit)} onChange={(event) => onChange({ ...thing, visit: inputOf(event) === 'true' })}>
        <option value="true">visit</option><option value="false">never visit</option></select>}
      <select aria-label={`${label}: kind`} value={thing.what} onChange={(event) => onChange({ ...thing, what: inputOf(event) as Thing['what'], view: undefined, statemachine: undefined })}>
        {choices.map((one) => <option key={one} value={one}>{one === 'view' ? 'activity' : one}</option>)}</select>
      <input aria-label={`${label}: name`} value={thing.name} list={`names-${thing.what}`} placeholder="name" onInput={(event) => onChange({ ...thing, name: inputOf(event) })} />
    </span>
  )
}

function Sequence({ requirement, onChange }: Props) {
  const set = (sequence: Thing[][]) => onChange({ ...requirement, sequence })
  const swap = (index: number) => set(requirement.sequence.map((one, at, all) => (at === index - 1 ? all[index] : at === index ? all[index - 1] : one)))
  return (
    <fieldset><legend>In this order</legend>
      <ol class="sequence">{requirement.sequence.map((things, index) => (
        <li key={index}>
          {things.map((thing, at) => <ThingFields key={at} label={`step ${index + 1}${things.length > 1 ? `, part ${at + 1}` : ''}`} thing={thing} choices={['event', 'state', 'view']} visits={thing.what !== 'event'}
            onChange={(next) => set(replaced(requirement.sequence, index, replaced(things, at, next)))} />)}
          <span class="buttons">
            <button type="button" onClick={() => set(replaced(requirement.sequence, index, [...things, { what: 'state', name: '', visit: true }]))}>and at once …</button>
            {index > 0 && <button type="button" aria-label={`step ${index + 1} earlier`} onClick={() => swap(index)}>↑</button>}
            <button type="button" aria-label={`remove step ${index + 1}`} onClick={() => set(replaced(requirement.sequence, index, things.length > 1 ? things.slice(0, -1) : null))}>remove</button>
          </span>
        </li>
      ))}</ol>
      <button type="button" onClick={() => set([...requirement.sequence, [{ what: 'event', name: '', visit: true }]])}>add a step</button>
    </fieldset>
  )
}

function Counts({ requirement, onChange }: Props) {
  const set = (events: Limit[]) => onChange({ ...requirement, events })
  return (
    <fieldset><legend>How often and how long</legend>
      {requirement.events.map((limit, index) => (
        <div class="row" key={index}>
          <Field label="event"><input value={limit.name} list="names-event" onInput={(event) => set(replaced(requirement.events, index, { ...limit, name: inputOf(event) }))} /></Field>
          <Field label="at most"><input type="number" min="0" max="1000000" value={limit.max} onInput={(event) => set(replaced(requirement.events, index, { ...limit, max: inputOf(event) }))} /></Field>
          <Field label="seconds after it"><input type="number" min="0" step="any" value={limit.time} onInput={(event) => set(replaced(requirement.events, index, { ...limit, time: inputOf(event) }))} /></Field>
          <button type="button" aria-label={`remove the count of ${limit.name || 'the event'}`} onClick={() => set(replaced(requirement.events, index, null))}>remove</button>
        </div>
      ))}
      <button type="button" onClick={() => set([...requirement.events, { name: '', max: '1', time: '' }])}>add a count</button>
    </fieldset>
  )
}

function Always({ requirement, onChange }: Props) {
  const { loop, visits } = requirement
  const set = (next: Thing[]) => onChange({ ...requirement, visits: next })
  const setLoop = (part: string, value: string) => onChange({ ...requirement, loop: { min: '', max: '', kind: '', ...loop, [part]: value } })
  return (
    <fieldset><legend>Always</legend>
      {visits.map((thing, index) => (
        <div class="row" key={index}>
          <ThingFields label={`invariant ${index + 1}`} thing={thing} choices={['state', 'view']} visits onChange={(next) => set(replaced(visits, index, next))} />
          <button type="button" aria-label={`remove invariant ${index + 1}`} onClick={() => set(replaced(visits, index, null))}>remove</button>
        </div>
      ))}
      <button type="button" onClick={() => set([...visits, { what: 'state', name: '', visit: false }])}>add a state or activity</button>
      <label class="check"><input type="checkbox" checked={!!loop} onChange={() => onChange({ ...requirement, loop: loop ? null : { min: '0', max: '0', kind: '' } })} /> limit the loops</label>
      {loop && <div class="row">
        <Field label="loops at least"><input type="number" min="0" value={loop.min} onInput={(event) => setLoop('min', inputOf(event))} /></Field>
        <Field label="at most"><input type="number" min="0" value={loop.max} onInput={(event) => setLoop('max', inputOf(event))} /></Field>
        <Field label="a loop is"><select value={loop.kind || 'transition'} onChange={(event) => setLoop('kind', inputOf(event) === 'transition' ? '' : inputOf(event))}>
          <option value="transition">a transition taken again</option><option value="state">a state visited again</option><option value="consecutive">the same transition twice running</option></select></Field>
      </div>}
    </fieldset>
  )
}

export function Builder(props: Props) {
  const { requirement, onChange } = props
  return (
    <div class="builder">
      <NameLists model={props.model} />
      <Field label="name"><input value={requirement.name} onInput={(event) => onChange({ ...requirement, name: inputOf(event) })} /></Field>
      <Field label="what for"><input value={requirement.description} onInput={(event) => onChange({ ...requirement, description: inputOf(event) })} /></Field>
      <Sequence {...props} />
      <Always {...props} />
      <Counts {...props} />
    </div>
  )
}
