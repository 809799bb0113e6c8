// Guarded actions: what each came to. Those that tested nothing stand first, in the sum and per
// campaign: what the properties say rests on what the actions did.
import { useBook, useSelection } from './book'
import { number, plural } from '../shared/format'
import { Section } from '../shared/parts'
import type { Action, ActionFigures, CampaignAction } from './report'
import type { Column } from '../shared/table'
import { Table } from '../shared/table'

const share = (part: number, whole: number): string => (whole ? `${number(part)} of ${number(whole)}` : '–')

function Verdict({ row }: { row: ActionFigures }) {
  if (!row.complaint) return <span class="status">{row.chosen ? 'tested' : 'never chosen'}</span>
  return <span class="status violated">{row.enabled ? 'mostly abandoned' : 'never possible'}</span>
}

function Where({ row }: { row: ActionFigures }) {
  if (!row.step) return <>–</>
  return <>{number(row.abandoned_there)} at step {number(row.step)} <code>{row.written}</code> <small>{row.reason}</small></>
}

function columns<Row extends ActionFigures>(): Column<Row>[] {
  return [
    { title: 'came to', sort: (row) => (row.complaint ? 0 : row.chosen ? 2 : 1), cell: (row) => <Verdict row={row} /> },
    { title: 'possible at looks', numeric: true, sort: (row) => row.enabled, cell: (row) => share(row.enabled, row.looks) },
    { title: 'chosen', numeric: true, sort: (row) => row.chosen, cell: (row) => number(row.chosen) },
    { title: 'abandoned', numeric: true, sort: (row) => row.abandoned, cell: (row) => share(row.abandoned, row.chosen) },
    { title: 'screen did not rest', numeric: true, sort: (row) => row.unrested, cell: (row) => share(row.unrested, row.chosen) },
    { title: 'where it stopped', cell: (row) => <Where row={row} /> },
  ]
}

const named = <Row extends ActionFigures>(): Column<Row> => ({ title: 'action', sort: (row) => row.action, cell: (row) => row.action })

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
        { title: word, sort: (row: CampaignAction) => row.campaign, cell: (row) => row.campaign }, named<CampaignAction>(), ...columns<CampaignAction>(),
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
  return (
    <Section id="actions" title="Actions" note={number(actions.length)}>
      <div class="card">
        <p>{idle.length ? `${number(idle.length)} of ${plural(actions.length, 'action')} tested nothing: never possible, or abandoned in more than half of the tries.`
          : 'Every action tested something.'}</p>
        <Table id="actions" rows={rows} page={50} mark={(row) => row.complaint !== null} caption="actions, those that tested nothing first" columns={[
          named<Action>(), ...columns<Action>(),
          ...(several ? [{ title: 'tested nothing in', numeric: true, sort: (row: Action) => row.idle ?? 0, cell: (row: Action) => share(row.idle ?? 0, row.campaigns?.length ?? 0) }] : []),
        ]} />
        {several && <PerCampaign actions={actions} />}
      </div>
    </Section>
  )
}
