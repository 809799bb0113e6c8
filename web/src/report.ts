// The document that the C side writes (src/report/) and this page shows. report.schema.json says the
// same for other readers.

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

export interface ScenarioRow {
  scenario: string
  runs: number
  violated: number
  low: number
  high: number
  median: number | null
  spread: number | null
  baseline?: { runs: number; violated: number; median: number | null; p: number; significant: boolean }
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
  verdict: string
  seconds: number
  steps: number
  message: string
}

export interface Timeline {
  run: number
  rows: [number, string, string, string][]
}

export interface Flow {
  index: number
  kind: string
  events: string[]
}

export interface Cause {
  cluster: string
  exception: string
  frame: string
  runs: number
  of: number
  patterns: { sentence: string; formula: string }[]
  examples: number[]
}

export interface ProtocolFinding {
  name: string
  verdict: string
  explanation: string
  advice: string
  steps: { event: string; reason: string }[]
  drawing?: string
}

export interface RuleFinding {
  name: string
  explanation: string
  stories: { title: string; text: string }[]
  repairs: { edit: string; before: string; after: string }[]
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

export interface Report {
  schema: number
  title: string
  created: string
  findings: Finding[]
  summary: Record<string, number>
  properties: Property[]
  models: Drawing[]
  flows: Flow[]
  runs: Run[]
  timelines: Timeline[]
  causes: Cause[]
  protocol: ProtocolFinding[]
  rules: RuleFinding[]
  provenance: { commands: string[]; facts: [string, string][] }
}
