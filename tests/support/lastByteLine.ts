import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask } from './api/portalClient.ts'
import type { ServerProcess } from './server/serverProcess.ts'

interface Waiting {
  sent: ClientRequest
  lastByte: Buffer
}

/**
 * Requests that the server has but for their last byte, each on a socket of its own, until `release`: then the last bytes go out
 * in one turn, and the requests are whole within the same millisecond or two, however long each took to get there.
 */
export function lastByteClient({ host, port }: Pick<ServerProcess, 'host' | 'port'>, sockets: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets, noDelay: true })
  const waiting: Waiting[] = []

  const ask: Ask = async (path, { method, headers, body } = {}) => {
    const bytes = Buffer.from(body as string)
    const sent = request({
      agent,
      host,
      port,
      path,
      ...(method && { method }),
      headers: { ...(headers as Record<string, string>), 'content-length': bytes.length },
    })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    sent.write(bytes.subarray(0, -1), () => waiting.push({ sent, lastByte: bytes.subarray(-1) }))
    const [answer] = await answered
    return new Response(new Uint8Array(await buffer(answer)), {
      status: answer.statusCode ?? 0,
      headers: answer.headers as Record<string, string>,
    })
  }

  return {
    ask,
    /** Once `count` requests have everything but their last byte with the system. */
    async release(count: number): Promise<void> {
      while (waiting.length < count) await sleep(1)
      for (const { sent, lastByte } of waiting.splice(0)) sent.end(lastByte)
    },
    close: () => agent.destroy(),
  }
}
