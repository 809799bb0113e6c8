// What was measured during one run, one variable at a time, with its events as ticks.
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { number } from '../shared/format'
import type { Trace } from './traces'

function drawEvents(plot: uPlot, times: number[]) {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.fillStyle = 'rgba(128,128,128,0.55)'
  for (const time of times) ctx.fillRect(plot.valToPos(time, 'x', true), bbox.top + bbox.height - 6 * devicePixelRatio, 1, 6 * devicePixelRatio)
  ctx.restore()
}

export function ProbeChart({ trace, name }: { trace: Trace; name: string }) {
  const varying = trace.variables.map((variable, index) => ({ variable, index }))
    .filter(({ index }) => new Set(trace.rows.map((row) => row.values[index])).size > 1)
  const [chosen, setChosen] = useState(varying[0]?.index ?? 0)
  const host = useRef<HTMLDivElement>(null)
  const variable = trace.variables[chosen]
  useEffect(() => {
    if (!host.current || !variable) return
    const style = getComputedStyle(host.current)
    const axis = { stroke: style.color, grid: { stroke: 'rgba(128,128,128,0.2)' } }
    const events = trace.rows.filter((row) => row.event).map((row) => row.t)
    const plot = new uPlot({
      width: host.current.clientWidth,
      height: 200,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false } },
      axes: [{ ...axis, label: 'time since the start of the run (s)' }, { ...axis, size: 70, label: variable.unit ? `${variable.name} (${variable.unit})` : variable.name }],
      series: [{}, { stroke: style.getPropertyValue('--accent'), width: 1.8, spanGaps: true, points: { show: false } }],
      hooks: { draw: [(self) => drawEvents(self, events)] },
    }, [trace.rows.map((row) => row.t), trace.rows.map((row) => row.values[chosen])], host.current)
    const observer = new ResizeObserver(() => host.current && plot.setSize({ width: host.current.clientWidth, height: 200 }))
    observer.observe(host.current)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [trace, chosen])
  if (!varying.length) return null
  const values = trace.rows.map((row) => row.values[chosen]).filter((value): value is number => value !== null)
  return (
    <figure>
      <p><label>measured{' '}
        <select value={chosen} onChange={(event) => setChosen(Number((event.target as HTMLSelectElement).value))}>
          {varying.map((one) => <option key={one.index} value={one.index}>{one.variable.name}{one.variable.unit && `, ${one.variable.unit}`}</option>)}
        </select></label></p>
      <div ref={host} class="chart small" role="img" aria-label={`${variable.name} during ${name}, from ${number(values[0])} to ${number(values[values.length - 1])} ${variable.unit}; the table has the figures`} />
    </figure>
  )
}
