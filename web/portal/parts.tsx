// Small parts of the portal's pages.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { addressText } from '../shared/address'
import type { FileEntry } from './types'

export function pageLink(page: string, values: Record<string, string> = {}): string {
  return addressText({ anchor: page, values })
}

export function Problem({ text }: { text: string }) {
  return text ? <p class="problem" role="alert">{text}</p> : null
}

export function Field({ label, children, hint }: { label: string; children: ComponentChildren; hint?: string }) {
  return <label class="field"><span>{label}</span>{children}{hint && <small>{hint}</small>}</label>
}

export function inputOf(event: Event): string {
  return (event.currentTarget as HTMLInputElement).value
}

// A choice of the files of some kinds; another path can be typed nowhere: what is not in the folder is not served.
export function FileChoice({ label, files, kinds, value, onChange, none }:
  { label: string; files: FileEntry[]; kinds: string[]; value: string; onChange: (path: string) => void; none?: string }) {
  const fitting = files.filter((one) => kinds.includes(one.kind))
  return (
    <Field label={label}>
      <select value={value} onChange={(event) => onChange(inputOf(event))}>
        <option value="">{none ?? (fitting.length ? 'choose …' : 'none in this folder')}</option>
        {value && !fitting.some((one) => one.path === value) && <option value={value}>{value}</option>}
        {fitting.map((one) => <option key={one.path} value={one.path}>{one.path}</option>)}
      </select>
    </Field>
  )
}

// A modal question; Escape closes it.
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} class="question" aria-labelledby={id} onClose={onClose} onCancel={(event) => { event.preventDefault(); onClose() }}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

// Lines of a unified diff; signs tell them apart, colours only help.
export function Diff({ text, label }: { text: string; label: string }) {
  const kind = (line: string) => line.startsWith('+') && !line.startsWith('+++') ? 'added' : line.startsWith('-') && !line.startsWith('---') ? 'removed' : line.startsWith('@@') ? 'place' : ''
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label={label}>
      {text.replace(/\n$/, '').split('\n').map((line, index) => <span key={index} class={kind(line)}>{line}{'\n'}</span>)}
    </pre>
  )
}

export function Tabs({ label, tabs, chosen, onChoose }:
  { label: string; tabs: [string, string][]; chosen: string; onChoose: (tab: string) => void }) {
  return (
    <div class="tabs" role="group" aria-label={label}>
      {tabs.map(([id, text]) => <button key={id} aria-pressed={chosen === id} onClick={() => onChoose(id)}>{text}</button>)}
    </div>
  )
}
