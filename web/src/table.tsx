// A table that shows a page of rows at a time, so that ten thousand runs stay readable, and all rows
// of the page when printed.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { number } from './format'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ComponentChildren
  numeric?: boolean
}

export function Table<Row>({ rows, columns, caption, page = 25 }:
  { rows: Row[]; columns: Column<Row>[]; caption: string; page?: number }) {
  const [first, setFirst] = useState(0)
  const shown = rows.slice(first, first + page)
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>{columns.map((column) => <th key={column.title} scope="col" class={column.numeric ? 'n' : ''}>{column.title}</th>)}</tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            <tr key={first + index}>
              {columns.map((column) => <td key={column.title} class={column.numeric ? 'n' : ''}>{column.cell(row)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > page && (
        <nav class="pager" aria-label={`pages of ${caption}`}>
          <button disabled={first === 0} onClick={() => setFirst(Math.max(0, first - page))}>earlier</button>
          <span>{number(first + 1)} to {number(Math.min(first + page, rows.length))} of {number(rows.length)}</span>
          <button disabled={first + page >= rows.length} onClick={() => setFirst(first + page)}>later</button>
        </nav>
      )}
    </div>
  )
}
