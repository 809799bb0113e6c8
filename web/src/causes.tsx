// Per cause of crashes: the stack with the app's frames strong, the chain, the script, how the runs
// end, the patterns with their evidence.
import { useState } from 'preact/hooks'
import { changed, useAddress } from '../shared/address'
import { screenLabel, useBook, useSelection } from './book'
import { chance, lastPart, number, percent, plural, shortFrame } from '../shared/format'
import { Section } from '../shared/parts'
import { RunLink, RunList } from './parts'
import type { Cause, Pattern, StackLine } from './report'
import { Script } from './script'

export function Stack({ lines, most }: { lines: StackLine[]; most?: number }) {
  const shown = most ? lines.filter((line) => line.app).slice(0, most) : lines
  return (
    <ol class="stack" aria-label="stack">
      {shown.map((line, index) => (
        <li key={index} class={line.decides ? 'app decides' : line.app ? 'app' : ''}>
          <code>{line.text}</code>{line.decides && <span class="mark"> ← here</span>}
        </li>
      ))}
    </ol>
  )
}

function PatternItem({ pattern }: { pattern: Pattern }) {
  return (
    <li>
      {pattern.sentence}
      <p class="evidence">
        in {number(pattern.failing)} of {number(pattern.failing_of)} runs that crash so and {number(pattern.passing)} of{' '}
        {number(pattern.passing_of)} that pass{pattern.p !== null && <>, p = {chance(pattern.p)}</>}
        {pattern.examples.length > 0 && <>; see {pattern.examples.length === 1 ? 'run' : 'runs'} <RunList runs={pattern.examples} /></>}
      </p>
      <details><summary>as a formula</summary><code>{pattern.formula}</code></details>
    </li>
  )
}

function Endings({ cause }: { cause: Cause }) {
  const book = useBook()
  if (!cause.ending.events.length) return null
  return (
    <>
      <h4>How the runs end</h4>
      <p>{plural(cause.ending.runs, 'run')} of {number(cause.runs)} {cause.ending.runs === 1 ? 'ends' : 'end'} so:</p>
      <p class="path">{cause.ending.events.map((event, index) => (
        <span key={index}>{index > 0 && <span aria-hidden="true"> → </span>}<code title={event}>{screenLabel(book, event)}</code></span>
      ))}<span aria-hidden="true"> → </span><strong>crash</strong></p>
    </>
  )
}

export function causeTitle(cause: Cause): string {
  return cause.frame ? `${lastPart(cause.exception)} in ${shortFrame(cause.frame)}` : cause.cluster
}

function CauseCard({ cause, open }: { cause: Cause; open: boolean }) {
  const [all, setAll] = useState(false)
  const library = cause.stack.filter((line) => !line.app).length
  const shown = all || cause.stack.length <= 8 ? cause.stack : cause.stack.filter((line, index) => line.app || index === 0)
  return (
    <details class="card cause" id={cause.id} tabIndex={-1} open={open}>
      <summary><h3>{causeTitle(cause)}</h3>
        <span class="figures">{plural(cause.runs, 'run')} of {number(cause.of)} ({percent(cause.runs, cause.of)}){cause.campaign && `, ${cause.campaign}`}</span>
      </summary>
      <div class="columns">
        <div>
          <h4>Stack</h4>
          {cause.chain.map((line, index) => <p key={index} class="chain">{line}</p>)}
          <Stack lines={shown} />
          {cause.stack.length > 8 && library > 0 && (
            <button class="link" onClick={() => setAll(!all)}>{all ? 'only the app’s frames' : `all ${cause.stack.length} lines`}</button>
          )}
          {!cause.stack.length && <p>No stack was recorded.</p>}
          {cause.why && <p class="note">One cause because: {cause.why}.</p>}
        </div>
        <div>
          <h4>Shortest script</h4>
          <Script found={cause.reproduction} command={cause.reproduce} />
          <h4>Runs</h4>
          <p>{cause.examples.length === 1 ? 'Run' : 'Runs'} <RunList runs={cause.examples} />
            {cause.all_runs.length > cause.examples.length && <>; <a href={changed({ cause: cause.id }, 'runs')}>all {number(cause.all_runs.length)}</a></>}</p>
        </div>
      </div>
      <Endings cause={cause} />
      <h4>What these runs have in common</h4>
      {cause.patterns.length > 0
        ? <ol class="patterns">{cause.patterns.map((pattern) => <PatternItem key={pattern.formula} pattern={pattern} />)}</ol>
        : <p>No pattern tells them from the runs that pass beyond chance; more runs may.</p>}
      {cause.patterns.length > 0 && cause.unexplained > 0 && <p class="note">{plural(cause.unexplained, 'run')} of these no pattern explains.</p>}
    </details>
  )
}

export function CauseSection() {
  const { report } = useBook()
  const selection = useSelection()
  const { anchor } = useAddress()
  const shown = report.causes.filter((cause) =>
    selection.hasText(cause.cluster, cause.message, ...cause.stack.map((line) => line.text)) &&
    (!selection.runs || cause.all_runs.some((run) => selection.runs!.has(run))))
  if (!report.causes.length) return null
  return (
    <Section id="causes" title="Causes of crashes" note={plural(report.causes.length, 'cause')}>
      {shown.map((cause, index) => <CauseCard key={cause.id} cause={cause} open={cause.id === anchor || index === 0} />)}
      {!shown.length && <p>None fits the filters.</p>}
      <p class="note">Patterns tell failing from passing runs; they are where to look first, not proofs of a cause.</p>
    </Section>
  )
}

// The worst cause where the reader begins: no click to see what, where and how.
export function CausePreview({ cause }: { cause: Cause }) {
  return (
    <div class="preview">
      {cause.message && <p class="chain">{cause.message}</p>}
      <Stack lines={cause.stack} most={3} />
      {cause.reproduction?.reproduced
        ? <ol class="steps">{cause.reproduction.steps.map((step, index) => <li key={index}>{step}</li>)}</ol>
        : cause.patterns.length > 0 && <p>{cause.patterns[0].sentence}</p>}
      <p>See it happen: {cause.examples.length === 1 ? 'run' : 'runs'} {cause.examples.slice(0, 3).map((run, index) => (
        <span key={run}>{index > 0 && ', '}<RunLink run={run} /></span>
      ))}; <a href={changed({}, cause.id)}>stack, script and patterns</a>.</p>
    </div>
  )
}
