import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { byId } from '../tables/resourceEndpoints.ts'
import { authCode, cents, encryptedPassword, instant, recoveryCode } from '../wireFields.ts'
import { AllowanceGrant, AllowanceRules, GRANT_LACKS } from './allowance.ts'

/** By the cookie of the till. The newest answer takes the place of the grant that the till has; `null` takes it away. */
export const askAllowance = endpoint({
  method: 'POST',
  path: '/till/allowance',
  access: 'public',
  summary: 'What an enrolled till may accept without a check from now on, at the shop’s risk, or why nothing',
  body: v.strictObject({
    /** All that this till has ever accepted, by its own count. */
    total_cents: cents,
    /**
     * The id of the grant that is on its disk now: every earlier one is gone for good, whatever answers were lost. By this alone what was
     * granted before and never used is free again for the other tills.
     */
    grant: v.optional(v.nullable(guid), null),
  }),
  answer: v.object({ grant: v.nullable(AllowanceGrant), why: v.nullable(v.picklist(GRANT_LACKS)) }),
})
export type AllowanceRequest = v.InferOutput<typeof askAllowance.body>

/** A till that may accept something, has accepted what has not arrived, or gets nothing for a reason of its own. */
const TillOut = v.object({
  /** Of the device at this branch. */
  guid,
  name: v.string(),
  /** What it may have accepted, or may still accept, that the server does not know. */
  cents,
  /** The end of its newest grant; null where it has none. */
  ends_at: v.nullable(instant),
  why: v.nullable(v.picklist(['not enrolled', 'count behind'])),
})

export const BranchAllowance = v.object({
  rules: v.nullable(AllowanceRules),
  /** Why no till gets a grant, whatever the rules say. */
  blocked: v.nullable(v.picklist(['no key', 'branch PIN', 'not open'])),
  /** Accepted without a check, and arrived today. */
  accepted_today_cents: cents,
  /** The most first: also after a stop, for tills that are offline keep their limits. */
  tills: v.array(TillOut),
})
export type BranchAllowance = v.InferOutput<typeof BranchAllowance>

const ofBranch = { params: byId, answer: BranchAllowance } as const

export const readAllowance = endpoint({
  ...ofBranch,
  method: 'GET',
  path: '/branch/allowance/:id',
  access: { feature: 'branches', action: 'view' },
  summary: 'What the tills of a branch of my scope may accept without a check, and what is out now',
})

/** REAUTH_REQUIRED: the account has no authenticator app, whose code this takes. */
export const changeAllowance = endpoint({
  ...ofBranch,
  method: 'PUT',
  path: '/branch/allowance/:id',
  access: { feature: 'branches', action: 'edit' },
  summary: 'Let the tills of a branch accept vouchers without a check; by a main account, with password and code',
  body: v.strictObject({
    rules: AllowanceRules,
    encrypted_own_password: encryptedPassword,
    code: v.union([authCode, recoveryCode]),
  }),
  errors: ['REAUTH_REQUIRED', 'WRONG_PASSWORD', 'MFA_CODE_WRONG', 'KEY_EXPIRED', 'TOO_MANY_ATTEMPTS', 'INVALID_STATE'],
})

export const stopAllowance = endpoint({
  ...ofBranch,
  method: 'POST',
  path: '/branch/allowance/:id/stop',
  access: { feature: 'branches', action: 'edit' },
  summary: 'Give the tills of a branch no more grants; those that are out end by themselves',
})
