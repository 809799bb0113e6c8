// What is drawn on a canvas keeps its colours until it is drawn again: calls back when the reader's scheme,
// light or dark, changes. Returns what ends it.
export function onScheme(redraw: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', redraw)
  return () => scheme.removeEventListener('change', redraw)
}
