// The faults of adaptation rules as sentences, from the document of `rules check --json`.
type Input = Record<string, boolean>

interface Witness {
  input: Input
  states: string[]
  rules: string[]
  loop?: number
  inputs?: string
}

export interface RuleAnswer {
  app?: string
  faults?: boolean
  truncated?: boolean
  pairs?: { state: string; rules: string[]; inputs: string; example?: Input }[]
  dead_rules?: [string, string][]
  dead_rule_reasons?: { state: string; rule: string; reason: string; by?: string[] }[]
  dead_states?: string[]
  unreachable?: string[]
  cycle_details?: { states: string[]; inputs: string; example?: Input; persists?: boolean }[]
  cycle_states?: number
  race_paths?: number
  states?: Record<string, { race_witness?: Witness; cycle_witness?: Witness }>
  inconsistent_actions?: unknown[]
  expectations?: unknown[]
}

export interface Story {
  title: string
  steps: string[]
}

// What holds is enough to tell an input; nothing that holds is said too.
function when(input: Input | undefined): string {
  if (!input) return ''
  const held = Object.keys(input).filter((name) => input[name])
  return held.length ? `when only ${held.join(', ')} ${held.length === 1 ? 'holds' : 'hold'}` : 'when none of the conditions holds'
}

const most = 6

function paths(answer: RuleAnswer): string[] {
  const found = Object.values(answer.states ?? {}).map((one) => one.race_witness).filter((one): one is Witness => !!one)
  const longest = found.sort((a, b) => b.states.length - a.states.length)
  return longest.slice(0, most).map((one) => `${one.states.join(' → ')}, by ${one.rules.join(', ')}, ${when(one.input)}.`)
}

export function storiesOf(answer: RuleAnswer): Story[] {
  const told: Story[] = [
    {
      title: 'Rules that fire together: chance decides',
      steps: (answer.pairs ?? []).map((one) => `In ${one.state}, ${one.rules.join(' and ')} fire together on ${one.inputs} inputs, for example ${when(one.example)}.`),
    },
    {
      title: 'Rules that never fire',
      steps: (answer.dead_rules ?? []).map(([state, rule]) => {
        const why = answer.dead_rule_reasons?.find((one) => one.state === state && one.rule === rule)
        return `${rule} never fires in ${state}${why?.by?.length ? `: whenever its condition holds, ${why.by.join(' or ')} comes first` : ''}.`
      }),
    },
    { title: 'States that cannot be left', steps: (answer.dead_states ?? []).map((one) => `${one} has no rule that can fire.`) },
    { title: 'States that cannot be reached', steps: (answer.unreachable ?? []).map((one) => `Nothing leads to ${one}.`) },
    {
      title: 'The app never comes to rest',
      steps: (answer.cycle_details ?? []).map((one) => `${[...one.states, one.states[0]].join(' → ')} → … for ever on ${one.inputs} inputs, for example ${when(one.example)}.`),
    },
    { title: 'Several adaptations in a row: if the input does not last, the app stops in between', steps: paths(answer) },
  ]
  return told.filter((one) => one.steps.length)
}
