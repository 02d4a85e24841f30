import type { LoginKind } from '../db/schema.ts'

/** What failures of a sign-in name are counted under. */
export const loginAttemptKey = (kind: LoginKind, loginName: string): string => `${kind}:${loginName}`
