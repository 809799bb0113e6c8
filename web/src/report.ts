// The document that the C side writes (src/report/) and this page shows. schemas/report.schema.json
// says the same for other readers; tests/check_report_schema.py keeps the two in step.

export interface Finding {
  severity: 'bad' | 'unclear' | 'good'
  text: string
  detail?: string
  link?: string
}

export interface Interval {
  run: number
  from: number
  to: number
  start: number | null
  end: number | null
  value: number | null
  margin: number | null
  violated: boolean
}

export interface Series {
  run: number
  scenario: string
  t: number[]
  v: (number | null)[]
}

export interface Baseline {
  runs: number
  violated: number
  median: number | null
  p: number
  significant: boolean
  value_p: number
  value_significant: boolean
}

export interface ScenarioRow {
  scenario: string
  runs: number
  violated: number
  low: number
  high: number
  median: number | null
  spread: number | null
  baseline?: Baseline
}

export interface Property {
  name: string
  source: string
  variable: string
  unit: string
  bound: number | null
  aggregate: string
  from_event: string
  to_event: string
  scenarios: ScenarioRow[]
  series: Series[]
  intervals: Interval[]
}

export interface Run {
  id: number
  name: string
  scenario: string
  verdict: 'pass' | 'fail' | 'crash' | 'aborted'
  seconds: number
  steps: number
  message: string
}

export interface Probe {
  name: string
  unit: string
}

export interface Timeline {
  run: number
  probes: Probe[]
  rows: [number, string, string, string, ...(number | null)[]][]
}

export interface Flow {
  index: number
  kind: string
  events: string[]
}

export interface Pattern {
  sentence: string
  formula: string
}

export interface Cause {
  cluster: string
  exception: string
  frame: string
  runs: number
  of: number
  patterns: Pattern[]
  examples: number[]
}

export interface ProtocolStep {
  event: string
  reason: string
}

export interface ProtocolFinding {
  name: string
  verdict: string
  explanation: string
  advice: string
  steps: ProtocolStep[]
  drawing?: string
}

export interface Story {
  title: string
  text: string
}

export interface Repair {
  edit: string
  before: string
  after: string
}

export interface RuleFinding {
  name: string
  explanation: string
  stories: Story[]
  repairs: Repair[]
  drawing?: string
}

export interface Drawing {
  name: string
  svg: string
  states: number
  states_covered: number
  transitions: number
  transitions_covered: number
}

export interface Summary {
  runs: number
  pass: number
  fail: number
  crash: number
  aborted: number
}

export interface Provenance {
  commands: string[]
  facts: [string, string][]
}

export interface DamagedTrace {
  run: number
  file: string
  what: string
}

export interface Report {
  schema: 1
  title: string
  created: string
  findings: Finding[]
  summary: Summary
  properties: Property[]
  models: Drawing[]
  flows: Flow[]
  runs: Run[]
  damaged_traces?: DamagedTrace[]
  timelines: Timeline[]
  causes: Cause[]
  protocol: ProtocolFinding[]
  rules: RuleFinding[]
  provenance: Provenance
}
