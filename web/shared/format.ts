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

// What is not nothing is never shown as 0 %, and what is not all never as 100 %.
export function percent(part: number, of: number): string {
  if (!of) return '–'
  const share = (100 * part) / of
  if (part === 0 || part === of) return `${share} %`
  if (share < 0.1) return '< 0.1 %'
  if (share > 99.9) return '> 99.9 %'
  const digits = share < 10 || share > 99 ? 1 : 0
  return `${share.toFixed(digits)} %`
}

export function chance(p: number | null): string {
  if (p === null) return '–'
  return p < 0.001 ? p.toExponential(0) : p.toFixed(3)
}

export function plural(count: number, one: string, many = one + 's'): string {
  return `${number(count)} ${count === 1 ? one : many}`
}

// The last part of a name with dots: java.lang.NullPointerException.
export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1) || name
}

// Class and method of a frame: com.example.Session.token gives Session.token.
export function shortFrame(frame: string): string {
  return frame.split('.').slice(-2).join('.')
}
