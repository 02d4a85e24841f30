import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { BodyOf, AnswerOf } from '../../../src/contract/endpoint.ts'
import { AllowanceRules, type AllowanceGrant, type SignedGrant } from '../../../src/contract/redemptions/allowance.ts'
import type { askAllowance, BranchAllowance } from '../../../src/contract/redemptions/allowanceEndpoints.ts'
import { singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { lockBranch } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  allowanceOut,
  dropGrantsBefore,
  findAllowanceOf,
  insertGrant,
  lockCount,
  type DeviceOf,
  type TillOut,
} from '../../db/redemptions/allowance.ts'
import { lockTill, type KnownTill } from '../../db/redemptions/tills.ts'
import type { Deps } from '../../Deps.ts'
import type { Caller } from '../accounts/sessions/Actor.ts'
import { hashToken, newToken } from '../opaqueToken.ts'
import { signingKey, VoucherKeyError, type SigningKey } from '../vouchers/voucherKeys.ts'

type Asked = Required<BodyOf<typeof askAllowance>>

const NOTHING = { grant: null, rules: null }

/**
 * What the till of the cookie may accept without a check from now on (decision 0092). It gets nothing, and is not told why, unless it is
 * enrolled and was not revoked, and its branch has an allowance.
 */
export async function grantAllowance(
  deps: Deps,
  asked: Asked,
  { till: findTill, tillTokenHash }: Pick<Caller, 'till' | 'tillTokenHash'>,
): Promise<AnswerOf<typeof askAllowance>> {
  const till = await findTill()
  if (!till?.enrolledAt || till.revokedAt) return NOTHING
  // The cookie says who it is, and no session whose it is.
  const free = { ...deps, database: deps.database.portal() }
  const { db } = free.database
  const key = await findSigner(free)
  const device = { organisationId: till.organisationId, tillId: till.id, key: tillTokenHash! }
  const now = deps.clock.now()
  const { grant, rules } = await db.transaction((tx: Db) => decide(tx, { till, device, key }, asked, now))
  return { grant: grant && key ? sign(key, grant) : null, rules: rules ?? null }
}

/** Undefined where the programme has no key that this server can sign with: then nothing is granted. */
export const findSigner = (deps: Pick<Deps, 'database' | 'secrets'>): Promise<SigningKey | undefined> =>
  signingKey(deps).catch((error: unknown) => {
    if (error instanceof VoucherKeyError) return undefined
    throw error
  })

interface Asker {
  till: KnownTill
  device: DeviceOf
  key: SigningKey | undefined
}

/** All of a branch are decided one after the other: what is out must not be counted while it changes. */
async function decide(tx: Db, { till, device, key }: Asker, asked: Asked, now: Date) {
  await lockBranch(tx, till.branchId)
  // It may have been revoked or enrolled anew since, and what was granted before then freed.
  const locked = await lockTill(tx, till.branchId, till.id)
  if (locked?.revokedAt !== null || locked.tokenHash !== device.key) return { rules: undefined }
  const of = await findAllowanceOf(tx, till.branchId)
  const today = singaporeDay(now)
  const rules = of && storedRules(of.rules)
  if (!rules || blockedBy(of, today, key)) return { rules: undefined }
  const counted = await lockCount(tx, device, asked.total_cents)
  // While something is under way it was accepted by a grant that is out; which one, only its arrival says.
  if (asked.grant !== null && asked.total_cents <= counted) await dropGrantsBefore(tx, device, asked.grant, now)
  // An old request that was under way for long, or a storage that was emptied: what it may have accepted since is not known.
  if (asked.total_cents < counted) return { rules }
  const out = await allowanceOut(tx, till.branchId, startOfDay(today))
  const others = out.tills.filter(({ guid, key }) => guid !== till.guid || key !== device.key)
  const grant = grantOf(till, rules, counted + shareOf(rules, out.acceptedToday, sumOf(others)), now)
  await insertGrant(tx, { ...rowOf(grant), ...device, tillGuid: till.guid }, now)
  return { grant, rules }
}

const sumOf = (tills: readonly TillOut[]) => tills.reduce((sum, { cents }) => sum + cents, 0)

/**
 * How much one till may have accepted that has not arrived: with what has arrived today, and with what is out at the other tills, never more
 * than the day's. In cents.
 */
const shareOf = (
  { till_cents, day_cents }: Pick<AllowanceRules, 'till_cents' | 'day_cents'>,
  acceptedToday: number,
  others: number,
): number => Math.max(0, Math.min(till_cents, day_cents - acceptedToday - others))

type FoundAllowance = NonNullable<Awaited<ReturnType<typeof findAllowanceOf>>>

/** Why a branch gets no grants, whatever its rules say. `today` is Singapore's. */
export function blockedBy(
  { status, fromDay, toDay, verificationMethod }: FoundAllowance,
  today: string,
  key: SigningKey | undefined,
): BranchAllowance['blocked'] {
  const isOpen = status === 'Active' && (fromDay === null || fromDay <= today) && (toDay === null || today <= toDay)
  if (!isOpen) return 'not open'
  if (verificationMethod !== 'Serial') return 'branch PIN'
  return key ? null : 'no key'
}

/** As they are stored; undefined for none. */
export function storedRules(stored: unknown): AllowanceRules | undefined {
  const parsed = v.safeParse(AllowanceRules, stored)
  return parsed.success ? parsed.output : undefined
}

const grantOf = (
  { id: till, branchId: branch }: KnownTill,
  { voucher_cents, till_cents, check_one_in, hours }: AllowanceRules,
  total_cents: number,
  now: Date,
): AllowanceGrant => ({
  id: uuidv7(),
  secret: newToken(),
  till,
  branch,
  voucher_cents,
  till_cents,
  total_cents,
  check_one_in,
  issued_at: now.toISOString(),
  ends_at: new Date(now.getTime() + hours * 3_600_000).toISOString(),
})

const rowOf = (grant: AllowanceGrant) => ({
  id: grant.id,
  secretHash: hashToken(grant.secret),
  branchId: grant.branch,
  tillId: grant.till,
  voucherCents: grant.voucher_cents,
  tillCents: grant.till_cents,
  totalCents: grant.total_cents,
  checkOneIn: grant.check_one_in,
  issuedAt: new Date(grant.issued_at),
  endsAt: new Date(grant.ends_at),
})

/** After it is written down: one that nobody ever gets only counts as out. */
function sign(key: SigningKey, grant: AllowanceGrant): SignedGrant {
  const said = Buffer.from(JSON.stringify(grant)).toString('base64url')
  const signature = key.sign(Buffer.from(`allowance.${said}`))
  return { key: key.id, grant: `${said}.${Buffer.from(signature).toString('base64url')}` }
}
