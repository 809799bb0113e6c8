// What the recorder uses, taken before any page script runs: pages replace Promise, JSON, querySelectorAll,
// addEventListener and methods of arrays and strings. Nothing below looks up a method on a prototype later on:
// calls go through these functions, arrays grow by index, maps carry their methods as their own properties.
export const { apply, construct } = Reflect
export const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf, setPrototypeOf } = Object
type Any = any // eslint-disable-line
export type Work = (...all: Any[]) => Any

/** A method as a function whose first argument is its receiver. */
export const free = (method: Work): Work => (self: Any, ...all: Any[]) => apply(method, self, all)
const accessor = (owner: Any, name: string): PropertyDescriptor => getOwnPropertyDescriptor(owner.prototype, name) ?? {}
export const getter = (owner: Any, name: string): ((self: Any) => Any) => {
  const get = accessor(owner, name).get as Work
  return (self) => apply(get, self, [])
}

export const sliceText: (text: string, from: number, to?: number) => string = free(String.prototype.slice)
export const codeAt: (text: string, at: number) => number = free(String.prototype.charCodeAt)
export const find: (text: string, what: string, from?: number) => number = free(String.prototype.indexOf)
export const findLast: (text: string, what: string, from?: number) => number = free(String.prototype.lastIndexOf)
export const lower: (text: string) => string = free(String.prototype.toLowerCase)
export const upper: (text: string) => string = free(String.prototype.toUpperCase)
const execute = RegExp.prototype.exec, control = /[\0-\t\x0b-\x1f]/
/** Has characters below the space, other than line ends. */
export const hasControls = (text: string): boolean => apply(execute, control, [text]) !== null
export const textOf = String
export const errorOf = Error
export const TypeErrorOf = TypeError
export const captureStack: (holder: object) => void = (Error as any).captureStackTrace
export const NumberOf = Number
export const property = Reflect.get
export const DateOf = Date
export const ProxyOf = Proxy
export const PromiseOf = Promise
export const fulfil: (value: unknown) => Promise<any> = Promise.resolve.bind(Promise)
export const refuse: (value: unknown) => Promise<any> = Promise.reject.bind(Promise)
export const report: (error: unknown) => void = window.reportError.bind(window)
export const Channel = MessageChannel
export const parse = JSON.parse
export const wallNow = Date.now
export const now = performance.now.bind(performance)
export const then: (promise: Promise<Any>, good: Work, bad?: Work) => Promise<Any> = free(Promise.prototype.then)
export const listen = EventTarget.prototype.addEventListener
export const unlisten = EventTarget.prototype.removeEventListener

export interface Table<K, V> { get(key: K): V | undefined; set(key: K, value: V): unknown; has(key: K): boolean; delete(key: K): boolean }
const equip = (table: Any, from: Any): Any => {
  table.get = from.get; table.set = from.set; table.has = from.has; table.delete = from.delete
  return table
}
const MapOf = Map, WeakMapOf = WeakMap, mapMethods = { ...methods(Map) }, weakMethods = { ...methods(WeakMap) }
function methods(of: Any) {
  const { get, set, has, delete: remove } = of.prototype
  return { get, set, has, delete: remove }
}
export const table = <K, V>(): Table<K, V> => equip(new MapOf(), mapMethods)
export const weakTable = <K extends object, V>(): Table<K, V> => equip(new WeakMapOf(), weakMethods)

// The document
export const connected = getter(Node, 'isConnected') as (node: Node) => boolean
export const parentOf = getter(Node, 'parentNode') as (node: Node) => Node | null
export const childrenOf = getter(Node, 'childNodes') as (node: Node) => NodeListOf<ChildNode>
export const kindOf = getter(Node, 'nodeType') as (node: Node) => number
export const nameOf = getter(Element, 'localName') as (element: Element) => string
export const previous = getter(Element, 'previousElementSibling') as (element: Element) => Element | null
export const next = getter(Element, 'nextElementSibling') as (element: Element) => Element | null
export const attribute: (element: Element, name: string) => string | null = free(Element.prototype.getAttribute)
export const all: (node: Node, selector: string) => NodeListOf<Element> = (node, selector) =>
  kindOf(node) === 1 ? apply(queryElement, node, [selector]) : kindOf(node) === 11 ? apply(queryFragment, node, [selector]) : apply(queryDocument, node, [selector])
const queryElement = Element.prototype.querySelectorAll
const queryFragment = DocumentFragment.prototype.querySelectorAll
const queryDocument = Document.prototype.querySelectorAll
export const countOf = getter(NodeList, 'length') as (list: NodeList) => number
export const eventTarget = getter(Event, 'target') as (event: Event) => EventTarget | null
export const eventType = getter(Event, 'type') as (event: Event) => string
export const eventPath: (event: Event) => EventTarget[] = free(Event.prototype.composedPath)
export const runningScript = getter(Document, 'currentScript') as (document: Document) => HTMLScriptElement | null
export const sourceOf = getter(HTMLScriptElement, 'src') as (script: Element) => string
export const baseOf = getter(Node, 'baseURI') as (node: Node) => string
const URLOf = URL, hrefOf = getter(URL, 'href'), originOf = getter(URL, 'origin'), pathOf = getter(URL, 'pathname'), queryOf = getter(URL, 'search')
/** An address as the page's own origin has it; throws where it is none. */
export const address = (text: string): string => {
  const url = new URLOf(text, baseOf(document))
  return originOf(url) === location.origin ? pathOf(url) + queryOf(url) : hrefOf(url)
}
export const trusted = (event: Event): boolean => event.isTrusted
