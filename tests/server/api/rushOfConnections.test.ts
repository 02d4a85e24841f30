import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { listen } from '../../../server/http/listen.ts'
import { silentLog } from '../../support/server/silentLog.ts'

const CLIENTS = 64
/** With one listener it is a turn for each of them. */
const TURNS = 12

it('takes a rush of new connections in a few turns of the event loop, answers each, and lets none in afterwards', async () => {
  const { server, more, end } = await listen(() => new Response('here'), { port: 0, host: '127.0.0.1' }, silentLog)
  const { port } = server.address() as AddressInfo
  await more
  let taken = 0
  server.on('connection', () => (taken += 1))
  const clients = Array.from({ length: CLIENTS }, () => connect({ port, host: '127.0.0.1' }).setEncoding('utf8'))
  const answers = clients.map((client) => once(client, 'data'))
  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
  let turns = 0
  while (taken < CLIENTS) {
    await nextTurn()
    if (taken > 0) turns += 1
  }
  expect(turns).toBeLessThan(TURNS)
  for (const [answer] of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200[^]*here$/)
  // Idle ones are ended with it.
  await Promise.all([end(), ...clients.map((client) => once(client, 'close'))])
  const late = connect({ port, host: '127.0.0.1' })
  const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNREFUSED')
})

it('keeps an idle connection for longer than the minute after which proxies end it', async () => {
  const { server, more, end } = await listen(() => new Response('here'), { port: 0, host: '127.0.0.1' }, silentLog)
  await more
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [, seconds] = /^timeout=(\d+)$/.exec(answer.headers.get('keep-alive') ?? '') ?? []
  expect(Number(seconds)).toBeGreaterThan(60)
  await answer.text()
  await end()
})
