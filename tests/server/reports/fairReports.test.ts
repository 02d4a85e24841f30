import { expect } from 'vitest'
import { logIn } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeRedemption, makeUser, type Merchant } from '../../support/database/builders.ts'
import { reportClient } from '../../support/reports/reportClient.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const DAY = { day: '2026-11-20' }

async function merchantWithMasters(masters: number) {
  const merchant: Merchant = await makeMerchant(db())
  await makeRedemption(db(), await makePosUser(db(), merchant), '2026-11-20')
  const { organisation } = merchant
  const users = [merchant.main]
  for (let n = 0; n < masters; n += 1) users.push(await makeUser(db(), 'Additional Merchant', { organisation }))
  return Promise.all(users.map(async (user) => reportClient(ask, (await logIn(ask, user)).token)))
}

it('RPT-07: the reports of one organisation take half of the places for all, and the next is told to come again', async () => {
  server.clock.set('2026-11-21T02:30:00Z')
  const [ours, theirs] = [await merchantWithMasters(2), await merchantWithMasters(0)]
  const [main, one, other] = ours
  const running = []
  for (const by of [main, main, one, one, other]) running.push(await by!.request('daily', DAY))
  expect(running.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])

  const sixth = await other!.request('daily', DAY)
  expect(sixth.status).toBe(503)
  expect(await sixth.json()).toMatchObject({ error: 'SERVER_BUSY' })
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
  const elsewhere = await theirs[0]!.request('daily', DAY)
  expect(elsewhere.status).toBe(200)

  await running[0]!.text()
  const again = await other!.request('daily', DAY)
  expect(again.status).toBe(200)
  await Promise.all([...running.slice(1), elsewhere, again].map((answer) => answer.text()))
})
