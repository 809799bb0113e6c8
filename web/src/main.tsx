// The page: reads the document inside the file and shows it, the answer first.
import type { ComponentChildren } from 'preact'
import { render } from 'preact'
import './style.css'
import { PropertySection } from './properties'
import type { Finding, Report } from './report'
import { CauseSection, FlowSection, ModelSection, ProtocolSection, ProvenanceSection, RuleSection, RunSection } from './sections'

const words = { bad: 'Found', unclear: 'Unclear', good: 'Fine' }

function FindingLine({ finding }: { finding: Finding }) {
  return (
    <li class={`finding ${finding.severity}`}>
      <span class="mark">{words[finding.severity]}</span>
      <div>
        {finding.link ? <a href={finding.link}>{finding.text}</a> : finding.text}
        {finding.detail && <p>{finding.detail}</p>}
      </div>
    </li>
  )
}

function Section({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Page({ report }: { report: Report }) {
  return (
    <>
      <header>
        <h1>{report.title}</h1>
        <p>{report.created}</p>
      </header>
      <section id="findings">
        <h2>What was found</h2>
        <ul class="findings">{report.findings.map((finding) => <FindingLine key={finding.text} finding={finding} />)}</ul>
      </section>
      {report.properties.length > 0 && (
        <Section id="properties" title="Properties">
          {report.properties.map((property) => <PropertySection key={property.name} property={property} />)}
        </Section>
      )}
      {report.models.length > 0 && (
        <Section id="model" title="The model and its coverage">
          {report.models.map((model) => <ModelSection key={model.name} model={model} />)}
          {report.flows.length > 0 && <FlowSection flows={report.flows} />}
        </Section>
      )}
      {report.runs.length > 0 && (
        <Section id="runs" title="Runs"><RunSection runs={report.runs} timelines={report.timelines} /></Section>
      )}
      {report.causes.length > 0 && (
        <Section id="causes" title="Causes of failures">
          {report.causes.map((cause) => <CauseSection key={cause.cluster} cause={cause} />)}
          <p class="note">Patterns tell failing from passing runs; they are where to look first, not proofs of a cause.</p>
        </Section>
      )}
      {report.protocol.length > 0 && (
        <Section id="protocol" title="Protocol">
          {report.protocol.map((finding) => <ProtocolSection key={finding.name} finding={finding} />)}
        </Section>
      )}
      {report.rules.length > 0 && (
        <Section id="rules" title="Rules">
          {report.rules.map((finding) => <RuleSection key={finding.name} finding={finding} />)}
        </Section>
      )}
      <Section id="provenance" title="How it was obtained"><ProvenanceSection provenance={report.provenance} /></Section>
    </>
  )
}

const data = document.getElementById('data')?.textContent ?? '{}'
const report = JSON.parse(data) as Report
document.title = report.title
render(<Page report={report} />, document.getElementById('report')!)
