// What the devices of a job show and measure just now. A screen is the picture that was kept of it, else
// a sketch of the hierarchy as the run read it: watching asks nothing of the device.
import { number, seconds } from '../../shared/format'
import type { LiveView } from '../types'

function Sketch({ sketch, name }: { sketch: NonNullable<LiveView['sketch']>; name: string }) {
  const tall = Math.max(1, sketch.height)
  const size = Math.max(10, sketch.width / 19)
  return (
    <svg class="sketch" role="img" aria-label={name} viewBox={`0 0 ${Math.max(1, sketch.width)} ${tall}`}>
      {sketch.boxes.map(([left, top, right, bottom, kind, text], index) => (
        <g key={index} class={kind}>
          <rect x={left} y={top} width={Math.max(0, right - left)} height={Math.max(0, bottom - top)} />
          {text && <text x={left + size / 3} y={(top + bottom) / 2} font-size={Math.min(size, (bottom - top) * 0.8)} dominant-baseline="middle">{text}</text>}
        </g>
      ))}
    </svg>
  )
}

function View({ view }: { view: LiveView }) {
  const name = `the screen ${view.place ?? ''}`
  return (
    <section class="live" aria-label={view.run === undefined ? 'the newest screen' : `run ${view.run} now`}>
      <h4>{view.run === undefined ? 'the newest screen' : <>run {view.run}{view.scenario && ` · ${view.scenario}`} · {seconds(view.seconds ?? 0)} · {view.steps ?? 0} events</>}</h4>
      <div class="row">
        {view.sketch ? <Sketch sketch={view.sketch} name={name} />
          : view.picture && <img src={`/api/file?path=${encodeURIComponent(view.picture)}`} alt={name} />}
        <div>
          {view.place && <p>on <b>{view.place}</b></p>}
          {view.events && view.events.length > 0 && <ol class="recent" aria-label="latest events">{view.events.map((event, index) => <li key={index}>{event}</li>)}</ol>}
          {view.probes && view.probes.length > 0 && (
            <table><caption class="hidden">probes of run {view.run}</caption><tbody>{view.probes.map((probe) => (
              <tr key={probe.name}><th scope="row">{probe.name}</th><td class="number">{probe.value === null ? '–' : number(probe.value)} {probe.unit}</td></tr>
            ))}</tbody></table>
          )}
        </div>
      </div>
    </section>
  )
}

export function LiveViews({ views }: { views: LiveView[] }) {
  if (!views.length) return null
  return <div class="lives"><h3>Now</h3>{views.map((view, index) => <View key={index} view={view} />)}</div>
}
