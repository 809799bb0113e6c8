// Where an element is, in words that are the same in another run: an XPath from the nearest ancestor with an
// id that looks as if somebody wrote it.
import { attribute, codeAt, eventTarget, kindOf, nameOf, parentOf, previous, next } from './own'

const written = (id: string): boolean => {
  let digits = 0
  for (let i = 0; i < id.length; i++) {
    const code = codeAt(id, i)
    if (code >= 48 && code <= 57) digits++
    if (code === 39 || code < 33) return false
  }
  return id.length > 0 && id.length < 60 && digits < 4
}

export const locate = (target: EventTarget | null): string => {
  if (target === window) return 'window'
  const node = target as Node
  try { if (kindOf(node) === 9) return 'document' } catch { return 'object' }
  let at: Node | null = kindOf(node) === 1 ? node : parentOf(node)
  let path = ''
  while (at && kindOf(at) === 1) {
    const element = at as Element, name = nameOf(element), id = attribute(element, 'id')
    if (id && written(id)) return '//' + name + "[@id='" + id + "']" + path
    if (name === 'body' || name === 'html') return path ? '/' + path : '//' + name
    let before = 0, after = 0
    for (let one = previous(element); one; one = previous(one)) if (nameOf(one) === name) before++
    for (let one = next(element); one && !after; one = next(one)) if (nameOf(one) === name) after++
    path = '/' + name + (before || after ? '[' + (before + 1) + ']' : '') + path
    at = parentOf(at)
  }
  return '/' + path
}
export const targetOf = (event: Event): string => locate(eventTarget(event))
