// The model editor: the graph, the same as a list, and the text; what is chosen on the right. Edits are
// made on the text by the server, so that comments and order stay; nothing is written before "save".
import { useEffect, useMemo, useState } from 'preact/hooks'
import { go, goIfStill, useAddress } from '../../shared/address'
import { plural } from '../../shared/format'
import { Diff, Dialog, Field, FileChoice, inputOf, pageLink, Problem, Tabs } from '../parts'
import { TextField } from '../text'
import type { ModelAnswer, Subject } from '../types'
import { useFiles } from '../use'
import { Canvas } from './canvas'
import { useDocument } from './history'
import type { Document } from './history'
import { MachineForm, NewMachine, StateForm, TransitionForm } from './inspector'
import type { Editing } from './inspector'
import { ModelList } from './list'

const few = 60 // states up to which a model opens unfolded

const fresh = (name: string) => `<?xml version="1.0" encoding="UTF-8"?>
<interactionModel xmlns="urn:tactus:interaction-model:1" name="${name}">
  <device name="phone">
    <application name="App" external="true">
      <activity name="Main" external="true">
        <stateMachine name="Main" external="true">
          <initial to="start"/>
          <state name="start"/>
          <final name="end"/>
          <transition from="start" event="back" to="end"/>
        </stateMachine>
      </activity>
    </application>
  </device>
</interactionModel>
`

export function atFirst(answer: ModelAnswer): ReadonlySet<string> {
  return new Set(answer.states.length <= few ? answer.machines.map((one) => one.id) : answer.machines.length === 1 ? [answer.machines[0].id] : [])
}

export function wrongIn(answer: ModelAnswer): ReadonlySet<string> {
  const wrong = new Set<string>()
  for (const { subject } of answer.problems) for (const id of [subject?.state, subject?.transition, subject?.machine]) if (id) wrong.add(id)
  return wrong
}

function Problems({ answer, onChoose }: { answer: ModelAnswer; onChoose: (subject: Subject) => void }) {
  const errors = answer.problems.filter((one) => one.severity === 'error').length
  if (!answer.problems.length) return <p class="fineword" role="status">No problems: {plural(answer.states.length, 'state')}, {plural(answer.transitions.length, 'transition')}.</p>
  return (
    <section class="card" aria-label="problems">
      <h2><span role="status">{plural(errors, 'error')}, {plural(answer.problems.length - errors, 'warning')}</span></h2>
      <ul class="problems">{answer.problems.slice(0, 100).map((one, index) => (
        <li key={index} class={one.severity}>{one.subject ? <button class="link" onClick={() => onChoose(one.subject!)}>{one.message}</button> : one.message} <small>line {one.line}</small></li>
      ))}</ul>
    </section>
  )
}

// Someone else saved meanwhile: the difference, and either version can be kept; nothing is lost.
function ConflictDialog({ document }: { document: Document }) {
  if (!document.conflict) return null
  return (
    <Dialog title="The file has changed since you opened it" onClose={() => undefined}>
      <p>Someone else saved <code>{document.path}</code>. This is how yours differs from theirs:</p>
      <Diff text={document.conflict.diff} label="from theirs to yours" />
      <div class="buttons">
        <button onClick={() => void document.takeTheirs()}>take theirs (undo brings yours back)</button>
        <button onClick={() => void document.keepMine()}>keep mine (theirs is overwritten)</button>
      </div>
    </Dialog>
  )
}

function SaveAs({ onSave, onClose }: { onSave: (path: string) => void; onClose: () => void }) {
  const [path, setPath] = useState('new.model.xml')
  return (
    <Dialog title="Save the model" onClose={onClose}>
      <form onSubmit={(event) => { event.preventDefault(); onSave(path) }}>
        <Field label="file in this folder"><input required value={path} onInput={(event) => setPath(inputOf(event))} /></Field>
        <div class="buttons"><button type="submit">save</button><button type="button" onClick={onClose}>cancel</button></div>
      </form>
    </Dialog>
  )
}

function Search({ answer, onChoose }: { answer: ModelAnswer; onChoose: (subject: Subject) => void }) {
  const [text, setText] = useState('')
  const words = text.trim().toLowerCase()
  const found = useMemo(() => !words ? [] : [
    ...answer.states.filter((one) => one.name.toLowerCase().includes(words)).map((one) => ({ subject: { state: one.id } as Subject, text: one.name, more: one.kind })),
    ...answer.machines.filter((one) => one.id.toLowerCase().includes(words)).map((one) => ({ subject: { machine: one.id } as Subject, text: one.machine, more: 'state machine' })),
    ...answer.transitions.filter((one) => one.event.toLowerCase().includes(words)).map((one) => ({ subject: { transition: one.id } as Subject, text: one.event, more: 'event' })),
  ], [answer, words])
  return (
    <form role="search" class="search" onSubmit={(event) => { event.preventDefault(); if (found[0]) onChoose(found[0].subject) }}>
      <Field label="search"><input type="search" value={text} onInput={(event) => setText(inputOf(event))} /></Field>
      {words && <ul aria-label="found">{found.slice(0, 12).map((one, index) => <li key={index}><button type="button" class="link" onClick={() => onChoose(one.subject)}>{one.text}</button> <small>{one.more}</small></li>)}
        {!found.length && <li>nothing</li>}{found.length > 12 && <li>and {plural(found.length - 12, 'more match', 'more matches')}</li>}</ul>}
    </form>
  )
}

// Waits with the question until one has stopped typing; the text itself is shown at once.
function Source({ document }: { document: Document }) {
  const answer = document.answer!
  const [text, setText] = useState(answer.text)
  useEffect(() => setText(answer.text), [answer.text])
  useEffect(() => {
    if (text === answer.text) return
    const timer = setTimeout(() => void document.type(text), 300)
    return () => clearTimeout(timer)
  }, [text])
  return <TextField label="the file" rows={28} value={text} problems={answer.problems} onInput={setText} onDone={() => { if (text !== answer.text) void document.type(text) }} />
}

function Bar({ document, view }: { document: Document; view: string }) {
  const [naming, setNaming] = useState(false)
  const save = async (path?: string) => {
    setNaming(false)
    if (await document.save(path) && path) goIfStill({ file: path }, 'model')
  }
  const wanted = () => { if (document.path) void save(); else setNaming(true) }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || (event.target as Element).tagName === 'TEXTAREA') return
      const acts: Record<string, () => void> = { z: () => void (event.shiftKey ? document.redo() : document.undo()), y: () => void document.redo(), s: wanted }
      const act = acts[event.key.toLowerCase()]
      if (!act || ((event.target as Element).tagName === 'INPUT' && event.key !== 's')) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return (
    <div class="bar" role="toolbar" aria-label="the model">
      <button disabled={!document.undoable} onClick={() => void document.undo()} title="Ctrl+Z">undo <small>{document.undoable || ''}</small></button>
      <button disabled={!document.redoable} onClick={() => void document.redo()} title="Ctrl+Shift+Z">redo</button>
      <button class="first" disabled={!document.changed} onClick={wanted} title="Ctrl+S">save</button>
      <Tabs label="view" chosen={view} onChoose={(tab) => go({ view: tab === 'graph' ? null : tab })} tabs={[['graph', 'graph'], ['list', 'list'], ['text', 'text']]} />
      <span class="state" role="status">{document.busy ? 'working …' : document.changed ? 'not saved' : document.path ? 'saved' : ''}</span>
      {document.path && <a href={pageLink('flows', { model: document.path })}>flows of it</a>}
      {naming && <SaveAs onSave={save} onClose={() => setNaming(false)} />}
    </div>
  )
}

function Editor({ document }: { document: Document }) {
  const answer = document.answer!
  const { values } = useAddress()
  const view = values.view ?? 'graph'
  const [chosen, setChosen] = useState<Subject | null>(null)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(() => atFirst(answer))
  const [connecting, setConnecting] = useState(false)
  const [target, setTarget] = useState('')
  const wrong = useMemo(() => wrongIn(answer), [answer])
  const state = answer.states.find((one) => one.id === chosen?.state)
  const transition = answer.transitions.find((one) => one.id === chosen?.transition)
  const machine = answer.machines.find((one) => one.id === chosen?.machine)
  const choose = (subject: Subject | null) => {
    setConnecting(false)
    setTarget('')
    setChosen(subject)
  }
  // From a search, a problem or a link: what is folded away is unfolded first.
  const show = (subject: Subject | null) => {
    const inside = subject?.state?.slice(0, subject.state.lastIndexOf('/')) ?? answer.transitions.find((one) => one.id === subject?.transition)?.machine
    if (inside && !unfolded.has(inside)) setUnfolded(new Set([...unfolded, inside]))
    choose(subject)
  }
  const tapped = (subject: Subject | null) => {
    if (connecting && state && subject?.state && subject.state.startsWith(`${state.machine}/`)) {
      setTarget(subject.state)
      setConnecting(false)
    } else choose(subject)
  }
  const unfold = (id: string) => {
    const next = new Set(unfolded)
    if (!next.delete(id)) next.add(id)
    setUnfolded(next)
  }
  const renamed = (from: string, to: string) => setChosen((now) => (now?.state === from ? { state: to } : now))
  const editing = { answer, edit: document.edit, choose: show, renamed }
  return (
    <>
      <Bar document={document} view={view} />
      <Problem text={document.error} />
      <div class={`editor as-${view}`}>
        <div class="left">
          {view === 'graph' && answer.wellformed && <>
            <div class="above"><Search answer={answer} onChoose={show} />
              <div class="tools"><button onClick={() => setUnfolded(new Set(answer.machines.map((one) => one.id)))}>unfold all</button><button onClick={() => setUnfolded(new Set())}>fold all</button></div></div>
            <Canvas label={`graph of ${answer.name}`} answer={answer} unfolded={unfolded} chosen={chosen} wrong={wrong} onChoose={tapped} onUnfold={unfold} />
          </>}
          {view === 'list' && answer.wellformed && <><Search answer={answer} onChoose={show} /><ModelList answer={answer} chosen={chosen} wrong={wrong} unfolded={unfolded} onChoose={show} onUnfold={unfold} /></>}
          {(view === 'text' || !answer.wellformed) && <Source document={document} />}
        </div>
        <div class="right">
          <Problems answer={answer} onChoose={show} />
          <div class="card inspector">
            {state ? <StateForm key={state.machine} state={state} editing={editing} target={target} connecting={connecting} onConnect={view === 'graph' ? () => setConnecting(!connecting) : undefined} />
              : transition ? <TransitionForm transition={transition} editing={editing} />
                : machine ? <MachineForm key={machine.id} machine={machine} editing={editing} unfolded={unfolded.has(machine.id)} onUnfold={() => unfold(machine.id)} />
                  : <Nothing answer={answer} onChoose={show} editing={editing} />}
          </div>
        </div>
      </div>
      <ConflictDialog document={document} />
    </>
  )
}

function Nothing({ answer, onChoose, editing }: { answer: ModelAnswer; onChoose: (subject: Subject) => void; editing: Editing }) {
  return (
    <section aria-label="state machines">
      <h2>{answer.name}</h2>
      <p class="note">Choose a state, a transition or a state machine to edit it.</p>
      {answer.wellformed && <NewMachine editing={editing} />}
      <ul class="ways">{answer.machines.slice(0, 60).map((one) => <li key={one.id}><button class="link" onClick={() => onChoose({ machine: one.id })}>{one.machine}</button> <small>{one.application}</small></li>)}</ul>
    </section>
  )
}

export function ModelPage() {
  const { values } = useAddress()
  const files = useFiles()
  const document = useDocument()
  const wanted = values.file ?? ''
  useEffect(() => { if (wanted && wanted !== document.path) void document.open(wanted) }, [wanted])
  useEffect(() => {
    const leave = (event: BeforeUnloadEvent) => { if (document.changed) event.preventDefault() }
    addEventListener('beforeunload', leave)
    return () => removeEventListener('beforeunload', leave)
  })
  return (
    <>
      <h1>{document.answer?.name || 'Model'}</h1>
      <div class="row">
        <FileChoice label="model" files={files.value ?? []} kinds={['model']} value={wanted} onChange={(file) => go({ file }, 'model')} />
        <button onClick={() => { go({ file: null }, 'model'); void document.begin(fresh('new')) }}>new model</button>
      </div>
      <Problem text={files.error} />
      {document.answer ? <Editor key={document.path || 'new'} document={document} /> : <Problem text={document.error} />}
    </>
  )
}
