import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const SLICES_PER_SECOND = 20

/** Writes `response` out, no faster than `bytesPerSecond`. An error of the body's source cuts the connection, as a crash would. */
export async function writeResponse(response: Response, out: ServerResponse, bytesPerSecond = Infinity): Promise<void> {
  const cookies = response.headers.getSetCookie()
  out.statusCode = response.status
  for (const [name, value] of response.headers) if (name !== 'set-cookie') out.setHeader(name, value)
  if (cookies.length > 0) out.setHeader('set-cookie', cookies)
  try {
    for await (const chunk of response.body ?? []) {
      await write(chunk as Uint8Array, out, bytesPerSecond)
      if (out.destroyed) return
    }
    out.end()
  } catch {
    out.destroy()
  }
}

async function write(chunk: Uint8Array, out: ServerResponse, bytesPerSecond: number): Promise<void> {
  if (bytesPerSecond === Infinity) {
    if (!out.write(chunk)) await drained(out)
    return
  }
  const slice = Math.max(1, Math.floor(bytesPerSecond / SLICES_PER_SECOND))
  for (let at = 0; at < chunk.length && !out.destroyed; at += slice) {
    out.write(chunk.subarray(at, at + slice))
    await sleep(1_000 / SLICES_PER_SECOND)
  }
}

const drained = (out: ServerResponse) =>
  new Promise<void>((resolve) => {
    out.once('drain', resolve)
    out.once('close', resolve)
  })
