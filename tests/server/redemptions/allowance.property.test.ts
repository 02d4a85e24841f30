import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect } from 'vitest'
import { readOpenAllowance, endGrantsOfTill } from '../../../server/db/allowance/grants.ts'
import { till as tillTable } from '../../../server/db/schema/redemptions.ts'
import { makeVoucherKey } from '../../../server/services/vouchers/voucherKeys.ts'
import { SUGGESTED_RULES, type AcceptedRow } from '../../../src/contract/redemptions/allowance.ts'
import { singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { makeMerchant, makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { acceptingTill, allow } from '../../support/redemptions/acceptingTill.ts'
import { LONG_RUN } from '../../support/redemptions/CountingTill.ts'
import { db, it, server } from '../../support/server/serverTest.ts'

it.beforeAll(async ({ server: { deps } }) => void (await makeVoucherKey(deps)))

const TILLS = 3
const CENTS = 1_000
const RULES = { ...SUGGESTED_RULES, till_cents: 3_000, day_cents: 4_000 }
const LOWER = { ...RULES, till_cents: 1_000 }

const till = fc.nat(TILLS - 1)

/** Everything that can happen at a branch. The clock of a till is as wrong as it can be, so no grant ever expires there. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant('ask' as const), till, lost: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({ is: fc.constant('accept' as const), till, times: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ is: fc.constant('upload' as const), till, which: fc.nat(9), lost: fc.boolean() }),
  },
  /** A request that was under way for a long time. */
  { weight: 2, arbitrary: fc.record({ is: fc.constant('old request' as const), till, which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('later' as const), hours: fc.constantFrom(1, 5, 14) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('rules' as const), lower: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('revoke' as const), till }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('enrol' as const), till }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('destroy' as const), till }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Makes a branch with tills. Counts what they accept each day until they are revoked. */
async function world() {
  server.clock.set('2026-11-21T02:00:00.000Z')
  const shop = await makeMerchant(db())
  await allow(db(), shop.branch, RULES)
  const user = await makePosUser(db(), shop)
  const tills = await Promise.all(Array.from({ length: TILLS }, () => acceptingTill(server, user)))
  let asked = tills.map((): object[] => [])
  const [revoked, destroyed] = [new Set<number>(), new Set<number>()]
  const accepted = new Map<string, number>()
  /** The amounts, by day, that the manager was told when revoking a till. */
  const told = new Map<string, number>()
  const add = (to: Map<string, number>, cents: number) => {
    const day = singaporeDay(server.clock.now())
    to.set(day, (to.get(day) ?? 0) + cents)
  }
  const change = (at: number, set: Partial<typeof tillTable.$inferInsert>) =>
    db().update(tillTable).set(set).where(eq(tillTable.guid, tills[at]!.row.guid))

  const ask = async (at: number, isLost: boolean) => {
    const { total, grant } = tills[at]!.state
    asked[at]!.push({ total_cents: total, grant: grant?.id ?? null })
    await (isLost ? tills[at]!.request() : tills[at]!.renew())
  }
  const accept = async (at: number, times: number) => {
    const one = tills[at]!
    for (let each = 0; each < times && one.left() >= CENTS; each += 1) {
      await one.accept(await makeVoucher(db(), { denominationCents: CENTS }))
      if (!revoked.has(at)) add(accepted, CENTS)
    }
  }
  const upload = async (at: number, which: number, isLost: boolean) => {
    const { state } = tills[at]!
    const rows: AcceptedRow[] = which < state.waiting.length ? [state.waiting[which]!] : [...state.waiting]
    if (rows.length === 0) return
    const before = state.waiting
    await tills[at]!.upload(rows)
    if (isLost) state.waiting = before
  }
  const revoke = async (at: number) => {
    const { guid } = tills[at]!.row
    const out = await readOpenAllowance(db(), shop.branch.id, startOfDay(singaporeDay(server.clock.now())))
    for (const one of out.tills) if (one.guid === guid) add(told, one.cents)
    await change(at, { revokedAt: server.clock.now() })
    await endGrantsOfTill(db(), guid, server.clock.now())
    revoked.add(at)
  }
  const enrol = async (at: number) => {
    revoked.delete(at)
    if (!destroyed.delete(at)) return tills[at]!.enrol()
    asked[at] = []
    return tills[at]!.replace()
  }
  const run = async (now: Step): Promise<unknown> => {
    if ('till' in now && destroyed.has(now.till) && now.is !== 'enrol' && now.is !== 'revoke') return undefined
    switch (now.is) {
      case 'ask':
        return ask(now.till, now.lost)
      case 'accept':
        return accept(now.till, now.times)
      case 'upload':
        return upload(now.till, now.which, now.lost)
      case 'old request':
        return tills[now.till]!.request(asked[now.till]![now.which] ?? {})
      case 'later':
        // Earlier requests are dropped: a proof is valid for five minutes.
        asked = tills.map(() => [])
        return server.clock.set(new Date(server.clock.now().getTime() + now.hours * 3_600_000).toISOString())
      case 'rules':
        return allow(db(), shop.branch, now.lower ? LOWER : RULES)
      case 'revoke':
        return revoke(now.till)
      case 'enrol':
        return enrol(now.till)
      case 'destroy':
        return destroyed.add(now.till)
    }
  }
  return { run, accepted, told }
}

it(
  'tills of a branch accept in a day at most what its manager was shown, whatever is lost, late or wrong',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 60 }), async (steps) => {
        const { run, accepted, told } = await world()
        for (const each of steps) await run(each)
        for (const [day, cents] of accepted)
          expect([day, cents <= RULES.day_cents + (told.get(day) ?? 0)]).toEqual([day, true])
      }),
      { numRuns: LONG_RUN ? 1_000 : 25 },
    )
  },
  LONG_RUN ? 1_800_000 : 60_000,
)
