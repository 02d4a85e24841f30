import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { AnswerOf, BodyOf } from '../../../src/contract/endpoint.ts'
import { AllowanceRules, type NoGrantReason } from '../../../src/contract/redemptions/allowance.ts'
import type { askAllowance, BranchAllowance } from '../../../src/contract/redemptions/allowanceEndpoints.ts'
import { singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import {
  readOpenAllowance,
  endEarlierGrants,
  findAllowanceOf,
  insertGrant,
  lockCount,
  type OrganisationDevice,
} from '../../db/allowance/grants.ts'
import { lockBranch } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockTill, type KnownTill } from '../../db/redemptions/tills.ts'
import { findSigningKey } from '../../db/vouchers/signedVouchers.ts'
import type { Deps } from '../../Deps.ts'
import type { Caller } from '../accounts/sessions/Actor.ts'
import { hashToken, newToken } from '../opaqueToken.ts'

type GrantRequest = Required<BodyOf<typeof askAllowance>>
type GrantAnswer = AnswerOf<typeof askAllowance>

const noGrant = (why: NoGrantReason): GrantAnswer => ({ grant: null, why })

/** Grants an amount that the till of the cookie may accept without a check, or returns why not (decision 0092). */
export async function grantAllowance(
  { database, clock }: Deps,
  asked: GrantRequest,
  { till: findTill, tillTokenHash }: Pick<Caller, 'till' | 'tillTokenHash'>,
): Promise<GrantAnswer> {
  const till = await findTill()
  if (!till?.enrolledAt) return noGrant('not enrolled')
  if (till.revokedAt) return noGrant('revoked')
  // The cookie alone identifies the till; no session says which organisation it belongs to.
  return database
    .forAllTenants()
    .db.transaction((tx: Db) => decideGrant(tx, { ...till, key: tillTokenHash! }, asked, clock.now()))
}

/** Decides for one till of a branch at a time: the granted amounts must not change while they are counted. */
async function decideGrant(
  tx: Db,
  till: KnownTill & Pick<OrganisationDevice, 'key'>,
  asked: GrantRequest,
  now: Date,
): Promise<GrantAnswer> {
  const device = { organisationId: till.organisationId, tillId: till.id, key: till.key }
  await lockBranch(tx, till.branchId)
  // The till may have been revoked or enrolled again meanwhile, which freed its earlier grants.
  const locked = await lockTill(tx, till.branchId, till.id)
  if (locked?.revokedAt !== null || locked.tokenHash !== device.key) return noGrant('revoked')
  const allowance = await findAllowanceOf(tx, till.branchId)
  const rules = allowance && storedRules(allowance.rules)
  if (!rules) return noGrant('no rules')
  const today = singaporeDay(now)
  const blocked = await blockedBy(tx, allowance, today)
  if (blocked) return noGrant(blocked)
  const counted = await lockCount(tx, device, asked.total_cents)
  // A voucher that has not arrived may belong to any earlier grant. Once all have arrived, those grants can go.
  if (asked.grant !== null && asked.total_cents <= counted) await endEarlierGrants(tx, device, asked.grant, now)
  // The request is old, or the till's storage was emptied: the till may have accepted more since.
  if (asked.total_cents < counted) return noGrant('count behind')
  const out = await readOpenAllowance(tx, till.branchId, startOfDay(today))
  const otherGrants = out.tills.filter(({ guid, key }) => guid !== till.guid || key !== device.key)
  const leftToday = rules.day_cents - out.acceptedToday - otherGrants.reduce((sum, { cents }) => sum + cents, 0)
  // This share, today's arrivals and the grants of the other tills together never exceed the limit of the day.
  const share = Math.max(0, Math.min(rules.till_cents, leftToday))
  const [id, secret, branch] = [uuidv7(), newToken(), till.branchId]
  const [voucherCents, totalCents] = [rules.voucher_cents, counted + share]
  const endsAt = new Date(now.getTime() + rules.hours * 3_600_000)
  const limits = { ...device, tillGuid: till.guid, branchId: branch, voucherCents, totalCents }
  // The grant is stored before the till gets it, so it also counts when it never arrives.
  await insertGrant(tx, { id, secretHash: hashToken(secret), ...limits, issuedAt: now, endsAt })
  const amounts = { voucher_cents: voucherCents, till_cents: rules.till_cents, total_cents: totalCents }
  const times = { issued_at: now.toISOString(), ends_at: endsAt.toISOString() }
  return { grant: { id, secret, branch, ...amounts, ...times }, why: null }
}

type FoundAllowance = NonNullable<Awaited<ReturnType<typeof findAllowanceOf>>>

/** Returns why a branch gets no grants, whatever its rules say; null when it may get them. `today` is a Singapore day. */
export async function blockedBy(
  db: Db,
  { status, fromDay, toDay, verificationMethod }: FoundAllowance,
  today: string,
): Promise<BranchAllowance['blocked']> {
  const isOpen = status === 'Active' && (fromDay === null || fromDay <= today) && (toDay === null || today <= toDay)
  if (!isOpen) return 'not open'
  if (verificationMethod !== 'Serial') return 'branch PIN'
  return (await findSigningKey(db)) ? null : 'no key'
}

/** Returns the stored rules; undefined when there are none. */
export function storedRules(stored: unknown): AllowanceRules | undefined {
  const parsed = v.safeParse(AllowanceRules, stored)
  return parsed.success ? parsed.output : undefined
}
