// A text with its problems in place: an ordinary text area, so that everything one knows of them works,
// over a copy of the text in which the lines with a problem are marked; completions below, by Ctrl+Space.
import { useId, useMemo, useRef, useState } from 'preact/hooks'
import type { Problem } from './types'

interface Props {
  label: string
  value: string
  problems: Problem[]
  rows?: number
  words?: string[] // what can be completed
  onInput: (text: string) => void
  onDone?: () => void
}

const most = 8

function wordBefore(text: string, at: number): string {
  return /[A-Za-z_][\w.]*$/.exec(text.slice(0, at))?.[0] ?? ''
}

function offsetOf(text: string, line: number, column: number): number {
  let at = 0
  for (let n = 1; n < line; n++) {
    const next = text.indexOf('\n', at)
    if (next < 0) return text.length
    at = next + 1
  }
  return Math.min(text.length, at + Math.max(0, column - 1))
}

function Marked({ text, problems }: { text: string; problems: Problem[] }) {
  const bad = new Map(problems.map((one) => [one.line ?? 0, one.column ?? 1]))
  return <>{text.split('\n').map((line, index) => {
    const column = bad.get(index + 1)
    if (column === undefined) return <span key={index}>{line}{'\n'}</span>
    const start = Math.min(column - 1, Math.max(0, line.length - 1))
    const end = start + (/^[\w.]+|^./.exec(line.slice(start))?.[0].length ?? 0)
    return <span key={index} class="badline">{line.slice(0, start)}<mark>{line.slice(start, end) || ' '}</mark>{line.slice(end)}{'\n'}</span>
  })}</>
}

export function TextField({ label, value, problems, rows = 10, words = [], onInput, onDone }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const back = useRef<HTMLPreElement>(null)
  const id = useId()
  const [wanted, setWanted] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const fitting = useMemo(() => wanted === null ? [] :
    words.filter((one) => one !== wanted && one.toLowerCase().startsWith(wanted.toLowerCase())).slice(0, most), [wanted, words])
  const open = fitting.length > 0
  const scroll = () => {
    if (area.current && back.current) {
      back.current.scrollTop = area.current.scrollTop
      back.current.scrollLeft = area.current.scrollLeft
    }
  }
  const take = (word: string) => {
    const field = area.current!
    const start = field.selectionStart - (wanted ?? '').length
    field.setRangeText(word, start, field.selectionStart, 'end')
    setWanted(null)
    onInput(field.value)
    field.focus()
  }
  const typed = () => {
    const field = area.current!
    const word = wordBefore(field.value, field.selectionStart)
    setWanted(word.length >= 2 ? word : null)
    setAt(0)
    onInput(field.value)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault()
      setWanted(wordBefore(area.current!.value, area.current!.selectionStart))
      setAt(0)
      return
    }
    if (!open) return
    const acts: Record<string, () => void> = {
      ArrowDown: () => setAt((at + 1) % fitting.length), ArrowUp: () => setAt((at + fitting.length - 1) % fitting.length),
      Enter: () => take(fitting[at]), Tab: () => take(fitting[at]), Escape: () => setWanted(null),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const jump = (problem: Problem) => {
    const start = offsetOf(value, problem.line ?? 1, problem.column ?? 1)
    area.current?.focus()
    area.current?.setSelectionRange(start, start + (/^[\w.]+|^./.exec(value.slice(start))?.[0].length ?? 0))
  }
  return (
    <div class="text">
      <label for={id}>{label}</label>
      <div class="over">
        <pre ref={back} aria-hidden="true"><Marked text={value} problems={problems} /></pre>
        <textarea id={id} ref={area} rows={rows} spellcheck={false} autocomplete="off" wrap="off" value={value} aria-invalid={problems.some((one) => one.severity !== 'warning')}
          aria-describedby={`${id}-said`}
          aria-autocomplete={words.length ? 'list' : undefined} aria-controls={words.length ? `${id}-words` : undefined} aria-activedescendant={open ? `${id}-word${at}` : undefined}
          onInput={typed} onKeyDown={press} onScroll={scroll} onBlur={() => { setWanted(null); onDone?.() }} />
      </div>
      {words.length > 0 && <ul id={`${id}-words`} class="words" role="listbox" aria-label="completions" hidden={!open}>
        {fitting.map((word, index) => <li key={word} id={`${id}-word${index}`} role="option" aria-selected={index === at}
          onMouseDown={(event) => { event.preventDefault(); take(word) }}>{word}</li>)}
      </ul>}
      <div id={`${id}-said`} class="said" aria-live="polite">
        {problems.length > 0 && <ul class="problems">{problems.slice(0, 50).map((one, index) => (
          <li key={index} class={one.severity ?? 'error'}>
            {one.line ? <button class="link" onClick={() => jump(one)}>line {one.line}{one.column ? `, column ${one.column}` : ''}</button> : null} {one.message}</li>
        ))}</ul>}
      </div>
    </div>
  )
}
