import type { Answered, Carried } from './PortalServer.ts'

/** Reads a request, and adds the cookies of its browser. */
export async function readRequest(request: Request, cookie: string | undefined): Promise<Carried> {
  const { pathname, search } = new URL(request.url)
  const body = request.body === null ? undefined : await request.text()
  const cookies: [string, string][] = cookie === undefined ? [] : [['cookie', cookie]]
  return { method: request.method, path: pathname + search, headers: [...request.headers, ...cookies], body }
}

/** True for a page's check of the server: too frequent to log. */
export const isProbe = ({ path }: Carried) => /^\/api\/(?:health|ready)\b/.test(path)

export const nameOf = ({ path }: Carried) => path.replace(/^\/(?:api|reporting)\/(?:voucher\/)?/, '')

/** The status, and the codes of refusals; no ids, because they are not determined by the seed. */
export function outcomeOf({ status, body }: Answered): string {
  const { error, data } = JSON.parse(body) as {
    error?: string
    data?: { outcomes?: { state: string }[] }
  }
  const rows = data?.outcomes?.map(({ state }) => state).join(' ')
  return [status, error, rows].filter((part) => part !== undefined && part !== '').join(' ')
}
