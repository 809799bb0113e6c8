// Small parts of every page.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export function Section({ id, title, note, children }:
  { id: string; title: string; note?: string; children: ComponentChildren }) {
  return (
    <section id={id} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}{note && <small> {note}</small>}</h2>
      {children}
    </section>
  )
}

// A command or a text to be taken along.
export function Copy({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      setTimeout(() => setDone(false), 2000)
    } catch {
      setDone(false)
    }
  }
  return (
    <div class="copy">
      <pre tabIndex={0} aria-label={what}>{text}</pre>
      <button onClick={copy} aria-label={`copy ${what}`}>{done ? 'copied' : 'copy'}</button>
    </div>
  )
}

export const resultWords: Record<string, string> = {
  pass: 'passed', fail: 'could not', crash: 'crashed', aborted: 'stopped', error: 'error',
  violated: 'violates', unclear: 'unclear',
}

export function Result({ result }: { result: string }) {
  return <span class={`result ${result}`}>{resultWords[result] ?? result}</span>
}

// Drawings of dot are dark on white in every colour scheme.
export function Picture({ svg, text }: { svg: string; text: string }) {
  return (
    <figure class="picture">
      <div class="paper" tabIndex={0} role="region" aria-label={text}><img src={`data:image/svg+xml;base64,${svg}`} alt={text} /></div>
      <figcaption>{text}</figcaption>
    </figure>
  )
}

// A picture of a screen as the document has it: PNG or JPEG, told by its first bytes.
export function ScreenPicture({ picture, name }: { picture: string; name: string }) {
  return <img src={`data:image/${picture.startsWith('/9j/') ? 'jpeg' : 'png'};base64,${picture}`} alt={name} />
}
