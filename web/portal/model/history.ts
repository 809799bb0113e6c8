// The texts of a model while it is edited. Undo and redo walk over texts, which the server reads again:
// whatever an edit did, taking it back is exact. At most `most` texts are kept.
import { useCallback, useRef, useState } from 'preact/hooks'
import { post, readFile, reason, Refusal, writeFile } from '../api'
import type { Edit, ModelAnswer } from '../types'

const most = 500

export interface Conflict {
  diff: string
  hash: string
  text: string
}

export interface Document {
  path: string
  saved: string // the text on disk, as far as known
  answer: ModelAnswer | null
  error: string
  busy: boolean
  changed: boolean
  undoable: number
  redoable: number
  conflict: Conflict | null
  open: (path: string) => Promise<void>
  begin: (text: string) => Promise<void>
  edit: (edits: Edit[]) => Promise<ModelAnswer | null>
  type: (text: string) => Promise<void>
  undo: () => Promise<void>
  redo: () => Promise<void>
  save: (path?: string) => Promise<boolean>
  keepMine: () => Promise<void>
  takeTheirs: () => Promise<void>
}

interface Inside {
  path: string
  hash: string
  saved: string
  answer: ModelAnswer | null
  past: string[]
  future: string[]
  error: string
  busy: number
  conflict: Conflict | null
}

const empty = (): Inside => ({ path: '', hash: '', saved: '', answer: null, past: [], future: [], error: '', busy: 0, conflict: null })

// Edits outlive the page being left for another: what was opened and not saved is found again.
const kept = new Map<string, Inside>()

export function useDocument(): Document {
  const [, setTurn] = useState(0)
  const inside = useRef<Inside>(empty())
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const told = () => setTurn((n) => n + 1)

  // One after another: an edit is always made on the result of the one before.
  const work = useCallback(<T,>(act: (now: Inside) => Promise<T>): Promise<T | null> => {
    inside.current.busy++
    told()
    const next = queue.current.then(() => act(inside.current)).then(
      (value) => { inside.current.error = ''; return value },
      (error) => { inside.current.error = reason(error); return null },
    ).finally(() => { inside.current.busy--; told() })
    queue.current = next
    return next
  }, [])

  const remember = (now: Inside, answer: ModelAnswer) => {
    if (now.answer && now.answer.text !== answer.text) {
      now.past.push(now.answer.text)
      if (now.past.length > most) now.past.shift()
      now.future = []
    }
    now.answer = answer
  }
  const read = (text: string) => post<ModelAnswer>('/api/model', { text })

  const load = async (path: string) => {
    const unsaved = kept.get(path)
    if (unsaved?.answer && unsaved.answer.text !== unsaved.saved) {
      inside.current = { ...unsaved, busy: inside.current.busy }
      kept.set(path, inside.current)
      return
    }
    const file = await readFile(path)
    const answer = await read(file.text)
    inside.current = { ...empty(), busy: inside.current.busy, path, hash: file.hash, saved: file.text, answer }
    kept.set(path, inside.current)
  }
  const open = useCallback((path: string) => work(() => load(path)).then(() => undefined), [])
  const begin = useCallback((text: string) => work(async () => {
    const answer = await read(text)
    inside.current = { ...empty(), busy: inside.current.busy, answer }
  }).then(() => undefined), [])
  const edit = useCallback((edits: Edit[]) => work(async (now) => {
    const answer = await post<ModelAnswer>('/api/model/edit', { text: now.answer!.text, edits })
    remember(now, answer)
    return answer
  }), [])
  const type = useCallback((text: string) => work(async (now) => {
    if (now.answer?.text !== text) remember(now, await read(text))
  }).then(() => undefined), [])
  const step = (from: 'past' | 'future', to: 'past' | 'future') => () => work(async (now) => {
    const text = now[from].at(-1)
    if (text === undefined) return
    const answer = await read(text)
    now[from].pop()
    now[to].push(now.answer!.text)
    now.answer = answer
  }).then(() => undefined)
  const store = async (now: Inside, path: string, hash: string) => {
    const text = now.answer!.text
    try {
      now.hash = await writeFile(path, text, hash)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 409) throw error
      const { diff, hash: theirs, text: other } = error.body as unknown as Conflict
      now.conflict = { diff: diff ?? '', hash: theirs ?? '', text: other ?? '' }
      now.path = path
      return false
    }
    Object.assign(now, { path, saved: text, conflict: null })
    return true
  }
  const save = useCallback((path?: string) => work((now) => store(now, path ?? now.path, path && path !== now.path ? '' : now.hash)).then((good) => !!good), [])
  const keepMine = useCallback(() => work(async (now) => {
    const { hash } = now.conflict!
    now.conflict = null
    await store(now, now.path, hash)
  }).then(() => undefined), [])
  // Ours stays in the history: undo brings it back.
  const takeTheirs = useCallback(() => work(async (now) => {
    const { text, hash } = now.conflict!
    remember(now, await read(text))
    Object.assign(now, { saved: text, hash, conflict: null })
  }).then(() => undefined), [])

  const now = inside.current
  return {
    path: now.path, saved: now.saved, answer: now.answer, error: now.error, busy: now.busy > 0, conflict: now.conflict,
    changed: !!now.answer && now.answer.text !== now.saved, undoable: now.past.length, redoable: now.future.length,
    open, begin, edit, type, undo: useCallback(step('past', 'future'), []), redo: useCallback(step('future', 'past'), []), save, keepMine, takeTheirs,
  }
}
