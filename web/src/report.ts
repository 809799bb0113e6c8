// The document that the C side writes (src/report/) and this page shows. schemas/report.schema.json
// says the same for other readers; tests/check_report_schema.py keeps the two in step.

export interface Finding {
  severity: 'bad' | 'unclear' | 'good'
  kind: 'crash' | 'violation' | 'fault' | 'worse' | 'vacuous' | 'unclear' | 'better' | 'known' | 'fine'
  id: string // its identity, the same in every report
  text: string
  detail?: string
  link?: string
  subject?: string
  campaign?: string // of several, the one it is about
  known?: string // by whom, until when, why
  new: boolean
}

export interface Comparison {
  kind: 'crashes' | 'crash' | 'steps' | 'step' | 'property' | 'figure'
  name: string
  id: string
  unit: string
  answer: 'worse' | 'better' | 'same' | 'cannot tell'
  runs: number
  runs_before: number
  now: number | null
  before: number | null
  change: number | null
  low: number | null
  high: number | null
  p: number | null
  floor: number | null
  rise: number | null
}

// A campaign against the last baseline.
export interface Gate {
  answer: 'worse' | 'better' | 'same' | 'cannot tell'
  runs: number
  runs_before: number
  compared: number // of them, like runs of the baseline
  compared_before: number
  comparisons: Comparison[]
  differences: string[]
  campaign: string
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

export interface Experiment {
  pattern: string
  claim: string
  inserted: string
  tried: number
  failed: number
  verdict: string
}

export interface Reproduction {
  reproduced: boolean
  message: string
  from_run: number
  steps_before: number
  steps_after: number
  executions: number
  replays_tried: number
  replays_failed: number
  one_minimal: boolean
  flaky: boolean
  complete: boolean
  failure: string
  steps: string[]
  experiments: Experiment[]
  flow: string
  replay: string
}

export interface Property {
  id: string
  name: string
  campaign: string
  source: string
  line: number
  variable: string
  unit: string
  aggregate: string
  bound: number | null
  from_event: string
  to_event: string
  runs: number
  violated: number
  unclear: number
  never_exercised: number
  missing_events: string[]
  worst_margin: number | null
  worst_run: number | null
  scenarios: ScenarioRow[]
  series: Series[]
  intervals: Interval[]
  interval_count: number
  reproduction?: Reproduction
  reproduce?: string
}

export interface TrendPoint {
  campaign: string
  runs: number
  failing: number
  median: number | null
  p: number | null
}

export interface Trend {
  kind: 'property' | 'cause'
  name: string
  scenario: string
  link: string
  points: TrendPoint[]
}

export interface Run {
  id: number
  name: string
  campaign: string
  scenario: string
  device: string
  version: string
  verdict: 'pass' | 'fail' | 'crash' | 'aborted' | 'error'
  result: 'pass' | 'fail' | 'crash' | 'aborted' | 'error' | 'violated' | 'unclear'
  seconds: number
  steps: number
  message: string
  trace: string
  seed: string
  first_property: number
  answers: string
}

export interface Screen {
  name: string
  title: string
  texts: string[]
  picture?: string
}

export interface Attachment {
  run: number
  log?: string
  picture?: string
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
  p: number | null
  cause: boolean
  failing: number
  failing_of: number
  passing: number
  passing_of: number
  examples: number[]
}

export interface StackLine {
  text: string
  app: boolean
  decides: boolean
}

export interface Ending {
  events: string[]
  runs: number
  passing: number
}

export interface Cause {
  id: string
  cluster: string
  finding: string // the identity of its finding
  campaign: string
  exception: string
  message: string
  frame: string
  runs: number
  of: number
  stack: StackLine[]
  chain: string[]
  why: string
  ending: Ending
  patterns: Pattern[]
  unexplained: number
  examples: number[]
  all_runs: number[]
  reproduction?: Reproduction
  reproduce?: string
}

export interface ProtocolStep {
  event: string
  reason: string
}

export interface ProtocolReplay {
  call: string
  result: string
  rule: string
  reason: string
  exception: string
  stack: string[]
  steps: string[]
}

export interface ProtocolFinding {
  name: string
  verdict: string
  explanation: string
  advice: string
  steps: ProtocolStep[]
  drawing?: string
  replays?: ProtocolReplay[]
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

export interface GraphNode {
  kind: 'state' | 'call' | 'end' | 'activity'
  name: string
  label: string
  hint: string
  screen?: string
  covered: boolean
  start: boolean
  w: number
  h: number
  x: number | null
  y: number | null
}

export interface GraphEdge {
  from: number
  to: number
  events: string[]
  taken: boolean
  silent: boolean
  path: string
  x: number
  y: number
}

export interface Graph {
  width: number
  height: number
  nodes: GraphNode[]
  edges: GraphEdge[]
  problem?: string // why it is not laid out
}

export interface Activity {
  name: string
  application: string
  device: string
  states: number
  states_covered: number
  drawing: Graph
}

export interface Model {
  name: string
  campaign: string
  states: number
  states_covered: number
  transitions: number
  transitions_covered: number
  random_steps: number
  random_placed: number
  overview: Graph
  activities: Activity[]
}

export interface Summary {
  runs: number
  pass: number
  fail: number
  crash: number
  aborted: number
  violating: number
}

export interface SubjectProperty {
  property: string
  violated: number
  runs: number
  exercised: number // runs that had something for it to judge
  untested: number
  first_run: number | null
  first_step: number | null
}

export interface Subject {
  subject: string
  started: boolean
  complete: boolean // all of its runs are there
  reason: string
  runs: number // that are kept
  missing: number
  pass: number
  fail: number
  crash: number
  aborted: number
  properties: SubjectProperty[]
}

// What a guarded action came to, over all campaigns or in one; those that tested nothing come first.
export interface Action {
  action: string
  looks: number // at the screen, each before a choice
  enabled: number
  chosen: number
  abandoned: number
  unrested: number // done, but the screen did not come to rest
  abandoned_there: number // at `step`, where most tries ended
  step: number | null
  written: string | null // the step as the file has it
  reason: string | null // of the last time
  complaint: string | null // it tested nothing: why
  campaign?: string // of a row of one campaign
  idle?: number // campaigns in which it tested nothing
  campaigns?: Action[] // absent where there is one
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

export interface KpiScore {
  app: string
  domain: 'overall' | 'energy' | 'data' | 'performance' | 'reliability'
  score: number
  low: number
  high: number
  counted: number
  left_out: number
}

export interface KpiFigure {
  app: string
  domain: 'energy' | 'data' | 'performance' | 'reliability'
  name: string
  text: string
  answer: 'met' | 'missed' | 'unclear' | 'skipped'
  score?: number
  low?: number
  high?: number
}

export interface Report {
  schema: 2
  title: string
  created: string
  findings: Finding[]
  summary: Summary
  causes: Cause[]
  properties: Property[]
  trends: Trend[]
  gate: Gate[]
  models: Model[]
  flows: Flow[]
  runs: Run[]
  subjects?: Subject[]
  actions?: Action[]
  screens: Screen[]
  attachments: Attachment[]
  damaged_traces?: DamagedTrace[]
  timelines?: Timeline[]
  protocol: ProtocolFinding[]
  rules: RuleFinding[]
  kpi_scores?: KpiScore[]
  kpis?: KpiFigure[]
  provenance: Provenance
}
