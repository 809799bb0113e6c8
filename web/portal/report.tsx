// The report of a campaign, the same page as `tactus report` writes, live while the campaign runs; two
// side by side, or one compared with an earlier one.
import { useEffect, useState } from 'preact/hooks'
import { go, useAddress } from '../shared/address'
import { plural } from '../shared/format'
import { FileChoice, Problem } from './parts'
import type { FileEntry } from './types'
import { useFiles, useTicks } from './use'

function Frame({ campaign, baseline, entry }: { campaign: string; baseline: string; entry?: FileEntry }) {
  const [shown, setShown] = useState(entry?.runs ?? 0)
  const [turn, setTurn] = useState(0)
  const runs = entry?.runs ?? 0
  // Drawn anew only when there is something new, and at once when the campaign ends.
  useEffect(() => {
    if (runs === shown) return
    setShown(runs)
    setTurn((n) => n + 1)
  }, [runs, entry?.running])
  const source = `/api/report?campaign=${encodeURIComponent(campaign)}${baseline ? `&baseline=${encodeURIComponent(baseline)}` : ''}`
  return (
    <section class="frame" aria-label={`report of ${campaign}`}>
      <p class="detail" role="status">{plural(runs, 'run')}{entry?.running ? ` of ${entry.planned ?? '?'}; goes on` : ''} <button onClick={() => setTurn(turn + 1)}>draw again<span class="hidden"> {campaign}</span></button> <a href={source} target="_blank" rel="noopener">in a page of its own<span class="hidden">: {campaign}</span></a></p>
      <iframe key={turn} src={source} title={`report of ${campaign}`} />
    </section>
  )
}

export function ReportPage() {
  const { values } = useAddress()
  const files = useFiles()
  const campaign = values.campaign ?? ''
  const beside = values.beside ?? ''
  const baseline = values.baseline ?? ''
  const entry = (path: string) => files.value?.find((one) => one.path === path)
  useTicks(!!entry(campaign)?.running || !!entry(beside)?.running, 3000, files.again)
  const all = files.value ?? []
  return (
    <>
      <h1>Report</h1>
      <Problem text={files.error} />
      <div class="row">
        <FileChoice label="campaign" files={all} kinds={['campaign']} value={campaign} onChange={(path) => go({ campaign: path }, 'report')} />
        <FileChoice label="compared with" files={all} kinds={['campaign']} none="nothing" value={baseline} onChange={(path) => go({ baseline: path }, 'report')} />
        <FileChoice label="another beside it" files={all} kinds={['campaign']} none="none" value={beside} onChange={(path) => go({ beside: path }, 'report')} />
      </div>
      {files.value && <div class={beside ? 'frames both' : 'frames'}>
        {campaign && <Frame key={`${campaign}\n${baseline}`} campaign={campaign} baseline={baseline} entry={entry(campaign)} />}
        {beside && <Frame key={beside} campaign={beside} baseline="" entry={entry(beside)} />}
      </div>}
    </>
  )
}
