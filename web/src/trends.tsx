// How properties and causes did in earlier campaigns, and whether the change could be chance.
import { changed } from '../shared/address'
import { useBook, useSelection } from './book'
import { chance, lastPart, number, percent, plural } from '../shared/format'
import { Section } from '../shared/parts'
import type { Trend } from './report'
import { Table } from '../shared/table'

const level = 0.05

function Spark({ trend }: { trend: Trend }) {
  const shares = trend.points.map((point) => (point.runs ? point.failing / point.runs : 0))
  const at = (index: number) => `${4 + (index * 72) / Math.max(1, shares.length - 1)},${22 - 18 * shares[index]}`
  return (
    <svg class="spark" width="80" height="26" aria-hidden="true">
      <polyline points={shares.map((_, index) => at(index)).join(' ')} />
      {shares.map((_, index) => <circle key={index} cx={at(index).split(',')[0]} cy={at(index).split(',')[1]} r={index === shares.length - 1 ? 3 : 2} />)}
    </svg>
  )
}

function lastBefore(trend: Trend) {
  return trend.points[trend.points.length - 2]
}

function word(trend: Trend): string {
  const before = lastBefore(trend)
  const now = trend.points[trend.points.length - 1]
  if (before.p === null || before.p >= level) return 'no significant change'
  return now.failing / now.runs > before.failing / before.runs ? 'worse' : 'better'
}

export function TrendSection() {
  const { report } = useBook()
  const selection = useSelection()
  if (!report.trends.length) return null
  const campaigns = [...new Set(report.trends.flatMap((trend) => trend.points.map((point) => point.campaign)))]
  const order = ['worse', 'better', 'no significant change']
  const rows = report.trends.filter((trend) => selection.hasText(trend.name, trend.scenario))
    .sort((a, b) => order.indexOf(word(a)) - order.indexOf(word(b)))
  const share = (trend: Trend, campaign: string) => {
    const point = trend.points.find((one) => one.campaign === campaign)
    return point ? `${number(point.failing)} of ${number(point.runs)} (${percent(point.failing, point.runs)})` : '–'
  }
  return (
    <Section id="trends" title="Trends" note={plural(campaigns.length, 'campaign')}>
      <div class="card">
        <Table id="trends" rows={rows} caption="share of failing runs, the earliest campaign first; p by Fisher's exact test against the last baseline" columns={[
          { title: 'what', sort: (trend) => trend.name, cell: (trend) => (
            <a href={changed({}, trend.link.replace(/^#/, ''))} title={trend.name}>{trend.kind === 'cause' ? lastPart(trend.name.replace(/ at .*/, '')) + trend.name.replace(/^.* at /, ' at ') : trend.name}</a>
          ) },
          { title: 'scenario', sort: (trend) => trend.scenario, cell: (trend) => trend.scenario || '–' },
          ...campaigns.map((campaign) => ({ title: campaign, cell: (trend: Trend) => share(trend, campaign) })),
          { title: 'course', cell: (trend) => <Spark trend={trend} /> },
          { title: 'change', sort: (trend) => lastBefore(trend).p, cell: (trend) => `${word(trend)} (p = ${chance(lastBefore(trend).p)})` },
        ]} />
      </div>
    </Section>
  )
}
