// Work under way: its command, how far it is, what each run found, what it says; it can be stopped and
// gone on with, and goes on when the page is closed.
import { useEffect, useState } from 'preact/hooks'
import { plural, seconds } from '../../shared/format'
import { Copy, Result } from '../../shared/parts'
import { Table } from '../../shared/table'
import { get, post, reason } from '../api'
import { pageLink, Problem } from '../parts'
import type { Job, LiveView, Progress, RunRow } from '../types'
import { HuntResult } from './found'
import { LiveViews } from './live'

const words: Record<Job['state'], string> = {
  running: 'under way', stopping: 'is being stopped', stopped: 'stopped', done: 'done', failed: 'failed', lost: 'ended without a word',
}

export function Bar({ progress }: { progress?: Progress }) {
  if (!progress?.total) return null
  const found = [progress.crashed && plural(progress.crashed, 'crash', 'crashes'), progress.violated && `${progress.violated} violate a property`, progress.failed && `${progress.failed} could not be carried out`].filter(Boolean)
  return <span class="progress"><progress max={progress.total} value={progress.done ?? 0} aria-label="runs done" /> {progress.done ?? 0} of {progress.total}{found.length > 0 && `, ${found.join(', ')}`}</span>
}

export function JobLine({ job }: { job: Job }) {
  return (
    <li class={`job ${job.state}`}><a href={pageLink('run', { job: job.id })}>{job.kind} {job.output ?? job.folder ?? ''}</a> <span class="detail">{words[job.state] ?? job.state}</span> <Bar progress={job.progress} /></li>
  )
}

interface Watched {
  job: Job | null
  rows: RunRow[]
  log: string
  live: LiveView[]
  error: string
  restart: () => void
}

const longest = 60000 // letters of the log that stay on the page

function useJob(id: string): Watched {
  const [job, setJob] = useState<Job | null>(null)
  const [rows, setRows] = useState<RunRow[]>([])
  const [log, setLog] = useState('')
  const [live, setLive] = useState<LiveView[]>([])
  const [error, setError] = useState('')
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    setRows([])
    setLog('')
    get<Job>(`/api/jobs/${encodeURIComponent(id)}`).then((first) => { setJob(first); setLog(first.log ?? ''); setError('') }, (problem) => setError(reason(problem)))
    const source = new EventSource(`/api/jobs/${encodeURIComponent(id)}/events`)
    const on = <T,>(name: string, act: (data: T) => void) => source.addEventListener(name, (event) => {
      try {
        act(JSON.parse((event as MessageEvent<string>).data) as T)
      } catch {
        setError(`the server sent a ${name} that cannot be read`)
      }
    })
    on<Job>('state', (next) => {
      setJob(next)
      if (next.log) setLog(next.log)
      if (['running', 'stopping'].includes(next.state)) return
      setLive([])
      source.close()
    })
    on<Progress>('progress', (progress) => setJob((before) => before && { ...before, progress }))
    // Thousands may come at once: they are shown together, frame by frame.
    const known = new Map<number, RunRow>()
    let frame = 0
    on<RunRow>('run', (row) => {
      known.set(row.id, row)
      frame ||= requestAnimationFrame(() => {
        frame = 0
        setRows([...known.values()])
      })
    })
    on<{ views: LiveView[] }>('live', ({ views }) => setLive(views))
    on<{ text: string }>('log', ({ text }) => setLog((before) => (before + text).slice(-longest)))
    return () => {
      cancelAnimationFrame(frame)
      source.close()
    }
  }, [id, turn])
  return { job, rows, log, live, error, restart: () => setTurn((n) => n + 1) }
}

function Rows({ rows, campaign }: { rows: RunRow[]; campaign: string }) {
  if (!rows.length) return null
  const bad = (row: RunRow) => (row.properties ?? []).filter((one) => one.answer === 'false' || one.answer === 'presumably false').map((one) => one.property)
  return (
    <Table rows={rows} last page={15} caption="runs" columns={[
      { title: 'run', numeric: true, cell: (row) => row.id },
      { title: 'flow', cell: (row) => row.name ?? '' },
      { title: 'scenario', cell: (row) => row.scenario ?? '' },
      { title: 'result', cell: (row) => <Result result={bad(row).length && row.verdict === 'pass' ? 'violated' : row.verdict} /> },
      { title: 'what', cell: (row) => bad(row).join(', ') || row.exception || row.message || '' },
      { title: 'time', numeric: true, cell: (row) => (row.seconds === undefined ? '' : seconds(row.seconds)) },
      { title: 'trace', cell: (row) => row.trace ? <a href={pageLink('traces', { trace: row.trace })}>plot<span class="hidden"> run {row.id}</span></a> : campaign },
    ]} />
  )
}

function Links({ job }: { job: Job }) {
  const made = job.output ?? job.folder ?? ''
  if (!made) return null
  if (job.kind === 'hunt') return null
  if (job.kind === 'explore') return <a class="button" href={pageLink('model', { file: made })}>open the model</a>
  return <a class="button" href={pageLink('report', { campaign: made })}>open the report</a>
}

export function JobView({ id }: { id: string }) {
  const { job, rows, log, live, error, restart } = useJob(id)
  const [refused, setRefused] = useState('')
  const act = async (what: string) => {
    try {
      await post(`/api/jobs/${encodeURIComponent(id)}/${what}`)
      setRefused('')
    } catch (problem) {
      setRefused(reason(problem))
    }
    restart()
  }
  if (!job) return <Problem text={error} />
  const active = job.state === 'running' || job.state === 'stopping'
  return (
    <section class="card job" aria-label={`${job.kind} ${job.output ?? ''}`} data-state={job.state}>
      <h2>{job.kind} <span class="name">{job.output ?? job.folder ?? ''}</span></h2>
      <p role="status" class={`jobstate ${job.state}`}>{words[job.state] ?? job.state}{job.state === 'done' && job.exit === 1 ? ': something was found' : ''}{job.state === 'failed' && job.exit !== undefined ? `, exit code ${job.exit}` : ''}</p>
      <Bar progress={job.progress} />
      <Problem text={refused || error} />
      <div class="buttons">
        {active && <button disabled={job.state === 'stopping'} onClick={() => void act('stop')}>stop</button>}
        {['stopped', 'failed', 'lost'].includes(job.state) && <button class="first" onClick={() => void act('resume')}>go on</button>}
        <Links job={job} />
      </div>
      {active && <LiveViews views={live} />}
      <HuntResult job={job} />
      <Rows rows={rows} campaign="" />
      {log && <details open={active || job.state === 'failed'}><summary>what it says</summary><pre class="log" tabIndex={0} aria-label="what it says">{log}</pre></details>}
      <Copy what="the command" text={job.command} />
    </section>
  )
}
