// The answer: findings by what to do first.
import { useState } from 'preact/hooks'
import { changed } from '../shared/address'
import { concerns, useBook, useSelection } from './book'
import { CausePreview, causeTitle } from './causes'
import { number, percent, plural } from '../shared/format'
import { Section } from '../shared/parts'
import { RunLink, Share } from './parts'
import type { Finding } from './report'

const groups: { kinds: Finding['kind'][]; title: string; word: string; most: number }[] = [
  { kinds: ['crash'], title: 'Crashes', word: 'Crash', most: 10 },
  { kinds: ['violation'], title: 'Violated properties', word: 'Violated', most: 10 },
  { kinds: ['fault'], title: 'Rules and protocol', word: 'Fault', most: 10 },
  { kinds: ['worse'], title: 'Worse than before', word: 'Worse', most: 10 },
  { kinds: ['vacuous'], title: 'Never exercised', word: 'Vacuous', most: 5 },
  { kinds: ['unclear'], title: 'Unclear', word: 'Unclear', most: 5 },
  { kinds: ['known'], title: 'Known', word: 'Known', most: 5 },
]

function Details({ finding }: { finding: Finding }) {
  const book = useBook()
  const id = (finding.link ?? '').replace(/^#/, '')
  const cause = book.causes.get(id)
  const property = book.properties.get(id)
  if (cause) {
    return (
      <p class="evidence"><Share part={cause.runs} of={cause.of} /> {number(cause.runs)} of {plural(cause.of, 'run')} ({percent(cause.runs, cause.of)});
        for example {cause.examples.slice(0, 3).map((run, index) => <span key={run}>{index > 0 && ', '}<RunLink run={run} /></span>)}</p>
    )
  }
  if (property && property.violated > 0) {
    return (
      <p class="evidence"><Share part={property.violated} of={property.runs} /> {property.runs === 1 ? 'the only run' : `${percent(property.violated, property.runs)} of the runs`}
        {property.worst_run !== null && <>; {property.violated === 1 ? 'see' : 'the worst is'} run <RunLink run={property.worst_run} /></>}</p>
    )
  }
  return null
}

function FindingItem({ finding, word, first }: { finding: Finding; word: string; first: boolean }) {
  const book = useBook()
  const cause = book.causes.get((finding.link ?? '').replace(/^#/, ''))
  const text = cause ? causeTitle(cause) : finding.text
  const link = finding.link && changed({}, finding.link.replace(/^#/, ''))
  return (
    <li class={`finding ${finding.severity}`}>
      <span class="mark">{word}{finding.new && <b class="new">new</b>}</span>
      <div>
        {link ? <a class="headline" href={link}>{text}</a> : <span class="headline">{text}</span>}
        {cause?.campaign && <span class="note"> {cause.campaign}</span>}
        {finding.campaign && <p class="detail">in {finding.campaign}</p>}
        <p class="detail"><code>{finding.id}</code>{finding.known && ` ${finding.known}`}</p>
        {!cause && finding.detail && <p class="detail">{finding.detail}</p>}
        <Details finding={finding} />
        {first && cause && <CausePreview cause={cause} />}
      </div>
    </li>
  )
}

function Group({ findings, title, word, most, first }:
  { findings: Finding[]; title: string; word: string; most: number; first: boolean }) {
  const [all, setAll] = useState(false)
  const shown = all ? findings : findings.slice(0, most)
  if (!findings.length) return null
  return (
    <>
      <h3 class="group">{title} <small>{number(findings.length)}</small></h3>
      <ul class="findings">
        {shown.map((finding, index) => <FindingItem key={finding.text} finding={finding} word={word} first={first && index === 0} />)}
      </ul>
      {findings.length > most && (
        <button class="more" onClick={() => setAll(!all)}>{all ? `only the first ${most}` : `all ${number(findings.length)}`}</button>
      )}
    </>
  )
}

export function FindingSection() {
  const book = useBook()
  const selection = useSelection()
  const all = book.report.findings
  const findings = selection.active ? all.filter((finding) => concerns(book, selection, finding)) : all
  const fine = findings.filter((finding) => finding.severity === 'good')
  const bad = all.some((finding) => finding.severity === 'bad')
  const unclear = all.some((finding) => finding.severity === 'unclear')
  const { runs } = book.report.summary
  let first = !selection.active
  return (
    <Section id="findings" title="What was found" note={selection.active ? `${number(findings.length)} of ${number(all.length)}` : ''}>
      {!bad && (runs > 0 || !unclear) && <p class="allwell">Nothing bad was found{runs > 0 && ` in ${plural(runs, 'run')}`}.</p>}
      {groups.map((group) => {
        const members = findings.filter((finding) => group.kinds.includes(finding.kind))
        const isFirst = first && members.length > 0
        if (isFirst) first = false
        return <Group key={group.title} findings={members} title={group.title} word={group.word} most={group.most} first={isFirst} />
      })}
      {fine.length > 0 && (
        <details class="fine">
          <summary>{plural(fine.length, 'finding')} {fine.length === 1 ? 'is' : 'are'} fine</summary>
          <ul class="findings">{fine.map((finding) => <FindingItem key={finding.text} finding={finding} word="Fine" first={false} />)}</ul>
        </details>
      )}
      {!findings.length && <p>No finding fits the search and the filters. <a href={changed({ q: null, scenario: null, device: null, version: null, property: null, cause: null, campaign: null })}>Show all</a></p>}
    </Section>
  )
}
