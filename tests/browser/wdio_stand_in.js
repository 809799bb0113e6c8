// Just enough of WebdriverIO to run an exported script: describe and it, and a browser that speaks W3C
// WebDriver to the address in argv[2], session argv[3]. Prints one JSON line per test: its name, what
// failed, and how many clicks the page saw.
'use strict'
const [, , address, session, script] = process.argv
const KEY = 'element-6066-11e4-a52e-4f735466cecf'
const COUNT = 'window.__clicks = 0; addEventListener("click", () => { window.__clicks++ }, true)'

async function call (method, path, body) {
  const answer = await fetch(`${address}/session/${session}${path}`,
    { method, body: method === 'POST' ? JSON.stringify(body || {}) : undefined })
  const { value } = await answer.json()
  if (value && value.error) throw new Error(`${path}: ${value.error}: ${value.message}`)
  return value
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

function element (xpath) {
  const self = {
    async waitForDisplayed ({ timeout = 10000 } = {}) {
      for (const end = Date.now() + timeout; ;) {
        try {
          const found = await call('POST', '/element', { using: 'xpath', value: xpath })
          if (await call('GET', `/element/${found[KEY]}/displayed`)) { self.elementId = found[KEY]; return true }
        } catch (error) { if (!/no such element|stale/.test(error.message)) throw error }
        if (Date.now() > end) throw new Error(`not displayed: ${xpath}`)
        await pause(50)
      }
    },
    click: () => call('POST', `/element/${self.elementId}/click`),
    async setValue (text) {
      await call('POST', `/element/${self.elementId}/clear`)
      await call('POST', `/element/${self.elementId}/value`, { text })
    }
  }
  return self
}
const origin = (from) => from && from.elementId ? { [KEY]: from.elementId } : from || 'viewport'

function action (type, options = {}) {
  const steps = []
  const self = {
    move: ({ origin: from, x, y, duration = 0 }) => { steps.push({ type: 'pointerMove', origin: origin(from), x, y, duration }); return self },
    down: () => { steps.push({ type: 'pointerDown', button: 0 }); return self },
    up: () => { steps.push({ type: 'pointerUp', button: 0 }); return self },
    pause: (duration) => { steps.push({ type: 'pause', duration }); return self },
    scroll: ({ origin: from, x, y, deltaX, deltaY, duration }) => {
      steps.push({ type: 'scroll', origin: origin(from), x, y, deltaX, deltaY, duration }); return self
    },
    perform: () => call('POST', '/actions', { actions: [{ type, id: type, ...options, actions: steps }] })
  }
  return self
}

globalThis.browser = {
  $: async (xpath) => element(xpath),
  action,
  pause,
  async url (url) { await call('POST', '/url', { url }); await call('POST', '/execute/sync', { script: COUNT, args: [] }) },
  execute: (code) => call('POST', '/execute/sync', { script: `return (${code})()`, args: [] }),
  deleteCookies: () => call('DELETE', '/cookie'),
  back: () => call('POST', '/back'),
  keys: ([value]) => call('POST', '/actions', { actions: [{ type: 'key', id: 'k', actions: [{ type: 'keyDown', value }, { type: 'keyUp', value }] }] })
}
const tests = []
globalThis.describe = (name, body) => body()
globalThis.it = (name, body) => tests.push([name, body])
require(require('path').resolve(script))
;(async () => {
  for (const [name, body] of tests) {
    let failed = null
    try { await body() } catch (error) { failed = error.message }
    const clicks = await call('POST', '/execute/sync', { script: 'return window.__clicks', args: [] })
    console.log(JSON.stringify({ name, failed, clicks }))
  }
})()
