import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { Origin } from './origin.ts'

const CUT = /fetch failed|terminated/
let origin: Origin
let counted = 0

beforeAll(async () => {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.get('/hello', (c) => c.text('hello'))
  app.get('/big', (c) => c.body('x'.repeat(4_000)))
  app.post('/count', async (c) => c.json({ body: await c.req.json(), counted: ++counted }))
  app.get('/cookies', (c) => {
    c.header('set-cookie', 'a=1', { append: true })
    c.header('set-cookie', 'b=2', { append: true })
    return c.body('')
  })
  app.get('/broken', ({ env }) => {
    const halfWay = new ReadableStream({
      pull(stream) {
        env.outgoing.destroy()
        stream.close()
      },
    })
    return new Response(halfWay)
  })
  origin = await Origin.start(
    (request, env) => app.fetch(request, env),
    () => new Date('2026-11-21T00:00:00Z'),
  )
})
beforeEach(() => origin.reset())
afterAll(() => origin.close())

const get = (path: string, timeout = 5_000) => fetch(origin.url + path, { signal: AbortSignal.timeout(timeout) })
const count = () => fetch(`${origin.url}/count`, { method: 'POST', body: '{"a":1}' })

it('passes requests to the app and logs them', async () => {
  expect(await (await count()).json()).toMatchObject({ body: { a: 1 } })
  expect(origin.sent('POST', '/count')).toMatchObject([{ body: '{"a":1}', status: 200 }])
})

it('tells the time of the clock it was given', async () => {
  expect((await get('/hello')).headers.get('date')).toBe('Sat, 21 Nov 2026 00:00:00 GMT')
})

it('keeps several cookies apart', async () => {
  expect((await get('/cookies')).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

it('refuses connections and comes back on the same port', async () => {
  await get('/hello')
  await origin.line({ kind: 'refuse' })
  await expect(get('/hello')).rejects.toThrow(CUT)
  await origin.line({ kind: 'up' })
  expect((await get('/hello')).status).toBe(200)
  expect(origin.wasDisturbed()).toBe(true)
})

it('hangs', async () => {
  await origin.line({ kind: 'hang' })
  await expect(get('/hello', 100)).rejects.toThrow(/timeout/)
})

it('answers 503 or a captive page in place of the app', async () => {
  await origin.line({ kind: 'unavailable' })
  expect((await get('/hello')).status).toBe(503)
  await origin.line({ kind: 'captive' })
  expect(await (await get('/hello')).text()).toContain('Free Wi-Fi')
})

it('is slow by delay and by bytes', async () => {
  await origin.line({ kind: 'slow', delayMs: 150, bytesPerSecond: 20_000 })
  const started = performance.now()
  expect(await (await get('/big')).text()).toHaveLength(4_000)
  expect(performance.now() - started).toBeGreaterThan(300)
})

it('spoils the line for the picked requests only', async () => {
  await origin.line({ kind: 'refuse' }, ({ path }) => path === '/count')
  await expect(count()).rejects.toThrow(CUT)
  expect((await get('/hello')).status).toBe(200)
})

it('loses an answer after the work is done, once', async () => {
  const before = counted
  const lost = origin.loseAnswer(({ path }) => path === '/count')
  await expect(count()).rejects.toThrow(CUT)
  await lost
  expect(counted).toBe(before + 1)
  expect((await count()).status).toBe(200)
})

it('lets the app cut the connection in the middle of a body, as the server does', async () => {
  await expect(get('/broken').then((response) => response.text())).rejects.toThrow(CUT)
})
