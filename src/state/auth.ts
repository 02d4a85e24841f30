import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { PermissionMap } from '../contract/accounts/permissions.ts'
import { User } from '../contract/accounts/user.ts'
import { readClaims } from '../domain/accounts/sessions.ts'
import type { Visitor } from '../domain/gate.ts'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

/**
 * The token has a key of its own: it changes every ten minutes in whichever tab comes first, and a tab that does not
 * know of that yet must not write the old one back together with a profile it has just read.
 */
const PERSON_KEY = 'auth'
const TOKEN_KEY = 'token'
/** The session whose user is logging out. */
const LEAVING_KEY = 'leaving'

const Session = v.object({
  guid: v.string(),
  idle_seconds: v.number(),
  ends_at: v.string(),
  /** Where it was begun, and where alone its token goes (WEB-07). */
  bases: v.object({ api: v.string(), reporting: v.string() }),
})

/** The kept person, the token apart. The user carries neither token nor permissions (rule 4.11). */
const Person = v.object({
  session: Session,
  user: User,
  permissions: PermissionMap,
  publicKey: v.string(),
})

const Token = v.object({
  token: v.string(),
  /** Server time minus this device's time, so that a wrong clock neither refreshes all day nor never. */
  clock_offset_ms: v.number(),
})

type Nullable<T> = { [K in keyof T]: T[K] | null }
/** Rule 4.11: session, token, user, permissions, publicKey. */
export type Auth = Nullable<Omit<v.InferOutput<typeof Person>, 'permissions'>> &
  Nullable<Pick<v.InferOutput<typeof Token>, 'token'>> & { permissions: PermissionMap; clock_offset_ms: number }

const NOBODY: Auth = { session: null, token: null, user: null, permissions: {}, publicKey: null, clock_offset_ms: 0 }

/** Stored instead of a person: whether the last one chose to log out, and at which login this device is used. */
const Left = v.object({ left: v.picklist(['chosen', 'ended']), as: v.optional(v.literal('pos')) })

/** Both parts, if they belong to one session; otherwise nobody is logged in. */
function stored(): Auth | undefined {
  const person = readStored(PERSON_KEY, Person)
  const token = readStored(TOKEN_KEY, Token)
  if (!person || !token || readClaims(token.token)?.sid !== person.session.guid) return undefined
  return { ...person, ...token }
}

export const auth = proxy<Auth>(stored() ?? { ...NOBODY })

const readAnew = () => Object.assign(auth, stored() ?? NOBODY)
onStoredElsewhere(PERSON_KEY, readAnew)
onStoredElsewhere(TOKEN_KEY, readAnew)

function writePerson() {
  const { session, user, permissions, publicKey } = auth
  writeStored(PERSON_KEY, { session, user, permissions, publicKey })
}

function writeToken() {
  const { token, clock_offset_ms } = auth
  writeStored(TOKEN_KEY, token && { token, clock_offset_ms })
}

/** The token as storage has it now: another tab may have refreshed it a moment ago. */
export const storedToken = (): string | undefined => (stored() ?? auth).token ?? undefined

/** Where the session was begun; `undefined` when nobody is logged in. As storage has it, like the token. */
export const sessionBases = () => (stored() ?? auth).session?.bases

/** This device's clock set right by the server's, in milliseconds. */
export const serverNow = (): number => Date.now() + auth.clock_offset_ms

/** A complete login. The token's `iat` is what the server's clock showed when this device's showed `answeredAt`. */
export function loggedIn(answer: {
  token: string
  publicKey: string
  answeredAt: number
  user: User
  permissions: PermissionMap
  session: { guid: string; idle_seconds: number; ends_at: string; bases: { api: string; reporting: string } }
}): void {
  const { token, publicKey, answeredAt, user, permissions, session } = answer
  const clock_offset_ms = offsetFrom(token, answeredAt)
  Object.assign(auth, { token, publicKey, user, permissions, session, clock_offset_ms })
  writePerson()
  writeToken()
}

/** The same session under a fresh token. A session that ended meanwhile stays ended. */
export function tokenRefreshed(token: string): void {
  if (!auth.session) return
  Object.assign(auth, { token, clock_offset_ms: offsetFrom(token) })
  writeToken()
}

/** What the server says of me now: a status or a permission may have changed since the login. */
export function profileRead({ user, permissions }: { user: User; permissions: PermissionMap }): void {
  if (auth.user?.guid !== user.guid) return
  Object.assign(auth, { user, permissions })
  writePerson()
}

/**
 * The person logs out, and the server is told next. From here on every tab knows why this session ends, whichever of them sees
 * the 401 first.
 */
export const startSigningOut = (): void => void writeStored(LEAVING_KEY, auth.session?.guid ?? null)

export const isLeaving = (): boolean =>
  auth.session !== null && readStored(LEAVING_KEY, v.string()) === auth.session.guid

/** `chosen` by the person; `ended` by a limit or the server, and then they may want to come back to where they were. */
export function loggedOut(how: 'chosen' | 'ended' = 'ended'): void {
  // A call that was on its way while another tab logged out must not change how that person left.
  if (how === 'ended' && readStored(PERSON_KEY, Left)) return void readAnew()
  // Before the state: its listeners ask how the session ended.
  writeStored(PERSON_KEY, {
    left: isLeaving() ? 'chosen' : how,
    as: auth.user?.type === 'POS User' ? 'pos' : undefined,
  })
  Object.assign(auth, NOBODY)
  writeToken()
}

/** Whether nobody is logged in because the last person logged out, in any tab. */
export const wasLeftByChoice = (): boolean => readStored(PERSON_KEY, Left)?.left === 'chosen'

/** The search of /login on this device: who logged in last as a POS user finds their own login again. */
export const ownLogin = (): { as?: 'pos' } => (readStored(PERSON_KEY, Left)?.as === 'pos' ? { as: 'pos' } : {})

/** Nobody, or the person whose type and status decide what may be opened. */
export function visitor(): Visitor | undefined {
  return auth.user ? { type: auth.user.type, status: auth.user.status, permissions: auth.permissions } : undefined
}

function offsetFrom(token: string, answeredAt = Date.now()): number {
  const issued = readClaims(token)?.iat
  return issued === undefined ? 0 : issued * 1000 - answeredAt
}
