import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { AnswerOf, BodyOf } from '../../../src/contract/endpoint.ts'
import { AllowanceRules, type GrantLack } from '../../../src/contract/redemptions/allowance.ts'
import type { askAllowance, BranchAllowance } from '../../../src/contract/redemptions/allowanceEndpoints.ts'
import { singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import {
  allowanceOut,
  dropGrantsBefore,
  findAllowanceOf,
  insertGrant,
  lockCount,
  type DeviceOf,
} from '../../db/allowance/grants.ts'
import { lockBranch } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockTill, type KnownTill } from '../../db/redemptions/tills.ts'
import { findSigningKey } from '../../db/vouchers/signedVouchers.ts'
import type { Deps } from '../../Deps.ts'
import type { Caller } from '../accounts/sessions/Actor.ts'
import { hashToken, newToken } from '../opaqueToken.ts'

type Asked = Required<BodyOf<typeof askAllowance>>
type Answer = AnswerOf<typeof askAllowance>

const nothing = (why: GrantLack): Answer => ({ grant: null, why })

/** What the till of the cookie may accept without a check from now on, or why nothing (decision 0092). */
export async function grantAllowance(
  { database, clock }: Deps,
  asked: Asked,
  { till: findTill, tillTokenHash }: Pick<Caller, 'till' | 'tillTokenHash'>,
): Promise<Answer> {
  const till = await findTill()
  if (!till?.enrolledAt) return nothing('not enrolled')
  if (till.revokedAt) return nothing('revoked')
  const device = { organisationId: till.organisationId, tillId: till.id, key: tillTokenHash! }
  // The cookie says who it is, and no session whose it is.
  return database.portal().db.transaction((tx: Db) => decide(tx, till, device, asked, clock.now()))
}

/** All of a branch are decided one after the other: what is out must not be counted while it changes. */
async function decide(tx: Db, till: KnownTill, device: DeviceOf, asked: Asked, now: Date): Promise<Answer> {
  await lockBranch(tx, till.branchId)
  // It may have been revoked or enrolled anew since, and what was granted before then freed.
  const locked = await lockTill(tx, till.branchId, till.id)
  if (locked?.revokedAt !== null || locked.tokenHash !== device.key) return nothing('revoked')
  const of = await findAllowanceOf(tx, till.branchId)
  const rules = of && storedRules(of.rules)
  if (!rules) return nothing('no rules')
  const today = singaporeDay(now)
  const blocked = await blockedBy(tx, of, today)
  if (blocked) return nothing(blocked)
  const counted = await lockCount(tx, device, asked.total_cents)
  // While something is under way it was accepted by a grant that is out; which one, only its arrival says.
  if (asked.grant !== null && asked.total_cents <= counted) await dropGrantsBefore(tx, device, asked.grant, now)
  // An old request that was under way for long, or a storage that was emptied: what it may have accepted since is not known.
  if (asked.total_cents < counted) return nothing('count behind')
  const out = await allowanceOut(tx, till.branchId, startOfDay(today))
  const others = out.tills.filter(({ guid, key }) => guid !== till.guid || key !== device.key)
  const ofDay = rules.day_cents - out.acceptedToday - others.reduce((sum, { cents }) => sum + cents, 0)
  // With what has arrived today, and with what is out at the other tills, never more than the day's.
  const share = Math.max(0, Math.min(rules.till_cents, ofDay))
  const [id, secret, branch] = [uuidv7(), newToken(), till.branchId]
  const [voucherCents, totalCents] = [rules.voucher_cents, counted + share]
  const endsAt = new Date(now.getTime() + rules.hours * 3_600_000)
  const limits = { ...device, tillGuid: till.guid, branchId: branch, voucherCents, totalCents }
  // Written down before anybody gets it: one that nobody ever gets only counts as out.
  await insertGrant(tx, { id, secretHash: hashToken(secret), ...limits, issuedAt: now, endsAt })
  const told = { voucher_cents: voucherCents, till_cents: rules.till_cents, total_cents: totalCents }
  const times = { issued_at: now.toISOString(), ends_at: endsAt.toISOString() }
  return { grant: { id, secret, branch, ...told, ...times }, why: null }
}

type FoundAllowance = NonNullable<Awaited<ReturnType<typeof findAllowanceOf>>>

/** Why a branch gets no grants, whatever its rules say. `today` is Singapore's. */
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

/** As they are stored; undefined for none. */
export function storedRules(stored: unknown): AllowanceRules | undefined {
  const parsed = v.safeParse(AllowanceRules, stored)
  return parsed.success ? parsed.output : undefined
}
