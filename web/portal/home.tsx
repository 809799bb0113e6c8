// What is in the folder, what runs, and what was found, the newest first.
import { Section } from '../shared/parts'
import { plural } from '../shared/format'
import { get } from './api'
import { pageLink, Problem } from './parts'
import { JobLine } from './run/job'
import type { FileEntry, FileList, Job } from './types'
import { useAsked, useTicks } from './use'

// Which page opens a file of a kind, and under which name.
const opens: Record<string, [page: string, value: string, title: string]> = {
  model: ['model', 'file', 'Models'],
  requirement: ['flows', 'requirement', 'Requirements'],
  campaign: ['report', 'campaign', 'Campaigns'],
  property: ['traces', 'property', 'Properties'],
  trace: ['traces', 'trace', 'Traces'],
  rules: ['rules', 'file', 'Adaptation rules'],
  automation: ['rules', 'file', 'Automations'],
  protocol: ['rules', 'file', 'Protocol rules'],
  recording: ['rules', 'file', 'Recordings'],
  app: ['run', 'app', 'Apps of the built-in phone'],
  flows: ['run', 'flows', 'Flows'],
  scenario: ['run', 'scenario', 'Network scenarios'],
  actions: ['run', 'actions', 'Actions'],
}

function when(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}

export function linkOf(file: FileEntry): string | null {
  const known = opens[file.kind]
  return known ? pageLink(known[0], { [known[1]]: file.path }) : null
}

function Finding({ file }: { file: FileEntry }) {
  const crashed = file.crashed ?? 0
  const violated = file.violated ?? 0
  const bad = crashed + violated > 0
  const runs = file.runs ?? 0
  const untested = file.untested ?? 0
  const whole = !file.problem && runs >= (file.planned ?? 0)
  const fine = runs > 0 && (file.passed ?? 0) === runs && !untested && whole // what was not carried out or tried says nothing
  const judged = crashed ? 'Crash' : violated ? 'Violated' : file.running ? 'Running' : file.problem ? 'Damaged' : fine ? 'Fine' : runs ? 'Unclear' : 'No runs'
  const said = [plural(runs, 'run'), file.failed && `${file.failed} could not be carried out`, crashed && `${plural(crashed, 'crash', 'crashes')}`, violated && `${plural(violated, 'violation')}`,
    untested && `${plural(untested, 'property', 'properties')} never exercised`].filter(Boolean)
  return (
    <li class={`finding ${bad ? 'bad' : fine || file.running ? 'good' : 'unclear'}`}>
      <span class="mark">{judged}</span>
      <div>
        <p class="headline"><a href={linkOf(file)!}>{file.path}</a></p>
        <p class="detail">{said.join(', ')}{file.planned && file.planned !== file.runs ? ` of ${file.planned} planned` : ''}; {when(file.modified)}</p>
        {file.problem && <p class="detail">Not all of it can be read: {file.problem}</p>}
      </div>
    </li>
  )
}

function Files({ kind, files }: { kind: string; files: FileEntry[] }) {
  const title = opens[kind]?.[2] ?? 'Other files'
  return (
    <section class="card kind" aria-label={title}>
      <h3>{title} <small>{files.length}</small></h3>
      <ul class="files" tabIndex={0}>
        {files.slice(0, 200).map((file) => {
          const link = linkOf(file)
          return <li key={file.path}>{link ? <a href={link}>{file.path}</a> : <span>{file.path}</span>}
            {file.summary && <span class="detail"> {file.summary}</span>}</li>
        })}
      </ul>
      {files.length > 200 && <p class="note">and {plural(files.length - 200, 'more file')}</p>}
    </section>
  )
}

export function HomePage() {
  const files = useAsked((signal) => get<FileList>('/api/files', signal), [])
  const jobs = useAsked(async (signal) => (await get<{ jobs: Job[] }>('/api/jobs', signal)).jobs, [])
  const running = (jobs.value ?? []).filter((job) => job.state === 'running')
  useTicks(running.length > 0, 2000, () => {
    files.again()
    jobs.again()
  })
  const all = files.value?.files ?? []
  const campaigns = all.filter((one) => one.kind === 'campaign')
  const kinds = [...new Set([...Object.keys(opens), ...all.map((one) => one.kind)])].filter((kind) => kind !== 'campaign')
  return (
    <>
      <h1>What is in this folder</h1>
      <Problem text={files.error || jobs.error} />
      {files.value?.truncated && <p class="note">The folder holds more than is listed here: what lies deepest in it is left out.</p>}
      {running.length > 0 && <Section id="running" title="Under way"><ul class="jobs">{running.map((job) => <JobLine key={job.id} job={job} />)}</ul></Section>}
      {campaigns.length > 0 && (
        <Section id="findings" title="Findings" note="newest first">
          <ul class="findings">{campaigns.map((file) => <Finding key={file.path} file={file} />)}</ul>
        </Section>
      )}
      {files.value && !all.length && <p>The folder is empty. <a href={pageLink('run')}>Explore an app</a> to get a model, or <a href={pageLink('model')}>draw one</a>.</p>}
      {all.length > 0 && <Section id="files" title="Files">
        <div class="kinds">{kinds.map((kind) => {
          const fitting = all.filter((one) => one.kind === kind)
          return fitting.length > 0 && <Files key={kind} kind={kind} files={fitting} />
        })}</div>
      </Section>}
    </>
  )
}
