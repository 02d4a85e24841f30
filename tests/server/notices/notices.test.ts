import { beforeEach, describe, expect } from 'vitest'
import { releaseAnyHold } from '../../../server/services/redemptions/holds.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Notices } from '../../../src/contract/notices.ts'
import { invite } from '../../support/accounts/invite.ts'
import { makeActors, type Actors } from '../../support/api/actors.ts'
import { get, post, logIn } from '../../support/api/portalClient.ts'
import { makeBranch, makeHold, makeTill, makeVoucher } from '../../support/database/builders.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const START = '2026-11-21T02:00:00.000Z'
const HOUR_MS = 3_600_000

let actors: Actors
beforeEach(async () => {
  server.clock.set(START)
  actors = await makeActors(db())
})

const hoursAgo = (hours: number) => new Date(Date.parse(START) - hours * HOUR_MS)
const daysAgo = (days: number) => hoursAgo(24 * days)
type Who = 'HRP' | 'Additional' | 'Branch' | 'ADHOC' | 'other tenant'
const tokenOf = async (who: Who) => (await logIn(ask, actors.users[who])).token
const noticesOf = async (who: Who) => (await get<Notices>(ask, '/api/notices', await tokenOf(who))).data.notices

/** Makes a login for a new branch that `Additional` manages. */
async function inviteBranch(mailedAt: Date) {
  const { organisation, users } = actors
  const branch = await makeBranch(db(), organisation, { masterUserId: users.Additional.id })
  return { branch, user: await invite(db(), { organisation, branch }, mailedAt) }
}

describe('an invitation that ran out', () => {
  it('concerns who can send it again, from the moment the link ends', async () => {
    const { user: late, branch } = await inviteBranch(daysAgo(8))
    await inviteBranch(daysAgo(6))
    const expired = {
      kind: 'invitations expired',
      key: `invitation ${late.id} ${daysAgo(8).getTime()}`,
      of: 'branch',
      count: 1,
      guid: branch.id,
      name: branch.name,
      email: late.loginName,
    }
    expect(await noticesOf('HRP')).toEqual([expired])
    expect(await noticesOf('Additional')).toEqual([expired])
    for (const who of ['Branch', 'other tenant'] as const) expect(await noticesOf(who)).toEqual([])
  })

  it('of many is one notice, named after the last, which one that runs out later makes new', async () => {
    await inviteBranch(daysAgo(9))
    const { branch } = await inviteBranch(daysAgo(8))
    const [before] = await noticesOf('HRP')
    expect(before).toMatchObject({ count: 2, name: branch.name })
    await inviteBranch(daysAgo(7.5))
    const [after] = await noticesOf('HRP')
    expect(after).toMatchObject({ count: 3 })
    expect(after!.key).not.toBe(before!.key)
  })

  it('of a master concerns the main account alone', async () => {
    const late = await invite(db(), { organisation: actors.organisation }, daysAgo(8))
    expect(await noticesOf('HRP')).toMatchObject([{ of: 'master', guid: late.id, email: late.loginName }])
    expect(await noticesOf('Additional')).toEqual([])
  })
})

it('vouchers that a till has held for nearly a day are one notice of that till, in each scope', async () => {
  const { till, otherTill } = actors
  const [device, other] = [await makeTill(db(), till), await makeTill(db(), otherTill, { name: 'Till 2' })]
  await makeHold(db(), till, hoursAgo(23), { hold: { tillId: device.id } })
  await makeHold(db(), till, hoursAgo(30), { denominationCents: 2_000, hold: { tillId: device.id } })
  await makeHold(db(), till, hoursAgo(21.9), { hold: { tillId: device.id } })
  await makeHold(db(), otherTill, hoursAgo(21.9), { hold: { tillId: other.id } })
  const told = {
    kind: 'till',
    key: `unsettled ${device.guid} 2`,
    till: 'Till 1',
    branch_name: actors.branch.name,
    concern: { is: 'unsettled', count: 2, cents: 3_000 },
  }
  for (const who of ['HRP', 'Additional', 'Branch'] as const) expect(await noticesOf(who)).toEqual([told])
  for (const who of ['ADHOC', 'other tenant'] as const) expect(await noticesOf(who)).toEqual([])
})

describe('what the provider did', () => {
  async function held() {
    const till = await testTill(ask, actors.till)
    const voucher = await makeVoucher(db())
    await till.hold(voucher.serial)
    return voucher
  }

  it('is told in each scope as the activity log has it, for 30 days', async () => {
    const voucher = await held()
    await releaseAnyHold(server.deps, voucher.serial)
    const told = {
      kind: 'act',
      key: expect.any(String),
      at: START,
      action: 'hold.released',
      subject: { type: 'voucher', id: voucher.id, name: `…${voucher.serial.slice(-4)}` },
      branch_name: actors.branch.name,
      details: { till: 'Till 2', since: START },
    }
    for (const who of ['HRP', 'Additional', 'Branch'] as const) expect(await noticesOf(who)).toEqual([told])
    for (const who of ['ADHOC', 'other tenant'] as const) expect(await noticesOf(who)).toEqual([])
    server.clock.advance({ hours: 24 * LIMITS.noticeDays + 1 })
    expect(await noticesOf('HRP')).toEqual([])
  })

  it('is no news where the merchant did the same', async () => {
    const voucher = await held()
    const release = { guid: voucher.id, since: START }
    expect(await post(ask, '/api/voucher/release', release, await tokenOf('HRP'))).toMatchObject({ status: 200 })
    expect(await noticesOf('HRP')).toEqual([])
  })
})
