// The portal: one page per thing one does with a folder of models, flows, campaigns and rules. What is
// shown stands in the address (#model?file=shop.model.xml), so that it can be linked and back works.
import { render } from 'preact'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import '../shared/style.css'
import 'uplot/dist/uPlot.min.css'
import './portal.css'
import { useAddress } from '../shared/address'
import { useSession } from './api'
import { FlowsPage } from './flows/page'
import { HomePage } from './home'
import { ModelPage } from './model/page'
import { pageLink, Problem } from './parts'
import { ReportPage } from './report'
import { RulesPage } from './rules/page'
import { RunPage } from './run/page'
import { TracesPage } from './traces/page'
import { useAsked } from './use'

const pages: Record<string, { title: string; show: () => JSX.Element }> = {
  home: { title: 'Home', show: HomePage },
  model: { title: 'Model', show: ModelPage },
  flows: { title: 'Flows', show: FlowsPage },
  run: { title: 'Explore and run', show: RunPage },
  report: { title: 'Report', show: ReportPage },
  traces: { title: 'Traces and properties', show: TracesPage },
  rules: { title: 'Rules', show: RulesPage },
}

function Portal() {
  const address = useAddress()
  const id = Object.hasOwn(pages, address.anchor) ? address.anchor : 'home'
  const page = pages[id]
  const session = useAsked(() => useSession(), [])
  const folder = session.value?.folder ?? ''
  useEffect(() => {
    document.title = `${page.title} - ${folder.split('/').filter(Boolean).pop() ?? 'Tactus'}`
    document.documentElement.setAttribute('data-page', id)
  }, [id, folder])
  const Shown = page.show
  const skip = (event: Event) => {
    event.preventDefault()
    document.getElementById('content')?.focus()
  }
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>to the content</a>
      <header class="top">
        <p class="brand"><strong>Tactus</strong> <span class="folder">{folder}</span></p>
        <nav aria-label="pages">
          <ul>{Object.entries(pages).map(([name, one]) => (
            <li key={name}><a href={pageLink(name)} aria-current={name === id ? 'page' : undefined}>{one.title}</a></li>
          ))}</ul>
        </nav>
      </header>
      <main id="content" tabIndex={-1} class={`page ${id}`}>
        <Problem text={session.error} />
        <Shown key={id} />
      </main>
    </>
  )
}

render(<Portal />, document.getElementById('portal')!)
document.documentElement.setAttribute('data-ready', '')
