// Guarded actions: what each came to. Those that tested nothing stand first, in the sum and per
// campaign: what the properties say rests on what the actions did.
import { useBook, useSelection } from './book'
import { number, plural } from '../shared/format'
import { Section } from '../shared/parts'
import type { Action } from './report'
import type { Column } from '../shared/table'
import { Table } from '../shared/table'

const share = (part: number, whole: number): string => (whole ? `${number(part)} of ${number(whole)}` : '–')

function Verdict({ row }: { row: Action }) {
  if (!row.complaint) return <span class={row.chosen ? 'status' : 'status never'}>{row.chosen ? 'tested' : 'never chosen'}</span>
  const abandoned = row.abandoned === row.chosen ? 'always abandoned' : 'mostly abandoned'
  return <span class="status violated">{row.enabled ? abandoned : 'never possible'}</span>
}

// The reason often begins with the step.
function reason(row: Action): string {
  const written = `${row.written}:`
  const text = row.reason ?? ''
  return (text.startsWith(written) ? text.slice(written.length) : text).trim()
}

function Named({ row }: { row: Action }) {
  if (row.step === null) return <>{row.action}</>
  const tries = `${number(row.abandoned_there)} ${row.abandoned_there === 1 ? 'try' : 'tries'}`
  return (
    <div class="told">{row.action}<br />
      <small>{tries} ended at step {number(row.step)}, <code>{row.written}</code>{reason(row) && `: ${reason(row)}`}</small></div>
  )
}

function columns(rows: Action[]): Column<Action>[] {
  const restless: Column<Action> = { title: 'not at rest', numeric: true, sort: (row) => row.unrested, cell: (row) => share(row.unrested, row.chosen) }
  return [
    { title: 'action', sort: (row) => row.action, cell: (row) => <Named row={row} /> },
    { title: 'came to', sort: (row) => (row.complaint ? 0 : row.chosen ? 2 : 1), cell: (row) => <Verdict row={row} /> },
    { title: 'possible', numeric: true, sort: (row) => row.enabled, cell: (row) => share(row.enabled, row.looks) },
    { title: 'chosen', numeric: true, sort: (row) => row.chosen, cell: (row) => number(row.chosen) },
    { title: 'abandoned', numeric: true, sort: (row) => row.abandoned, cell: (row) => share(row.abandoned, row.chosen) },
    ...(rows.some((row) => row.unrested) ? [restless] : []),
  ]
}

function PerCampaign({ actions }: { actions: Action[] }) {
  const { report } = useBook()
  const selection = useSelection()
  const word = report.subjects?.length ? 'subject' : 'campaign'
  const all = actions.flatMap((action) => action.campaigns ?? []).filter((row) => selection.hasText(row.action, row.campaign))
  if (!all.length) return null
  const idle = all.filter((row) => row.complaint)
  const rows = [...idle, ...all.filter((row) => !row.complaint)]
  return (
    <>
      <h3>Per {word}</h3>
      <p>{idle.length ? `${number(idle.length)} of ${number(all.length)} tested nothing; they come first.` : 'Every action tested something everywhere.'}</p>
      <Table id="actions-each" rows={rows} page={25} mark={(row) => row.complaint !== null} caption={`actions per ${word}`} columns={[
        { title: word, sort: (row: Action) => row.campaign ?? '', cell: (row) => row.campaign }, ...columns(rows),
      ]} />
    </>
  )
}

export function ActionSection() {
  const { report } = useBook()
  const selection = useSelection()
  const actions = report.actions ?? []
  if (!actions.length) return null
  const idle = actions.filter((one) => one.complaint)
  const rows = actions.filter((one) => selection.hasText(one.action, one.reason ?? '', one.written ?? ''))
  const several = actions.some((one) => one.campaigns)
  const word = report.subjects?.length ? 'subject' : 'campaign'
  return (
    <Section id="actions" title="Actions" note={number(actions.length)}>
      <div class="card">
        <p>{idle.length ? `${number(idle.length)} of ${plural(actions.length, 'action')} tested nothing: never possible, or abandoned in more than half of the tries.`
          : 'Every action tested something.'} Possible says at how many looks at the screen its condition held.{rows.some((row) => row.unrested) && ' Not at rest: it was done, but the screen did not come to rest after it.'}</p>
        <Table id="actions" rows={rows} page={50} mark={(row) => row.complaint !== null} caption="actions, those that tested nothing first" columns={[
          ...columns(rows),
          ...(several ? [{ title: `idle ${word}s`, numeric: true, sort: (row: Action) => row.idle ?? 0, cell: (row: Action) => share(row.idle ?? 0, row.campaigns?.length ?? 0) }] : []),
        ]} />
        {several && <PerCampaign actions={actions} />}
      </div>
    </Section>
  )
}
