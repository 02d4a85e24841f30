import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { get, tryToLogIn, type Ask } from '../../support/api/portalClient.ts'
import { makePosUser, type User } from '../../support/database/builders.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

let place: ServerEnvironment
let server: ServerProcess
let ask: Ask
let cashier: User
beforeAll(async () => {
  place = await serverEnvironment()
  const database = await place.open()
  cashier = await makePosUser(database.db)
  await database.close()
  server = await startServer({ ...place.env, TRUST_PROXY: 'on' })
  ask = server.ask
})
afterAll(async () => {
  await server.kill()
  await place.remove()
})

it('told to stop, a server is not ready from then on, still answers everything else, each answer the last of its connection, and ends well', async () => {
  expect((await get(ask, '/api/ready')).headers.get('connection')).toBe('keep-alive')
  const stopped = server.stop()
  const notReady = await vi.waitFor(async () => {
    const answer = await get(ask, '/api/ready')
    expect(answer).toMatchObject({ status: 503, error: 'STOPPING' })
    return answer
  })
  expect(notReady.headers.get('retry-after')).toBe('1')
  expect(notReady.headers.get('connection')).toBe('close')
  const loggedIn = await tryToLogIn(ask, cashier)
  expect(loggedIn.status).toBe(200)
  expect(loggedIn.headers.get('connection')).toBe('close')
  expect(await stopped).toBe(0)
  await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})
