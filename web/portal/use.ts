// What the pages share about asking: values that load, are asked again, and are dropped when stale.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { get, reason } from './api'
import type { FileEntry, FileList } from './types'

export interface Loaded<T> {
  value: T | null
  error: string
  busy: boolean
  again: () => void
}

// Asks whenever a dependency changes; an older question is given up.
export function useAsked<T>(ask: ((signal: AbortSignal) => Promise<T>) | null, dependencies: unknown[], delay = 0): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; error: string; busy: boolean }>({ value: null, error: '', busy: !!ask })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (!ask) {
      setState({ value: null, error: '', busy: false })
      return
    }
    const stop = new AbortController()
    setState((before) => ({ ...before, busy: true }))
    const timer = setTimeout(() => {
      ask(stop.signal).then(
        (value) => { if (!stop.signal.aborted) setState({ value, error: '', busy: false }) },
        (error) => { if (!stop.signal.aborted) setState((before) => ({ ...before, error: reason(error), busy: false })) },
      )
    }, delay)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [...dependencies, turn])
  const again = useCallback(() => setTurn((n) => n + 1), [])
  return { ...state, again }
}

export function useFiles(): Loaded<FileEntry[]> {
  return useAsked(async (signal) => (await get<FileList>('/api/files', signal)).files, [])
}

// Calls again and again while something is under way; never two at once.
export function useTicks(active: boolean, milliseconds: number, act: () => void) {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => latest.current(), milliseconds)
    return () => clearInterval(timer)
  }, [active, milliseconds])
}
