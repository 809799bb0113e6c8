// Explore an app, or run flows on it: what to drive, in which networks, watched by which properties.
import { useEffect, useState } from 'preact/hooks'
import { go, useAddress } from '../../shared/address'
import { Section } from '../../shared/parts'
import { get, post, reason } from '../api'
import { Field, FileChoice, inputOf, Problem, Tabs } from '../parts'
import type { DeviceAnswer, FileEntry, Job } from '../types'
import { useAsked, useFiles, useTicks } from '../use'
import { JobLine, JobView } from './job'

function stem(uri: string): string {
  const name = uri.replace(/^[a-z+]+:/, '').split('/').pop() ?? ''
  return name.replace(/[?#].*$/, '').replace(/\.[A-Za-z]+$/, '').replace(/[^\w.-]/g, '-') || 'app'
}

// A name that nothing in the folder has yet.
function free(base: string, end: string, files: FileEntry[]): string {
  const taken = new Set(files.map((one) => one.path))
  for (let n = 1; ; n++) {
    const name = `${base}${n > 1 ? `-${n}` : ''}${end}`
    if (!taken.has(name)) return name
  }
}

function DeviceFields({ answer, device, app, onDevice, onApp }:
  { answer: DeviceAnswer | null; device: string; app: string; onDevice: (uri: string) => void; onApp: (app: string) => void }) {
  const list = answer?.devices ?? []
  const builtIn = device.startsWith('sim:')
  return (
    <>
      <Field label="device" hint={list.find((one) => one.uri === device)?.detail}>
        <select value={device} onChange={(event) => onDevice(inputOf(event))}>
          <option value="">choose …</option>
          {device && !list.some((one) => one.uri === device) && <option value={device}>{device}</option>}
          {list.map((one) => <option key={one.uri} value={one.uri}>{one.name === one.uri ? one.uri : `${one.name} (${one.uri})`}</option>)}
        </select>
      </Field>
      {device && !builtIn && <Field label="app" hint="an address, a package, or an .apk in this folder"><input value={app} onInput={(event) => onApp(inputOf(event))} /></Field>}
    </>
  )
}

function Scenarios({ names, chosen, onChange }: { names: string[]; chosen: string[]; onChange: (chosen: string[]) => void }) {
  return (
    <fieldset class="checks"><legend>network scenarios</legend>
      {names.map((name) => <label key={name} class="check"><input type="checkbox" checked={chosen.includes(name)}
        onChange={() => onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])} /> {name}</label>)}
      {!names.length && <p class="note">none</p>}
    </fieldset>
  )
}

interface Common {
  device: string
  app: string
  files: FileEntry[]
  scenarios: string[]
  onStart: (job: Record<string, unknown>) => void
}

function ExploreForm({ device, app, files, onStart }: Common) {
  const [output, setOutput] = useState('')
  const [limit, setLimit] = useState('')
  const [strategy, setStrategy] = useState('nearest')
  const [pictures, setPictures] = useState(true)
  const name = output || free(stem(app || device), '.model.xml', files)
  const start = () => onStart({ kind: 'explore', device, ...(app ? { app } : {}), output: name, strategy, ...(pictures ? { pictures } : {}), ...(limit ? { event_limit: Number(limit) } : {}) })
  return (
    <form onSubmit={(event) => { event.preventDefault(); start() }}>
      <Field label="model to write"><input required value={name} onInput={(event) => setOutput(inputOf(event))} /></Field>
      <Field label="strategy"><select value={strategy} onChange={(event) => setStrategy(inputOf(event))}>
        <option value="nearest">nearest: restarts the app least</option><option value="novelty">novelty: finds most within a small limit</option><option value="dfs">depth first</option><option value="bfs">breadth first</option></select></Field>
      <Field label="at most so many events" hint="without: all there are"><input type="number" min="1" value={limit} onInput={(event) => setLimit(inputOf(event))} /></Field>
      <label class="check"><input type="checkbox" checked={pictures} onChange={() => setPictures(!pictures)} /> keep a picture of every screen</label>
      <button type="submit" class="first" disabled={!device}>start exploring</button>
    </form>
  )
}

function RunForm({ device, app, files, scenarios, onStart }: Common) {
  const { values } = useAddress()
  const [flows, setFlows] = useState(values.flows ?? '')
  const [model, setModel] = useState(values.model ?? '')
  const [actions, setActions] = useState(values.actions ?? '')
  const [properties, setProperties] = useState(values.property ?? '')
  const [chosen, setChosen] = useState<string[]>(values.scenario ? [values.scenario] : [])
  const [numbers, setNumbers] = useState({ monkey: '20', steps: '20', repeat: '1', seed: '1' })
  const [realtime, setRealtime] = useState(false)
  const [pictures, setPictures] = useState(false)
  const [output, setOutput] = useState('')
  const name = output || free(`runs-${stem(app || device)}`, '', files)
  const set = (key: keyof typeof numbers) => (event: Event) => setNumbers({ ...numbers, [key]: inputOf(event) })
  const what = flows ? { flows, repeat: Number(numbers.repeat) } : actions ? { actions, runs: Number(numbers.monkey), steps: Number(numbers.steps) } : { monkey: Number(numbers.monkey), steps: Number(numbers.steps) }
  const start = () => onStart({
    kind: 'run', device, ...(app ? { app } : {}), output: name, ...what, seed: Number(numbers.seed),
    ...(model ? { model } : {}), ...(chosen.length ? { scenarios: chosen } : {}), ...(properties ? { properties } : {}), ...(realtime ? { realtime } : {}), ...(pictures ? { pictures } : {}), live: true,
  })
  return (
    <form onSubmit={(event) => { event.preventDefault(); start() }}>
      <FileChoice label="flows" files={files} kinds={['flows']} value={flows} none="none: random runs" onChange={setFlows} />
      {!flows && <FileChoice label="actions" files={files} kinds={['actions']} value={actions} none="none: random events" onChange={setActions} />}
      <FileChoice label="model" files={files} kinds={['model']} value={model} none="none" onChange={setModel} />
      <FileChoice label="properties" files={files} kinds={['property']} value={properties} none="none" onChange={setProperties} />
      <Scenarios names={scenarios} chosen={chosen} onChange={setChosen} />
      <div class="row">
        {flows ? <Field label="repeat each"><input type="number" min="1" value={numbers.repeat} onInput={set('repeat')} /></Field>
          : <><Field label="random runs"><input type="number" min="1" value={numbers.monkey} onInput={set('monkey')} /></Field><Field label="events each"><input type="number" min="1" value={numbers.steps} onInput={set('steps')} /></Field></>}
        <Field label="seed"><input type="number" min="0" value={numbers.seed} onInput={set('seed')} /></Field>
      </div>
      {device.startsWith('sim:') && <label class="check"><input type="checkbox" checked={realtime} onChange={() => setRealtime(!realtime)} /> in real time (a second of the phone lasts a second)</label>}
      <label class="check"><input type="checkbox" checked={pictures} onChange={() => setPictures(!pictures)} /> keep pictures of screens (takes the device some time)</label>
      <Field label="campaign to write"><input required value={name} onInput={(event) => setOutput(inputOf(event))} /></Field>
      <button type="submit" class="first" disabled={!device}>start the campaign</button>
    </form>
  )
}

function ReproduceForm({ device, files, onStart }: Common) {
  const { values } = useAddress()
  const [campaign, setCampaign] = useState(values.campaign ?? '')
  const [run, setRun] = useState(values.run ?? '')
  const [property, setProperty] = useState('')
  const [limit, setLimit] = useState('')
  const start = () => onStart({ kind: 'reproduce', device, campaign, ...(run ? { run: Number(run) } : {}), ...(property.trim() ? { property: property.trim() } : {}), ...(limit ? { execution_limit: Number(limit) } : {}) })
  return (
    <form onSubmit={(event) => { event.preventDefault(); start() }}>
      <p class="note">Executes parts of failing runs until no event can be left out. Its scripts stand in the report.</p>
      <FileChoice label="campaign" files={files} kinds={['campaign']} value={campaign} onChange={setCampaign} />
      <Field label="only how this run failed" hint="without: every cause"><input type="number" min="0" value={run} onInput={(event) => setRun(inputOf(event))} /></Field>
      <Field label="only this property" hint="without: all"><input value={property} onInput={(event) => setProperty(inputOf(event))} /></Field>
      <Field label="at most so many executions"><input type="number" min="1" value={limit} onInput={(event) => setLimit(inputOf(event))} /></Field>
      <button type="submit" class="first" disabled={!device || !campaign}>start the search</button>
    </form>
  )
}

function HuntForm({ files, onStart }: Common) {
  const [address, setAddress] = useState('')
  const [rules, setRules] = useState<string[]>([])
  const [numbers, setNumbers] = useState({ monkey: '1', steps: '', budget: '20', seed: '1' })
  const [output, setOutput] = useState('')
  const known = files.filter((one) => one.kind === 'protocol').map((one) => one.path)
  const name = output || free('hunted', '', files)
  const set = (key: keyof typeof numbers) => (event: Event) => setNumbers({ ...numbers, [key]: inputOf(event) })
  const start = () => onStart({
    kind: 'hunt', device: `chromium:${address.trim()}`, output: name, ...(rules.length ? { rules } : {}), monkey: Number(numbers.monkey), budget: Number(numbers.budget),
    seed: Number(numbers.seed), ...(numbers.steps ? { steps: Number(numbers.steps) } : {}),
  })
  return (
    <form onSubmit={(event) => { event.preventDefault(); start() }}>
      <p class="note">Records a page, predicts what another order of events would break, and replays it.</p>
      <Field label="address of the page" hint="http://… or https://…"><input type="url" required pattern="https?://.*" value={address} onInput={(event) => setAddress(inputOf(event))} /></Field>
      <fieldset class="checks"><legend>protocol rules</legend>
        {known.map((path) => <label key={path} class="check"><input type="checkbox" checked={rules.includes(path)}
          onChange={() => setRules(rules.includes(path) ? rules.filter((one) => one !== path) : [...rules, path])} /> {path}</label>)}
        {!rules.length && <p class="note">those that come with Tactus</p>}
      </fieldset>
      <div class="row">
        <Field label="random runs"><input type="number" min="1" value={numbers.monkey} onInput={set('monkey')} /></Field>
        <Field label="events each" hint="without: as many as fit"><input type="number" min="1" value={numbers.steps} onInput={set('steps')} /></Field>
        <Field label="seconds each"><input type="number" min="1" value={numbers.budget} onInput={set('budget')} /></Field>
        <Field label="seed"><input type="number" min="1" value={numbers.seed} onInput={set('seed')} /></Field>
      </div>
      <Field label="folder to write"><input required value={name} onInput={(event) => setOutput(inputOf(event))} /></Field>
      <button type="submit" class="first">start the hunt</button>
    </form>
  )
}

export function RunPage() {
  const { values } = useAddress()
  const files = useFiles()
  const devices = useAsked((signal) => get<DeviceAnswer>('/api/devices', signal), [])
  const jobs = useAsked(async (signal) => (await get<{ jobs: Job[] }>('/api/jobs', signal)).jobs, [values.job])
  const [device, setDevice] = useState(values.app ? `sim:${values.app}` : '')
  const [app, setApp] = useState('')
  const [error, setError] = useState('')
  const kind = values.do ?? (values.flows || values.property || values.scenario || values.actions ? 'run' : 'explore')
  const all = jobs.value ?? []
  useTicks(all.some((job) => job.state === 'running' || job.state === 'stopping'), 2000, jobs.again)
  // One app alone needs no choosing.
  useEffect(() => {
    const list = devices.value?.devices.filter((one) => one.uri.startsWith('sim:')) ?? []
    if (!device && list.length === 1) setDevice(list[0].uri)
  }, [devices.value])
  const start = async (job: Record<string, unknown>) => {
    try {
      const { id } = await post<{ id: string }>('/api/jobs', job)
      setError('')
      go({ job: id, do: kind }, 'run')
    } catch (problem) {
      setError(reason(problem))
    }
  }
  const scenarios = [...new Set([...(devices.value?.scenarios ?? []), ...(files.value ?? []).filter((one) => one.kind === 'scenario').map((one) => one.path)])]
  const common = { device, app, files: files.value ?? [], scenarios, onStart: (job: Record<string, unknown>) => void start(job) }
  return (
    <>
      <h1>Explore and run</h1>
      <Problem text={files.error || devices.error || jobs.error || error} />
      <div class="two">
        <section class="card" aria-label="what to start">
          <Tabs label="what to do" chosen={kind} onChoose={(one) => go({ do: one }, 'run')} tabs={[['explore', 'explore an app'], ['run', 'run a campaign'], ['reproduce', 'find the shortest failure'], ['hunt', 'hunt protocol violations']]} />
          {kind !== 'hunt' && <DeviceFields answer={devices.value} device={device} app={app} onDevice={setDevice} onApp={setApp} />}
          {kind === 'explore' ? <ExploreForm {...common} /> : kind === 'reproduce' ? <ReproduceForm key={values.campaign} {...common} />
            : kind === 'hunt' ? <HuntForm {...common} /> : <RunForm key={values.flows} {...common} />}
        </section>
        <div>
          {values.job && <JobView key={values.job} id={values.job} />}
          <Section id="jobs" title="What was started">
            {all.length ? <ul class="jobs">{all.map((job) => <JobLine key={job.id} job={job} />)}</ul> : <p class="note">nothing yet</p>}
          </Section>
        </div>
      </div>
    </>
  )
}
