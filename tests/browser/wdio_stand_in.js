// Just enough of WebdriverIO to run an exported script: describe and it, and a browser that speaks W3C
// WebDriver to the address in argv[2], session argv[3]. Prints one JSON line per test: its name, what
// failed, how many clicks the page saw, and its title.
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

function element (name) {
  const xpath = typeof name === 'string' ? name : ''
  const mouse = (steps) => call('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: steps }] })
  const over = (one) => ({ type: 'pointerMove', origin: { [KEY]: one.elementId }, x: 0, y: 0, duration: 20 })
  const down = { type: 'pointerDown', button: 0 }, up = { type: 'pointerUp', button: 0 }
  const self = {
    elementId: name[KEY],
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
    addValue: (text) => call('POST', `/element/${self.elementId}/value`, { text }),
    doubleClick: () => mouse([over(self), down, up, down, up]),
    moveTo: () => mouse([over(self)]),
    dragAndDrop: (to) => mouse([over(self), down, over(to), up]),
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
    down: (key) => { steps.push(type === 'key' ? { type: 'keyDown', value: key } : { type: 'pointerDown', button: 0 }); return self },
    up: (key) => { steps.push(type === 'key' ? { type: 'keyUp', value: key } : { type: 'pointerUp', button: 0 }); return self },
    pause: (duration) => { steps.push({ type: 'pause', duration }); return self },
    scroll: ({ origin: from, x, y, deltaX, deltaY, duration }) => {
      steps.push({ type: 'scroll', origin: origin(from), x, y, deltaX, deltaY, duration }); return self
    },
    perform: () => call('POST', '/actions', { actions: [{ type, id: type, ...options, actions: steps }] })
  }
  return self
}

globalThis.browser = {
  $: async (name) => element(name),
  getActiveElement: () => call('GET', '/element/active'),
  refresh: () => call('POST', '/refresh'),
  action,
  pause,
  async url (url) { await call('POST', '/url', { url }); await call('POST', '/execute/sync', { script: COUNT, args: [] }) },
  execute: (code, ...args) => call('POST', '/execute/sync', {
    script: typeof code === 'string' ? code : `return (${code})(...arguments)`, args: args.map((one) => one && one.elementId ? { [KEY]: one.elementId } : one)
  }),
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
    const [clicks, title] = await call('POST', '/execute/sync', { script: 'return [window.__clicks, document.title]', args: [] })
    console.log(JSON.stringify({ name, failed, clicks, title }))
  }
})()
