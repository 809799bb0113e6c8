// What a hunt for protocol violations found: every alarm, how its replay ended, and the way to it.
import { plural } from '../../shared/format'
import type { Job } from '../types'

interface Call {
  rule: string
  call: string
  result: string
  severity: string
  witness_events?: number
  exception?: { type: string; message: string } | null
  replay?: { steps?: { event: string }[]; reason?: string } | null
}

interface Hunt {
  calls: Call[]
  confirmed: number
  not_reproduced: number
  uncontrolled: number
  safe: number
}

export function HuntResult({ job }: { job: Job }) {
  const found = job.result as Hunt | undefined
  if (job.kind !== 'hunt' || !found?.calls) return null
  return (
    <section aria-label="what was found">
      <p>{found.confirmed} confirmed, {found.not_reproduced} not reproduced, {found.uncontrolled} uncontrolled; {plural(found.safe, 'call')} proved safe</p>
      <ul class="ways">{found.calls.map((one, index) => (
        <li key={index}><b>{one.result}</b> {one.call} <small>{one.severity}, {one.rule}</small>
          {one.exception && <p class="chain">{one.exception.type}: {one.exception.message}</p>}
          {one.replay?.reason && <p class="detail">{one.replay.reason}</p>}
          {(one.replay?.steps?.length ?? 0) > 0 && <details><summary>the way there, {plural(one.replay!.steps!.length, 'event')}</summary>
            <ol>{one.replay!.steps!.map((step, at) => <li key={at}>{step.event}</li>)}</ol></details>}
        </li>
      ))}</ul>
    </section>
  )
}
