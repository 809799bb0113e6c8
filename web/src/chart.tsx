// The variable over time, all runs overlaid: scenarios told apart by colour and by dash, the interval
// shaded, the bound as a line at start value + bound, the margin at the end of each curve.
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Interval, Property, Series } from './report'
import { number, withUnit } from './format'

// Okabe and Ito's colours, which colour-blind readers can tell apart; dashes serve everyone else.
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4], [12, 2]]

export function scenarioStyle(scenarios: string[], scenario: string) {
  const at = Math.max(0, scenarios.indexOf(scenario))
  return { colour: colours[at % colours.length], dash: dashes[at % dashes.length] }
}

function joined(series: Series[]): uPlot.AlignedData {
  if (!series.length) return [[]]
  return uPlot.join(series.map((one) => [one.t, one.v] as uPlot.AlignedData))
}

function drawIntervals(plot: uPlot, intervals: Interval[], property: Property, shown: number | null) {
  const { ctx } = plot
  ctx.save()
  for (const one of intervals) {
    if (shown !== null && one.run !== shown) continue
    const left = plot.valToPos(one.from, 'x', true)
    const right = plot.valToPos(one.to, 'x', true)
    ctx.fillStyle = one.violated ? 'rgba(213,94,0,0.04)' : 'rgba(0,114,178,0.04)'
    ctx.fillRect(left, plot.bbox.top, right - left, plot.bbox.height)
    if (property.bound === null || property.aggregate !== 'diff') continue
    const level = plot.valToPos(one.start + property.bound, 'y', true)
    ctx.strokeStyle = 'rgba(120,120,120,0.8)'
    ctx.setLineDash([4, 4])
    ctx.beginPath()
    ctx.moveTo(left, level)
    ctx.lineTo(right, level)
    ctx.stroke()
  }
  ctx.restore()
}

function writeMargins(plot: uPlot, intervals: Interval[], property: Property, shown: number | null) {
  const { ctx } = plot
  ctx.save()
  ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`
  ctx.textAlign = 'right'
  ctx.fillStyle = getComputedStyle(plot.root).color
  let last = -Infinity
  for (const one of [...intervals].sort((a, b) => a.end - b.end)) {
    if ((shown !== null && one.run !== shown) || one.margin === null) continue
    const y = plot.valToPos(one.end, 'y', true)
    if (Math.abs(y - last) < 14 * devicePixelRatio) continue
    last = y
    const text = `${one.margin < 0 ? 'over by' : 'room'} ${withUnit(Math.abs(one.margin), property.unit)}`
    ctx.fillText(text, plot.valToPos(one.to, 'x', true) - 4, y - 4)
  }
  ctx.restore()
}

export function Chart({ property }: { property: Property }) {
  const host = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<number | null>(null)
  const scenarios = [...new Set(property.series.map((one) => one.scenario))]
  useEffect(() => {
    if (!host.current || !property.series.length) return
    const ink = getComputedStyle(host.current).color
    const axis = { stroke: ink, grid: { stroke: 'rgba(128,128,128,0.2)' } }
    const plot = new uPlot(
      {
        width: host.current.clientWidth,
        height: 300,
        legend: { show: false },
        scales: { x: { time: false } },
        axes: [
          { ...axis, label: 'time since the start of the run (s)' },
          { ...axis, label: property.unit ? `${property.variable} (${property.unit})` : property.variable, size: 70 },
        ],
        series: [
          {},
          ...property.series.map((one) => {
            const style = scenarioStyle(scenarios, one.scenario)
            const faded = shown !== null && shown !== one.run
            return {
              label: `run ${one.run}, ${one.scenario}`,
              stroke: style.colour,
              dash: style.dash,
              width: shown === one.run ? 3 : 1.6,
              alpha: faded ? 0.15 : 1,
              spanGaps: true,
              points: { show: false },
            }
          }),
        ],
        hooks: {
          drawClear: [(self) => drawIntervals(self, property.intervals, property, shown)],
          draw: [(self) => writeMargins(self, property.intervals, property, shown)],
        },
      },
      joined(property.series),
      host.current,
    )
    const observer = new ResizeObserver(() => {
      if (host.current) plot.setSize({ width: host.current.clientWidth, height: 300 })
    })
    observer.observe(host.current)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
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
        <label>
          highlight{' '}
          <select onChange={(event) => {
            const value = (event.target as HTMLSelectElement).value
            setShown(value === '' ? null : Number(value))
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

function describe(property: Property): string {
  const violated = property.intervals.filter((one) => one.violated).length
  const bound = property.bound === null ? '' : ` against a bound of ${withUnit(property.bound, property.unit)}`
  return `${property.variable} over time in ${number(property.series.length)} runs${bound}; ` +
    `${number(violated)} of ${number(property.intervals.length)} intervals violated. The table below has the figures.`
}
