import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { User } from '../contract/account.ts'
import { PermissionMap } from '../contract/permissions.ts'
import { readClaims } from '../domain/accessToken.ts'
import type { Visitor } from '../domain/gate.ts'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'auth'

const Session = v.object({
  guid: v.string(),
  idle_seconds: v.number(),
  ends_at: v.string(),
  /** Server time minus this device's time, so that a wrong clock neither refreshes all day nor never. */
  clock_offset_ms: v.number(),
})

/** Spec §3: session, token, user, permissions, publicKey. The user carries neither token nor permissions. */
const Auth = v.object({
  session: v.nullable(Session),
  token: v.nullable(v.string()),
  user: v.nullable(User),
  permissions: PermissionMap,
  publicKey: v.nullable(v.string()),
})
export type Auth = v.InferOutput<typeof Auth>

const NOBODY: Auth = { session: null, token: null, user: null, permissions: {}, publicKey: null }

export const auth = proxy<Auth>(readStored(KEY, Auth) ?? { ...NOBODY })

function change(next: Partial<Auth>) {
  Object.assign(auth, next)
  writeStored(KEY, auth)
}

onStoredElsewhere(KEY, () => Object.assign(auth, readStored(KEY, Auth) ?? NOBODY))

/** The token as storage has it now: another tab may have refreshed it a moment ago. */
export const storedToken = (): string | undefined => (readStored(KEY, Auth) ?? auth).token ?? undefined

/** This device's clock set right by the server's, in milliseconds. */
export const serverNow = (): number => Date.now() + (auth.session?.clock_offset_ms ?? 0)

/** A complete sign-in. `iat` was the server's clock when it answered, a moment ago. */
export function signedIn(answer: {
  token: string
  publicKey: string
  user: User
  permissions: Auth['permissions']
  session: { guid: string; idle_seconds: number; ends_at: string }
}): void {
  const { token, publicKey, user, permissions, session } = answer
  change({ token, publicKey, user, permissions, session: { ...session, clock_offset_ms: offsetFrom(token) } })
}

/** The same session under a fresh token. A session that ended meanwhile stays ended. */
export function tokenRefreshed(token: string): void {
  if (!auth.session) return
  change({ token, session: { ...auth.session, clock_offset_ms: offsetFrom(token) } })
}

/** What the server says of me now: a status or a permission may have changed since the sign-in. */
export function profileRead({ user, permissions }: { user: User; permissions: Auth['permissions'] }): void {
  if (auth.user?.guid === user.guid) change({ user, permissions })
}

export function signedOut(): void {
  change({ ...NOBODY })
}

/** Nobody, or the person whose type and status decide what may be opened. */
export function visitor(): Visitor | undefined {
  return auth.user ? { type: auth.user.type, status: auth.user.status, permissions: auth.permissions } : undefined
}

function offsetFrom(token: string): number {
  const issued = readClaims(token)?.iat
  return issued === undefined ? 0 : issued * 1000 - Date.now()
}
