import type { AccountStatus, UserType } from '../../../../src/contract/accounts/permissions.ts'
import type { VerificationMethod } from '../../../../src/contract/profile.ts'
import type { SessionRow } from '../../../db/accounts/sessions.ts'
import type { KnownTill } from '../../../db/redemptions/tills.ts'
import type { Scope } from '../../../db/Scope.ts'

/** The logged-in user of one call, read from the session row, never from the token. */
export interface Actor {
  sessionId: string
  userId: string
  type: UserType
  status: AccountStatus
  loginName: string
  /** The browser of this call: "Chrome on Windows". */
  readonly device: string
  passwordChangedAt: Date
  organisation: { id: string; name: string; merchantId: string; verificationMethod: VerificationMethod }
  /** `from` and `to` are the first and the last day of an adhoc branch. */
  branch: { id: string; name: string; from: string | null; to: string | null } | null
  scope: Scope
  session: { idleSeconds: number; endsAt: Date }
  /** The hash of a till's cookie, if this call came with one. */
  readonly tillTokenHash: string | undefined
}

/** Returns the actor of a session row and its call. */
export const actorOf = (row: SessionRow, caller: Pick<Caller, 'device' | 'tillTokenHash'>): Actor => ({
  sessionId: row.session_id,
  userId: row.user_id,
  type: row.type,
  status: row.status,
  loginName: row.login_name,
  // The device is computed only when it is logged, because most calls only read.
  get device() {
    return caller.device
  },
  passwordChangedAt: row.password_changed_at,
  organisation: {
    id: row.organisation_id,
    name: row.organisation_name,
    merchantId: row.merchant_id,
    verificationMethod: row.verification_method,
  },
  branch:
    row.branch_id === null
      ? null
      : { id: row.branch_id, name: row.branch_name ?? '', from: row.branch_from, to: row.branch_to },
  scope: { organisationId: row.organisation_id, branchIds: branchIdsOf(row) },
  session: { idleSeconds: row.idle_seconds, endsAt: row.ends_at },
  get tillTokenHash() {
    return caller.tillTokenHash
  },
})

/** Rule 2.2: main accounts see the organisation, a master its branches, a branch and its POS users that branch. */
function branchIdsOf(row: SessionRow): Scope['branchIds'] {
  switch (row.type) {
    case 'HRP Merchant':
    case 'ADHOC Merchant':
      return 'all'
    case 'Additional Merchant':
      return row.managed_branch_ids?.split(',') ?? []
    case 'Branch Merchant':
    case 'POS User':
      return row.branch_id === null ? [] : [row.branch_id]
  }
}

/** The origin of a call, as the owner of an account may want to recognise it. */
export interface Caller {
  readonly ipAddress: string
  /** "Chrome on Windows". */
  device: string
  /** The cookie of a browser that has logged in before. */
  deviceToken: string | undefined
  /** The cookie of a till. */
  tillToken: string | undefined
  /** The hash of `tillToken`. */
  readonly tillTokenHash: string | undefined
  /** Returns the till of this cookie. The first call looks it up. */
  till: () => Promise<KnownTill | undefined>
  /** Returns true when the caller no longer waits for the answer. */
  isGone: () => boolean
}

/** The address of a call without a socket, as in tests or after the caller has hung up. */
export const NO_ADDRESS = 'unknown'

/**
 * The address of a call through a proxy that hides the real address. No limit counts this address, because one person would use up the limit for all.
 */
export const HIDDEN_ADDRESS = 'hidden by a proxy'
