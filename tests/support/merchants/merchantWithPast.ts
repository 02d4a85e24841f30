import { addDays, singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { makeWholeBranch } from '../branches/branchPage.ts'
import type { PortalOrigin } from '../browser/portalOrigin.ts'
import {
  makeDeviceReport,
  makeHold,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeResource,
  makeTill,
  makeUser,
} from '../database/builders.ts'
import { changeRows } from '../database/rows.ts'

/** The name of the organisation and of a branch. */
export const LONG_NAME = 'Kopi & Toast Heritage Coffee House Holdings (Tampines Central) Pte. Ltd.'

/** Makes a merchant with long names and a history: two branches, cashiers, redemptions of three months, a hold and a void. */
export async function merchantWithPast({ database: { db }, clock }: PortalOrigin) {
  const merchant = await makeMerchant(db)
  const { organisation, main } = merchant
  await changeRows(db, 'organisation', { id: organisation.id }, { name: LONG_NAME })
  const master = await makeUser(db, 'Additional Merchant', { organisation })
  const { branch, login } = await makeWholeBranch(db, organisation, { name: LONG_NAME, masterUserId: master.id })
  const till = await makePosUser(
    db,
    { organisation, branch },
    { loginName: `till-${organisation.merchantId}-at-tampines` },
  )
  const today = singaporeDay(clock.now())
  for (const days of [0, 1, 1, 3, 8, 20, 45, 80])
    await makeRedemption(db, till, addDays(today, -days), { denominationCents: 5_000, entry: { amountCents: 3_250 } })
  const isFree = { status: 'Active', usedAt: null, branchId: null, organisationId: null } as const
  await makeRedemption(db, till, addDays(today, -1), { ...isFree, entry: { voidedAt: clock.now(), voidedBy: main.id } })
  await makeHold(db, till, clock.now())
  await makeResource(db)
  return { ...merchant, branch, login, master, till }
}

/** Makes three tills: a silent one with vouchers to upload, one with a failed check, and one that has never sent a report. */
export async function makeDevices(
  { database: { db }, clock }: PortalOrigin,
  { till: cashier }: { till: Parameters<typeof makeTill>[1] & { id: string } },
) {
  const now = clock.now()
  const silentSince = new Date(now.getTime() - 3 * 3_600_000)
  await makeDeviceReport(db, await makeTill(db, cashier, { name: 'Takeaway window at the back' }), silentSince, {
    waitingCount: 12,
    waitingCents: 123_400,
    oldestWaitingAt: silentSince,
    refused: 1,
    persistent: false,
    clockOffsetMs: 540_000,
    updateWaits: true,
    posUserId: cashier.id,
  })
  await makeDeviceReport(db, await makeTill(db, cashier, { name: 'Till 1' }), now, {
    posUserId: cashier.id,
  })
  await makeTill(db, cashier, { name: 'Till 2' })
}
