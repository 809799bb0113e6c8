// Applies a unified difference to a text. Every line that it keeps or removes must be there: a patch that
// does not fit is refused, never guessed.
interface Hunk {
  start: number // first line of the old text, from 0
  before: string[]
  after: string[]
}

function hunksOf(patch: string): Hunk[] {
  const hunks: Hunk[] = []
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/.exec(line)
    if (head) hunks.push({ start: Math.max(0, Number(head[1]) - (head[2] === '0' ? 0 : 1)), before: [], after: [] })
    const now = hunks.at(-1)
    if (head || !now || line.startsWith('\\')) continue
    const rest = line.slice(1)
    if (!line.startsWith('+')) now.before.push(rest)
    if (!line.startsWith('-')) now.after.push(rest)
  }
  return hunks
}

// null: it does not fit.
export function patched(text: string, patch: string): string | null {
  const ends = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(ends)
  const hunks = hunksOf(patch)
  if (!hunks.length) return null
  for (const { start, before, after } of hunks.reverse()) {
    if (before.some((line, index) => lines[start + index] !== line.replace(/\r$/, ''))) return null
    lines.splice(start, before.length, ...after.map((line) => line.replace(/\r$/, '')))
  }
  return lines.join(ends)
}
