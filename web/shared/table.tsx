// A table that shows a page of rows at a time and sorts by its heads; what it is sorted by stands in
// the address.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { go, useAddress } from './address'
import { number } from './format'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ComponentChildren
  numeric?: boolean
  sort?: (row: Row) => number | string | null
}

function compare(a: number | string | null, b: number | string | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), 'en', { numeric: true })
}

export function Table<Row>({ rows, columns, caption, page = 25, id = '', last = false, mark }:
  {
    rows: Row[]; columns: Column<Row>[]; caption: string; page?: number
    id?: string // with one, its order is kept in the address
    last?: boolean // begins with the last page
    mark?: (row: Row) => boolean // rows that stand out
  }) {
  const address = useAddress()
  const order = id ? address.values[`${id}.sort`] ?? '' : ''
  const down = order.startsWith('-')
  const column = columns.find((one) => one.sort && one.title === order.replace(/^-/, ''))
  const start = last ? Math.max(0, Math.floor((rows.length - 1) / page) * page) : 0
  const [first, setFirst] = useState(start)
  useEffect(() => setFirst(start), [rows.length, order])
  const sorted = column
    ? [...rows].sort((a, b) => (down ? -1 : 1) * compare(column.sort!(a), column.sort!(b)))
    : rows
  const at = first < rows.length ? first : 0
  const shown = sorted.slice(at, at + page)
  const head = (one: Column<Row>) => {
    if (!id || !one.sort) return one.title
    const next = one !== column ? one.title : down ? null : `-${one.title}`
    return <button class="sort" onClick={() => go({ [`${id}.sort`]: next }, undefined, true)}>{one.title}<span aria-hidden="true">{one === column ? (down ? ' ▾' : ' ▴') : ''}</span></button>
  }
  return (
    <>
      <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>{columns.map((one) => (
              <th key={one.title} scope="col" class={one.numeric ? 'n' : ''}
                aria-sort={one === column ? (down ? 'descending' : 'ascending') : undefined}>{head(one)}</th>
            ))}</tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={at + index} class={mark?.(row) ? 'marked' : ''}>
                {columns.map((one) => <td key={one.title} class={one.numeric ? 'n' : ''}>{one.cell(row)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > page && (
        <nav class="pager" aria-label={`pages of ${caption}`}>
          <button disabled={at === 0} onClick={() => setFirst(Math.max(0, at - page))}>earlier</button>
          <span>{number(at + 1)} to {number(Math.min(at + page, rows.length))} of {number(rows.length)}</span>
          <button disabled={at + page >= rows.length} onClick={() => setFirst(at + page)}>later</button>
        </nav>
      )}
    </>
  )
}
