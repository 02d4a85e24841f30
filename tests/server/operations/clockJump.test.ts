import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { get, signIn, type Ask } from '../../support/api/portalClient.ts'
import { makeMerchant, type User } from '../../support/database/builders.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'

/** Debian's libfaketime gives a process another clock. Where it is missing the tests are skipped. */
const LIBRARY = ['x86_64', 'aarch64']
  .map((kind) => `/usr/lib/${kind}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find(existsSync)
const HOUR_MS = 3_600_000

describe.runIf(LIBRARY)('a server whose clock jumps', () => {
  let at: ServerEnvironment
  let server: ServerProcess
  let main: User
  const ask: Ask = (path, init) => fetch(server.url + path, init)
  const jump = (by: string) => writeFileSync(join(at.env.DATA_DIR, 'clock'), by)

  beforeAll(async () => {
    at = await serverEnvironment()
    const database = await at.open()
    ;({ main } = await makeMerchant(database.db))
    await database.close()
    jump('+0')
    server = await startServer({
      ...at.env,
      LD_PRELOAD: LIBRARY!,
      FAKETIME_TIMESTAMP_FILE: join(at.env.DATA_DIR, 'clock'),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    })
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
