// What the server answers, as its description (/api/openapi.json) has it.
export interface FileEntry {
  path: string
  kind: string // model, requirement, property, campaign, trace, rules, automation, protocol, recording, scenario, app, ...
  size: number
  modified: number // seconds since 1970
  summary?: string
  runs?: number
  planned?: number
  passed?: number
  failed?: number
  crashed?: number
  untested?: number // properties that no run exercised
  violated?: number
  running?: boolean
  job?: string | null
  problem?: string // why not all of it could be read
}

export interface FileList {
  files: FileEntry[]
  truncated: boolean
}

export interface Subject {
  state?: string
  transition?: string
  machine?: string
}

export interface Problem {
  severity?: string
  message: string
  line?: number
  column?: number
  subject?: Subject | null
}

export type Attributes = Record<string, string>

export interface Machine {
  id: string
  device: string
  application: string
  activity: string
  machine: string
  external: boolean
  initial: string | null
  line: number
}

export interface ModelState {
  id: string
  name: string
  machine: string
  kind: 'state' | 'connection' | 'final'
  initial: boolean
  line: number
  attributes: Attributes
  expects?: string[] // what the screen must show there
  picture?: string | null
}

export interface Action {
  kind?: string
  xpath?: string
  resourceId?: string
  text?: string
  value?: string
  area?: string
  fragile?: string
}

export interface Transition {
  id: string
  machine: string
  from: string | null
  to: string | null
  event: string
  line: number
  attributes: Attributes
  expects?: string[]
  actions: Action[]
}

export interface ModelAnswer {
  text: string
  hash: string
  wellformed: boolean
  name: string
  machines: Machine[]
  states: ModelState[]
  transitions: Transition[]
  problems: Problem[]
}

export type Edit = { do: string } & Record<string, unknown>

export interface FlowStep {
  event: string
  device?: string
  states?: string[]
}

export interface Flow {
  kind?: string
  start?: { states?: string[] }[]
  steps: FlowStep[]
}

export interface FlowAnswer {
  count?: string
  exit?: string
  stuck?: string
  truncated?: string
  flows?: Flow[]
  complete?: boolean
  covered?: number
  total?: number
}

export interface Device {
  uri: string
  name: string
  kind: string
  detail?: string
}

export interface DeviceAnswer {
  devices: Device[]
  scenarios?: string[]
}

export interface Progress {
  done?: number
  total?: number
  passed?: number
  failed?: number
  crashed?: number
  violated?: number
}

export interface Job {
  result?: unknown // the document of the command, once it has ended
  id: string
  kind: string
  command: string
  state: 'running' | 'stopping' | 'stopped' | 'done' | 'failed' | 'lost'
  started: number | string
  ended?: number | string
  exit?: number
  progress?: Progress
  log?: string
  output?: string
  folder?: string
}

export interface RunRow {
  id: number
  name?: string
  scenario?: string
  verdict: string
  message?: string
  exception?: string
  trace?: string
  seconds?: number
  steps?: number
  properties?: { property: string; answer: string }[]
}

export interface Campaign {
  path: string
  runs: number
  planned: number
  crashed: number
  violated: number
  running: boolean
  job: string | null
  rows: RunRow[]
}

export interface TraceAnswer {
  variables: { name: string; unit?: string; kind?: string }[]
  events: { t: number; event: string }[]
  events_cut?: boolean
  from: number
  to: number
  states: number
  times: number[]
  values: Record<string, ([number, number] | null)[]>
}

export interface Margin {
  expression: string
  value: number
  bound: number
  margin: number
  unit: string | null
}

export interface Verdict {
  name: string
  verdict: string
  explanation: string
  advice?: string
  exercised?: boolean
  witness?: { t_from: number; t_to: number } | null
  early_alarm?: { t: number; expression: string } | null
  margins?: Margin[]
}

export interface CheckedInterval {
  t_from: number
  t_to: number
  violated: boolean
  open?: boolean
}

export interface CheckAnswer {
  traces?: { trace: string; properties: Verdict[]; warnings?: string[] }[]
  intervals?: Record<string, CheckedInterval[]>
}

// Where a worker's run is just now; what a device does not tell is left out.
export interface LiveView {
  run?: number
  scenario?: string
  device?: string
  steps?: number
  seconds?: number
  place?: string
  events?: string[]
  probes?: { name: string; unit: string; value: number | null }[]
  picture?: string
  sketch?: { width: number; height: number; boxes: [number, number, number, number, 'field' | 'button' | 'text', string][] }
}
