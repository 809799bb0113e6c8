// Protocol, rules, and how it was obtained.
import { useBook } from './book'
import { Picture, Section } from '../shared/parts'
import type { KpiFigure, KpiScore, ProtocolFinding, ProtocolReplay, RuleFinding } from './report'
import { Table } from '../shared/table'

// How an alarm ended on the running app.
function Replay({ replay }: { replay: ProtocolReplay }) {
  return (
    <div>
      <h4>{replay.result}: {replay.call}</h4>
      <ol>{replay.steps.map((step, index) => <li key={index}><code>{step}</code></li>)}</ol>
      {replay.exception && <p class="story">{[replay.exception, ...replay.stack].join('\n')}</p>}
      {replay.reason && <p>{replay.reason}</p>}
    </div>
  )
}

function ProtocolCard({ finding }: { finding: ProtocolFinding }) {
  return (
    <article class="card" id={`protocol-${finding.name}`} tabIndex={-1}>
      <h3>{finding.name}: {finding.verdict}</h3>
      <p>{finding.explanation}</p>
      {finding.steps.length > 0 && (
        <ol>{finding.steps.map((step, index) => <li key={index}><code>{step.event}</code>{step.reason && <>: {step.reason}</>}</li>)}</ol>
      )}
      {finding.drawing && <Picture svg={finding.drawing} text="The dialogue of app and framework." />}
      {finding.replays?.map((replay, index) => <Replay key={index} replay={replay} />)}
      {finding.advice && <p class="advice">{finding.advice}</p>}
    </article>
  )
}

function RuleCard({ finding }: { finding: RuleFinding }) {
  return (
    <article class="card" id={`rules-${finding.name}`} tabIndex={-1}>
      <h3>{finding.name}</h3>
      <p>{finding.explanation}</p>
      {finding.stories.map((story, index) => <div key={index}><h4>{story.title}</h4><p class="story">{story.text}</p></div>)}
      {finding.drawing && <Picture svg={finding.drawing} text="The states and rules; faulty edges are marked." />}
      {finding.repairs.length > 0 && (
        <Table rows={finding.repairs} caption="repairs, each verified by a new analysis" columns={[
          { title: 'edit', cell: (repair) => repair.edit },
          { title: 'before', cell: (repair) => repair.before },
          { title: 'after', cell: (repair) => repair.after },
        ]} />
      )}
    </article>
  )
}

export function ProtocolSection() {
  const { report } = useBook()
  if (!report.protocol.length) return null
  return <Section id="protocol" title="Protocol">{report.protocol.map((finding) => <ProtocolCard key={finding.name} finding={finding} />)}</Section>
}

export function RuleSection() {
  const { report } = useBook()
  if (!report.rules.length) return null
  return <Section id="rules" title="Rules">{report.rules.map((finding) => <RuleCard key={finding.name} finding={finding} />)}</Section>
}

function between(one: { score?: number; low?: number; high?: number }) {
  if (one.score === undefined || one.low === undefined || one.high === undefined) return '-'
  return `${one.score.toFixed(0)} [${one.low.toFixed(0)}, ${one.high.toFixed(0)}]`
}

export function KpiSection() {
  const { report } = useBook()
  if (!report.kpis?.length) return null
  const scores: KpiScore[] = report.kpi_scores ?? []
  return (
    <Section id="kpis" title="KPIs">
      <div class="card">
        {scores.length > 0 && (
          <Table<KpiScore> rows={scores} id="kpi-scores" caption="scores with 95 % intervals; 50 is alike" columns={[
            { title: 'campaign', cell: (one) => one.app, sort: (one) => one.app },
            { title: 'domain', cell: (one) => one.domain, sort: (one) => one.domain },
            { title: 'score', cell: between, numeric: true, sort: (one) => one.score },
            { title: 'counted', cell: (one) => one.counted, numeric: true },
            { title: 'left out', cell: (one) => one.left_out, numeric: true },
          ]} />
        )}
        <Table<KpiFigure> rows={report.kpis} id="kpis-all" caption="every KPI" mark={(one) => one.answer === 'missed'} columns={[
          { title: 'campaign', cell: (one) => one.app, sort: (one) => one.app },
          { title: 'domain', cell: (one) => one.domain, sort: (one) => one.domain },
          { title: 'KPI', cell: (one) => one.name, sort: (one) => one.name },
          { title: 'value', cell: (one) => one.text },
          { title: 'requirement', cell: (one) => one.answer, sort: (one) => one.answer },
          { title: 'score', cell: between, numeric: true, sort: (one) => one.score ?? null },
        ]} />
      </div>
    </Section>
  )
}

export function ProvenanceSection() {
  const { provenance } = useBook().report
  return (
    <Section id="provenance" title="How it was obtained">
      <div class="card">
        {provenance.commands.length > 0 && <pre tabIndex={0} aria-label="commands">{provenance.commands.join('\n')}</pre>}
        <dl>{provenance.facts.map(([name, value], index) => <div key={index}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      </div>
    </Section>
  )
}
