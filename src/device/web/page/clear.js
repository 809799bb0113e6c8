// Clears what the app remembers, from inside a page of its origin; what it would store while it is being left
// is refused. The last argument is called when all is done.
const done = arguments[arguments.length - 1]
const all = []
try {
  localStorage.clear()
  sessionStorage.clear()
  Storage.prototype.setItem = () => {}
  if (window.indexedDB && indexedDB.databases)
    all.push(indexedDB.databases().then((found) => found.forEach((one) => indexedDB.deleteDatabase(one.name))))
  if (window.caches) all.push(caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name)))))
  if (navigator.serviceWorker)
    all.push(navigator.serviceWorker.getRegistrations().then((found) => Promise.all(found.map((one) => one.unregister()))))
} catch (error) { /* a page without storage */ }
Promise.allSettled(all).then(() => done(true))
