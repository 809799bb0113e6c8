// The model in words: its machines with their states and where each event leads. Everything the graph
// lets one choose can be chosen here, by keyboard alone.
import { useState } from 'preact/hooks'
import { plural } from '../../shared/format'
import type { ModelAnswer, Subject } from '../types'

interface Props {
  answer: ModelAnswer
  chosen: Subject | null
  wrong: ReadonlySet<string>
  unfolded: ReadonlySet<string>
  onChoose: (subject: Subject) => void
  onUnfold: (machine: string) => void
}

const page = 60 // states of a machine that are shown at first

function Rows({ machine, answer, chosen, wrong, onChoose }: Props & { machine: string }) {
  const [shown, setShown] = useState(page)
  const states = answer.states.filter((one) => one.machine === machine)
  const names = new Map(states.map((one) => [one.id, one.name]))
  const mark = (id: string) => (wrong.has(id) ? <span class="mark" title="has a problem"> ⚠<span class="hidden"> has a problem</span></span> : null)
  return (
    <>
      <table>
        <caption class="hidden">states of {machine}</caption>
        <thead><tr><th scope="col">state</th><th scope="col">kind</th><th scope="col">events</th></tr></thead>
        <tbody>{states.slice(0, shown).map((state) => (
          <tr key={state.id} class={chosen?.state === state.id ? 'marked' : ''}>
            <td><button class="link" aria-current={chosen?.state === state.id || undefined} onClick={() => onChoose({ state: state.id })}>{state.name}</button>{mark(state.id)}</td>
            <td>{state.initial ? 'start' : state.kind}</td>
            <td>{answer.transitions.filter((one) => one.from === state.id).map((one) => (
              <span key={one.id} class="way"><button class="link" aria-current={chosen?.transition === one.id || undefined} onClick={() => onChoose({ transition: one.id })}>{one.event}</button> → {names.get(one.to ?? '') ?? one.attributes.to ?? '?'}{mark(one.id)}</span>
            ))}</td>
          </tr>
        ))}</tbody>
      </table>
      {states.length > shown && <button onClick={() => setShown(shown + 200)}>{plural(states.length - shown, 'more state')}</button>}
    </>
  )
}

export function ModelList(props: Props) {
  const { answer, chosen, unfolded, wrong, onChoose, onUnfold } = props
  return (
    <div class="modellist" role="region" aria-label="the model as a list" tabIndex={0}>
      {answer.machines.map((machine) => {
        const open = unfolded.has(machine.id)
        const inside = answer.states.filter((one) => one.machine === machine.id)
        const troubled = wrong.has(machine.id) || inside.some((one) => wrong.has(one.id)) || answer.transitions.some((one) => one.machine === machine.id && wrong.has(one.id))
        return (
          <section key={machine.id} class={chosen?.machine === machine.id ? 'marked' : ''} aria-label={machine.machine}>
            <h2>
              <button aria-expanded={open} onClick={() => onUnfold(machine.id)}>{open ? '▾' : '▸'}<span class="hidden"> {open ? 'fold' : 'unfold'} {machine.machine}</span></button>{' '}
              <button class="link" onClick={() => onChoose({ machine: machine.id })}>{machine.activity === machine.machine ? machine.machine : `${machine.activity} › ${machine.machine}`}</button>
              <small> {plural(inside.length, 'state')}{troubled ? ', with a problem' : ''}</small>
            </h2>
            {open && <Rows {...props} machine={machine.id} />}
          </section>
        )
      })}
    </div>
  )
}
