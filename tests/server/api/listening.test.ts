import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { drainable, listen } from '../../../server/http/listen.ts'

const CLIENTS = 64

it('answers each of a rush of new connections, ends them when it ends, and lets none in afterwards', async () => {
  const { answer, endListening } = drainable(() => new Response('here'))
  const server = await listen(answer, { port: 0, host: '127.0.0.1' })
  const { port } = server.address() as AddressInfo
  const clients = Array.from({ length: CLIENTS }, () => connect({ port, host: '127.0.0.1' }).setEncoding('utf8'))
  const answers = clients.map((client) => once(client, 'data'))
  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  for (const [said] of await Promise.all(answers)) expect(said).toMatch(/^HTTP\/1.1 200[^]*here$/)
  await Promise.all([endListening(server, 5_000), ...clients.map((client) => once(client, 'close'))])
  const late = connect({ port, host: '127.0.0.1' })
  const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNREFUSED')
})

it('keeps an idle connection for longer than the minute after which proxies end it', async () => {
  const server = await listen(() => new Response('here'), { port: 0, host: '127.0.0.1' })
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [, seconds] = /^timeout=(\d+)$/.exec(answer.headers.get('keep-alive') ?? '') ?? []
  expect(Number(seconds)).toBeGreaterThan(60)
  await answer.text()
  server.close()
})
