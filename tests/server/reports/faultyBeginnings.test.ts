import { afterEach, expect, vi } from 'vitest'
import type { Reading } from '../../../server/db/engine/Database.ts'
import { logIn, send, sendPost } from '../../support/api/portalClient.ts'
import { makeBranch, makeMerchant, type Merchant } from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const FILES = {
  'transaction report': ['/reporting/report/merchant/transaction_report', { from: '2026-11-20', to: '2026-11-21' }],
  'table export': ['/api/voucher/export', { start: 0, limit: 10 }],
} as const

it('RPT-07: the place of a file that nobody takes is free when its reading was closed for that', async () => {
  const merchant = await makeMerchant(db())
  const walled = server.database.forTenant(merchant.organisation.id)
  const readings: Reading[] = []
  const openReading = async () => {
    const reading = await walled.openReading()
    readings.push(reading)
    return reading
  }
  vi.spyOn(server.database, 'forTenant').mockReturnValueOnce({ ...walled, openReading })
  const { token } = await logIn(ask, merchant.main)
  const [path, body] = FILES['table export']
  const begun: Response[] = []
  for (let nth = 1; nth <= 5; nth += 1) begun.push(await sendPost(ask, path, body, token))
  expect((await sendPost(ask, path, body, token)).status).toBe(503)
  // The pool closes it too, after a minute.
  await readings[0]!.close()
  begun.push(await sendPost(ask, path, body, token))
  expect(begun.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  await Promise.all(begun.map((answer) => answer.body!.cancel()))
})

it('RPT-07: a branch whose name is cut in the middle of a sign gets its reports, six times', async () => {
  const merchant: Merchant = await makeMerchant(db())
  const { token } = await logIn(ask, merchant.main)
  const { organisation } = merchant
  const named = async (name: string) => (await makeBranch(db(), organisation, { name })).id
  const family = '👨‍👩‍👧‍👦'
  const names = [
    `${'A'.repeat(58)}😀${'B'.repeat(10)}`,
    `${'A'.repeat(56)}${family}${'B'.repeat(10)}`,
    'e\u0301'.repeat(40),
  ]
  const shown = [`${'A'.repeat(58)}…`, `${'A'.repeat(56)}…`, `${'e\u0301'.repeat(29)}…`]
  for (const [at, name] of names.entries()) {
    const body = { from: '2026-11-20', to: '2026-11-21', branch_guid: await named(name) }
    for (let nth = 1; nth <= 6; nth += 1) {
      const answer = await send(ask, 'POST', FILES['transaction report'][0], {
        body,
        token,
        headers: { 'login-type': 'MERCHANT' },
      })
      expect(answer.status).toBe(200)
      const filename = decodeURIComponent(answer.headers.get('content-disposition')!.split("UTF-8''")[1]!)
      expect(filename).toBe(`Transaction Report, 2026-11-20 to 2026-11-21, ${shown[at]}.csv`)
      await answer.text()
    }
  }
})
