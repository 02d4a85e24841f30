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
  type TillOut,
} from '../../db/redemptions/allowance.ts'
import { findTill, lockTill } from '../../db/redemptions/tills.ts'
import type { Deps } from '../../Deps.ts'
import type { Caller } from '../accounts/sessions/Actor.ts'
import { proofNeeded } from '../accounts/sessions/authenticate.ts'
import { hashToken, newToken } from '../opaqueToken.ts'
import { signingKey, VoucherKeyError, type SigningKey } from '../vouchers/voucherKeys.ts'
import { isKeyOf } from './tills.ts'

type Asked = Required<BodyOf<typeof askAllowance>>

/** A till that works at its branch, with the key that this call has proved. */
type ProvenTill = NonNullable<Awaited<ReturnType<typeof findTill>>>

const NOTHING = { grant: null, rules: null }

/**
 * What a till may accept without a check from now on (decision 0092). It gets nothing, and is not told why, unless it is enrolled, proves its
 * key and was not revoked, and its branch has an allowance. Throws Refusal PROOF_NEEDED.
 */
export async function grantAllowance(
  deps: Deps,
  asked: Asked,
  { proof }: Pick<Caller, 'proof'>,
): Promise<AnswerOf<typeof askAllowance>> {
  const keyThumbprint = await proof()
  if (keyThumbprint === undefined) throw proofNeeded(deps.clock)
  // The device says who it is, and no session whose it is.
  const free = { ...deps, database: deps.database.portal() }
  const { db } = free.database
  const till = await findTill(db, asked.branch, asked.till)
  const isEligible = till?.enrolledAt && !till.revokedAt && (await isKeyOf(till, { keyThumbprint }))
  if (!isEligible) return NOTHING
  const key = await findSigner(free)
  const { grant, rules } = await db.transaction((tx: Db) => decide(tx, till, asked, key, deps.clock.now()))
  return { grant: grant && key ? sign(key, grant) : null, rules: rules ?? null }
}

/** Undefined where the programme has no key that this server can sign with: then nothing is granted. */
export const findSigner = (deps: Pick<Deps, 'database' | 'secrets'>): Promise<SigningKey | undefined> =>
  signingKey(deps).catch((error: unknown) => {
    if (error instanceof VoucherKeyError) return undefined
    throw error
  })

/** All of a branch are decided one after the other: what is out must not be counted while it changes. */
async function decide(tx: Db, till: ProvenTill, asked: Asked, key: SigningKey | undefined, now: Date) {
  await lockBranch(tx, asked.branch)
  // It may have been revoked since, and what was granted before then freed.
  if ((await lockTill(tx, asked.branch, asked.till))?.revokedAt !== null) return { rules: undefined }
  const of = await findAllowanceOf(tx, asked.branch)
  const today = singaporeDay(now)
  const rules = of && storedRules(of.rules)
  if (!rules || blockedBy(of, today, key)) return { rules: undefined }
  const device = { organisationId: of.organisationId, tillId: asked.till, key: till.publicKey!.x }
  const counted = await lockCount(tx, device, asked.total_cents)
  // While something is under way it was accepted by a grant that is out; which one, only its arrival says.
  if (asked.grant !== null && asked.total_cents <= counted) await dropGrantsBefore(tx, device, asked.grant, now)
  // An old request that was under way for long, or a storage that was emptied: what it may have accepted since is not known.
  if (asked.total_cents < counted) return { rules }
  const out = await allowanceOut(tx, asked.branch, startOfDay(today))
  const others = out.tills.filter(({ guid, key }) => guid !== till.guid || key !== device.key)
  const grant = grantOf(asked, rules, counted + shareOf(rules, out.acceptedToday, sumOf(others)), now)
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
  { till, branch }: Asked,
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
