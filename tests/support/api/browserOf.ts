import type { Ask } from './portalClient.ts'

export type TestBrowser = Ask & {
  /** Cookie values by name. */
  cookies: Map<string, string>
}

/** Calls `ask` as one browser: cookies that the server has set are sent with the next call. It begins with the cookies `first`. */
export function browserOf(ask: Ask, first: Record<string, string> = {}): TestBrowser {
  const cookies = new Map(Object.entries(first))
  const browser: Ask = async (path, init = {}) => {
    const headers = new Headers(init.headers)
    const given = headers.get('cookie')
    const kept = [...cookies].map(([name, value]) => `${name}=${value}`)
    const all = given === null ? kept : [...kept, given]
    if (all.length > 0) headers.set('cookie', all.join('; '))
    const response = await ask(path, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      cookies.set(name!, value!)
    }
    return response
  }
  return Object.assign(browser, { cookies })
}
