import { beforeEach, describe, expect } from 'vitest'
import { makeVoucherKey } from '../../../server/services/vouchers/voucherKeys.ts'
import type { Notices } from '../../../src/contract/notices.ts'
import type { LossRow } from '../../../src/contract/redemptions/losses.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { formatSerial } from '../../../src/domain/vouchers.ts'
import { loggedInClient, type LoggedInClient } from '../../support/api/loggedInClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeUser,
  makeVoucher,
  type Merchant,
} from '../../support/database/builders.ts'
import { acceptingTill, allow } from '../../support/redemptions/acceptingTill.ts'
import { reportClient } from '../../support/reports/reportClient.ts'
import { ask, db, main, merchant, merchantIt as it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'

it.beforeAll(async ({ server: { deps } }) => void (await makeVoucherKey(deps)))
beforeEach(async () => {
  server.clock.set(START)
  await allow(db(), merchant.branch)
  shop = main
})

/** The main account. It logs in again in tests that move the clock far. */
let shop: LoggedInClient
const goTo = async (at: string) => {
  server.clock.set(at)
  shop = await loggedInClient(ask, merchant.main)
}

const PAGE = { start: 0, limit: 10 }
const tillOf = async (at: Pick<Merchant, 'organisation' | 'branch'> = merchant, name = 'Till 1') => {
  const till = await acceptingTill(server, await makePosUser(db(), at), { name })
  await till.renew()
  return till
}
const losses = async (query: object = {}) =>
  (await shop.post<TablePage<LossRow>>('/loss/datatable', { ...PAGE, ...query })).data
const noticed = async () => (await shop.get<Notices>('/notices')).data.notices

/** Lets both tills accept one voucher. The one that uploads second loses it. */
async function lose(winner: Awaited<ReturnType<typeof tillOf>>, loser: Awaited<ReturnType<typeof tillOf>>) {
  const voucher = await makeVoucher(db())
  await winner.accept(voucher)
  await loser.accept(voucher)
  await winner.upload()
  await loser.upload()
  return voucher
}

describe('a loss', () => {
  it('says when the voucher was used', async () => {
    const [winner, loser] = [await tillOf(merchant, 'Till 1'), await tillOf(merchant, 'Till 2')]
    const { serial } = await lose(winner, loser)
    expect((await losses()).rows).toMatchObject([
      {
        serial,
        cents: 1_000,
        branch_name: merchant.branch.name,
        till: 'Till 2',
        outcome: 'lost',
        reason: 'used elsewhere',
        used_at: START,
      },
    ])
  })

  it('to another merchant names neither shop nor till', async () => {
    const other = await makeMerchant(db())
    await allow(db(), other.branch)
    await lose(await tillOf(other, 'Their till'), await tillOf())
    const [row] = (await losses()).rows
    expect(row).toMatchObject({ used_at: START })
    const text = (await shop.file('/loss/export', PAGE)).text
    expect(text).not.toContain('Their till')
    expect(text).not.toContain(other.branch.name)
  })

  it('is in no sum of the ledger, whatever became of it', async () => {
    const [winner, loser] = [await tillOf(), await tillOf()]
    await lose(winner, loser)
    const { rows } = await reportClient(ask, main.token).csv('daily', { day: '2026-11-21' })
    expect(rows.map((row) => row.slice(-2))).toEqual([['1', '10.00']])
  })

  it('is a notice for its merchant', async () => {
    const [winner, loser] = [await tillOf(), await tillOf(merchant, 'Till 2')]
    await lose(winner, loser)
    expect(await noticed()).toMatchObject([
      { kind: 'till', till: 'Till 2', concern: { is: 'lost', count: 1, cents: 1_000 } },
    ])
  })

  it('is found by day, branch, state and a piece of its serial, and sorted', async () => {
    const other = await makeBranch(db(), merchant.organisation)
    await allow(db(), other)
    const elsewhere = { ...merchant, branch: other }
    const winner = await tillOf()
    const first = await lose(winner, await tillOf())
    await goTo('2026-11-23T02:00:00.000Z')
    await winner.renew()
    await lose(winner, await tillOf(elsewhere))
    const of = async (key: string, value: string) => (await losses({ other_params: [{ key, value }] })).total
    expect(await of('branch', other.id)).toBe(1)
    expect(await of('from', '2026-11-22')).toBe(1)
    expect(await of('to', '2026-11-22')).toBe(1)
    expect([await of('state', 'lost'), await of('state', 'refused')]).toEqual([2, 0])
    const { rows } = await losses({ search_str: formatSerial(first.serial) })
    expect(rows.map(({ serial }) => serial)).toEqual([first.serial])
    const sorted = await losses({ order_by: [{ column: 'accepted_at', sort_type: 'asc' }] })
    expect(sorted.rows[0]!.serial).toBe(first.serial)
  })

  it('is seen by a branch only where it is its own', async () => {
    const other = await makeBranch(db(), merchant.organisation)
    await lose(await tillOf(), await tillOf())
    const login = await makeUser(db(), 'Branch Merchant', { ...merchant, branch: other })
    const theirs = await loggedInClient(ask, login)
    expect((await theirs.post<TablePage<LossRow>>('/loss/datatable', PAGE)).data.total).toBe(0)
  })
})
