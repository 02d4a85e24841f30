import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listen } from '../../../server/http/listen.ts'
import { rateOf } from '../../bench/measure.ts'
import { testServer, type TestServer } from '../../support/server/testServer.ts'

// The case asks for `LOAD=long`. A short run shows the same with fewer clients.
const LONG = process.env['LOAD'] === 'long'
const SLOW = LONG ? 1_000 : 200
const IDLE = 2 * SLOW
/** The longest life of a slow connection, and the interval of the check that ends it. */
const CUT_MS = 15_000
const HEALTHY_MS = 500
const DRIP_MS = 1_000

const HEADERS = 'GET /api/health HTTP/1.1\r\nHost: a\r\n'
const BODY =
  'POST /api/auth/forgot_password HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 4096\r\n\r\n{'

let server: TestServer
let listener: Server
let port: number
beforeAll(async () => {
  server = await testServer()
  listener = await listen(server.app.fetch, { port: 0, host: '127.0.0.1' })
  ;({ port } = listener.address() as AddressInfo)
})
afterAll(async () => {
  listener.closeAllConnections()
  await new Promise((resolve) => listener.close(resolve))
  await server.close()
})

/** Sends `begin`, then `little` again and again until the server closes the connection. Returns how many milliseconds that took. */
function drip(begin: string, little: string): Promise<number> {
  const began = performance.now()
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(begin))
    const timer = setInterval(() => socket.writable && socket.write(little), DRIP_MS)
    socket.resume()
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      resolve(performance.now() - began)
    })
  })
}

const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

it('FLT-10: clients that send a byte now and then are cut within fifteen seconds, and keep nobody waiting meanwhile', async () => {
  const slow = [...many(SLOW / 2, () => drip(HEADERS, 'X-a: b\r\n')), ...many(SLOW / 2, () => drip(BODY, ' '))]
  const idle: Socket[] = many(IDLE, () => connect(port, '127.0.0.1').on('error', () => undefined))
  let isOver = false
  const ended = Promise.all(slow).finally(() => (isOver = true))
  const healthy: number[] = []
  while (!isOver) healthy.push(await askReady())
  for (const socket of idle) socket.destroy()

  expect(Math.max(...(await ended))).toBeLessThan(CUT_MS)
  expect(healthy.length).toBeGreaterThan(100)
  expect(rateOf(healthy, 1).p99).toBeLessThan(HEALTHY_MS)
  expect(eventsOf('error')).toEqual([])
}, 60_000)

it('FLT-10: who hangs up in the middle of a request is no fault of the server, nor of its database', async () => {
  const before = server.log.events.length
  const arrived = once(listener, 'request')
  const socket = connect(port, '127.0.0.1', () => socket.write(BODY))
  await arrived
  socket.resetAndDestroy()
  await vi.waitFor(() =>
    expect(server.log.events.slice(before)).toMatchObject([
      { level: 'info', event: 'request', facts: { route: '/auth/forgot_password', error: 'REQUEST_INCOMPLETE' } },
    ]),
  )
})

const eventsOf = (level: string) => server.log.events.filter((event) => event.level === level)

async function askReady(): Promise<number> {
  const began = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/ready`)
  await response.text()
  expect(response.status).toBe(200)
  return performance.now() - began
}
