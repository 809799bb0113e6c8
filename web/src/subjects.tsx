// Many subjects: which of them violates what, a table whose cells open the first violating run.
import { useBook, useSelection } from './book'
import { number, plural } from '../shared/format'
import { Section } from '../shared/parts'
import { RunLink } from './parts'
import type { Subject, SubjectProperty } from './report'
import { Table } from '../shared/table'

const found = (subject: Subject, property: string): SubjectProperty | undefined =>
  subject.properties.find((one) => one.property === property)

const MANY = 6 // columns; with more a cell says only how many runs

function Cell({ subject, property, dense }: { subject: Subject; property: string; dense: boolean }) {
  const cell = found(subject, property)
  if (!cell || !cell.runs) return <>–</>
  if (!cell.violated) return <>{cell.exercised ? 'holds' : 'never exercised'}</>
  const text = `${number(cell.violated)} of ${number(cell.runs)}`
  const step = cell.first_step === null ? '' : `first at step ${number(cell.first_step)}`
  if (cell.first_run === null) return <span class="status violated">{text}</span>
  return (
    <span class="status violated" title={dense ? step : undefined}><RunLink run={cell.first_run}>{text}</RunLink>
      {!dense && step && <small> {step}</small>}</span>
  )
}

function outcome(subject: Subject): string {
  if (!subject.started) return `did not start: ${subject.reason}`
  const parts = [plural(subject.runs, 'run'), subject.crash && `${number(subject.crash)} crashed`, subject.fail && `${number(subject.fail)} failed`,
    subject.aborted && `${number(subject.aborted)} stopped at a violation`,
    !subject.complete && `not complete: ${number(subject.missing)} of ${plural(subject.runs + subject.missing, 'run')} missing`, subject.reason]
  return parts.filter(Boolean).join(', ')
}

export function SubjectSection() {
  const { report } = useBook()
  const selection = useSelection()
  const subjects = report.subjects ?? []
  if (!subjects.length) return null
  const names = [...new Set(subjects.flatMap((subject) => subject.properties.map((one) => one.property)))]
  const violators = (name: string) => subjects.filter((subject) => found(subject, name)?.violated).length
  const violated = names.filter((name) => violators(name)).sort((a, b) => violators(b) - violators(a))
  const dense = violated.length > MANY
  const untested = names.filter((name) => subjects.every((subject) => !found(subject, name)?.exercised))
  const open = subjects.filter((subject) => !subject.complete)
  const rows = subjects.filter((subject) => selection.hasText(subject.subject, subject.reason, ''))
  return (
    <Section id="subjects" title="Subjects" note={number(subjects.length)}>
      <div class="card">
        <p>{number(violated.length)} of {plural(names.length, 'property', 'properties')} {violated.length === 1 ? 'is' : 'are'} violated by some subject and {violated.length === 1 ? 'has a column' : 'have columns, those that most violate first'}.
          {open.length > 0 && ` ${plural(open.length, 'subject')} ${open.length === 1 ? 'is' : 'are'} not complete: what is said of ${open.length === 1 ? 'it' : 'them'} rests on fewer runs, and the same call goes on.`}
          {untested.length > 0 && ` ${plural(untested.length, 'property', 'properties')} that no subject exercised: ${untested.join(', ')}.`}</p>
        <div class={dense ? 'dense' : undefined}><Table id="subjects" rows={rows} page={100} caption="subjects and the properties that some of them violate" columns={[
          { title: 'subject', sort: (row: Subject) => row.subject, cell: (row) => row.subject },
          { title: 'runs', sort: (row) => Number(row.started) * row.runs, cell: outcome },
          ...violated.map((name) => ({
            title: name, sort: (row: Subject) => found(row, name)?.violated ?? -1,
            cell: (row: Subject) => <Cell subject={row} property={name} dense={dense} />,
          })),
        ]} /></div>
      </div>
    </Section>
  )
}
