// The evidence: per property what each scenario did, the curves, the table of intervals.
import { useState } from 'preact/hooks'
import { Chart } from './chart'
import { number, percent, seconds, withUnit } from './format'
import type { Interval, Property, ScenarioRow } from './report'
import { Table } from './table'

function change(row: ScenarioRow, unit: string): string {
  const baseline = row.baseline
  if (!baseline) return '–'
  const share = `was ${baseline.violated} of ${baseline.runs} (p = ${chance(baseline.p)})`
  const value = baseline.median === null ? '' : `, median was ${withUnit(baseline.median, unit)} (p = ${chance(baseline.value_p)})`
  return `${baseline.significant || baseline.value_significant ? 'significant' : 'no significant'} change: ${share}${value}`
}

function chance(p: number): string {
  return p < 0.001 ? p.toExponential(1) : p.toFixed(3)
}

export function PropertySection({ property }: { property: Property }) {
  const [shown, setShown] = useState<number | null>(null)
  const compared = property.scenarios.some((row) => row.baseline)
  return (
    <section id={`property-${property.name}`} class="card">
      <h3>{property.name}</h3>
      <pre class="formula">{property.source}</pre>
      <Table rows={property.scenarios} caption={`${property.name} by scenario`} columns={[
        { title: 'scenario', cell: (row) => row.scenario || 'any' },
        { title: 'violated', cell: (row) => `${row.violated} of ${row.runs} (${percent(row.violated, row.runs)})` },
        { title: '95 % interval', cell: (row) => `${percent(row.low, 1)} to ${percent(row.high, 1)}` },
        { title: 'median', numeric: true, cell: (row) => withUnit(row.median, property.unit) },
        { title: 'spread', numeric: true, cell: (row) => withUnit(row.spread, property.unit) },
        ...(compared ? [{ title: 'against the baseline', cell: (row: ScenarioRow) => change(row, property.unit) }] : []),
      ]} />
      <Chart property={property} shown={shown} onShow={setShown} />
      <details>
        <summary>{number(property.intervals.length)} intervals</summary>
        <Table rows={property.intervals} caption={`intervals of ${property.name}`} columns={[
          { title: 'run', numeric: true, cell: (row: Interval) => (
            <button class="link" title="highlight this run" onFocus={() => setShown(row.run)} onClick={() => setShown(row.run)}
              onMouseEnter={() => setShown(row.run)} onBlur={() => setShown(null)} onMouseLeave={() => setShown(null)}>{row.run}</button>
          ) },
          { title: 'from', numeric: true, cell: (row) => seconds(row.from) },
          { title: 'to', numeric: true, cell: (row) => seconds(row.to) },
          { title: 'value', numeric: true, cell: (row) => withUnit(row.value, property.unit) },
          { title: 'margin', numeric: true, cell: (row) => withUnit(row.margin, property.unit) },
          { title: '', cell: (row) => (row.violated ? 'violated' : 'holds') },
        ]} />
      </details>
    </section>
  )
}
