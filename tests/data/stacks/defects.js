// Thirty defects, each another way to throw: what the three engines call the place of one throw.
const defects = {}
class Board {
  constructor(broken) { this.cards = null; if (broken) this.start.now() }
  remove(card) {
    const id = card.id
    return id
  }
  static load(text) { return JSON.parse(text).cards.length }
  get total() { return this.cards.length }
  set total(value) { value.deep.x = 1 }
  #secret() { return this.cards[0] }
  open() { return this.#secret() }
  async fetchAll() {
    await null
    return this.cards.map((card) => card.id)
  }
  *walk() { yield this.cards.first }
  move = (card) => { this.cards.push(card) }
  ['computed' + 1]() { return this.cards.x }
  two(which) {
    if (which) {
      which.a.b()
    }
    this.cards.sort()
  }
}
class Wide extends Board {
  remove(card) { return super.remove(card.inner) }
  constructor() { super(false) }
}
function plain() { undefinedThing.use() }
const arrow = () => { const list = undefined; return list.length }
const expressed = function () { throw new RangeError('too far') }
const named = function inner() { null.x }
const shop = { cart: { add(item) { return item.price.cents } } }
shop.late = function () { return shop.none.deep }
shop.lateArrow = () => shop.none.deep2
function outer() {
  function nested() { return outer.x.y }
  return nested()
}
function loops(rows) {
  for (const row of rows) {
    if (row) { row.cells.forEach((cell) => { cell.value.trim() }) }
  }
}
function Old(name) { this.name = name }
Old.prototype.greet = function () { return this.friend.name }
class Failure extends Error { constructor(text) { super(text); this.name = 'Failure' } }
function rethrow() { try { shop.nothing.x() } catch (error) { throw new Failure('wrapped: ' + error.message) } }
function long(value) {
  return value
    .first
    .second
    .third()
}

defects.method = () => new Board().remove(null)
defects.staticMethod = () => Board.load('{}')
defects.getter = () => new Board().total
defects.setter = () => { new Board().total = {} }
defects.secret = () => new Board().open()
defects.asynchronous = () => new Board().fetchAll()
defects.generator = () => new Board().walk().next()
defects.field = () => new Board().move(1)
defects.computed = () => new Board().computed1()
defects.first = () => new Board().two({})
defects.second = () => new Board().two()
defects.constructor1 = () => new Board(true)
defects.derived = () => new Wide().remove(null)
defects.plain = () => plain()
defects.arrow = () => arrow()
defects.expressed = () => expressed()
defects.named = () => named()
defects.nestedObject = () => shop.cart.add({})
defects.assigned = () => shop.late()
defects.assignedArrow = () => shop.lateArrow()
defects.inner = () => outer()
defects.callback = () => loops([{ cells: [{}] }])
defects.prototype1 = () => new Old('x').greet()
defects.rethrown = () => rethrow()
defects.chain = () => long({ first: {} })
defects.listener = () => {
  const button = document.createElement('button')
  button.addEventListener('click', function () { shop.absent.click() })
  button.click()
}
defects.handler = () => {
  const button = document.createElement('button')
  button.onclick = function (event) { return event.nothing.here }
  button.click()
}
defects.timer = () => { setTimeout(() => { shop.timer.tick() }, 0) }
defects.promise = () => { Promise.resolve().then(function later() { shop.promised.land() }) }
defects.json = () => [1].map((one) => JSON.parse('{' + one))
window.defects = defects
