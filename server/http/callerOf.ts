import { isIP } from 'node:net'
import Bowser from 'bowser'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { OPAQUE_TOKEN } from '../../src/contract/wireFields.ts'
import { onFirstUse } from '../../src/domain/onFirstUse.ts'
import { findTillByToken } from '../db/redemptions/tills.ts'
import type { Deps } from '../Deps.ts'
import { NO_ADDRESS, type Caller } from '../services/accounts/sessions/Actor.ts'
import { hashToken } from '../services/opaqueToken.ts'
import { deviceCookieName, tillCookieName } from './cookies.ts'
import type { PortalEnv } from './PortalEnv.ts'

/** Describes the origin of this request: address, device and till. */
export function callerOf(c: Context<PortalEnv>, { settings, database }: Pick<Deps, 'settings' | 'database'>): Caller {
  const tillToken = ourToken(getCookie(c, tillCookieName(settings)))
  const tillTokenHash = tillToken === undefined ? undefined : hashToken(tillToken)
  return {
    ipAddress: (settings.trustProxy ? proxiedAddress(c) : undefined) ?? socketAddress(c),
    // Parsed only when it is read, by logins and log entries: it costs more than the rest of the way to a handler.
    get device() {
      return deviceName(c.req.header('user-agent') ?? '')
    },
    deviceToken: ourToken(getCookie(c, deviceCookieName(settings))),
    tillToken,
    tillTokenHash,
    // The cookie, not a session, says which organisation the till belongs to: so row security does not apply.
    till: onFirstUse(async () =>
      tillTokenHash === undefined ? undefined : findTillByToken(database.forAllTenants().db, tillTokenHash),
    ),
    isGone: () => hasHungUp(c),
  }
}

/** Ignores a cookie that does not look like a token of this server. */
const ourToken = (cookie: string | undefined) =>
  cookie !== undefined && OPAQUE_TOKEN.test(cookie) ? cookie : undefined

/** Only the last hop was written by our own proxy; a client can send the ones before. */
function proxiedAddress(c: Context<PortalEnv>): string | undefined {
  const last = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? ''
  return isIP(last) ? last : undefined
}

/** True if the socket is closed, or its other end has ended the connection. */
export function hasHungUp(c: Context<PortalEnv>): boolean {
  const socket = (c.env as PortalEnv['Bindings'] | undefined)?.incoming?.socket
  return socket !== undefined && (socket.destroyed || socket.readableEnded)
}

/** On a socket for IPv6 and IPv4 an IPv4 address looks like `::ffff:1.2.3.4`. */
function socketAddress(c: Context<PortalEnv>): string {
  const address = (c.env as PortalEnv['Bindings'] | undefined)?.incoming?.socket.remoteAddress
  return address?.replace(/^::ffff:(?=\d)/, '') ?? NO_ADDRESS
}

/** Longer than the User-Agent of any browser. */
const LONGEST = 512

/** Describes a User-Agent in words: "Chrome on Windows". */
export function deviceName(userAgent: string): string {
  if (userAgent === '' || userAgent.length > LONGEST) return UNKNOWN
  const parsed = Bowser.getParser(userAgent)
  const [browser, system] = [parsed.getBrowserName(), parsed.getOSName()]
  if (!KNOWN_BROWSERS.has(browser)) return UNKNOWN
  return KNOWN_SYSTEMS.has(system) ? `${browser} on ${system}` : browser
}

// Only known names: a stranger's text must not get into an owner's list or mail.
const KNOWN_BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP))

const KNOWN_SYSTEMS = new Set(Object.values(Bowser.OS_MAP))

const UNKNOWN = 'Unknown device'

/** The token of an Authorization header; undefined for any other scheme. */
export const bearerToken = (header: string | undefined): string | undefined => /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
