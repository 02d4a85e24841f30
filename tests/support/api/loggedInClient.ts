import { PASSWORD } from '../database/builders.ts'
import { get, reply, send, logIn, type Ask, type Login, type Reply } from './portalClient.ts'

export type LoggedInClient = Awaited<ReturnType<typeof loggedInClient>>

/** Logs a merchant in and returns calls of that session. */
export async function loggedInClient(ask: Ask, user: Login, password: string = PASSWORD) {
  const { token, cookie } = await logIn(ask, user, { password })
  const call = async <D>(method: string, path: string, body?: unknown) =>
    reply<D>(await send(ask, method, `/api${path}`, { token, ...(body === undefined ? {} : { body }) }))
  return {
    token,
    cookie,
    get: <D>(path: string) => get<D>(ask, `/api${path}`, token),
    post: <D>(path: string, body: unknown) => call<D>('POST', path, body),
    put: <D>(path: string, body?: unknown) => call<D>('PUT', path, body),
    remove: (path: string) => call('DELETE', path),
    async file(path: string, body: unknown) {
      const response = await send(ask, 'POST', `/api${path}`, { token, body })
      return { status: response.status, headers: response.headers, text: exactText(await response.arrayBuffer()) }
    },
  }
}

/** Removes the request id, which is new in every answer, so that two failures can be compared. */
export const withoutRequestId = ({ status, body }: Reply) => ({ status, body: { ...(body as object), request_id: '' } })

/** Counts the replies by status. */
export function countByStatus(replies: Reply[]): Record<string, number> {
  const counted: Record<string, number> = {}
  for (const { status, error } of replies) {
    const key = error === undefined ? String(status) : `${status} ${error}`
    counted[key] = (counted[key] ?? 0) + 1
  }
  return counted
}

/** Keeps the byte order mark, which `response.text()` removes. */
const exactText = (bytes: ArrayBuffer) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
