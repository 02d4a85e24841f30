import { Agent, request } from 'node:https'
import type { Ask } from './api/portalClient.ts'

export interface TlsClientOptions {
  /** The only one it trusts. */
  certificate: string
  /** Its own address; any of 127.0.0.0/8 will do. */
  from?: string
}

/** A client of `url` behind a certificate that no authority signed, which `fetch` cannot be told to trust. Keeps its connections. */
export function tlsClient(url: string, { certificate, from = '127.0.0.1' }: TlsClientOptions): Ask {
  const agent = new Agent({ keepAlive: true, ca: certificate, localAddress: from })
  return (path, { method = 'GET', headers, body } = {}) =>
    new Promise((resolve, reject) => {
      const call = request(
        url + path,
        { agent, method, headers: Object.fromEntries(new Headers(headers)) },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => resolve(new Response(Buffer.concat(chunks), wholeHead(answer))))
        },
      )
      call.on('error', reject)
      call.end(body)
    })
}

/** Header lines one by one: a header that comes twice is still seen twice, as "a, a". */
function wholeHead({ statusCode, rawHeaders }: { statusCode?: number; rawHeaders: string[] }): ResponseInit {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  return { status: statusCode ?? 0, headers }
}
