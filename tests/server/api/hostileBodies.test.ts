import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { median } from '../../support/server/responseTimes.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

// The server itself, since memory and time are those of a process. `LOAD=long` is for a quiet machine: a busy one measures itself.
const LONG = process.env['LOAD'] === 'long'
const ROUNDS = LONG ? 20 : 4
const MIB = 1_024 * 1_024
/** A heap grows before it is tidied up, the later the busier its machine is. */
const MOST_ADDED = (LONG ? 20 : 40) * MIB
const ANSWERED_MS = LONG ? 200 : 1_000

let at: ServerEnvironment
let server: ServerProcess
beforeAll(async () => {
  at = await serverEnvironment()
  server = await startServer(at.env)
}, 60_000)
afterAll(async () => {
  await server?.kill()
  await at?.remove()
})

interface Hostile {
  body: Buffer
  headers?: Record<string, string>
  status: number
}

const text = (value: string, status: number): Hostile => ({ body: Buffer.from(value), status })

const HOSTILE: Record<string, Hostile> = {
  'a byte over 1 MB': text(`{"a":"${'x'.repeat(MIB)}"}`, 413),
  'ten megabytes without a length': {
    ...text(`{"a":"${'x'.repeat(10 * MIB)}"}`, 413),
    headers: { 'transfer-encoding': 'chunked' },
  },
  'ten megabytes in ten kilobytes': {
    body: gzipSync(Buffer.alloc(10 * MIB, 0x20)),
    headers: { 'content-encoding': 'gzip' },
    status: 415,
  },
  'ten thousand levels': text(`${'['.repeat(10_000)}${']'.repeat(10_000)}`, 413),
  'a million items': text(`[${'1,'.repeat(999_999)}1]`, 413),
  'as many items as fit': text(`{"kind":[${'1,'.repeat(500_000)}1]}`, 413),
  'more items than a login has': text(`{"kind":[${'1,'.repeat(5_000)}1]}`, 413),
  'as many items as a login may have': text(`{"kind":[${'1,'.repeat(37)}1]}`, 422),
}

/** By a socket of its own: the answer may come, and the connection end, before all of the body is sent. */
const send = ({ body, headers = {} }: Hostile) =>
  new Promise<{ status: number; ms: number }>((resolve) => {
    const began = performance.now()
    const isChunked = 'transfer-encoding' in headers
    const lines = Object.entries({
      host: 'a',
      'content-type': 'application/json',
      ...(isChunked ? {} : { 'content-length': body.length }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = connect(server.port, server.host, () => {
      socket.write(`POST /api/auth/login HTTP/1.1\r\n${lines.join('')}\r\n`)
      if (!isChunked) return void socket.write(body)
      socket.write(`${body.length.toString(16)}\r\n`)
      socket.write(body)
      socket.write('\r\n0\r\n\r\n')
    })
    // Cut off in the middle of what it sends: what counts is what it was told.
    socket.on('error', () => undefined)
    socket.once('data', (answer) => {
      const ms = performance.now() - began
      socket.destroy()
      resolve({ status: Number(answer.toString('latin1').slice(9, 12)), ms })
    })
    socket.once('close', () => resolve({ status: Number.NaN, ms: Number.NaN }))
  })

it('TBL-08: bodies meant to fill memory are refused in no time and leave none behind', async () => {
  const kinds = Object.entries(HOSTILE)
  // The first of each lets the compiler settle, and the heap find its size.
  for (let round = 0; round < 10; round += 1) for (const [, hostile] of kinds) await send(hostile)
  const memoryPeak = server.watchMemory()
  for (const [name, hostile] of kinds) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const { status, ms } = await send(hostile)
      expect([name, status]).toEqual([name, hostile.status])
      times.push(ms)
    }
    if (LONG) process.stdout.write(`${JSON.stringify({ name, ms: median(times), addedMib: memoryPeak() / MIB })}\n`)
    expect([name, median(times) < ANSWERED_MS]).toEqual([name, true])
  }
  expect(memoryPeak()).toBeLessThan(MOST_ADDED)
}, 120_000)
