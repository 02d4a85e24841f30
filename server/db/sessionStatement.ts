import type { AccountStatus, UserType } from '../../src/contract/accounts/permissions.ts'
import type { VerificationMethod } from '../../src/contract/profile.ts'
import type { Statement } from './engine/Database.ts'
import { sessionState, type SessionState } from './sessionState.ts'

export interface SessionRow {
  session_id: string
  jti: string
  previous_jti: string | null
  confirmed_at: Date | null
  binding_hash: string
  idle_seconds: number
  last_active_at: Date
  ends_at: Date
  state: SessionState
  user_id: string
  type: UserType
  status: AccountStatus
  login_name: string
  password_changed_at: Date
  organisation_id: string
  organisation_name: string
  merchant_id: string
  verification_method: VerificationMethod
  branch_id: string | null
  branch_name: string | null
  /** Branches whose master this user is, comma separated; null without any. */
  managed_branch_ids: string | null
}

/** The session with everything a request needs to know about its user: asked once per request, by primary keys. */
export const SESSION_STATEMENT: Statement<[sessionId: string, now: Date], SessionRow> = {
  name: 'session',
  text: `
    SELECT s.id AS session_id, s.jti, s.previous_jti, s.confirmed_at, s.binding_hash, s.idle_seconds, s.last_active_at,
           s.ends_at, ${sessionState('$2::timestamptz')} AS state,
           u.id AS user_id, u.type, u.login_name, u.password_changed_at,
           -- An account can do no more than its organisation may.
           CASE WHEN u.status = 'Active' THEN o.status ELSE u.status END AS status,
           o.id AS organisation_id, o.name AS organisation_name, o.merchant_id, o.verification_method,
           b.id AS branch_id, b.name AS branch_name,
           (SELECT string_agg(m.id::text, ',') FROM branch m WHERE m.master_user_id = u.id) AS managed_branch_ids
    FROM session s
    JOIN app_user u ON u.id = s.user_id
    JOIN organisation o ON o.id = u.organisation_id
    LEFT JOIN branch b ON b.id = u.branch_id
    WHERE s.id = $1::uuid`,
}
