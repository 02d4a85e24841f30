import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { ObjectName, PresignedPut } from '../../../server/store/FileStore.ts'
import { backends, type StoreServer } from './storeBackends.ts'

const MIB = 1_024 * 1_024
const AGREEMENT = 5 * MIB
const BYTES = Buffer.alloc(AGREEMENT, 'x')

let server: StoreServer
let open: Sending[]
beforeAll(async () => {
  server = await backends.find(({ name }) => name === 'embedded')!.start()
})
afterAll(() => server.close())
beforeEach(() => void (open = []))
afterEach(() => open.forEach(({ socket }) => socket.destroy()))

async function announce(): Promise<{ name: ObjectName; put: PresignedPut }> {
  const name: ObjectName = `incoming/public/merchant_agreement/${randomUUID()}`
  const terms = { contentType: 'application/pdf', contentLength: AGREEMENT }
  return { name, put: await server.deps.store.presignPut(name, terms) }
}

interface Sending {
  socket: Socket
  /** The status and header lines, or '' if the connection ended without an answer. */
  head: Promise<string>
}

/** Begins a PUT and sends its first `bytes`. The test sends the rest. */
function begin({ url, headers }: PresignedPut, bytes: number): Sending {
  const { hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host: `${hostname}:${port}`, 'content-length': AGREEMENT, ...headers })
  const socket = connect(Number(port), hostname, () => {
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`)
    socket.write(BYTES.subarray(0, bytes))
  })
  socket.on('error', () => undefined)
  const head = new Promise<string>((resolve) => {
    socket.once('data', (answer) => resolve(answer.toString('latin1').split('\r\n\r\n')[0]!))
    socket.once('close', () => resolve(''))
  })
  const sending = { socket, head }
  open.push(sending)
  return sending
}

const statusOf = async ({ head }: Sending) => Number((await head).slice(9, 12))
const finish = ({ socket }: Sending, sent: number) => void socket.write(BYTES.subarray(sent))
const partsOf = () =>
  readdirSync(server.files, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.part'))
const hasBegun = (parts = 1) => vi.waitFor(() => expect(partsOf()).toHaveLength(parts), 10_000)

it('UPL-03: while one PUT of an address is under way, others are refused before they send, and nobody sees half a file', async () => {
  const { name, put } = await announce()
  const first = begin(put, MIB)
  await hasBegun()
  expect(await statusOf(begin(put, 0))).toBe(412)
  expect(await server.deps.store.read(name, AGREEMENT)).toBeUndefined()
  finish(first, MIB)
  expect(await statusOf(first)).toBe(200)
  expect(await server.deps.store.read(name, AGREEMENT)).toHaveLength(AGREEMENT)
  expect(partsOf()).toEqual([])
})

it('UPL-03: a PUT that is cut off leaves nothing behind, and its address may be used again', async () => {
  const { put } = await announce()
  const first = begin(put, MIB)
  await hasBegun()
  first.socket.destroy()
  await hasBegun(0)
  expect(await statusOf(begin(put, AGREEMENT))).toBe(200)
})

it('UPL-03: what a server that died has left of a PUT is removed with its file', async () => {
  const { name, put } = await announce()
  begin(put, MIB)
  await hasBegun()
  await server.deps.store.remove(name)
  expect(partsOf()).toEqual([])
})

it('UPL-07: files under way are on the disk and not in memory, and at most fifty at one time; then 503 until there is room', async () => {
  const before = process.memoryUsage().arrayBuffers
  const most = 50
  const sent = 4 * MIB
  const puts = await Promise.all(Array.from({ length: most + 1 }, announce))
  const sending = puts.slice(0, most).map(({ put }) => begin(put, sent))
  await hasBegun(most)
  const last = puts.at(-1)!.put
  const refused = begin(last, 0)
  expect(await statusOf(refused)).toBe(503)
  expect(await refused.head).toMatch(/retry-after: \d+/i)
  await vi.waitFor(() => expect(sending.every(({ socket }) => socket.writableLength === 0)).toBe(true), 30_000)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MIB)
  finish(sending[0]!, sent)
  expect(await statusOf(sending[0]!)).toBe(200)
  expect(await statusOf(begin(last, AGREEMENT))).toBe(200)
}, 60_000)
