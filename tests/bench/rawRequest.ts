export interface RawRequest {
  host: string
  method: 'GET' | 'POST'
  path: string
  token: string
  body?: object
  headers?: Record<string, string>
}

/** A request as it goes over the line, for loads that write to bare sockets. */
export function rawRequest({ host, method, path, token, body, headers = {} }: RawRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const described = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': text.length }
  const all = { Host: host, Authorization: `Bearer ${token}`, ...headers, ...described }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', text].join('\r\n')
}
