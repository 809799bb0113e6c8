// The page: reads the document inside the file and shows it, the answer first.
import { render } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import '../shared/style.css'
import { changed, go, useAddress } from '../shared/address'
import { BookContext, openBook, useBook } from './book'
import type { Filter } from './book'
import { ActionSection } from './actions'
import { CauseSection } from './causes'
import { FindingSection } from './findings'
import { number, plural } from '../shared/format'
import { ModelSection } from './models'
import { PropertySection } from './properties'
import type { Report } from './report'
import { RunDialog, RunSection } from './runs'
import { KpiSection, ProtocolSection, ProvenanceSection, RuleSection } from './sections'
import { SubjectSection } from './subjects'
import { TrendSection } from './trends'

function Select({ name, options }: { name: Filter; options: [string, string][] }) {
  const { values } = useAddress()
  if (options.length < 2 && values[name] === undefined) return null
  return (
    <label>{name}{' '}
      <select value={values[name] ?? ''} onChange={(event) => go({ [name]: (event.target as HTMLSelectElement).value }, undefined, true)}>
        <option value="">every {name}</option>
        {options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
    </label>
  )
}

function Filters() {
  const { report } = useBook()
  const { values } = useAddress()
  const distinct = useMemo(() => {
    const of = (key: 'scenario' | 'device' | 'version' | 'campaign'): [string, string][] =>
      [...new Set(report.runs.map((run) => run[key]))].filter(Boolean).sort().map((one) => [one, one])
    return { scenario: of('scenario'), device: of('device'), version: of('version'), campaign: of('campaign') }
  }, [report])
  const violated = report.properties.filter((one) => one.violated).map((one) => [one.id, one.name] as [string, string])
  const used = ['q', 'scenario', 'device', 'version', 'campaign', 'property', 'cause', 'result'].some((key) => values[key] !== undefined)
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>search{' '}
        <input type="search" value={values.q ?? ''} onInput={(event) => go({ q: (event.target as HTMLInputElement).value }, undefined, true)} />
      </label>
      <Select name="scenario" options={distinct.scenario} />
      <Select name="device" options={distinct.device} />
      <Select name="version" options={distinct.version} />
      <Select name="campaign" options={distinct.campaign} />
      <Select name="property" options={violated} />
      {values.cause !== undefined && <span>only one cause</span>}
      {used && <a href={changed({ q: null, scenario: null, device: null, version: null, campaign: null, property: null, cause: null, result: null })}>clear all</a>}
    </form>
  )
}

function Contents() {
  const { report } = useBook()
  const bad = report.findings.filter((one) => one.severity === 'bad').length
  const entries: [string, string, number | null][] = [
    ['findings', 'What was found', bad],
    ['causes', 'Causes of crashes', report.causes.length],
    ['subjects', 'Subjects', report.subjects?.length ?? 0],
    ['properties', 'Properties', report.properties.length],
    ['actions', 'Actions', report.actions?.length ?? 0],
    ['trends', 'Trends', report.trends.length],
    ['model', 'Model', report.models.length],
    ['runs', 'Runs', report.runs.length],
    ['protocol', 'Protocol', report.protocol.length],
    ['rules', 'Rules', report.rules.length],
    ['kpis', 'KPIs', report.kpis?.length ?? 0],
    ['provenance', 'How it was obtained', null],
  ]
  return (
    <nav aria-label="contents">
      <ol class="contents">
        {entries.filter(([id, , count]) => count !== 0 || id === 'findings').map(([id, title, count]) => (
          <li key={id}><a href={changed({}, id)}>{title}</a>{count !== null && <span class="count">{number(count)}</span>}</li>
        ))}
      </ol>
    </nav>
  )
}

// Goes to what the address names: opens it, brings it into view, gives it the focus.
function useAnchor() {
  const { anchor, values } = useAddress()
  useEffect(() => {
    if (!anchor || values.run !== undefined) return
    const element = document.getElementById(anchor)
    if (!element) return
    if (element instanceof HTMLDetailsElement) element.open = true
    element.scrollIntoView({ block: 'start' })
    element.focus({ preventScroll: true })
  }, [anchor, values.run])
}

function Heading() {
  const { report } = useBook()
  const { summary } = report
  const parts = [plural(summary.runs, 'run'), summary.crash && `${number(summary.crash)} crashed`, summary.violating && `${number(summary.violating)} ${summary.violating === 1 ? 'violates' : 'violate'} a property`,
    summary.fail && `${number(summary.fail)} could not be carried out`, summary.aborted && `${number(summary.aborted)} ${summary.aborted === 1 ? 'was' : 'were'} stopped`]
  return (
    <header class="heading">
      <h1>{report.title}</h1>
      <p>{parts.filter(Boolean).join(' · ')} · written {report.created.replace('T', ' ').replace('Z', ' UTC')}</p>
    </header>
  )
}

function Page() {
  useAnchor()
  return (
    <>
      <a class="skip" href="#findings">to the findings</a>
      <div class="layout">
        <aside><Filters /><Contents /></aside>
        <main>
          <Heading />
          <FindingSection />
          <CauseSection />
          <SubjectSection />
          <PropertySection />
          <ActionSection />
          <TrendSection />
          <ModelSection />
          <RunSection />
          <ProtocolSection />
          <RuleSection />
          <KpiSection />
          <ProvenanceSection />
        </main>
      </div>
      <RunDialog />
    </>
  )
}

const data = document.getElementById('data')?.textContent ?? '{}'
const book = openBook(JSON.parse(data) as Report)
document.title = book.report.title
render(<BookContext.Provider value={book}><Page /></BookContext.Provider>, document.getElementById('report')!)
document.documentElement.setAttribute('data-ready', '')
