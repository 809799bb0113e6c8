// Small parts that several sections of the report use.
import type { ComponentChildren } from 'preact'
import { changed } from '../shared/address'
import { useBook } from './book'
import { hasTrace } from './traces'

// Opens a run beside what one is reading; an ordinary link, so that it can be copied.
export function RunLink({ run, children }: { run: number; children?: ComponentChildren }) {
  const book = useBook()
  const known = book.runs.get(run)
  const title = known ? `${known.result}${known.scenario && `, ${known.scenario}`}${hasTrace(run) ? '' : '; its trace is not in this file'}` : ''
  return <a class="run" href={changed({ run: String(run) })} title={title}
    onClick={(event) => { (event.currentTarget as HTMLAnchorElement).href = changed({ run: String(run) }) }}>{children ?? run}</a>
}

export function RunList({ runs, most = 5 }: { runs: number[]; most?: number }) {
  return <>{runs.slice(0, most).map((run, index) => <span key={run}>{index > 0 && ', '}<RunLink run={run} /></span>)}</>
}

// A share as a bar with its figures beside; never by colour alone.
export function Share({ part, of }: { part: number; of: number }) {
  const width = of ? Math.max(part ? 2 : 0, Math.round((60 * part) / of)) : 0
  return (
    <svg class="share" width="60" height="8" aria-hidden="true">
      <rect class="all" width="60" height="8" rx="4" />
      <rect class="part" width={width} height="8" rx="4" />
    </svg>
  )
}
