// The report with what is looked up again and again, and what the reader has filtered it to.
import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { useAddress } from '../shared/address'
import type { Attachment, Cause, Finding, Property, Report, Run, Screen } from './report'

export interface Book {
  report: Report
  runs: Map<number, Run>
  screens: Map<string, Screen>
  attachments: Map<number, Attachment>
  causes: Map<string, Cause> // by id
  properties: Map<string, Property> // by id
  causeOf: Map<number, Cause> // by run
}

export function openBook(report: Report): Book {
  const causeOf = new Map<number, Cause>()
  for (const cause of report.causes) for (const run of cause.all_runs) causeOf.set(run, cause)
  return {
    report,
    runs: new Map(report.runs.map((run) => [run.id, run])),
    screens: new Map(report.screens.map((screen) => [screen.name, screen])),
    attachments: new Map(report.attachments.map((one) => [one.run, one])),
    causes: new Map(report.causes.map((cause) => [cause.id, cause])),
    properties: new Map(report.properties.map((property) => [property.id, property])),
    causeOf,
  }
}

export const BookContext = createContext<Book>(null as unknown as Book)

export function useBook(): Book {
  return useContext(BookContext)
}

// The letters of Run.answers.
export const answers = { holds: 'h', violated: 'v', unclear: 'u', never: 'n' }

export function answerOf(run: Run, property: number): string {
  return run.answers[property - run.first_property] ?? ''
}

export const filters = ['scenario', 'device', 'version', 'campaign', 'property', 'cause'] as const
export type Filter = (typeof filters)[number]

export interface Selection {
  active: boolean
  words: string[]
  runs: Set<number> | null // null: all
  hasText: (...texts: (string | undefined)[]) => boolean
}

function contains(words: string[], texts: (string | undefined)[]): boolean {
  const all = texts.join('\n').toLowerCase()
  return words.every((word) => all.includes(word))
}

function fits(book: Book, values: Record<string, string>, run: Run): boolean {
  for (const key of ['scenario', 'device', 'version', 'campaign'] as const) {
    if (values[key] !== undefined && run[key] !== values[key]) return false
  }
  if (values.cause !== undefined && book.causeOf.get(run.id)?.id !== values.cause) return false
  if (values.property !== undefined) {
    const at = book.report.properties.findIndex((one) => one.id === values.property)
    if (answerOf(run, at) !== answers.violated) return false
  }
  return true
}

// What the address asks for: words that must occur, and runs that fit the filters.
export function useSelection(): Selection {
  const book = useBook()
  const { values } = useAddress()
  const key = [...filters.map((one) => values[one] ?? '\u0000'), values.q ?? ''].join('\u0001')
  return useMemo(() => {
    const words = (values.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    const narrowed = filters.some((one) => values[one] !== undefined)
    const runs = narrowed
      ? new Set(book.report.runs.filter((run) => fits(book, values, run)).map((run) => run.id))
      : null
    return { active: narrowed || words.length > 0, words, runs, hasText: (...texts) => contains(words, texts) }
  }, [book, key])
}

// Whether a finding is about runs of the selection; one about no runs at all is about every one.
export function concerns(book: Book, selection: Selection, finding: Finding): boolean {
  if (!selection.hasText(finding.text, finding.detail, finding.subject)) return false
  if (!selection.runs) return true
  const id = (finding.link ?? '').replace(/^#/, '')
  const cause = book.causes.get(id)
  if (cause) return cause.all_runs.some((run) => selection.runs!.has(run))
  const at = book.report.properties.findIndex((one) => one.id === id)
  if (at < 0) return false
  const violated = book.report.properties[at].violated > 0
  for (const run of selection.runs) {
    const answer = answerOf(book.runs.get(run)!, at)
    if (answer && (!violated || answer === answers.violated)) return true
  }
  return false
}

// A screen for people: its title, else its activity and first texts, else its name.
export function screenLabel(book: Book, name: string): string {
  const screen = book.screens.get(name)
  if (!screen) return name
  return screen.title || screen.texts.slice(0, 3).join(' · ') || name
}
