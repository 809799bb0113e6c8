// The properties: all of them in a table, the chosen one with its evidence.
import { useState } from 'preact/hooks'
import { changed, useAddress } from '../shared/address'
import { answerOf, useBook, useSelection } from './book'
import { Chart } from './chart'
import { chance, number, percent, plural, seconds, withUnit } from '../shared/format'
import { Section } from '../shared/parts'
import { RunLink, Share } from './parts'
import type { Interval, Property, ScenarioRow } from './report'
import { Script } from './script'
import { Table } from '../shared/table'

export function statusOf(property: Property): string {
  if (property.violated) return 'violated'
  if (!property.runs) return 'not checked'
  if (property.never_exercised === property.runs) return 'never exercised'
  return property.unclear ? 'unclear' : 'holds'
}

const urgency = ['violated', 'never exercised', 'unclear', 'not checked', 'holds']

function change(row: ScenarioRow, unit: string): string {
  const baseline = row.baseline
  if (!baseline) return '–'
  const share = `was ${baseline.violated} of ${baseline.runs} (p = ${chance(baseline.p)})`
  const value = baseline.median === null ? '' : `, median was ${withUnit(baseline.median, unit)} (p = ${chance(baseline.value_p)})`
  return `${baseline.significant || baseline.value_significant ? 'significant' : 'no significant'} change: ${share}${value}`
}

function NeverExercised({ property }: { property: Property }) {
  if (!property.runs || property.never_exercised < property.runs) return null
  return (
    <p class="advice unclear">Never exercised: no run of {number(property.runs)} gave it anything to judge
      {property.missing_events.length > 0 && <>; {property.missing_events.map((event, index) => <span key={event}>{index > 0 && ', '}<code>{event}</code></span>)} never
        {property.missing_events.length === 1 ? ' occurs' : ' occur'}: check the spelling, or run flows that get there</>}.</p>
  )
}

function Intervals({ property, onShow }: { property: Property; onShow: (run: number | null) => void }) {
  const { runs } = useBook()
  if (!property.interval_count) return null
  const kept = property.intervals.length
  const caption = kept < property.interval_count
    ? `the worst ${number(kept)} of ${number(property.interval_count)} intervals`
    : plural(kept, 'interval')
  const rows = [...property.intervals].sort((a, b) => Number(b.violated) - Number(a.violated) || (a.margin ?? Infinity) - (b.margin ?? Infinity))
  return (
    <details open={property.violated > 0}>
      <summary>{caption}, worst first</summary>
      <Table rows={rows} page={10} caption={caption} columns={[
        { title: 'run', numeric: true, cell: (row: Interval) => (
          <span onMouseEnter={() => onShow(row.run)} onMouseLeave={() => onShow(null)} onFocusCapture={() => onShow(row.run)} onBlurCapture={() => onShow(null)}>
            <RunLink run={row.run} /></span>
        ) },
        { title: 'scenario', cell: (row) => runs.get(row.run)?.scenario || '–' },
        { title: 'from', numeric: true, cell: (row) => seconds(row.from) },
        { title: 'to', numeric: true, cell: (row) => seconds(row.to) },
        { title: 'value', numeric: true, cell: (row) => withUnit(row.value, property.unit) },
        { title: 'margin', numeric: true, cell: (row) => withUnit(row.margin, property.unit) },
        { title: 'answer', cell: (row) => (row.violated ? 'violated' : 'holds') },
      ]} />
    </details>
  )
}

export function PropertyCard({ property }: { property: Property }) {
  const [shown, setShown] = useState<number | null>(null)
  const compared = property.scenarios.some((row) => row.baseline)
  const { anchor } = useAddress()
  return (
    <article id={property.id} class={`card ${anchor === property.id ? 'target' : ''}`} tabIndex={-1} aria-label={property.name}>
      <h3>{property.name} <small>{statusOf(property)}{property.campaign && `, ${property.campaign}`}</small></h3>
      <pre class="formula">{property.source}</pre>
      <NeverExercised property={property} />
      <Table rows={property.scenarios} caption={`${property.name} by scenario`} columns={[
        { title: 'scenario', cell: (row) => row.scenario || 'any' },
        { title: 'violated', cell: (row) => `${number(row.violated)} of ${number(row.runs)} (${percent(row.violated, row.runs)})` },
        { title: '95 % interval', cell: (row) => `${percent(row.low, 1)} to ${percent(row.high, 1)}` },
        { title: 'median', numeric: true, cell: (row) => withUnit(row.median, property.unit) },
        { title: 'spread', numeric: true, cell: (row) => withUnit(row.spread, property.unit) },
        ...(compared ? [{ title: 'against the baseline', cell: (row: ScenarioRow) => change(row, property.unit) }] : []),
      ]} />
      <Chart property={property} shown={shown} onShow={setShown} />
      <Intervals property={property} onShow={setShown} />
      {property.violated > 0 && <p><a href={changed({ property: property.id }, 'runs')}>{property.violated === 1 ? 'The run' : `All ${number(property.violated)} runs`} that violate{property.violated === 1 && 's'} it</a></p>}
      {(property.reproduction || property.reproduce) && <><h4>Shortest script</h4><Script found={property.reproduction} command={property.reproduce} /></>}
    </article>
  )
}

export function PropertySection() {
  const { report, runs } = useBook()
  const selection = useSelection()
  const { anchor } = useAddress()
  if (!report.properties.length) return null
  const inSelection = (property: Property) => {
    if (!selection.hasText(property.name, property.source, property.campaign)) return false
    const at = report.properties.indexOf(property)
    return !selection.runs || [...selection.runs].some((run) => answerOf(runs.get(run)!, at) !== '')
  }
  const rows = report.properties.filter(inSelection).sort((a, b) =>
    urgency.indexOf(statusOf(a)) - urgency.indexOf(statusOf(b)) || b.violated - a.violated)
  const chosen = report.properties.find((one) => one.id === anchor) ?? rows[0]
  return (
    <Section id="properties" title="Properties" note={number(report.properties.length)}>
      {report.properties.length > 1 && (
        <div class="card">
          <Table id="properties" rows={rows} page={10} caption="properties, what to look at first on top" mark={(row) => row === chosen} columns={[
            { title: 'property', sort: (row) => row.name, cell: (row) => <a href={changed({}, row.id)}>{row.name}</a> },
            { title: 'answer', sort: (row) => urgency.indexOf(statusOf(row)), cell: (row) => <span class={`status ${statusOf(row).split(' ')[0]}`}>{statusOf(row)}</span> },
            { title: 'violated', numeric: true, sort: (row) => (row.runs ? row.violated / row.runs : -1),
              cell: (row) => <>{number(row.violated)} of {number(row.runs)} <Share part={row.violated} of={row.runs} /></> },
            { title: 'least margin', numeric: true, sort: (row) => row.worst_margin, cell: (row) => withUnit(row.worst_margin, row.unit) },
            { title: 'exercised', numeric: true, sort: (row) => row.runs - row.never_exercised, cell: (row) => number(row.runs - row.never_exercised) },
            ...(report.properties.some((one) => one.campaign) ? [{ title: 'campaign', sort: (row: Property) => row.campaign, cell: (row: Property) => row.campaign }] : []),
          ]} />
        </div>
      )}
      {chosen && <PropertyCard key={chosen.id} property={chosen} />}
      {!rows.length && <p>None fits the search and the filters.</p>}
    </Section>
  )
}
