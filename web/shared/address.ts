// What is shown stands in the address, so that it can be linked and the browser's back works:
// #ANCHOR?run=17&scenario=cafe&q=text. Parts subscribe with useAddress.
import { useEffect, useState } from 'preact/hooks'

export interface Address {
  anchor: string
  values: Record<string, string>
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function readAddress(hash = location.hash): Address {
  const [anchor, query = ''] = hash.replace(/^#/, '').split('?')
  const values: Record<string, string> = Object.create(null)
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=')
    if (at > 0) values[decode(pair.slice(0, at))] = decode(pair.slice(at + 1))
  }
  return { anchor: decode(anchor), values }
}

export function addressText(address: Address): string {
  const query = Object.entries(address.values)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
  return `#${encodeURIComponent(address.anchor)}${query && `?${query}`}`
}

// The address after some changes; null takes a value away.
export function changed(changes: Record<string, string | null>, anchor?: string): string {
  const now = readAddress()
  const values = { ...now.values }
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') delete values[key]
    else values[key] = value
  }
  return addressText({ anchor: anchor ?? now.anchor, values })
}

const listeners = new Set<() => void>()

function tell() {
  for (const listener of listeners) listener()
}

window.addEventListener('hashchange', tell)
window.addEventListener('popstate', tell)

// A step that back undoes, or, while typing, one that replaces the last.
export function go(changes: Record<string, string | null>, anchor?: string, replace = false) {
  const next = changed(changes, anchor)
  if (next === location.hash) return
  if (replace) history.replaceState(null, '', next)
  else history.pushState(null, '', next)
  tell()
}

// The same when something has ended that took a while: whoever has gone to another page stays there.
export function goIfStill(changes: Record<string, string | null>, anchor: string) {
  if (readAddress().anchor === anchor) go(changes, anchor, true)
}

export function useAddress(): Address {
  const [address, setAddress] = useState(readAddress)
  useEffect(() => {
    const listener = () => setAddress(readAddress())
    listeners.add(listener)
    listener()
    return () => void listeners.delete(listener)
  }, [])
  return address
}
