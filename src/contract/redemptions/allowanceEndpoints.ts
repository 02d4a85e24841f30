import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { byId } from '../tables/resourceEndpoints.ts'
import { authCode, cents, encryptedPassword, instant, recoveryCode } from '../wireFields.ts'
import { AllowanceGrant, AllowanceRules, NO_GRANT_REASONS } from './allowance.ts'

/** The cookie identifies the till. The newest answer replaces the till's grant; `null` removes the grant. */
export const askAllowance = endpoint({
  method: 'POST',
  path: '/till/allowance',
  access: 'public',
  summary:
    'What an enrolled till may accept without a check from now on, at the shop’s risk, or why it may accept nothing',
  body: v.strictObject({
    /** The sum of all that this till has ever accepted, by its own count. */
    total_cents: cents,
    /**
     * The id of the grant that is now on the till's disk. It confirms that the till no longer has an earlier grant, so the unused amounts of earlier
     * grants are free again for the other tills.
     */
    grant: v.optional(v.nullable(guid), null),
  }),
  answer: v.object({ grant: v.nullable(AllowanceGrant), why: v.nullable(v.picklist(NO_GRANT_REASONS)) }),
})
export type AllowanceRequest = v.InferOutput<typeof askAllowance.body>

/** A till that may accept something, has accepted vouchers that have not arrived, or gets no grant for a reason of its own. */
const TillOut = v.object({
  /** The id of the device at this branch. */
  guid,
  name: v.string(),
  /** The amount that the till may have accepted, or may still accept, and that the server does not know about. */
  cents,
  /** The end of the till's newest grant; null without a grant. */
  ends_at: v.nullable(instant),
  why: v.nullable(v.picklist(['not enrolled', 'count behind'])),
})

export const BranchAllowance = v.object({
  rules: v.nullable(AllowanceRules),
  /** The reason why no till gets a grant, whatever the rules say. */
  blocked: v.nullable(v.picklist(['no key', 'branch PIN', 'not open'])),
  /** The sum that was accepted without a check and arrived today. */
  accepted_today_cents: cents,
  /** The tills, the largest amount first; also after a stop, because offline tills keep their limits. */
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

/** REAUTH_REQUIRED: the account has no authenticator app, and so no code. */
export const changeAllowance = endpoint({
  ...ofBranch,
  method: 'PUT',
  path: '/branch/allowance/:id',
  access: { feature: 'branches', action: 'edit' },
  summary: 'Let the tills of a branch accept vouchers without a check; for main accounts, with password and code',
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
  summary: 'Give the tills of a branch no more grants; current grants stay until they end',
})
