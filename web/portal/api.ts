// Talks to the server: every change carries the token of the session, every refusal becomes a
// sentence that can be shown.
export interface Session {
  token: string
  folder: string
  version: string
  readonly?: boolean
}

export class Refusal extends Error {
  constructor(readonly status: number, message: string, readonly remedy = '', readonly body: Record<string, unknown> = {}) {
    super(message)
  }
}

let session: Promise<Session> | null = null

export function useSession(): Promise<Session> {
  session ??= request('/api/session').then((answer) => answer.json() as Promise<Session>)
  session.catch(() => { session = null })
  return session
}

async function refusal(answer: Response): Promise<Refusal> {
  const body = await answer.json().catch(() => ({})) as Record<string, unknown>
  const error = body.error as { message?: string; remedy?: string } | string | undefined
  const message = typeof error === 'string' ? error : error?.message
  return new Refusal(answer.status, message ?? `the server answered ${answer.status}`, typeof error === 'object' ? error.remedy : '', body)
}

async function request(path: string, options: RequestInit = {}): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...options })
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new Refusal(0, 'the server does not answer', "start 'tactus serve' again; what you typed is still here")
  }
  if (!answer.ok) throw await refusal(answer)
  return answer
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request(path, { signal })).json() as Promise<T>
}

async function change(method: string, path: string, body: string, type: string, headers: Record<string, string> = {}, signal?: AbortSignal) {
  const { token } = await useSession()
  return request(path, { method, body, signal, headers: { 'Content-Type': type, 'X-Tactus-Token': token, ...headers } })
}

export async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  const answer = await change('POST', path, JSON.stringify(body), 'application/json', {}, signal)
  const text = await answer.text()
  return (text ? JSON.parse(text) : {}) as T
}

const fileOf = (path: string) => `/api/file?path=${encodeURIComponent(path)}`
const plain = (tag: string | null) => (tag ?? '').replace(/^W\//, '').replace(/"/g, '')

export interface Text {
  text: string
  hash: string
}

export async function readFile(path: string): Promise<Text> {
  const answer = await request(fileOf(path))
  return { text: await answer.text(), hash: plain(answer.headers.get('ETag')) }
}

// Without a hash the file must be new. A file that changed meanwhile is refused with status 409.
export async function writeFile(path: string, text: string, hash: string): Promise<string> {
  const condition: Record<string, string> = hash ? { 'If-Match': `"${hash}"` } : { 'If-None-Match': '*' }
  const answer = await change('PUT', fileOf(path), text, 'text/plain; charset=utf-8', condition)
  return plain(((await answer.json()) as { hash: string }).hash)
}

export function reason(error: unknown): string {
  if (error instanceof Refusal) return error.remedy ? `${error.message}: ${error.remedy}` : error.message
  return error instanceof Error ? error.message : String(error)
}
