// Numbers for people: sensible digits, units, no false precision.

export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  const digits = size >= 1000 || Number.isInteger(value) ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

export function withUnit(value: number | null | undefined, unit: string): string {
  return unit && value !== null && value !== undefined ? `${number(value)} ${unit}` : number(value)
}

export function seconds(value: number): string {
  if (value < 120) return `${number(value)} s`
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`
}

export function percent(part: number, of: number): string {
  return of ? `${Math.round((100 * part) / of)} %` : '–'
}

export function plural(count: number, one: string, many = one + 's'): string {
  return `${number(count)} ${count === 1 ? one : many}`
}
