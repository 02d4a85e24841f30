import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { get, signIn, type Ask } from '../../support/api/portalClient.ts'
import { makeMerchant, type User } from '../../support/database/builders.ts'
import { CLOCK_LIBRARY, fakeClock, setClock } from '../../support/operations/fakeClock.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

const HOUR_MS = 3_600_000

// Where libfaketime is missing it is skipped.
describe.runIf(CLOCK_LIBRARY)('a server whose clock jumps', () => {
  let at: ServerEnvironment
  let server: ServerProcess
  let main: User
  const ask: Ask = (path, init) => server.ask(path, init)
  const clock = () => join(at.env.DATA_DIR, 'clock')
  const jump = (by: string) => setClock(clock(), by)

  beforeAll(async () => {
    at = await serverEnvironment()
    const database = await at.open()
    ;({ main } = await makeMerchant(database.db))
    await database.close()
    jump('+0')
    server = await startServer({ ...at.env, ...fakeClock(clock()) })
  })
  afterAll(async () => {
    await server?.kill()
    await at?.remove()
  })

  it.each([
    ['ahead', '+1h', HOUR_MS],
    ['back', '-1h', -HOUR_MS],
  ])(
    'FLT-14: an hour %s ends no session and begins none at another time: it has that of its database',
    async (_, by, ms) => {
      jump('+0')
      const { token } = await signIn(ask, main)
      jump(by)
      // The header is Node's, by the clock of the process, which it reads once a second.
      await vi.waitFor(async () => {
        const { headers } = await ask('/api/health?nonce=a')
        expect(Math.abs(Date.parse(headers.get('date')!) - Date.now() - ms)).toBeLessThan(5_000)
      }, 5_000)
      const { status } = await get(ask, '/api/account/my_info', token)
      expect(status).toBe(200)

      const later = await signIn(ask, main)
      expect(await get(ask, '/api/account/my_info', token)).toMatchObject({ status: 401, error: 'SESSION_TERMINATED' })
      const { data } = await get<{ at: string }[]>(ask, '/api/account/sign_ins', later.token)
      for (const { at } of data) expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
    },
  )
})
