// The shortest way to see a failure again: the script of `tactus reproduce`, or the command for it.
import { plural } from '../shared/format'
import { Copy } from '../shared/parts'
import { RunLink } from './parts'
import type { Experiment, Reproduction } from './report'

function Experiments({ experiments }: { experiments: Experiment[] }) {
  if (!experiments.length) return null
  return (
    <ul class="experiments">
      {experiments.map((one, index) => (
        <li key={index}><strong>{one.verdict}</strong>: {one.claim || one.pattern}. With <code>{one.inserted}</code> before
          it, {one.failed} of {plural(one.tried, 'try', 'tries')} failed.</li>
      ))}
    </ul>
  )
}

function Found({ found }: { found: Reproduction }) {
  if (!found.reproduced) {
    return <p>It could not be reproduced from run <RunLink run={found.from_run} />: {found.message || 'the runs passed'} (
      {plural(found.executions, 'execution')}).</p>
  }
  const text = [...found.steps.map((step, index) => `${index + 1}. ${step}`), `→ ${found.failure}`].join('\n')
  return (
    <>
      <p>{plural(found.steps_after, 'step')}, found from the {found.steps_before} of run <RunLink run={found.from_run} /> in{' '}
        {plural(found.executions, 'execution')}; replayed, it failed {found.replays_failed} of {found.replays_tried} times.
        {found.one_minimal && ' No single step can be left out.'}{found.flaky && ' It does not fail every time.'}
        {!found.complete && ' The search was stopped before its end.'}</p>
      <ol class="steps">{found.steps.map((step, index) => <li key={index}>{step}</li>)}</ol>
      <p class="failure">→ {found.failure}</p>
      <Copy what="the steps" text={text} />
      {found.replay && <Copy what="the command that replays it" text={found.replay} />}
      <Experiments experiments={found.experiments} />
    </>
  )
}

export function Script({ found, command }: { found?: Reproduction; command?: string }) {
  if (found) return <Found found={found} />
  if (!command) return null
  return (
    <>
      <p>Not searched for yet. This finds the shortest script that still fails so:</p>
      <Copy what="the command" text={command} />
    </>
  )
}
