import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { PermissionMap } from '../contract/accounts/permissions.ts'
import { User } from '../contract/accounts/user.ts'
import { readClaims } from '../domain/accounts/sessions.ts'
import type { Visitor } from '../domain/gate.ts'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

/** The storage key of session, user and permissions. */
const PERSON_KEY = 'auth'
/** A separate key: any tab may refresh the token, and a tab that stores a new profile must not write the old token back. */
const TOKEN_KEY = 'token'
/** The storage key of the session whose user is logging out. */
const LEAVING_KEY = 'leaving'

const Session = v.object({
  guid: v.string(),
  idle_seconds: v.number(),
  ends_at: v.string(),
  /** The addresses of the services where the session began; its token is sent only to them (WEB-07). */
  baseUrls: v.object({ api: v.string(), reporting: v.string() }),
})

/** The stored row without the token. `user` has neither token nor permissions (rule 4.11). */
const Person = v.object({
  session: Session,
  user: User,
  permissions: PermissionMap,
  publicKey: v.string(),
})

const Token = v.object({
  token: v.string(),
  /** Server time minus this device's time, so that a wrong clock does not refresh all the time or never. */
  clock_offset_ms: v.number(),
})

type Nullable<T> = { [K in keyof T]: T[K] | null }
/** The state of rule 4.11: session, token, user, permissions, publicKey. */
export type Auth = Nullable<Omit<v.InferOutput<typeof Person>, 'permissions'>> &
  Nullable<Pick<v.InferOutput<typeof Token>, 'token'>> & { permissions: PermissionMap; clock_offset_ms: number }

const LOGGED_OUT: Auth = {
  session: null,
  token: null,
  user: null,
  permissions: {},
  publicKey: null,
  clock_offset_ms: 0,
}

/** Stored instead of a person after a session: how it ended, and which login this device uses. */
const LastLogout = v.object({ left: v.picklist(['chosen', 'ended']), as: v.optional(v.literal('pos')) })

/** Reads both parts; undefined if they do not belong to one session. */
function readSession(): Auth | undefined {
  const person = readStored(PERSON_KEY, Person)
  const token = readStored(TOKEN_KEY, Token)
  if (!person || !token || readClaims(token.token)?.sid !== person.session.guid) return undefined
  return { ...person, ...token }
}

export const auth = proxy<Auth>(readSession() ?? { ...LOGGED_OUT })

const readAgain = () => Object.assign(auth, readSession() ?? LOGGED_OUT)
onStoredElsewhere(PERSON_KEY, readAgain)
onStoredElsewhere(TOKEN_KEY, readAgain)

function writePerson() {
  const { session, user, permissions, publicKey } = auth
  writeStored(PERSON_KEY, { session, user, permissions, publicKey })
}

function writeToken() {
  const { token, clock_offset_ms } = auth
  writeStored(TOKEN_KEY, token && { token, clock_offset_ms })
}

/** Reads the token from storage: another tab may have refreshed it a moment ago. */
export const storedToken = (): string | undefined => (readSession() ?? auth).token ?? undefined

/** Reads from storage the addresses of the services where the session began; `undefined` when no user is logged in. */
export const sessionBaseUrls = () => (readSession() ?? auth).session?.baseUrls

/** This device's clock, corrected by the server's, in milliseconds. */
export const serverNow = (): number => Date.now() + auth.clock_offset_ms

/** Stores a complete login. The server's clock showed the token's `iat` when this device's clock showed `answeredAt`. */
export function storeLogin(answer: {
  token: string
  publicKey: string
  answeredAt: number
  user: User
  permissions: PermissionMap
  session: { guid: string; idle_seconds: number; ends_at: string; baseUrls: { api: string; reporting: string } }
}): void {
  const { token, publicKey, answeredAt, user, permissions, session } = answer
  const clock_offset_ms = clockOffsetMs(token, answeredAt)
  Object.assign(auth, { token, publicKey, user, permissions, session, clock_offset_ms })
  writePerson()
  writeToken()
}

/** Stores a fresh token of the same session. A session that ended meanwhile stays ended. */
export function storeRefreshedToken(token: string): void {
  if (!auth.session) return
  Object.assign(auth, { token, clock_offset_ms: clockOffsetMs(token) })
  writeToken()
}

/** Stores the server's current data about the user: a status or a permission may have changed since the login. */
export function storeProfile({ user, permissions }: { user: User; permissions: PermissionMap }): void {
  if (auth.user?.guid !== user.guid) return
  Object.assign(auth, { user, permissions })
  writePerson()
}

/**
 * Notes that the user is logging out, before the server is told. From then on every tab knows why this session ends, in whichever
 * tab the 401 comes first.
 */
export const startLoggingOut = (): void => void writeStored(LEAVING_KEY, auth.session?.guid ?? null)

export const isLoggingOut = (): boolean =>
  auth.session !== null && readStored(LEAVING_KEY, v.string()) === auth.session.guid

/**
 * Ends the session on this device. `chosen` by the user; `ended` by a limit or the server, and then the user may want to come back
 * to the same screen.
 */
export function clearSession(how: 'chosen' | 'ended' = 'ended'): void {
  // A call that was on its way while another tab logged out must not change the stored reason.
  if (how === 'ended' && readStored(PERSON_KEY, LastLogout)) return void readAgain()
  // Stored before the state changes, because listeners to the state ask how the session ended.
  writeStored(PERSON_KEY, {
    left: isLoggingOut() ? 'chosen' : how,
    as: auth.user?.type === 'POS User' ? 'pos' : undefined,
  })
  Object.assign(auth, LOGGED_OUT)
  writeToken()
}

/** True if no user is logged in because the last one logged out, in any tab. */
export const hasLoggedOutByChoice = (): boolean => readStored(PERSON_KEY, LastLogout)?.left === 'chosen'

/** The query of /login on this device: after a POS user it opens the login of POS users. */
export const ownLoginSearch = (): { as?: 'pos' } =>
  readStored(PERSON_KEY, LastLogout)?.as === 'pos' ? { as: 'pos' } : {}

/** The logged-in user's type, status and permissions, which decide about the screens. */
export function visitor(): Visitor | undefined {
  return auth.user ? { type: auth.user.type, status: auth.user.status, permissions: auth.permissions } : undefined
}

function clockOffsetMs(token: string, answeredAt = Date.now()): number {
  const issued = readClaims(token)?.iat
  return issued === undefined ? 0 : issued * 1000 - answeredAt
}
