// The variable over time, all runs overlaid: scenarios told apart by colour and by dash, the interval
// shaded, the bound as a line at start value + bound, the margin at the end of each curve.
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Interval, Property, Series } from './report'
import { number, withUnit, plural } from '../shared/format'
import { onScheme } from '../shared/scheme'

// Okabe and Ito's colours, which colour-blind readers can tell apart; dashes serve everyone else.
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4], [12, 2]]

export function scenarioStyle(scenarios: string[], scenario: string) {
  const at = Math.max(0, scenarios.indexOf(scenario))
  return { colour: colours[at % colours.length], dash: dashes[at % dashes.length] }
}

const wide = 640 // pixels from which the margins stand beside the plot
const gutter = 130

function joined(series: Series[]): uPlot.AlignedData {
  if (!series.length) return [[]]
  return uPlot.join(series.map((one) => [one.t, one.v] as uPlot.AlignedData))
}

// Overlapping intervals of several runs are shaded once.
function spans(intervals: Interval[]): { from: number; to: number }[] {
  const merged: { from: number; to: number }[] = []
  for (const one of [...intervals].sort((a, b) => a.from - b.from)) {
    const last = merged[merged.length - 1]
    if (last && one.from <= last.to) last.to = Math.max(last.to, one.to)
    else merged.push({ from: one.from, to: one.to })
  }
  return merged
}

function drawIntervals(plot: uPlot, all: Interval[], property: Property, shown: number | null) {
  const { ctx } = plot
  const intervals = shown === null ? all : all.filter((one) => one.run === shown)
  ctx.save()
  ctx.fillStyle = 'rgba(0,114,178,0.09)'
  for (const span of spans(intervals)) {
    const left = plot.valToPos(span.from, 'x', true)
    ctx.fillRect(left, plot.bbox.top, plot.valToPos(span.to, 'x', true) - left, plot.bbox.height)
  }
  ctx.strokeStyle = 'rgba(120,120,120,0.9)'
  ctx.setLineDash([4, 4])
  for (const one of intervals) {
    if (property.bound === null || property.aggregate !== 'diff' || one.start === null) continue
    const level = plot.valToPos(one.start + property.bound, 'y', true)
    ctx.beginPath()
    ctx.moveTo(plot.valToPos(one.from, 'x', true), level)
    ctx.lineTo(plot.valToPos(one.to, 'x', true), level)
    ctx.stroke()
  }
  ctx.restore()
}

// The events that open and close the intervals, as labelled ticks at the top.
function labelEnds(plot: uPlot, all: Interval[], property: Property, shown: number | null) {
  const intervals = shown === null ? all : all.filter((one) => one.run === shown)
  if (!intervals.length) return
  const { ctx } = plot
  const tick = (time: number, text: string, align: CanvasTextAlign) => {
    const x = plot.valToPos(time, 'x', true)
    ctx.textAlign = align
    ctx.fillText(text, x + (align === 'left' ? 4 : -4), plot.bbox.top + 13 * devicePixelRatio)
    ctx.fillRect(x - 0.5, plot.bbox.top, 1, 16 * devicePixelRatio)
  }
  ctx.save()
  ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`
  ctx.fillStyle = getComputedStyle(plot.root).color
  tick(Math.min(...intervals.map((one) => one.from)), property.from_event, 'left')
  tick(Math.max(...intervals.map((one) => one.to)), property.to_event, 'right')
  ctx.restore()
}

// Which margins are written: every one while they are few, else the worst of each scenario.
function labelled(intervals: Interval[], scenarioOf: (run: number) => string): Interval[] {
  const known = intervals.filter((one) => one.margin !== null && one.end !== null)
  if (known.length <= 6) return known
  const worst = new Map<string, Interval>()
  for (const one of known) {
    const before = worst.get(scenarioOf(one.run))
    if (!before || one.margin! < before.margin!) worst.set(scenarioOf(one.run), one)
  }
  return [...worst.values()]
}

// Beside the plot where there is room, in the order of the curves and never over each other.
function writeMargins(plot: uPlot, all: Interval[], property: Property, shown: number | null, scenarios: string[]) {
  const { ctx, bbox } = plot
  const scenario = new Map(property.series.map((one) => [one.run, one.scenario]))
  const scenarioOf = (run: number) => scenario.get(run) ?? ''
  const intervals = labelled(shown === null ? all : all.filter((one) => one.run === shown), scenarioOf)
  const height = 15 * devicePixelRatio
  const beside = plot.width >= wide
  const labels = intervals
    .map((one) => ({
      y: plot.valToPos(one.end!, 'y', true),
      colour: scenarioStyle(scenarios, scenarioOf(one.run)).colour,
      text: `${one.margin! < 0 ? 'over by' : 'room'} ${withUnit(Math.abs(one.margin!), property.unit)}`,
    }))
    .sort((a, b) => a.y - b.y)
  labels.forEach((label, at) => {
    if (at) label.y = Math.max(label.y, labels[at - 1].y + height)
  })
  ctx.save()
  ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  for (const label of labels) {
    const width = ctx.measureText(label.text).width
    const x = beside ? bbox.left + bbox.width + 12 * devicePixelRatio : bbox.left + bbox.width - width - 4
    if (!beside) {
      ctx.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--card')
      ctx.fillRect(x - 2, label.y - height / 2, width + 4, height)
    }
    ctx.fillStyle = label.colour
    ctx.fillRect(x - 7 * devicePixelRatio, label.y - height / 3, 3 * devicePixelRatio, (height * 2) / 3)
    ctx.fillStyle = getComputedStyle(plot.root).color
    ctx.fillText(label.text, x, label.y)
  }
  ctx.restore()
}

// One run stands out and the others fade: the one under the pointer, or the one chosen.
export function Chart({ property, shown, onShow }:
  { property: Property; shown: number | null; onShow: (run: number | null) => void }) {
  const host = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot | null>(null)
  const standsOut = useRef<number | null>(null)
  const [named, setNamed] = useState<number | null>(null)
  const scenarios = [...new Set(property.series.map((one) => one.scenario))]
  useEffect(() => {
    if (!host.current || !property.series.length) return
    const axis = { stroke: (self: uPlot) => getComputedStyle(self.root).color, grid: { stroke: 'rgba(128,128,128,0.2)' } }
    const plot = new uPlot(
      {
        width: host.current.clientWidth,
        height: 300,
        legend: { show: false },
        padding: [null, host.current.clientWidth >= wide ? gutter : null, null, null],
        cursor: { focus: { prox: 24 }, points: { show: false }, drag: { x: false, y: false } },
        focus: { alpha: 0.12 },
        scales: { x: { time: false } },
        axes: [
          { ...axis, label: 'time since the start of the run (s)' },
          { ...axis, label: property.unit ? `${property.variable} (${property.unit})` : property.variable, size: 70 },
        ],
        series: [
          {},
          ...property.series.map((one) => {
            const style = scenarioStyle(scenarios, one.scenario)
            return {
              label: `run ${one.run}, ${one.scenario}`,
              stroke: style.colour,
              dash: style.dash,
              width: 1.8,
              spanGaps: true,
              points: { show: false },
            }
          }),
        ],
        hooks: {
          drawClear: [(self) => drawIntervals(self, property.intervals, property, standsOut.current)],
          draw: [
            (self) => writeMargins(self, property.intervals, property, standsOut.current, scenarios),
            (self) => labelEnds(self, property.intervals, property, standsOut.current),
          ],
          setSeries: [(_, index) => {
            standsOut.current = index ? property.series[index - 1].run : null
            setNamed(standsOut.current)
          }],
        },
      },
      joined(property.series),
      host.current,
    )
    const observer = new ResizeObserver(() => {
      if (host.current) plot.setSize({ width: host.current.clientWidth, height: 300 })
    })
    observer.observe(host.current)
    drawn.current = plot
    const unwatch = onScheme(() => plot.redraw())
    return () => {
      unwatch()
      drawn.current = null
      observer.disconnect()
      plot.destroy()
    }
  }, [property])
  useEffect(() => {
    const index = property.series.findIndex((one) => one.run === shown)
    drawn.current?.setSeries(index < 0 ? null : index + 1, { focus: true })
    standsOut.current = index < 0 ? null : shown
    setNamed(standsOut.current)
    drawn.current?.redraw(false)
  }, [property, shown])
  if (!property.series.length) return null
  return (
    <figure>
      <div ref={host} class="chart" role="img" aria-label={describe(property)} />
      <figcaption>
        {scenarios.map((scenario) => (
          <span class="key" key={scenario}>
            <svg width="34" height="10" aria-hidden="true">
              <line x1="0" y1="5" x2="34" y2="5" stroke={scenarioStyle(scenarios, scenario).colour}
                stroke-width="2.5" stroke-dasharray={scenarioStyle(scenarios, scenario).dash.join(' ')} />
            </svg>
            {scenario || 'no scenario'}
          </span>
        ))}
        <output class="named">{named !== null && nameOf(property, named)}</output>
        <label>
          highlight{' '}
          <select value={shown ?? ''} onChange={(event) => {
            const value = (event.target as HTMLSelectElement).value
            onShow(value === '' ? null : Number(value))
          }}>
            <option value="">all runs</option>
            {property.series.map((one) => (
              <option value={one.run} key={one.run}>run {one.run}{one.scenario && `, ${one.scenario}`}</option>
            ))}
          </select>
        </label>
      </figcaption>
    </figure>
  )
}

function nameOf(property: Property, run: number): string {
  const series = property.series.find((one) => one.run === run)
  const margins = property.intervals.filter((one) => one.run === run && one.margin !== null).map((one) => one.margin!)
  const worst = margins.length ? Math.min(...margins) : null
  const end = worst === null ? '' : `: ${worst < 0 ? 'over by' : 'room'} ${withUnit(Math.abs(worst), property.unit)}`
  return `run ${run}${series?.scenario ? `, ${series.scenario}` : ''}${end}`
}

function describe(property: Property): string {
  const violated = property.intervals.filter((one) => one.violated).length
  const bound = property.bound === null ? '' : ` against a bound of ${withUnit(property.bound, property.unit)}`
  return `${property.variable} over time in ${plural(property.series.length, 'run')}${bound}; ` +
    `${number(violated)} of ${number(property.intervals.length)} intervals violated. The table below has the figures.`
}
