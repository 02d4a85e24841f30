import { expect, it } from 'vitest'
import { get, type Ask } from '../../support/api/portalClient.ts'
import { startPostgres } from '../../support/database/postgres.ts'
import { addStandby } from '../../support/database/standby.ts'
import { faultProxy } from '../../support/faults/faultProxy.ts'
import { seedTills } from '../../support/redemptions/seedTills.ts'
import { testTill, replyAbout } from '../../support/redemptions/testTill.ts'
import { serverEnvironment } from '../../support/server/serverEnvironment.ts'
import { startServer } from '../../support/server/serverProcess.ts'

it('FLT-23: a server that is led to a standby reads there, and gives no receipt for what that one has and the synchronous one has not', async () => {
  const primary = await startPostgres({ version: 'oldest' })
  const at = await serverEnvironment({ server: primary.url('postgres') })
  const other = await startPostgres({ version: 'oldest', standbyOf: { primary, name: 'other' } })
  const synchronous = await addStandby(primary)
  const portOf = (url: string) => Number(new URL(url).port)
  let target = portOf(primary.url('any'))
  const leader = await faultProxy(() => target)
  const url = new URL(at.env.DATABASE_URL)
  url.port = String(leader.port)
  const server = await startServer({ ...at.env, DATABASE_URL: url.href })
  const ask: Ask = server.ask
  try {
    const { cashiers, serials } = await seedTills(at, 1, 1)
    const till = await testTill(ask, cashiers[0]!)
    const key = await till.hold(serials[0]!)
    await synchronous.leave()
    expect(await replyAbout(ask, key, 'redeemed')).toMatchObject({ status: 503 })

    target = portOf(other.url('any'))
    leader.cut()
    const receipts = async () => [await replyAbout(ask, key, 'asking')]
    const answers = await receipts()
    while ((await get(ask, '/api/ready')).status !== 503) answers.push(...(await receipts()))
    answers.push(...(await receipts()))
    expect(await get(ask, '/api/ready')).toMatchObject({ status: 503, data: { primary: 'read only' } })
    expect(await get(ask, '/api/account/my_info', till.token)).toMatchObject({ status: 200 })
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
    expect(server.printed()).not.toContain('unexpected_error')
  } finally {
    await server.kill()
    await leader.close()
    await synchronous.remove()
    await Promise.all([other.stop(), primary.stop()])
  }
}, 90_000)
