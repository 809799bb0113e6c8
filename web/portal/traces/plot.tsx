// Variables of a trace over time: least and greatest value per pixel as a band, events as ticks, the
// intervals of the properties shaded, those that violate one marked by colour and by a bar on top.
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { number, plural } from '../../shared/format'
import { onScheme } from '../../shared/scheme'
import type { CheckedInterval, TraceAnswer } from '../types'

const tones = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']

function shade(plot: uPlot, intervals: CheckedInterval[]) {
  const { ctx, bbox } = plot
  ctx.save()
  for (const one of intervals) {
    const left = plot.valToPos(one.t_from, 'x', true)
    const width = Math.max(1, plot.valToPos(one.t_to, 'x', true) - left)
    ctx.fillStyle = one.violated ? 'rgba(213,94,0,0.16)' : 'rgba(0,158,115,0.12)'
    ctx.fillRect(left, bbox.top, width, bbox.height)
    if (!one.violated) continue
    ctx.fillStyle = '#d55e00'
    ctx.fillRect(left, bbox.top, width, 4 * devicePixelRatio)
  }
  ctx.restore()
}

// Names are written as long as they do not run into each other.
function ticks(plot: uPlot, events: TraceAnswer['events']) {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.fillStyle = getComputedStyle(plot.root).color
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`
  ctx.textAlign = 'left'
  let free = -1
  for (const { t, event } of events) {
    const x = plot.valToPos(t, 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.globalAlpha = 0.5
    ctx.fillRect(x, bbox.top + bbox.height - 8 * devicePixelRatio, 1, 8 * devicePixelRatio)
    ctx.globalAlpha = 1
    if (x < free) continue
    if (x + 2 + ctx.measureText(event).width > bbox.left + bbox.width) continue
    ctx.fillText(event, x + 2, bbox.top + bbox.height - 10 * devicePixelRatio)
    free = x + ctx.measureText(event).width + 12 * devicePixelRatio
  }
  ctx.restore()
}

export function Plot({ trace, variable, tone, intervals }: { trace: TraceAnswer; variable: string; tone: number; intervals: CheckedInterval[] }) {
  const host = useRef<HTMLDivElement>(null)
  const unit = trace.variables.find((one) => one.name === variable)?.unit ?? ''
  const values = trace.values[variable] ?? []
  const known = values.filter((one) => one !== null) as [number, number][]
  const least = Math.min(...known.map((one) => one[0]))
  const greatest = Math.max(...known.map((one) => one[1]))
  useEffect(() => {
    if (!host.current) return
    const axis = { stroke: (self: uPlot) => getComputedStyle(self.root).color, grid: { stroke: 'rgba(128,128,128,0.2)' } }
    const colour = tones[tone % tones.length]
    const line = { stroke: colour, width: 1.6, spanGaps: true, points: { show: false } }
    const plot = new uPlot({
      width: host.current.clientWidth, height: 220, legend: { show: false }, cursor: { drag: { x: true, y: false } },
      scales: { x: { time: false } },
      axes: [{ ...axis, label: 'time (s)' }, { ...axis, label: unit ? `${variable} (${unit})` : variable, size: 70 }],
      series: [{}, { ...line, label: 'greatest' }, { ...line, label: 'least' }],
      bands: [{ series: [1, 2], fill: `${colour}55` }],
      hooks: { drawClear: [(self) => shade(self, intervals)], draw: [(self) => ticks(self, trace.events)] },
    }, [trace.times, values.map((one) => one?.[1] ?? null), values.map((one) => one?.[0] ?? null)] as uPlot.AlignedData, host.current)
    const observer = new ResizeObserver(() => { if (host.current) plot.setSize({ width: host.current.clientWidth, height: 220 }) })
    observer.observe(host.current)
    const unwatch = onScheme(() => plot.redraw())
    return () => {
      observer.disconnect()
      unwatch()
      plot.destroy()
    }
  }, [trace, variable, intervals])
  const violated = intervals.filter((one) => one.violated).length
  const said = known.length ? `${variable} from ${number(least)} to ${[number(greatest), unit].filter(Boolean).join(' ')}; ${plural(intervals.length, 'interval')}, ${violated} violated` : `${variable} has no values`
  return <figure><div ref={host} class="chart small" role="img" aria-label={said} /><figcaption>{said}</figcaption></figure>
}
